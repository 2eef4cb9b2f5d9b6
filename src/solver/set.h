// Making constraint sets, and what the step and statistics need of them.
#ifndef PLI_SOLVER_SET_H
#define PLI_SOLVER_SET_H

#include "solver/body.h"

// Which sweep of a step it is.
typedef struct pli_sweep {
    bool first;        // Of the substep.
    bool last_substep; // Of the step: its multipliers can be asked for.
} pli_sweep;

// The projection of a set for a sweep.
pli_projection pli_set_projection(const pli_world *world, const pli_set *set, float step, pli_sweep which);

// One sweep over the set, colour by colour.
void pli_set_project(pli_world *world, const pli_set *set, const pli_projection *projection);
// The type's preparation at the start of a substep, if it has one.
void pli_set_prepare(pli_world *world, const pli_set *set, const pli_projection *projection);

// Value of constraint `i` (in order of creation) now: its size when violated, else 0.
double pli_set_violation(const pli_set *set, int32_t i);

// Particles (internal places) of constraint i; returns how many.
int32_t pli_set_particles(const pli_set *set, int32_t i, const int32_t **variable, int32_t fixed[PLI_CARDINALITY_MAX]);
// Those of a slot, of a type of fixed cardinality.
void pli_set_slot_particles(const pli_set *set, int32_t slot, int32_t places[PLI_CARDINALITY_MAX]);

static inline int32_t pli_set_slot(const pli_set *set, int32_t i) { return set->slot_of ? set->slot_of[i] : i; }

// Frees what lies slot by slot: particles of PLI_CARDINALITY_MAX, rest values of PLI_REST_MAX, multipliers of three.
void pli_release_words(pli_memory *memory, pli_index **index, float **rest, float **lambda);
// Frees the arrays that its constraints lie in, and nothing else of it.
void pli_set_release_slots(pli_world *world, pli_set *set);
// Makes room for multipliers where the settings, tearing or the user ask for them. False when memory ran out.
bool pli_set_reserve_lambda(pli_world *world, pli_set *set);
bool pli_world_reserve_lambdas(pli_world *world);
// Fills the slots behind the constraints of each colour. Fixed cardinality only.
void pli_set_fill_padding(const pli_set *set);
// Recomputes what follows from the parameters.
void pli_set_update_parameters(pli_set *set);

// Gives the set its arrays from stencils in vertices: rest values, colours, padding. The stencils are used up,
// but stay to be released.
pli_status pli_set_cook(pli_world *world, pli_set *set, pli_stencils *stencils, pli_error *error);

#endif
