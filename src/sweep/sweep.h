// Sweeps over a constraint set: one projection of all its constraints, colour by colour.
#ifndef PLI_SWEEP_SWEEP_H
#define PLI_SWEEP_SWEEP_H

#include "model/model.h"

// A sweep: whether it is the first of its substep, and its direction.
typedef struct pli_sweep {
    bool first;    // True for the first sweep of the substep.
    bool backward; // Runs from the last constraint to the first.
} pli_sweep;

// Number of sweeps in a substep before an iteration; if `iteration` is the number of iterations, the total.
//
//   iterations        1       2      3         4         5
//   back and forth    (<>)    < >    < (<>) >  < < > >   < < (<>) > >    the middle one of an odd number is doubled
//
// In reverse order, with each sweep reversed, a substep is the same: it is self-adjoint in the mass metric. The direction changes only
// once, since a sweep directly after its opposite gains little.
int32_t pli_sweeps_before(const pli_settings *settings, int32_t iteration);
int32_t pli_sweep_count(const pli_settings *settings);
// Number of effective sweeps in a substep: back and forth, the sweep at the turn repeats the previous one, so 2, 4 and 8 sweeps measure as
// 1, 3 and 7.
int32_t pli_effective_sweeps(const pli_settings *settings);
bool pli_sweep_is_backward(const pli_settings *settings, int32_t at);
// Whether multipliers pass from sweep to sweep; for rigid equalities this is unnecessary.
bool pli_constraints_passes_multipliers(const pli_world *world, const pli_constraints_data *set);

// Returns the arguments of the kernel for a sweep.
pli_projection pli_constraints_projection(const pli_world *world, const pli_constraints_data *set, float step,
                                          pli_sweep which);

// One sweep over the set, colour by colour; sets with runs have sweeps of their own (sweep/grid/grid_sweep.h).
void pli_constraints_project(pli_world *world, const pli_constraints_data *set, const pli_projection *projection);
// The type's preparation at the start of a substep, if it has one.
void pli_constraints_prepare(pli_world *world, const pli_constraints_data *set, const pli_projection *projection);

// Adds the multipliers of the substep to the means over the step if these are read; `first` is true in the first substep. With many
// substeps, single multipliers are noise, because rounding of positions is divided by the squared substep.
void pli_constraints_average(pli_world *world, const pli_constraints_data *set, bool first);

// Recomputes data that depend on the parameters.
void pli_constraints_update_parameters(pli_constraints_data *set);

#endif
