// Bending that is solved: the plate of a deformable. Once in an interval of H = n h, after the forces,
//
//   (M / H^2 + Q) d = -Q y + targets,    y = x + H v',    a = d / H^2,
//
// is solved for the particles that are not fixed and the derivatives across all edges (plate/plate_element.h), and h^2 a is what bending
// adds to predicted positions in each of the n substeps: an implicit step over H that is spread, so that contacts and projections
// between see a force and no kicks. A static shape does not depend on n. Of the forces, gravity is known to go on through H.
// The force of edges and contacts on a particle is expected to go on as it was in the last quarter of a second (plate_expected of
// model/model.h): at rest y is then x - H^2 a, and bending is that of the shape in which it rests, whatever H is.
// The momenta of a are those of internal forces at y, not at x; what they would turn a body by is taken out as for projections
// (particles/ghost_motion.h).
//
// Q is constant, so its factorisation (src/sparse) serves until masses, fixed particles, shape, H or rigidity change.
#ifndef PLI_PLATE_PLATE_H
#define PLI_PLATE_PLATE_H

#include "model/model.h"

// Large plates solve half as often by default as others (PLI_IMPLICIT_INTERVAL), since the factorisation of so many vertices does not stay in a
// core's cache and costs more than all else in a frame.
enum { PLI_PLATE_LARGE_INTERVAL = 10, PLI_PLATE_LARGE = 4096 };
// With fewer particles than this an interval takes at most so long by default, and a little for rounding [s].
enum { PLI_PLATE_SMALL = 2048 };
#define PLI_PLATE_SHORT (1.001 / 240.0)

pli_status pli_plate_check(const pli_plate *plate, pli_error *error);

static inline bool pli_deformable_has_plate(const pli_deformable_data *deformable)
{
    return deformable->def.plate.rigidity > 0.0f;
}

// Factors again what has changed since the last step, for `step` seconds a substep; `substeps` is their number in the step. False when
// memory ran out.
bool pli_plate_update(pli_world *world, pli_deformable_data *deformable, float step, int32_t substeps);
// Solves at the first substep of an interval, from velocities after forces.
void pli_plate_solve(pli_world *world, pli_deformable_data *deformable, int32_t substep);
// Elastic energy of the plate that the last step went by, at the positions now, with the derivatives across edges that make it
// least [J]; 0 before the first step. NAN when memory ran out.
double pli_plate_energy(pli_world *world, const pli_deformable_data *deformable);
// Its equations, or null.
const struct pli_implicit *pli_plate_system(const pli_deformable_data *deformable);
void pli_plate_free(pli_world *world, pli_deformable_data *deformable);

#endif
