// Sweeps over a constraint set: one projection of all its constraints, colour by colour.
#ifndef PLI_SCHEDULE_SWEEP_H
#define PLI_SCHEDULE_SWEEP_H

#include "model/model.h"

// Which sweep of a substep it is.
typedef struct pli_sweep {
    bool first;    // True for the first sweep of the substep.
    bool backward; // From the last constraint to the first.
} pli_sweep;

// Sweeps of a substep before an iteration; for the number of iterations as the iteration, all of them.
//
//   iterations        1       2      3         4         5
//   back and forth    (<>)    < >    < (<>) >  < < > >   < < (<>) > >    the middle one of an odd number is doubled
//
// Read from its end, with each sweep turned, a substep is itself: it is self-adjoint in the metric of the masses. It
// turns once, since what a sweep does right after its opposite is mostly done.
int32_t pli_sweeps_before(const pli_settings *settings, int32_t iteration);
int32_t pli_sweep_count(const pli_settings *settings);
// Sweeps of a substep that bring anything new: back and forth the sweep at the turn repeats what the last one did, so that 2, 4 and 8
// sweeps measure as 1, 3 and 7.
int32_t pli_effective_sweeps(const pli_settings *settings);
bool pli_sweep_is_backward(const pli_settings *settings, int32_t at);
// Whether multipliers pass from sweep to sweep; those of rigid equalities need not.
bool pli_constraint_set_passes_multipliers(const pli_world *world, const pli_constraint_set_data *set);

// Returns the arguments of the kernel for a sweep.
pli_projection pli_constraint_set_projection(const pli_world *world, const pli_constraint_set_data *set, float step,
                                             pli_sweep which);

// One sweep over the set, colour by colour.
void pli_constraint_set_project(pli_world *world, const pli_constraint_set_data *set, const pli_projection *projection);
// The type's preparation at the start of a substep, if it has one.
void pli_constraint_set_prepare(pli_world *world, const pli_constraint_set_data *set, const pli_projection *projection);

// Adds the multipliers that the substep leaves to the means over the step, where these are read; `first` in the first
// substep. Rounding of positions divided by the squared substep makes those of single substeps noise where substeps are
// many.
void pli_constraint_set_average(pli_world *world, const pli_constraint_set_data *set, bool first);

// Recomputes what follows from the parameters.
void pli_constraint_set_update_parameters(pli_constraint_set_data *set);

#endif
