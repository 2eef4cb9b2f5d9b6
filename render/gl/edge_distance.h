// How far the corners of a surface are from marked edges, for bands along them.
#ifndef PLI_RENDER_EDGE_DISTANCE_H
#define PLI_RENDER_EDGE_DISTANCE_H

#include <pliant/render.h>

// Writes nine numbers a triangle, three for each corner: the corner's distances at rest from the lines through three edges with a bit of
// `which` in `marks`, those that are nearest to the triangle's corners [m]. The least of the three, each mixed linearly within the triangle, is a point's
// distance, exact near straight edges and where two of them meet in a convex corner. Right up to `width` from the edges; far numbers beyond.
// False when memory runs out.
bool pli_edge_distances(const pli_topology *topology, const uint8_t *marks, uint8_t which, float width,
                        float *distances);

#endif
