// Joins vertices that lie at one place up to rounding.
#ifndef PLI_IO_SOUP_WELD_H
#define PLI_IO_SOUP_WELD_H

#include "soup/polygon_soup.h"

// The distance within which vertices are one: a millionth of the diagonal of their bounding box. Files round the end of a circle to
// other bits than its beginning, sin(2 pi) to -2.4e-16.
double pli_weld_distance(const float *positions, int32_t count);
// Writes to target[i] the lowest vertex that remains within `distance` of vertex i, or i itself, which then remains; vertices that are
// not finite remain. Returns the number merged, or -1 when memory ran out.
int32_t pli_weld_targets(const float *positions, int32_t count, double distance, int32_t *target);

typedef struct pli_weld_counts {
    int32_t merged;  // Vertices merged into another one.
    int32_t dropped; // Faces that lost their area by that, and were dropped.
} pli_weld_counts;

// Merges the vertices of an import, in their order. Faces lose the corners that became one, and are dropped when fewer than three are
// left. False when memory ran out.
bool pli_polygons_weld(pli_polygons *polygons, pli_weld_counts *counts);

#endif
