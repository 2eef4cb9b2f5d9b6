// Triangulation of one polygon.
#ifndef PLI_MESH_EAR_CLIPPING_H
#define PLI_MESH_EAR_CLIPPING_H

#include "base/vector.h"

#include <stdint.h>

// Polygons with more corners become a fan, since ear clipping takes quadratic time.
#define PLI_CLIPPED_CORNERS_MAX 4096

typedef struct pli_clip_corner {
    double x, y;            // In the polygon's plane, counter-clockwise [m].
    int32_t previous, next; // Neighbours among the corners not cut off yet.
    bool is_ear;
} pli_clip_corner;

// Writes the count - 2 triangles of a polygon, given by points in space, as triples of indices in [0, count). `corners`
// is scratch of `count` elements.
void pli_clip_polygon(const pli_dvec3 *points, int32_t count, pli_clip_corner *corners, int32_t *triangles);

// Returns the area vector of a polygon: Newell's normal, whose length is twice the area.
pli_dvec3 pli_newell_normal(const pli_dvec3 *points, int32_t count);

#endif
