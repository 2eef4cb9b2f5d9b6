// Solved membranes: the tension, shear and compression of all triangles of a deformable act with their full material stiffness,
// independently of the mesh and the substep.
//
//   Baraff and Witkin 1998, Large Steps in Cloth Simulation, for the linear system of an implicit step; the material law is defined in
//   constraints/types/membrane.c.
//
// A substep of length h moves the particles from x by
//
//   X = x + h v,   (M / h^2 + K(X)) d = f(X) + F,   x' = X + d
//
// Here F are all other forces, including weight, and f the forces of the membrane. At rest f + F = 0, so nothing moves, whatever
// approximates the inverse of the matrix. If the solve started after the weight was applied, it would push in every substep, and an
// approximate inverse that follows the shape would feed energy to a swinging sheet. K is the derivative of -f without the compressive
// stress, which keeps it positive semidefinite.
//
// The inverse is one multigrid V-cycle in blocks of 3 x 3: damped Jacobi before and after the correction on the finest level, Gauss-Seidel
// on the coarser levels, whose matrices are P^T A P (membrane_levels.c defines P). Small membranes rebuild the coarse levels in each
// substep; larger ones rebuild them once a step, at the positions that the particles will have in the middle of the step. A step length
// alpha = min(1, b d / d A d) prevents the correction from overshooting; when it falls below 0.8, the coarse levels are rebuilt.
//
//   substep:  place -> supports on shapes (membrane_contact.c) -> strain, forces, diagonal blocks -> [coarse levels]
//             -> cycle -> move -> balance of energy
#ifndef PLI_STRETCH_MEMBRANE_H
#define PLI_STRETCH_MEMBRANE_H

#include "model/model.h"

typedef struct pli_membrane pli_membrane;

// Whether the set is part of the equations if its deformable is solved: edges, tethers, and membranes without a strain limit. The equations
// do not support strain limits.
bool pli_constraints_is_solved(const pli_constraints_data *set);
// Whether its constraints are edges or tethers.
bool pli_constraints_is_edges(const pli_constraints_data *set);
// Whether the set keeps a volume or is a pressure; the equations include these as well.
bool pli_constraints_is_volume(const pli_constraints_data *set);

// Allocates the lists and memory for the membranes of a deformable. Null when memory ran out.
pli_membrane *pli_membrane_make(pli_world *world, const pli_deformable_data *deformable);
void pli_membrane_free(pli_memory *memory, pli_membrane *membrane);
// Whether the triangles are the ones that the membrane was built for.
bool pli_membrane_is_current(const pli_deformable_data *deformable, const pli_membrane *membrane);
int64_t pli_membrane_constraints(const pli_membrane *membrane);

// Whether the stretch of a deformable is solved, as its definition requests or the engine chooses. Solving needs XPBD in coloured order.
bool pli_deformable_is_solved(const pli_world *world, const pli_deformable_data *deformable);

// Before a step, and before a check: creates or frees the membranes of all deformables whose constraints or settings have changed. False
// when memory ran out.
bool pli_world_update_membranes(pli_world *world);

// Before forces act in a substep: stores the velocities.
void pli_membrane_begin(const pli_deformable_data *deformable, pli_membrane *membrane);
// Before the sweeps that follow the first iteration: the displacements of these sweeps count as other forces as well.
void pli_membrane_expect_sweep(const pli_deformable_data *deformable, pli_membrane *membrane);
// Moves the particles, which all other forces have already moved, in a substep of `step` seconds; `substep` and `iteration` start at 0.
void pli_membrane_solve(pli_world *world, pli_deformable_data *deformable, pli_membrane *membrane, float step,
                        int32_t substep, int32_t iteration);
// The same in parts, between which surface contacts take part in the equations (stretch/surface_forces.h): places the particles; computes
// forces and the matrix, and starts the solution; multiplies the matrix by the solution; corrects the solution on the coarse levels, after
// which it is multiplied again; computes the step length; moves the particles.
void pli_membrane_open(pli_world *world, pli_deformable_data *deformable, pli_membrane *membrane, float step,
                       int32_t substep, int32_t iteration);
void pli_membrane_linearise(pli_world *world, pli_deformable_data *deformable, pli_membrane *membrane, float step,
                            int32_t substep, int32_t iteration);
void pli_membrane_multiply(pli_world *world, pli_membrane *membrane);
void pli_membrane_correct(pli_world *world, pli_membrane *membrane);
void pli_membrane_measure(pli_world *world, const pli_deformable_data *deformable, pli_membrane *membrane, float step);
void pli_membrane_close(pli_world *world, pli_deformable_data *deformable, pli_membrane *membrane, float step,
                        int32_t iteration);
// Sets the step length that does not overshoot, b d / d A d, at most 1, or 0 where the solution is 0. The third entry is the displacement
// over its limit; above 1 it shortens the step as well.
void pli_membrane_shorten(pli_membrane *membrane, const double curve[3]);
// Whether any particles were at shapes in the last solve.
bool pli_membrane_is_supported(const pli_membrane *membrane);

#endif
