// Charts of a surface: connected clusters whose triangles are all within 25 degrees of a plane, and their rest positions
// in it. A flat surface has one chart for each of its pieces, a sphere about forty.
//
//         ___        a chart is a projection along its axis; lengths in it are at most the rest lengths,
//      .~  |  ~.     and at least 0.8 of them
//    .     |axis .
//   ---------------  plane
//
// A chart overlaps others: it extends beyond its own clusters as far as triangles are within 35 degrees, so that it also
// contains the neighbours of its own clusters.
#ifndef PLI_COLLISION_CERTIFICATE_FLAT_CHARTS_H
#define PLI_COLLISION_CERTIFICATE_FLAT_CHARTS_H

#include "collision/broadphase/cluster.h"

typedef struct pli_flat_charts {
    const pli_cluster_source *source;
    int32_t *edge_triangles; // [2 * edge_count] triangles of each edge; -1 for none.
    int32_t *charts;         // [triangle_count] chart in which the triangle was laid out last; -1 for none.
    double *flat;            // [6 * triangle_count] corners in the plane of that chart [m].
    int32_t chart_count;
    int32_t *chart_of;      // [clusters] the chart that a cluster belongs to; -1 for none.
    pli_dvec3 *axes;        // [clusters] of which chart_count are used.
    pli_dvec3 *normals;     // [triangle_count] unit, or zero for a triangle without area.
    int32_t *cluster_of;    // [triangle_count]
    int32_t *rings, *queue; // [clusters] scratch.
} pli_flat_charts;

// Edges must have one or two triangles. With an axis, all triangles must face along it, and all charts use it; null gives each
// chart its own axis. Returns false when out of memory; release the charts either way.
bool pli_flat_charts_make(pli_memory *memory, pli_flat_charts *charts, const pli_clusters *clusters,
                          const pli_cluster_source *source, const pli_dvec3 *axis);
// Lays out one chart and the clusters that it overlaps. Lists these clusters, its own first; returns their number.
int32_t pli_flat_charts_unfold(pli_flat_charts *charts, const pli_clusters *clusters, int32_t chart, int32_t *members);
void pli_flat_charts_release(pli_memory *memory, pli_flat_charts *charts);

// A corner in the plane of its chart.
static inline const double *pli_flat_corner(const pli_flat_charts *charts, int32_t triangle, int32_t corner)
{
    return charts->flat + 2 * (3 * (ptrdiff_t)triangle + corner);
}

#endif
