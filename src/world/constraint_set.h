// Making constraint sets, and what the step and statistics need of them.
#ifndef PLI_WORLD_CONSTRAINT_SET_H
#define PLI_WORLD_CONSTRAINT_SET_H

#include "model/deformable_parts.h"
#include "schedule/constraint_slots.h"

// Which sweep of a step it is.
typedef struct pli_sweep {
    bool first;        // Of the substep.
    bool last_substep; // Of the step: its multipliers can be asked for.
} pli_sweep;

// The projection of a set for a sweep.
pli_projection pli_constraint_set_projection(const pli_world *world, const pli_constraint_set_data *set, float step,
                                             pli_sweep which);

// One sweep over the set, colour by colour.
void pli_constraint_set_project(pli_world *world, const pli_constraint_set_data *set, const pli_projection *projection);
// The type's preparation at the start of a substep, if it has one.
void pli_constraint_set_prepare(pli_world *world, const pli_constraint_set_data *set, const pli_projection *projection);

// Value of constraint `i` (in order of creation) now: its size when violated, else 0.
double pli_constraint_set_violation(const pli_constraint_set_data *set, int32_t i);

// Makes room for multipliers where the settings, tearing or the user ask for them. False when memory ran out.
bool pli_world_reserve_lambdas(pli_world *world);
// Recomputes what follows from the parameters.
void pli_constraint_set_update_parameters(pli_constraint_set_data *set);

// Gives the set its arrays from stencils in vertices: rest values, colours, padding. The stencils are used up,
// but stay to be released.
pli_status pli_constraint_set_cook(pli_world *world, pli_constraint_set_data *set, pli_stencils *stencils,
                                   pli_error *error);

#endif
