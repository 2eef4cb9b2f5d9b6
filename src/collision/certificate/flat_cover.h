// Whether a chart covers the convex hull of two of its clusters, so that the line between any two of their points is inside
// of it. A search from a triangle of one cluster visits all triangles that it reaches across sides that enter the hull:
//
//        +-----+                 If no such side is on the border of the chart, the triangles cover the hull, and since it has no
//        | A   |\                hole they cover it once; they must include both clusters.
//        |     | \   hull
//        +-----+  \______
//        border  \ |  B  |       Here a side of the border enters the hull: the ordinary search tests A and B.
//                 \+-----+
#ifndef PLI_COLLISION_CERTIFICATE_FLAT_COVER_H
#define PLI_COLLISION_CERTIFICATE_FLAT_COVER_H

#include "collision/certificate/flat_charts.h"

typedef struct pli_flat_cover {
    const pli_flat_charts *charts;
    int32_t *reached; // [triangle_count] last round that reached the triangle.
    int32_t *queue;   // [triangle_count]
    int32_t round;
} pli_flat_cover;

// Returns false when out of memory; call pli_flat_cover_end either way.
bool pli_flat_cover_begin(pli_memory *memory, pli_flat_cover *cover, const pli_flat_charts *charts);
void pli_flat_cover_end(pli_memory *memory, pli_flat_cover *cover);
// Both clusters must be in one chart.
bool pli_flat_covers_hull(pli_flat_cover *cover, const pli_clusters *clusters, int32_t one, int32_t other);

// Orders points by x, then y, for qsort.
int pli_flat_by_place(const void *left, const void *right);
// Twice the signed area of triangle a b c; positive when counter-clockwise.
double pli_flat_twice_area(const double *a, const double *b, const double *c);
// One chain of the convex hull of sorted points, in direction `step` (1 or -1), written to `hull`. Returns its size.
int32_t pli_flat_half_hull(const double *points, int32_t count, int32_t step, double *hull);

#endif
