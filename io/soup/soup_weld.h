// Merges vertices whose positions are equal up to rounding.
#ifndef PLI_IO_SOUP_WELD_H
#define PLI_IO_SOUP_WELD_H

#include "soup/polygon_soup.h"

// The distance within which vertices are merged: a millionth of the diagonal of their bounding box. In files, the end of a circle may
// be rounded differently from its beginning: sin(2 pi) gives -2.4e-16.
double pli_weld_distance(const float *positions, int32_t count);
// Writes to target[i] the lowest remaining vertex within `distance` of vertex i, or i itself, which then remains; vertices that are not
// finite remain. Returns the number of merged vertices, or -1 when memory ran out.
int32_t pli_weld_targets(const float *positions, int32_t count, double distance, int32_t *target);

typedef struct pli_weld_counts {
    int32_t merged;  // Vertices merged into another one.
    int32_t dropped; // Faces that were dropped because they became degenerate.
} pli_weld_counts;

// Merges the vertices of an import, in their order. Faces lose duplicate corners, and are dropped if fewer than three corners remain.
// False when memory ran out.
bool pli_polygons_weld(pli_polygons *polygons, pli_weld_counts *counts);

#endif
