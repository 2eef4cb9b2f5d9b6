// Triangles of one polygon.
#ifndef PLI_MESH_EAR_CLIPPING_H
#define PLI_MESH_EAR_CLIPPING_H

#include "base/vector.h"

#include <stdint.h>

// More corners than this are divided by a fan: clipping takes the square of their number.
#define PLI_CLIPPED_CORNERS_MAX 4096

typedef struct pli_clip_corner {
    double x, y;            // In the polygon's plane, counter-clockwise.
    int32_t previous, next; // Among the corners left.
    bool is_ear;
} pli_clip_corner;

// Writes the count - 2 triangles of a polygon given by points in space as triples of numbers in
// [0, count). `corners` is scratch of `count` elements.
void pli_clip_polygon(const pli_dvec3 *points, int32_t count, pli_clip_corner *corners, int32_t *triangles);

// The area vector of a polygon: Newell's normal, twice the area long.
pli_dvec3 pli_newell_normal(const pli_dvec3 *points, int32_t count);

#endif
