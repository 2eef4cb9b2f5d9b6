// Counts edges that intersect triangles, independently of the engine's contact code.
#ifndef PLI_LAB_EDGE_INTERSECTIONS_H
#define PLI_LAB_EDGE_INTERSECTIONS_H

#include "base/lab_world.h"

// Intersecting pairs of an edge and a triangle of the deformable without common vertices. All pairs whose boxes overlap
// along one axis are tested.
int32_t lab_crossings(lab *l, pli_world *world, pli_deformable deformable);
// The same of all that is in the world: deformables with themselves, with each other, and with colliders that are meshes
// or hulls and collide.
int32_t lab_crossings_all(lab *l, pli_world *world);

#endif
