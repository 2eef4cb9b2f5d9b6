// Distances of the corners of a surface from marked edges, for bands along them.
#ifndef PLI_RENDER_EDGE_DISTANCE_H
#define PLI_RENDER_EDGE_DISTANCE_H

#include <pliant/render.h>

// Writes nine numbers per triangle, three for each corner: the corner's rest distances from the lines through three edges with a bit of
// `which` in `marks`, namely those nearest to the triangle's corners [m]. The smallest of the three, each interpolated linearly within
// the triangle, is the distance of a point, exact near straight edges and where two of them meet in a convex corner. Distances are
// valid up to `width` from the edges and large beyond. False when memory runs out.
bool pli_edge_distances(const pli_topology *topology, const uint8_t *marks, uint8_t which, float width,
                        float *distances);

#endif
