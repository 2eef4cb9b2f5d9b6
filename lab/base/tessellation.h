// Tessellations of the unit square for comparisons.
#ifndef PLI_LAB_TESSELLATION_H
#define PLI_LAB_TESSELLATION_H

#include "base/report.h"

#include <pliant/mesh.h>

typedef struct lab_tessellation {
    const char *name;
    const pli_mesh *mesh;
} lab_tessellation;

enum { LAB_TESSELLATIONS = 6 };

// A unit square of about side x side vertices: one diagonal, the other, alternating, crossed, a jittered grid's and a
// random cloud's Delaunay triangulation.
void lab_tessellations(lab *l, int32_t side, lab_tessellation sheets[LAB_TESSELLATIONS]);
// The Delaunay triangulation of points (x, z) in the square, `count` of them, as a flat mesh.
const pli_mesh *lab_delaunay(lab *l, const double (*points)[2], int32_t count);

// A flat sheet twice, joined at its border, with the inside between them: a bag. No edge of the sheet but those of its border may join two
// vertices of the border.
const pli_mesh *lab_bag(lab *l, const pli_mesh *sheet);

#endif
