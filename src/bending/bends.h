// Solved constraint sets of bending: an implicit energy (bending/implicit.h) of the positions, over all sets of a deformable whose types
// have a linear form (constraints/solved) and that request a solve by the parameter "solve".
//
//   Q = sum K^T K / (alpha g)        constant: factored once for masses, compliances and H
//   r = -sum K^T f                   with f from the targets at y: one local and one global step
//
// Such a set is not swept. Some sets are swept although they request a solve: under PBD, where stiffness has no unit; without any
// compliance; sets that keep bends (src/bending), since the targets are rest values; and sets next to a plate, whose solve does not
// include their targets.
#ifndef PLI_BENDING_BENDS_H
#define PLI_BENDING_BENDS_H

#include "model/model.h"

// Whether the set requests a solve and supports it, if the factorisation succeeds.
bool pli_constraints_request_solve(const pli_world *world, const pli_constraints_data *set);

// Rebuilds the parts that have changed since the last step, for `step` seconds a substep, and marks the sets that no sweep projects. False
// when memory ran out.
bool pli_bends_update(pli_world *world, pli_deformable_data *deformable, float step);
// Solves at the first substep of an interval, from velocities after forces.
void pli_bends_solve(pli_world *world, pli_deformable_data *deformable, int32_t substep);
// Its equations, or null.
const struct pli_implicit *pli_bends_system(const pli_deformable_data *deformable);
void pli_bends_free(pli_world *world, pli_deformable_data *deformable);

#endif
