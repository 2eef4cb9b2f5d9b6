// How many substeps a step takes: more where what does not stretch is stretched, which is where sweeps fall behind.
//
//   Macklin et al. 2019, Small Steps in Physics Simulation: the error of one sweep a substep falls with the square of
//   the substep.
//
// An edge that is hit at 8 m/s is lengthened by more in a substep than a sweep gives back, until a collider comes through
// between its particles. With the stretch e of the worst edge, a step takes sqrt(e / PLI_REFINED_STRETCH) times the
// substeps that were asked for, up to settings.refinement times. The power is the half that makes the next stretch, which
// goes with 1 / n^2, the same whatever the last one was by which n was chosen, so that numbers do not swing from step to
// step by more than the load does. Nothing but the present state decides, so that a restored world goes on likewise.
#ifndef PLI_STRETCH_REFINEMENT_H
#define PLI_STRETCH_REFINEMENT_H

#include "model/model.h"

// Stretch above which a step takes more substeps.
#define PLI_REFINED_STRETCH 0.1f

// Substeps of the step that begins: settings.substeps, or more.
int32_t pli_world_choose_substeps(pli_world *world, float dt);

#endif
