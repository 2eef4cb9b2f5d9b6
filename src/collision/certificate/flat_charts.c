// Charts are grown from clusters in ascending order, across edges, as long as triangles face along the axis of the first.
#include "collision/certificate/flat_charts.h"

// Least cosine of the angle between a triangle and the axis of its chart: 35 degrees.
#define LEAST_COSINE 0.82

typedef struct growing {
    pli_flat_charts *charts;
    const pli_clusters *clusters;
    pli_dvec3 *normals;  // [triangle_count] unit, or zero for a triangle without area.
    int32_t *cluster_of; // [triangle_count]
    int32_t *chart_of;   // [clusters] -1 until it has one.
    int32_t *queue;      // [clusters]
} growing;

// The triangles of a cluster, as a range of its items.
typedef struct triangles {
    const int32_t *items;
    int32_t count;
} triangles;

static triangles triangles_of(const growing *g, int32_t cluster)
{
    const pli_clusters *p = g->clusters;
    int32_t first = p->starts[PLI_PRIMITIVE_TRIANGLE][cluster];
    return (triangles){p->items[PLI_PRIMITIVE_TRIANGLE] + first, p->ends[PLI_PRIMITIVE_TRIANGLE][cluster] - first};
}

static pli_dvec3 rest_corner(const pli_cluster_source *s, int32_t triangle, int32_t k)
{
    const float *p = s->rest + 3 * (ptrdiff_t)s->triangles[3 * (ptrdiff_t)triangle + k];
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

static pli_dvec3 unit(pli_dvec3 a)
{
    double length = pli_dlength(a);
    return length > 0.0 ? pli_dscale(a, 1.0 / length) : (pli_dvec3){0, 0, 0};
}

static void measure(growing *g)
{
    const pli_cluster_source *s = g->charts->source;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        pli_dvec3 a = rest_corner(s, t, 0);
        g->normals[t] = unit(pli_dcross(pli_dsub(rest_corner(s, t, 1), a), pli_dsub(rest_corner(s, t, 2), a)));
    }
    for (int32_t cluster = 0; cluster < g->clusters->count; cluster++) {
        triangles all = triangles_of(g, cluster);
        g->chart_of[cluster] = -1;
        for (int32_t i = 0; i < all.count; i++)
            g->cluster_of[all.items[i]] = cluster;
    }
}

static bool faces(const growing *g, int32_t cluster, pli_dvec3 axis)
{
    triangles all = triangles_of(g, cluster);
    for (int32_t i = 0; i < all.count; i++)
        if (!(pli_ddot(g->normals[all.items[i]], axis) >= LEAST_COSINE))
            return false;
    return all.count > 0;
}

// Gives the cluster to the chart, if it has none yet and faces along the axis.
static void take(growing *g, int32_t cluster, int32_t chart, pli_dvec3 axis, int32_t *count)
{
    if (g->chart_of[cluster] >= 0 || !faces(g, cluster, axis))
        return;
    g->chart_of[cluster] = chart;
    g->queue[(*count)++] = cluster;
}

static void grow(growing *g, int32_t first, pli_dvec3 axis, int32_t *count)
{
    const pli_flat_charts *c = g->charts;
    *count = 0;
    take(g, first, c->chart_count, axis, count);
    for (int32_t i = 0; i < *count; i++) {
        triangles all = triangles_of(g, g->queue[i]);
        for (int32_t k = 0; k < 3 * all.count; k++) {
            const int32_t *at = c->edge_triangles +
                                2 * (ptrdiff_t)c->source->side_edges[3 * (ptrdiff_t)all.items[k / 3] + k % 3];
            for (int32_t side = 0; side < 2; side++)
                if (at[side] >= 0)
                    take(g, g->cluster_of[at[side]], c->chart_count, axis, count);
        }
    }
}

// Right-handed axes of the plane.
static void flatten(const growing *g, int32_t cluster, pli_dvec3 axis)
{
    pli_dvec3 any = fabs(axis.x) < 0.6 ? (pli_dvec3){1, 0, 0} : (pli_dvec3){0, 1, 0},
              along = unit(pli_dcross(axis, any)), across = pli_dcross(axis, along);
    triangles all = triangles_of(g, cluster);
    for (int32_t i = 0; i < all.count; i++) {
        int32_t triangle = all.items[i];
        g->charts->charts[triangle] = g->chart_of[cluster];
        for (int32_t k = 0; k < 3; k++) {
            pli_dvec3 p = rest_corner(g->charts->source, triangle, k);
            double *to = g->charts->flat + 2 * (3 * (ptrdiff_t)triangle + k);
            to[0] = pli_ddot(p, along), to[1] = pli_ddot(p, across);
        }
    }
}

static void make_charts(growing *g, const pli_dvec3 *given)
{
    for (int32_t cluster = 0; cluster < g->clusters->count; cluster++) {
        pli_dvec3 sum = {0, 0, 0};
        triangles all = triangles_of(g, cluster);
        if (g->chart_of[cluster] >= 0)
            continue;
        for (int32_t i = 0; i < all.count; i++)
            sum = pli_dadd(sum, g->normals[all.items[i]]);
        pli_dvec3 axis = given ? *given : unit(sum);
        int32_t count;
        grow(g, cluster, axis, &count);
        for (int32_t i = 0; i < count; i++)
            flatten(g, g->queue[i], axis);
        g->charts->chart_count += count > 0;
    }
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
    growing g = {c,
                 clusters,
                 PLI_ALLOCATE(memory, pli_dvec3, count),
                 PLI_ALLOCATE(memory, int32_t, count),
                 PLI_ALLOCATE(memory, int32_t, clusters->count),
                 PLI_ALLOCATE(memory, int32_t, clusters->count)};
    bool complete = c->edge_triangles && c->charts && c->flat && g.normals && g.cluster_of && g.chart_of && g.queue;
    if (complete) {
        list_edge_triangles(c);
        measure(&g);
        make_charts(&g, axis);
    }
    pli_release(memory, g.normals);
    pli_release(memory, g.cluster_of);
    pli_release(memory, g.chart_of);
    pli_release(memory, g.queue);
    return complete;
}

void pli_flat_charts_release(pli_memory *memory, pli_flat_charts *c)
{
    pli_release(memory, c->edge_triangles);
    pli_release(memory, c->charts);
    pli_release(memory, c->flat);
}
