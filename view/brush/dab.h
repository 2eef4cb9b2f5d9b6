// The weights of one dab of a brush.
#ifndef PLI_VIEW_DAB_H
#define PLI_VIEW_DAB_H

#include <pliant/pliant.h>

// Weights of a dab at a point near a vertex, for each vertex of the current mesh: 1 at the point, falling to 0 at the radius [m]. The
// dab covers only vertices that are connected to the vertex within the radius, so that the other side of a fold is not painted. The
// vertex itself always has a positive weight. `count` gets the number of weights; null when memory runs out. To be freed by the caller.
float *pli_view_dab_make(pli_world *world, pli_deformable deformable, int32_t vertex, pli_vec3 point, float radius,
                         int32_t *count);

#endif
