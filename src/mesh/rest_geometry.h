// Points and areas of a rest mesh, in double.
#ifndef PLI_MESH_REST_GEOMETRY_H
#define PLI_MESH_REST_GEOMETRY_H

#include "base/vector.h"
#include "pliant/mesh.h"

static inline pli_dvec3 pli_rest_point(const pli_topology *t, int32_t vertex)
{
    const float *at = t->positions + 3 * (size_t)vertex;
    return (pli_dvec3){(double)at[0], (double)at[1], (double)at[2]};
}

static inline double pli_rest_area(const pli_topology *t, int32_t triangle)
{
    const int32_t *corner = t->triangles + 3 * (size_t)triangle;
    const pli_dvec3 a = pli_rest_point(t, corner[0]), b = pli_rest_point(t, corner[1]),
                    c = pli_rest_point(t, corner[2]);
    return 0.5 * pli_dlength(pli_dcross(pli_dsub(b, a), pli_dsub(c, a)));
}

#endif
