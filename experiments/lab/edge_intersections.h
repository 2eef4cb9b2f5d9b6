// Edges that go through triangles, counted by themselves: nothing of the engine's contact code is used.
#ifndef PLI_LAB_EDGE_INTERSECTIONS_H
#define PLI_LAB_EDGE_INTERSECTIONS_H

#include "lab/lab_world.h"

// Pairs of an edge and a triangle of the deformable that share no vertex and cross. All pairs whose boxes meet along
// one axis are looked at.
int32_t lab_crossings(lab *l, pli_world *world, pli_deformable deformable);

#endif
