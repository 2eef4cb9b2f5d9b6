// Bending that is solved: the plate of a deformable, an implicit energy (implicit/implicit.h) of the positions of its particles and the
// derivatives across all edges (plate/plate_element.h). A static shape does not depend on the length of the interval. Q is
// constant, so its factorisation serves until masses, shape, H or rigidity change.
#ifndef PLI_PLATE_PLATE_H
#define PLI_PLATE_PLATE_H

#include "model/model.h"

pli_status pli_plate_check(const pli_plate *plate, pli_error *error);

static inline bool pli_deformable_has_plate(const pli_deformable_data *deformable)
{
    return deformable->def.plate.rigidity > 0.0f;
}

// Factors again what has changed since the last step, for `step` seconds a substep; `substeps` is their number in the step. False when
// memory ran out.
bool pli_plate_update(pli_world *world, pli_deformable_data *deformable, float step, int32_t substeps);
// Solves at the first substep of an interval, from velocities after forces; `substep` counts from 0 in the step.
void pli_plate_solve(pli_world *world, pli_deformable_data *deformable, int32_t substep);
// Adds h^2 a to the predicted positions, without the rigid motion that this would give to a piece of the deformable.
void pli_plate_bend(pli_world *world, pli_deformable_data *deformable, float step);
void pli_plate_free(pli_world *world, pli_deformable_data *deformable);

#endif
