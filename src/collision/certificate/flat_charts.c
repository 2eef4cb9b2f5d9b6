// Charts grow from clusters in ascending order, across edges, while triangles face along the axis of the first cluster.
#include "collision/certificate/flat_charts.h"

// Least cosine of the angle between the axis of a chart and its own triangles: 25 degrees; and the triangles that it
// overlaps: 35 degrees.
#define LEAST_COSINE 0.906
#define LEAST_OVERLAP_COSINE 0.82
// Number of rings of clusters by which a chart overlaps others.
enum { OVERLAP_RINGS = 3 };

typedef struct growing {
    pli_flat_charts *charts;
    const pli_clusters *clusters;
} growing;

// The triangles of a cluster, as a range of its items.
typedef struct triangle_list {
    const int32_t *items;
    int32_t count;
} triangle_list;

static triangle_list chart_triangles(const growing *g, int32_t cluster)
{
    const pli_clusters *p = g->clusters;
    int32_t first = p->starts[PLI_PRIMITIVE_TRIANGLE][cluster];
    return (triangle_list){p->items[PLI_PRIMITIVE_TRIANGLE] + first, p->ends[PLI_PRIMITIVE_TRIANGLE][cluster] - first};
}

static pli_dvec3 rest_corner(const pli_cluster_source *s, int32_t triangle, int32_t k)
{
    const float *p = s->rest + 3 * (ptrdiff_t)s->triangles[3 * (ptrdiff_t)triangle + k];
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

static pli_dvec3 chart_unit(pli_dvec3 a)
{
    double length = pli_dlength(a);
    return length > 0.0 ? pli_dscale(a, 1.0 / length) : (pli_dvec3){0, 0, 0};
}

static bool faces(const growing *g, int32_t cluster, pli_dvec3 axis, double least)
{
    triangle_list all = chart_triangles(g, cluster);
    for (int32_t i = 0; i < all.count; i++)
        if (!(pli_ddot(g->charts->normals[all.items[i]], axis) >= least))
            return false;
    return all.count > 0;
}

// Adds the cluster to the chart, if it has no chart yet and faces along the axis.
static void chart_take(growing *g, int32_t cluster, int32_t chart, pli_dvec3 axis, int32_t *count)
{
    if (g->charts->chart_of[cluster] >= 0 || !faces(g, cluster, axis, LEAST_COSINE))
        return;
    g->charts->chart_of[cluster] = chart;
    g->charts->queue[(*count)++] = cluster;
}

static void chart_grow(growing *g, int32_t first, pli_dvec3 axis, int32_t *count)
{
    const pli_flat_charts *c = g->charts;
    *count = 0;
    chart_take(g, first, c->chart_count, axis, count);
    for (int32_t i = 0; i < *count; i++) {
        triangle_list all = chart_triangles(g, g->charts->queue[i]);
        for (int32_t k = 0; k < 3 * all.count; k++) {
            const int32_t *at = c->edge_triangles +
                                2 * (ptrdiff_t)c->source->side_edges[3 * (ptrdiff_t)all.items[k / 3] + k % 3];
            for (int32_t side = 0; side < 2; side++)
                if (at[side] >= 0)
                    chart_take(g, g->charts->cluster_of[at[side]], c->chart_count, axis, count);
        }
    }
}

// Right-handed axes of the plane.
static void chart_flatten(const growing *g, int32_t cluster, int32_t chart)
{
    pli_dvec3 axis = g->charts->axes[chart];
    pli_dvec3 any = fabs(axis.x) < 0.6 ? (pli_dvec3){1, 0, 0} : (pli_dvec3){0, 1, 0},
              along = chart_unit(pli_dcross(axis, any)), across = pli_dcross(axis, along);
    triangle_list all = chart_triangles(g, cluster);
    for (int32_t i = 0; i < all.count; i++) {
        int32_t triangle = all.items[i];
        g->charts->charts[triangle] = chart;
        for (int32_t k = 0; k < 3; k++) {
            pli_dvec3 p = rest_corner(g->charts->source, triangle, k);
            double *to = g->charts->flat + 2 * (3 * (ptrdiff_t)triangle + k);
            to[0] = pli_ddot(p, along), to[1] = pli_ddot(p, across);
        }
    }
}

// Adds a neighbour of a member, `rings` rings away from the chart's own clusters.
static void overlap(const growing *g, int32_t cluster, int32_t chart, int32_t rings, int32_t *members, int32_t *count)
{
    if (g->charts->rings[cluster] >= 0 || !faces(g, cluster, g->charts->axes[chart], LEAST_OVERLAP_COSINE))
        return;
    g->charts->rings[cluster] = rings;
    members[(*count)++] = cluster;
}

int32_t pli_flat_charts_unfold(pli_flat_charts *c, const pli_clusters *clusters, int32_t chart, int32_t *members)
{
    const growing g = {c, clusters};
    int32_t count = 0;
    for (int32_t cluster = 0; cluster < clusters->count; cluster++)
        if (c->chart_of[cluster] == chart) {
            c->rings[cluster] = 0;
            members[count++] = cluster;
        }
    for (int32_t i = 0; i < count; i++) {
        triangle_list all = chart_triangles(&g, members[i]);
        int32_t rings = c->rings[members[i]] + 1;
        for (int32_t k = 0; rings <= OVERLAP_RINGS && k < 3 * all.count; k++) {
            const int32_t *at = c->edge_triangles +
                                2 * (ptrdiff_t)c->source->side_edges[3 * (ptrdiff_t)all.items[k / 3] + k % 3];
            for (int32_t side = 0; side < 2; side++)
                if (at[side] >= 0)
                    overlap(&g, c->cluster_of[at[side]], chart, rings, members, &count);
        }
    }
    for (int32_t i = 0; i < count; i++) {
        chart_flatten(&g, members[i], chart);
        c->rings[members[i]] = -1;
    }
    return count;
}

static void list_edge_triangles(pli_flat_charts *c)
{
    const pli_cluster_source *s = c->source;
    for (int32_t i = 0; i < 2 * s->edge_count; i++)
        c->edge_triangles[i] = -1;
    for (int32_t i = 0; i < 3 * s->triangle_count; i++) {
        int32_t *at = c->edge_triangles + 2 * (ptrdiff_t)s->side_edges[i];
        at[at[0] >= 0] = i / 3;
    }
    for (int32_t t = 0; t < s->triangle_count; t++)
        c->charts[t] = -1;
}

bool pli_flat_charts_make(pli_memory *memory, pli_flat_charts *c, const pli_clusters *clusters,
                          const pli_cluster_source *source, const pli_dvec3 *axis)
{
    int64_t count = source->triangle_count;
    *c = (pli_flat_charts){.source = source};
    c->edge_triangles = PLI_ALLOCATE(memory, int32_t, 2 * (int64_t)source->edge_count);
    c->charts = PLI_ALLOCATE(memory, int32_t, count);
    c->flat = PLI_ALLOCATE(memory, double, 6 * count);
    c->normals = PLI_ALLOCATE(memory, pli_dvec3, count);
    c->cluster_of = PLI_ALLOCATE(memory, int32_t, count);
    c->chart_of = PLI_ALLOCATE(memory, int32_t, clusters->count);
    c->axes = PLI_ALLOCATE(memory, pli_dvec3, (int64_t)clusters->count + 1);
    c->rings = PLI_ALLOCATE(memory, int32_t, clusters->count);
    c->queue = PLI_ALLOCATE(memory, int32_t, clusters->count);
    growing g = {c, clusters};
    bool complete = c->edge_triangles && c->charts && c->flat && c->normals && c->cluster_of && c->chart_of &&
                    c->axes && c->rings && c->queue;
    if (complete) {
        list_edge_triangles(c);
        const pli_cluster_source *s = g.charts->source;
        for (int32_t t = 0; t < s->triangle_count; t++) {
            pli_dvec3 a = rest_corner(s, t, 0);
            g.charts->normals[t] = chart_unit(
                pli_dcross(pli_dsub(rest_corner(s, t, 1), a), pli_dsub(rest_corner(s, t, 2), a)));
        }
        for (int32_t cluster = 0; cluster < g.clusters->count; cluster++) {
            triangle_list all = chart_triangles(&g, cluster);
            g.charts->chart_of[cluster] = g.charts->rings[cluster] = -1;
            for (int32_t i = 0; i < all.count; i++)
                g.charts->cluster_of[all.items[i]] = cluster;
        }
        for (int32_t cluster = 0; cluster < g.clusters->count; cluster++) {
            pli_dvec3 sum = {0, 0, 0};
            triangle_list all = chart_triangles(&g, cluster);
            if (g.charts->chart_of[cluster] >= 0)
                continue;
            for (int32_t i = 0; i < all.count; i++)
                sum = pli_dadd(sum, g.charts->normals[all.items[i]]);
            int32_t grown, chart = g.charts->chart_count;
            g.charts->axes[chart] = axis ? *axis : chart_unit(sum);
            chart_grow(&g, cluster, g.charts->axes[chart], &grown);
            for (int32_t i = 0; i < grown; i++)
                chart_flatten(&g, g.charts->queue[i], chart);
            g.charts->chart_count += grown > 0;
        }
    }
    return complete;
}

void pli_flat_charts_release(pli_memory *memory, pli_flat_charts *c)
{
    void *arrays[] = {c->edge_triangles, c->charts, c->flat,  c->normals, c->cluster_of,
                      c->chart_of,       c->axes,   c->rings, c->queue};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
}
