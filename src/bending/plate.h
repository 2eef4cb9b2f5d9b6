// Solved bending: the plate of a deformable. Once in an interval of H = n h, after the forces,
//
//   (M / H^2 + Q) d = -Q y + targets,    y = x + H v',    a = d / H^2,
//
// is solved for the particles that are not fixed and for the derivatives across all edges (bending/plate_element.h). Bending then adds h^2 a
// to predicted positions in each of the n substeps: this spreads an implicit step over H, so that contacts and projections between see a
// force instead of impulses. A static shape does not depend on n. Of the forces, gravity is known to act throughout H. The force of edges
// and contacts on a particle is expected to keep its value of the last quarter of a second (plate_expected of model/model.h): at rest y is
// then x - H^2 a, and the bending is that of the shape in which the plate rests, for any H. The momenta of a belong to internal forces at
// y, not at x; the rigid rotation that they would cause is removed as for projections (particles/ghost_motion.h).
//
// Q is constant, so its factorisation (src/base/sparse) serves until masses, fixed particles, shape, H or rigidity change.
#ifndef PLI_BENDING_PLATE_H
#define PLI_BENDING_PLATE_H

#include "model/model.h"

// By default, large plates solve half as often as others (PLI_IMPLICIT_INTERVAL), since the factorisation of so many vertices does not fit
// into a core's cache and takes most of the time of a frame.
enum { PLI_PLATE_LARGE_INTERVAL = 10, PLI_PLATE_LARGE = 4096 };
// With fewer particles than this, an interval takes at most this time by default, plus a margin for rounding [s].
enum { PLI_PLATE_SMALL = 2048 };
#define PLI_PLATE_SHORT (1.001 / 240.0)

pli_status pli_plate_check(const pli_plate *plate, pli_error *error);

static inline bool pli_deformable_has_plate(const pli_deformable_data *deformable)
{
    return deformable->def.plate.rigidity > 0.0f;
}

// Refactors the plate if it has changed since the last step, for `step` seconds a substep. False when memory
// ran out.
bool pli_plate_update(pli_world *world, pli_deformable_data *deformable, float step);
// Solves at the first substep of an interval, from velocities after forces.
void pli_plate_solve(pli_world *world, pli_deformable_data *deformable, int32_t substep);
// Elastic energy of the plate that the last step used, at the current positions, minimised over the derivatives across edges [J]; 0 before
// the first step. NAN when memory ran out.
double pli_plate_energy(pli_world *world, const pli_deformable_data *deformable);
// Its equations, or null.
const struct pli_implicit *pli_plate_system(const pli_deformable_data *deformable);
void pli_plate_free(pli_world *world, pli_deformable_data *deformable);

#endif
