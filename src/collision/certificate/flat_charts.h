// Charts of a surface: connected clusters whose triangles are all within 35 degrees of a plane, and their rest positions
// in it. A flat surface has one chart for each of its pieces, a sphere about twenty.
//
//         ___        a chart is seen along its axis; lengths in it are at most those at rest,
//      .~  |  ~.     and at least 0.8 of them
//    .     |axis .
//   ---------------  plane
#ifndef PLI_COLLISION_CERTIFICATE_FLAT_CHARTS_H
#define PLI_COLLISION_CERTIFICATE_FLAT_CHARTS_H

#include "collision/broadphase/cluster.h"

typedef struct pli_flat_charts {
    const pli_cluster_source *source;
    int32_t *edge_triangles; // [2 * edge_count] triangles of each edge; -1 for none.
    int32_t *charts;         // [triangle_count] chart of the triangle's cluster; -1 for none.
    double *flat;            // [6 * triangle_count] corners in the plane of their chart [m].
    int32_t chart_count;
} pli_flat_charts;

// Edges must have one or two triangles. With an axis, all triangles face along it and it is that of all charts; null for
// an axis a chart. False when out of memory; release them either way.
bool pli_flat_charts_make(pli_memory *memory, pli_flat_charts *charts, const pli_clusters *clusters,
                          const pli_cluster_source *source, const pli_dvec3 *axis);
void pli_flat_charts_release(pli_memory *memory, pli_flat_charts *charts);

// A corner in the plane of its chart.
static inline const double *pli_flat_corner(const pli_flat_charts *charts, int32_t triangle, int32_t corner)
{
    return charts->flat + 2 * (3 * (ptrdiff_t)triangle + corner);
}

#endif
