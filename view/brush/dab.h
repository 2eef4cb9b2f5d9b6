// What one touch of a brush reaches.
#ifndef PLI_VIEW_DAB_H
#define PLI_VIEW_DAB_H

#include <pliant/pliant.h>

// The weights of a dab at a point near a vertex, for each vertex of the present mesh: 1 at the point, falling to 0 at the radius [m], over
// what is joined to the vertex within it, so that the other side of a fold stays clean. The vertex itself always has some. `count` gets their
// number; null when memory is used up. To be freed.
float *pli_view_dab_make(pli_world *world, pli_deformable deformable, int32_t vertex, pli_vec3 point, float radius,
                         int32_t *count);

#endif
