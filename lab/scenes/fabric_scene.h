// The rigid fabric of Kelager et al. 2010: 10 x 10 vertices, quads, in three bending models, started from a highly
// violated state.
#ifndef PLI_LAB_FABRIC_SCENE_H
#define PLI_LAB_FABRIC_SCENE_H

#include "base/lab_world.h"

enum { FABRIC_SIDE = 10, FABRIC_COUNT = FABRIC_SIDE * FABRIC_SIDE, FABRIC_ITERATIONS = 16, FABRIC_FRAMES = 18 };

const pli_mesh *lab_fabric(lab *l);
// A crumpled state: the rest shape with every vertex displaced at random by up to `amount` edge lengths along each
// axis.
void lab_fabric_crumple(const pli_mesh *fabric, double amount, uint64_t seed, float *positions);
// Stiff tension with one bending model, stiffness 1, without gravity.
lab_body_def lab_fabric_def(const pli_mesh *fabric, const char *model);

#endif
