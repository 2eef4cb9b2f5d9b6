// Membranes that are solved: tension, shear and compression of all triangles of a deformable act with the stiffness that they have,
// whatever the mesh and the substep.
//
//   Baraff and Witkin 1998, Large Steps in Cloth Simulation, for the linear system of an implicit step; the law is that of
//   constraints/types/membrane.c.
//
// A substep of length h moves the particles from x by
//
//   X = x + h v,   (M / h^2 + K(X)) d = f(X) + F,   x' = X + d
//
// where F are all other forces, weight included, and f those of the membrane. At rest f + F = 0, so that whatever approximates the
// inverse of the matrix, nothing moves; had the solve begun behind the weight, it would push in every substep, and an approximate
// inverse that follows the shape would feed energy to what swings. K is the derivative of -f without the stress of compression, so
// that it is positive.
//
// The inverse is one V-cycle of multigrid in blocks of 3 x 3: damped Jacobi before and behind the correction on the finest level,
// Gauss-Seidel on the coarser ones, whose matrices are P^T A P (membrane_levels.c has P). Small membranes make these in each substep,
// larger ones once a step, at the place where the particles will be in its middle. A step length alpha = min(1, b d / d A d) keeps the
// correction from overshooting; where it falls below 0.8, the coarse levels are made anew.
//
//   substep:  place -> supports on shapes (membrane_contact.c) -> strain, forces, diagonal blocks -> [coarse levels]
//             -> cycle -> move -> balance of energy
#ifndef PLI_MEMBRANE_MEMBRANE_H
#define PLI_MEMBRANE_MEMBRANE_H

#include "model/model.h"

typedef struct pli_membrane pli_membrane;

// Whether the set is an element of the equations if its deformable is solved: edges, tethers, and membranes without a strain limit, which the
// equations do not have.
bool pli_constraint_set_is_solved(const pli_constraint_set_data *set);
// Whether its constraints are edges or tethers.
bool pli_constraint_set_is_edges(const pli_constraint_set_data *set);
// Whether it keeps volumes or is a pressure, which the equations have as well.
bool pli_constraint_set_is_volume(const pli_constraint_set_data *set);

// Lists and memory for the membranes of a deformable. Null when memory ran out.
pli_membrane *pli_membrane_make(pli_world *world, const pli_deformable_data *deformable);
void pli_membrane_free(pli_memory *memory, pli_membrane *membrane);
// Whether the triangles are those that it was made for.
bool pli_membrane_is_current(const pli_deformable_data *deformable, const pli_membrane *membrane);
int64_t pli_membrane_constraints(const pli_membrane *membrane);

// Whether the stretch of a deformable is solved: as its definition says, or by the choice of the engine. Solving needs XPBD in coloured order.
bool pli_deformable_is_solved(const pli_world *world, const pli_deformable_data *deformable);
// Before a step: makes or frees the membranes of all deformables whose constraints or settings have changed. False when memory ran out.
bool pli_world_update_membranes(pli_world *world);
void pli_deformable_free_membrane(pli_world *world, pli_deformable_data *deformable);

// Before forces act in a substep: notes the velocities.
void pli_membrane_begin(const pli_deformable_data *deformable, pli_membrane *membrane);
// Before sweeps behind the first iteration: what they move counts among the other forces as well.
void pli_membrane_expect_sweep(const pli_deformable_data *deformable, pli_membrane *membrane);
// Moves the particles, which are where all other forces take them in a substep of `step` seconds; `substep` and `iteration` count from 0.
void pli_membrane_solve(pli_world *world, pli_deformable_data *deformable, pli_membrane *membrane, float step,
                        int32_t substep, int32_t iteration);
// The same in its parts, between which contacts with surfaces take part in the equations (membrane/surface_forces.h): places the
// particles; finds forces and matrix, and begins the solution; multiplies the matrix and the solution; corrects it on the coarse levels,
// after which it is multiplied again; finds the step length; moves the particles.
void pli_membrane_open(pli_world *world, pli_deformable_data *deformable, pli_membrane *membrane, float step,
                       int32_t substep, int32_t iteration);
void pli_membrane_linearise(pli_world *world, pli_deformable_data *deformable, pli_membrane *membrane, float step,
                            int32_t substep, int32_t iteration);
void pli_membrane_multiply(pli_world *world, pli_membrane *membrane);
void pli_membrane_correct(pli_world *world, pli_membrane *membrane);
void pli_membrane_measure(pli_world *world, const pli_deformable_data *deformable, pli_membrane *membrane, float step);
void pli_membrane_close(pli_world *world, pli_deformable_data *deformable, pli_membrane *membrane, float step,
                        int32_t iteration);
// Sets the step length that does not overshoot, b d / d A d, at most 1; 0 where the solution is none. The third number is the
// displacement over its limit, beyond which the step is shortened as well.
void pli_membrane_shorten(pli_membrane *membrane, const double curve[3]);
// Whether particles were at shapes in the last solve.
bool pli_membrane_is_supported(const pli_membrane *membrane);

#endif
