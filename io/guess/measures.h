// Measures of a shape, from which its kind is guessed.
#ifndef PLI_GUESS_MEASURES_H
#define PLI_GUESS_MEASURES_H

#include <pliant/mesh.h>

typedef struct pli_measures {
    int up; // 1 or 2.
    double low[3], high[3], extent[3], largest, diagonal;
    double edge; // Mean length.
    double area, centre[3];
    double closed_fraction; // Fraction of the area in pieces without a border.
    double volume;          // Sum over closed pieces.
    double curvature, opening;
    double level; // Mean |cosine| between normals and the vertical: 1 for a horizontal sheet.
    bool flat, closed;
} pli_measures;

static inline const float *pli_measured_point(const pli_topology *t, int32_t vertex)
{
    return t->positions + 3 * (size_t)vertex;
}

double pli_measured_distance(const float *a, const float *b);
void pli_measure_shape(const pli_mesh *mesh, bool z_up, pli_measures *m);

#endif
