// Cooking of the flat certificate, chart by chart (flat_charts.h). Where a surface is flat and its border is its convex
// hull (Andrew 1979, Another Efficient Algorithm for Convex Hulls in Two Dimensions: the monotone chain), the line between
// any two points is inside of it. Elsewhere two clusters of a chart qualify as partners if the chart covers the hull of both
// (flat_cover.h). Clusters that the segment between two partners can cross are found with a discrete
// oriented polytope of 8 directions (Klosowski et al. 1998):
//
//    +----+     - - - - -     +----+      clusters with a part inside of the hull of both
//    | A  |      c1   c2      | B  |      partners' polytopes surround the pair (A, B)
//    +----+     - - - - -     +----+
#include "collision/certificate/flat_cook.h"

#include "collision/certificate/flat_cover.h"

#include <stdlib.h>
#include <string.h>

// Relative tolerances of areas and lengths.
#define FLAT_TOLERANCE 1e-6
#define WHOLE 1e-5
// Overlap, as a fraction of a cluster's width, up to which neighbours only touch.
#define FLAT_TOUCHING 1e-5

// Directions of the polytopes.
enum { DIRECTIONS = 8 };

// Extent along each direction [m].
typedef struct outline {
    double low[DIRECTIONS], high[DIRECTIONS];
} outline;

typedef struct cluster_list {
    int32_t *clusters, count;
} cluster_list;

typedef struct flat_builder {
    pli_memory *memory;
    const pli_near_kernels *kernels;
    pli_clusters *clusters;
    const pli_cluster_source *source;
    pli_flat_certificate *flat_certificate;
    pli_dvec3 normal; // The normal of a flat surface.
    double area;
    pli_flat_charts charts;
    uint8_t *sides; // [edge_count] number of triangles at each edge.
    bool convex;    // The surface fills its convex hull; else each pair of clusters is tested.
    pli_flat_cover flat_cover;
    pli_aabb *boxes;   // [clusters] boxes in the plane, at rest.
    outline *outlines; // [clusters] polytopes in the plane.
    double directions[DIRECTIONS][2];
    float *inverse_height;   // [clusters] reciprocal of the least height of its triangles [1/m].
    int32_t *slots;          // [clusters] index among the surrounding clusters of the one being processed; -1 for none.
    cluster_list near, both; // Clusters near one cluster, and clusters between two.
    int32_t chart;           // The chart that is laid out.
    cluster_list members;    // Its clusters, and the clusters that it overlaps.
    int32_t *image_of;       // [clusters] image in that chart of a cluster of another chart; -1 for none yet.
    int32_t *homes;          // [clusters] clusters in the order in which their partners are listed.
    int32_t home_count, more_count, more_capacity;
    int32_t place_count, place_capacity, weight_capacity;
    bool complete;
} flat_builder;

static pli_dvec3 flat_builder_corner(const pli_cluster_source *s, int32_t triangle, int k)
{
    const float *p = s->rest + 3 * s->triangles[3 * triangle + k];
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

// Do all triangles lie in one plane with the same orientation?
static bool find_plane(flat_builder *b)
{
    pli_dvec3 sum = {0, 0, 0};
    double total = 0.0;
    for (int32_t t = 0; t < b->source->triangle_count; t++) {
        pli_dvec3 a = flat_builder_corner(b->source, t, 0);
        pli_dvec3 twice = pli_dcross(pli_dsub(flat_builder_corner(b->source, t, 1), a),
                                     pli_dsub(flat_builder_corner(b->source, t, 2), a));
        sum = pli_dadd(sum, twice);
        total += pli_dlength(twice);
    }
    double length = pli_dlength(sum);
    if (!(length > 0.0) || !(length >= (1.0 - FLAT_TOLERANCE) * total))
        return false;
    b->area = 0.5 * length;
    b->normal = pli_dscale(sum, 1.0 / length);
    return true;
}

// Does the surface cover its convex hull exactly once, with no hole, slit or seam? Then its area and the length of its
// border equal those of the hull.
static bool covers_hull(flat_builder *b, double *points, int32_t count, double border)
{
    qsort(points, (size_t)count, 2 * sizeof *points, pli_flat_by_place);
    double *hull = points + 2 * count, area = 0.0, length = 0.0;
    for (int32_t step = 1; step >= -1; step -= 2) {
        int32_t size = pli_flat_half_hull(points, count, step, hull);
        double twice = 0.0;
        for (int32_t i = 2; i < size; i++)
            twice += pli_flat_twice_area(hull, hull + 2 * (i - 1), hull + 2 * i);
        area += 0.5 * twice;
        double sum = 0.0;
        for (int32_t i = 1; i < size; i++)
            sum += hypot(hull[2 * i] - hull[2 * i - 2], hull[2 * i + 1] - hull[2 * i - 1]);
        length += sum;
    }
    return fabs(area - b->area) <= WHOLE * area && fabs(length - border) <= WHOLE * length;
}

// Whether each edge has one or two triangles.
static bool is_manifold(const flat_builder *b)
{
    const pli_cluster_source *s = b->source;
    for (int32_t i = 0; i < 3 * s->triangle_count; i++)
        if (b->sides[s->side_edges[i]] < 3)
            b->sides[s->side_edges[i]]++;
    for (int32_t e = 0; e < s->edge_count; e++)
        if (b->sides[e] != 1 && b->sides[e] != 2)
            return false;
    return true;
}

// Determines whether a flat surface fills its convex hull. Returns false when out of memory.
static bool find_convex(flat_builder *b)
{
    const pli_cluster_source *s = b->source;
    int32_t count = 0;
    for (int32_t e = 0; e < s->edge_count; e++)
        count += b->sides[e] == 1;
    double *points = PLI_ALLOCATE(b->memory, double, 8 * (int64_t)count + 8), border = 0.0;
    for (int32_t i = 0, at = 0; points && i < 3 * s->triangle_count; i++) {
        if (b->sides[s->side_edges[i]] != 1)
            continue;
        const double *p = pli_flat_corner(&b->charts, i / 3, i % 3),
                     *q = pli_flat_corner(&b->charts, i / 3, (i + 1) % 3);
        border += hypot(p[0] - q[0], p[1] - q[1]);
        memcpy(points + 4 * at, p, 2 * sizeof *p);
        memcpy(points + 4 * at++ + 2, q, 2 * sizeof *q);
    }
    b->convex = points && b->charts.chart_count == 1 && covers_hull(b, points, 2 * count, border);
    pli_release(b->memory, points);
    return points != NULL;
}

// Inverse of the matrix whose columns are the two sides from the first corner.
static bool invert(const flat_builder *b, int32_t triangle, float out[4])
{
    const double *p = pli_flat_corner(&b->charts, triangle, 0), *q = pli_flat_corner(&b->charts, triangle, 1),
                 *r = pli_flat_corner(&b->charts, triangle, 2);
    const double m[4] = {q[0] - p[0], r[0] - p[0], q[1] - p[1], r[1] - p[1]};
    double area = m[0] * m[3] - m[1] * m[2];
    const double inverse[4] = {m[3] / area, -m[1] / area, -m[2] / area, m[0] / area};
    bool regular = area > 0.0;
    for (int k = 0; k < 4; k++) {
        out[k] = (float)inverse[k];
        regular = regular && fabs(inverse[k]) < 1e30;
    }
    return regular;
}

// Reciprocal of the least height: the longest side over twice the area [1/m].
static double inverse_height_of(const flat_builder *b, int32_t triangle)
{
    const pli_flat_charts *c = &b->charts;
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        const double *p = pli_flat_corner(c, triangle, k), *q = pli_flat_corner(c, triangle, (k + 1) % 3);
        longest = fmax(longest, hypot(p[0] - q[0], p[1] - q[1]));
    }
    return longest / pli_flat_twice_area(pli_flat_corner(c, triangle, 0), pli_flat_corner(c, triangle, 1),
                                         pli_flat_corner(c, triangle, 2));
}

// Index of a vertex among the cluster's particles, which it joins if it is new.
static int32_t flat_place_of(pli_gradient_cluster *cluster, int32_t *places, int32_t vertex)
{
    for (int32_t i = 0; i < cluster->count; i++)
        if (places[i] == vertex)
            return i;
    places[cluster->count] = vertex;
    return cluster->count++;
}

static void flat_include(const flat_builder *b, int32_t cluster, const double at[2])
{
    outline *o = &b->outlines[cluster];
    pli_aabb_include(&b->boxes[cluster], (pli_vec3){(float)at[0], (float)at[1], 0.0f});
    for (int32_t i = 0; i < DIRECTIONS; i++) {
        double along = at[0] * b->directions[i][0] + at[1] * b->directions[i][1];
        o->low[i] = fmin(o->low[i], along);
        o->high[i] = fmax(o->high[i], along);
    }
}

static bool has_part_in(const outline *p, const outline *all)
{
    for (int32_t i = 0; i < DIRECTIONS; i++) {
        double tolerance = FLAT_TOUCHING * (p->high[i] - p->low[i]);
        if (p->high[i] - tolerance < all->low[i] || p->low[i] + tolerance > all->high[i])
            return false;
    }
    return true;
}

static int32_t flat_triangle_count(const flat_builder *b, int32_t cluster)
{
    const pli_clusters *p = b->clusters;
    return p->ends[PLI_PRIMITIVE_TRIANGLE][cluster] - p->starts[PLI_PRIMITIVE_TRIANGLE][cluster];
}

// A cluster of vertices without faces has no triangle, and uses the first triangle of the mesh, which adds nothing to it.
static int32_t flat_triangle_at(const flat_builder *b, int32_t cluster, int32_t lane)
{
    const pli_clusters *p = b->clusters;
    int32_t first = p->starts[PLI_PRIMITIVE_TRIANGLE][cluster];
    return flat_triangle_count(b, cluster) > 0 ? p->items[PLI_PRIMITIVE_TRIANGLE][first + lane] : 0;
}

static void measure_cluster(const flat_builder *b, int32_t cluster)
{
    b->boxes[cluster] = pli_aabb_empty();
    outline o;
    for (int32_t i = 0; i < DIRECTIONS; i++)
        o.low[i] = INFINITY, o.high[i] = -INFINITY;
    b->outlines[cluster] = o;
    b->inverse_height[cluster] = 0.0f;
    for (int32_t lane = 0; lane < flat_triangle_count(b, cluster); lane++) {
        // Include a triangle, as laid out, in the measures of its cluster.
        int32_t triangle = flat_triangle_at(b, cluster, lane);
        bool has_chart = b->charts.charts[triangle] >= 0; // Else the cluster has no partners.
        if (has_chart)
            b->inverse_height[cluster] = pli_higher(b->inverse_height[cluster],
                                                    (float)inverse_height_of(b, triangle) * 1.001f);
        for (int32_t k = 0; k < 3; k++)
            flat_include(b, cluster, pli_flat_corner(&b->charts, triangle, k));
    }
}

// Inverses and weights of the image of a cluster as it is laid out. Lanes without a triangle of their own repeat the first
// one and add no weights. Returns false for a triangle without area.
static bool make_image(const flat_builder *b, int32_t cluster, float *rows, float *weights)
{
    const pli_gradient_cluster *p = &b->flat_certificate->clusters[cluster];
    const int32_t *corners = b->flat_certificate->corners + 3 * PLI_GRADIENT_LANES * (int64_t)cluster;
    memset(weights, 0, 2 * (size_t)p->count * sizeof *weights);
    for (int32_t lane = 0; lane < PLI_GRADIENT_TRIANGLES; lane++) {
        bool is_padding = lane >= flat_triangle_count(b, cluster);
        int32_t triangle = flat_triangle_at(b, cluster, is_padding ? 0 : lane);
        float inverse[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        if (b->charts.charts[triangle] >= 0 && !invert(b, triangle, inverse))
            return false;
        for (int32_t k = 0; k < 3 && !is_padding; k++)
            for (int32_t i = 0; i < 2; i++)
                weights[2 * corners[k * PLI_GRADIENT_LANES + lane] + i] += k == 0 ? -inverse[i] - inverse[2 + i]
                                                                                  : inverse[2 * (k - 1) + i];
        for (int32_t i = 0; i < PLI_GRADIENT_INVERSES; i++)
            for (int32_t end = 0; end < 2; end++)
                rows[i * PLI_GRADIENT_LANES + end * PLI_GRADIENT_TRIANGLES + lane] = inverse[i];
    }
    return true;
}

static bool build_cluster(flat_builder *b, int32_t cluster)
{
    pli_gradient_cluster *to = &b->flat_certificate->clusters[cluster];
    float *rows = b->flat_certificate->inverses + PLI_GRADIENT_INVERSES * PLI_GRADIENT_LANES * (int64_t)cluster;
    measure_cluster(b, cluster);
    // List the particles of a cluster and the index of each triangle corner among them.
    int32_t *places = b->flat_certificate->places + b->place_count,
            *corners = b->flat_certificate->corners + 3 * PLI_GRADIENT_LANES * (int64_t)cluster;
    for (int32_t i = 0; i < 3 * PLI_GRADIENT_TRIANGLES; i++) {
        int32_t lane = i / 3, k = i % 3;
        int32_t triangle = flat_triangle_at(b, cluster, lane < flat_triangle_count(b, cluster) ? lane : 0);
        corners[k * PLI_GRADIENT_LANES + lane] = flat_place_of(to, places, b->source->triangles[3 * triangle + k]);
    }
    for (int32_t i = 0; i < 3 * PLI_GRADIENT_LANES; i++)
        if (i % PLI_GRADIENT_LANES >= PLI_GRADIENT_TRIANGLES)
            corners[i] = corners[i - PLI_GRADIENT_TRIANGLES] + to->count;
    to->corners = corners;
    if (!make_image(b, cluster, rows, b->flat_certificate->weights + 2 * (int64_t)b->place_count))
        return false;
    to->inverses = rows;
    b->place_count += to->count;
    return true;
}

static bool build_clusters(flat_builder *b)
{
    const pli_clusters *p = b->clusters;
    for (int32_t cluster = 0; cluster < p->count; cluster++) {
        int64_t count = (int64_t)b->place_count + PLI_GRADIENT_PLACES;
        b->complete = pli_reserve(b->memory, &b->flat_certificate->places, &b->place_capacity, count,
                                  sizeof *b->flat_certificate->places) &&
                      pli_reserve(b->memory, &b->flat_certificate->weights, &b->weight_capacity, 2 * count,
                                  sizeof *b->flat_certificate->weights);
        if (!b->complete || !build_cluster(b, cluster))
            return false;
        const pli_swept_box stays = {b->boxes[cluster], b->boxes[cluster]};
        pli_bvh16_set(&b->clusters->tree, cluster, &stays);
    }
    pli_bvh16_refit(&b->clusters->tree, NULL);
    const int32_t *places = b->flat_certificate->places;
    const float *weights = b->flat_certificate->weights;
    for (int32_t cluster = 0; cluster < p->count; cluster++) {
        pli_gradient_cluster *to = &b->flat_certificate->clusters[cluster];
        to->places = places, to->weights = weights;
        places += to->count, weights += 2 * to->count;
    }
    return true;
}

static bool flat_found_cluster(void *data, int32_t cluster)
{
    cluster_list *list = data;
    list->clusters[list->count++] = cluster;
    return true;
}

static void query_clusters(const flat_builder *b, pli_aabb box, int32_t first, cluster_list *list)
{
    list->count = 0;
    const pli_swept_box stays = {box, box};
    pli_bvh16_query(&b->clusters->tree, b->kernels, &stays, first, flat_found_cluster, list);
}

// Whether the cluster is laid out in the present chart.
static bool is_laid_out(const flat_builder *b, int32_t cluster)
{
    return flat_triangle_count(b, cluster) > 0 && b->charts.charts[flat_triangle_at(b, cluster, 0)] == b->chart;
}

// The image of a cluster in the present chart. Sets `complete` to false when out of memory.
static int32_t image_of(flat_builder *b, int32_t cluster)
{
    pli_flat_certificate *s = b->flat_certificate;
    if (b->charts.chart_of[cluster] == b->chart)
        return cluster;
    if (b->image_of[cluster] >= 0)
        return b->image_of[cluster];
    b->complete = b->complete &&
                  pli_reserve(b->memory, &s->more, &b->more_capacity, (int64_t)b->more_count + 1, sizeof *s->more);
    if (!b->complete)
        return cluster;
    s->more[b->more_count].cluster = cluster;
    make_image(b, cluster, s->more[b->more_count].inverses, s->more[b->more_count].weights);
    return b->image_of[cluster] = s->cluster_count + b->more_count++;
}

// Computes the bits of the clusters between two partners, and adds new ones to the surrounding clusters. Returns false
// if these exceed a word.
static bool cover(flat_builder *b, int32_t first_surrounding, uint64_t *bits)
{
    pli_flat_certificate *flat_certificate = b->flat_certificate;
    int32_t more = 0;
    for (int32_t i = 0; i < b->both.count; i++)
        more += b->slots[b->both.clusters[i]] < 0;
    if (flat_certificate->surrounding_count - first_surrounding + more > PLI_FLAT_CERTIFICATE_SURROUNDING)
        return false;
    *bits = 0;
    for (int32_t i = 0; i < b->both.count; i++) {
        int32_t *slot = &b->slots[b->both.clusters[i]];
        if (*slot < 0) {
            *slot = flat_certificate->surrounding_count - first_surrounding;
            flat_certificate->images[flat_certificate->surrounding_count] = image_of(b, b->both.clusters[i]);
            flat_certificate->surrounding[flat_certificate->surrounding_count++] = b->both.clusters[i];
        }
        *bits |= UINT64_C(1) << *slot;
    }
    return true;
}

static bool reserve_partner(flat_builder *b)
{
    pli_flat_certificate *s = b->flat_certificate;
    return pli_reserve(b->memory, &s->partners, &s->partner_capacity, (int64_t)s->partner_count + 1,
                       sizeof *s->partners) &&
           pli_reserve(b->memory, &s->inverse_apart, &s->apart_capacity, (int64_t)s->partner_count + 1,
                       sizeof *s->inverse_apart) &&
           pli_reserve(b->memory, &s->covers, &s->cover_capacity, (int64_t)s->partner_count + 1, sizeof *s->covers);
}

// Pairs with too many surrounding clusters do not become partners; the ordinary search handles them.
static void match_cluster(flat_builder *b, int32_t cluster, float near)
{
    pli_flat_certificate *flat_certificate = b->flat_certificate;
    int32_t first_surrounding = flat_certificate->surrounding_count;
    flat_certificate->partner_starts[cluster] = flat_certificate->partner_count;
    flat_certificate->surrounding_starts[cluster] = first_surrounding;
    b->homes[b->home_count++] = cluster;
    query_clusters(b, pli_aabb_grow(b->boxes[cluster], near), cluster, &b->near);
    pli_flat_certificate *s = b->flat_certificate;
    int64_t count = (int64_t)s->surrounding_count + PLI_FLAT_CERTIFICATE_SURROUNDING;
    b->complete = pli_reserve(b->memory, &s->surrounding, &s->surrounding_capacity, count, sizeof *s->surrounding) &&
                  pli_reserve(b->memory, &s->images, &s->image_capacity, count, sizeof *s->images);
    for (int32_t i = 0; i < b->near.count && b->complete; i++) {
        int32_t partner = b->near.clusters[i];
        if (!is_laid_out(b, partner) || !is_laid_out(b, cluster))
            continue;
        if (!b->convex && !pli_flat_covers_hull(&b->flat_cover, b->clusters, cluster, partner))
            continue;
        int32_t kept = 0;
        outline all = b->outlines[cluster];
        for (int32_t k = 0; k < DIRECTIONS; k++) {
            all.low[k] = fmin(all.low[k], b->outlines[partner].low[k]);
            all.high[k] = fmax(all.high[k], b->outlines[partner].high[k]);
        }
        query_clusters(b, pli_aabb_join(b->boxes[cluster], b->boxes[partner]), 0, &b->both);
        for (int32_t k = 0; k < b->both.count; k++)
            if (is_laid_out(b, b->both.clusters[k]) && has_part_in(&b->outlines[b->both.clusters[k]], &all))
                b->both.clusters[kept++] = b->both.clusters[k];
        b->both.count = kept;
        b->complete = reserve_partner(b);
        if (!b->complete || !cover(b, first_surrounding, &flat_certificate->covers[flat_certificate->partner_count]))
            continue;
        // Reciprocal of a lower bound of the rest distance of primitives of both clusters: the least height of the triangles
        // between them, or the distance of the clusters if it is larger.
        const outline *p = &b->outlines[cluster], *q = &b->outlines[partner];
        double apart = 0.0;
        float inverse_height = 0.0f;
        for (int32_t k = 0; k < DIRECTIONS; k++)
            apart = fmax(apart, fmax(p->low[k] - q->high[k], q->low[k] - p->high[k]));
        for (int32_t k = 0; k < b->both.count; k++)
            inverse_height = pli_higher(inverse_height, b->inverse_height[b->both.clusters[k]]);
        flat_certificate->inverse_apart[flat_certificate->partner_count] =
            apart > 0.0 ? pli_lower(inverse_height, (float)(1.001 / apart)) : inverse_height;
        flat_certificate->partners[flat_certificate->partner_count++] = partner;
    }
    for (int32_t i = first_surrounding; i < flat_certificate->surrounding_count; i++)
        b->slots[flat_certificate->surrounding[i]] = -1;
}

// Lays out a chart and the clusters that it overlaps; the tree contains only these.
static void unfold(flat_builder *b, int32_t chart)
{
    const pli_swept_box empty = pli_swept_box_empty();
    for (int32_t i = 0; i < b->members.count; i++)
        pli_bvh16_set(&b->clusters->tree, b->members.clusters[i], &empty);
    b->chart = chart;
    b->members.count = pli_flat_charts_unfold(&b->charts, b->clusters, chart, b->members.clusters);
    for (int32_t i = 0; i < b->members.count; i++) {
        int32_t cluster = b->members.clusters[i];
        measure_cluster(b, cluster);
        b->image_of[cluster] = -1;
        const pli_swept_box stays = {b->boxes[cluster], b->boxes[cluster]};
        pli_bvh16_set(&b->clusters->tree, cluster, &stays);
    }
    pli_bvh16_refit(&b->clusters->tree, NULL);
}

/* ---- ordering ----------------------------------------------------------------------------------- */

// Sorts the slices of the clusters in `homes`, which begin at `starts`, by cluster. `all` is the number of items.
static bool sort_slices(const flat_builder *b, const int32_t *starts, int32_t all, void *items, size_t size)
{
    char *sorted = PLI_ALLOCATE(b->memory, char, (int64_t)size *all + 1);
    int64_t *lengths = PLI_ALLOCATE(b->memory, int64_t, (int64_t)b->clusters->count + 1);
    bool complete = sorted && lengths;
    for (int32_t i = 0; complete && i < b->home_count; i++) {
        int32_t end = i + 1 < b->home_count ? starts[b->homes[i + 1]] : all;
        lengths[b->homes[i]] = end - starts[b->homes[i]];
    }
    char *to = sorted;
    for (int32_t cluster = 0; complete && cluster < b->clusters->count; cluster++) {
        size_t bytes = (size_t)lengths[cluster] * size;
        if (bytes > 0)
            memcpy(to, (const char *)items + (size_t)starts[cluster] * size, bytes);
        to += bytes;
    }
    if (complete && all > 0)
        memcpy(items, sorted, (size_t)all * size);
    pli_release(b->memory, sorted);
    pli_release(b->memory, lengths);
    return complete;
}

static void sort_starts(const flat_builder *b, int32_t *starts, int32_t all)
{
    int32_t *lengths = b->slots; // No longer used.
    for (int32_t cluster = 0; cluster < b->clusters->count; cluster++)
        lengths[cluster] = 0;
    for (int32_t i = 0; i < b->home_count; i++)
        lengths[b->homes[i]] = (i + 1 < b->home_count ? starts[b->homes[i + 1]] : all) - starts[b->homes[i]];
    starts[0] = 0;
    for (int32_t cluster = 0; cluster < b->clusters->count; cluster++)
        starts[cluster + 1] = starts[cluster] + lengths[cluster];
}

// Sorts further images by cluster, and renumbers them.
static bool sort_images(const flat_builder *b)
{
    pli_flat_certificate *s = b->flat_certificate;
    int32_t *places = PLI_ALLOCATE(b->memory, int32_t, (int64_t)b->more_count + 1);
    pli_flat_image *sorted = PLI_ALLOCATE(b->memory, pli_flat_image, (int64_t)b->more_count + 1);
    for (int32_t i = 0; places && i < b->more_count; i++)
        s->more_starts[s->more[i].cluster + 1]++;
    for (int32_t cluster = 0; cluster < s->cluster_count; cluster++)
        s->more_starts[cluster + 1] += s->more_starts[cluster];
    for (int32_t i = 0; places && sorted && i < b->more_count; i++) {
        int32_t *slot = &b->slots[s->more[i].cluster], to = s->more_starts[s->more[i].cluster] + (*slot)++;
        places[i] = to;
        sorted[to] = s->more[i];
    }
    for (int32_t i = 0; places && i < s->surrounding_count; i++)
        if (s->images[i] >= s->cluster_count)
            s->images[i] = s->cluster_count + places[s->images[i] - s->cluster_count];
    pli_release(b->memory, places);
    pli_release(b->memory, s->more);
    s->more = sorted;
    return places && sorted;
}

static bool sort_by_cluster(flat_builder *b)
{
    pli_flat_certificate *s = b->flat_certificate;
    const int32_t *partners = s->partner_starts, *surrounding = s->surrounding_starts;
    bool complete = sort_slices(b, partners, s->partner_count, s->partners, sizeof *s->partners) &&
                    sort_slices(b, partners, s->partner_count, s->covers, sizeof *s->covers) &&
                    sort_slices(b, partners, s->partner_count, s->inverse_apart, sizeof *s->inverse_apart) &&
                    sort_slices(b, surrounding, s->surrounding_count, s->surrounding, sizeof *s->surrounding) &&
                    sort_slices(b, surrounding, s->surrounding_count, s->images, sizeof *s->images);
    if (!complete)
        return false;
    sort_starts(b, s->partner_starts, s->partner_count);
    sort_starts(b, s->surrounding_starts, s->surrounding_count);
    for (int32_t cluster = 0; cluster < s->cluster_count; cluster++)
        b->slots[cluster] = 0;
    return sort_images(b);
}

// Allocates the gradients and sums of all images, and their constant data.
static bool finish_images(flat_builder *b)
{
    pli_flat_certificate *s = b->flat_certificate;
    s->image_count = s->cluster_count + b->more_count;
    pli_gradient_cluster *all = PLI_ALLOCATE(b->memory, pli_gradient_cluster, s->image_count);
    s->gradients = PLI_ALLOCATE(b->memory, float, PLI_GRADIENT_ROWS *PLI_GRADIENT_LANES *(int64_t)s->image_count);
    s->sums = PLI_ALLOCATE(b->memory, pli_particle, 2 * (int64_t)s->image_count);
    if (all)
        memcpy(all, s->clusters, (size_t)s->cluster_count * sizeof *all);
    for (int32_t i = 0; all && i < b->more_count; i++) {
        pli_gradient_cluster *to = &all[s->cluster_count + i];
        *to = s->clusters[s->more[i].cluster];
        to->inverses = s->more[i].inverses, to->weights = s->more[i].weights;
    }
    pli_release(b->memory, s->clusters);
    s->clusters = all;
    return all && s->gradients && s->sums;
}

static bool allocate_flat_certificate(flat_builder *b)
{
    pli_flat_certificate *s = b->flat_certificate = PLI_ALLOCATE(b->memory, pli_flat_certificate, 1);
    int64_t clusters = b->clusters->count;
    if (!s)
        return false;
    s->cluster_count = b->clusters->count;
    s->clusters = PLI_ALLOCATE(b->memory, pli_gradient_cluster, clusters);
    s->corners = PLI_ALLOCATE(b->memory, int32_t, 3 * PLI_GRADIENT_LANES * clusters);
    s->inverses = PLI_ALLOCATE(b->memory, float, PLI_GRADIENT_INVERSES *PLI_GRADIENT_LANES *clusters);
    s->more_starts = PLI_ALLOCATE(b->memory, int32_t, clusters + 1);
    s->partner_starts = PLI_ALLOCATE(b->memory, int32_t, clusters + 1);
    s->surrounding_starts = PLI_ALLOCATE(b->memory, int32_t, clusters + 1);
    s->listed = PLI_ALLOCATE(b->memory, uint64_t, clusters);
    s->doubtful = PLI_ALLOCATE(b->memory, uint64_t, clusters);
    return s->clusters && s->corners && s->inverses && s->more_starts && s->partner_starts && s->surrounding_starts &&
           s->listed && s->doubtful;
}

static bool flat_allocate(flat_builder *b)
{
    int64_t clusters = b->clusters->count;
    b->sides = PLI_ALLOCATE(b->memory, uint8_t, b->source->edge_count);
    b->boxes = PLI_ALLOCATE(b->memory, pli_aabb, clusters);
    b->outlines = PLI_ALLOCATE(b->memory, outline, clusters);
    b->inverse_height = PLI_ALLOCATE(b->memory, float, clusters);
    b->slots = PLI_ALLOCATE(b->memory, int32_t, clusters);
    b->near.clusters = PLI_ALLOCATE(b->memory, int32_t, clusters);
    b->both.clusters = PLI_ALLOCATE(b->memory, int32_t, clusters);
    b->members.clusters = PLI_ALLOCATE(b->memory, int32_t, clusters);
    b->image_of = PLI_ALLOCATE(b->memory, int32_t, clusters);
    b->homes = PLI_ALLOCATE(b->memory, int32_t, clusters);
    return b->sides && b->boxes && b->outlines && b->inverse_height && b->slots && b->near.clusters &&
           b->both.clusters && b->members.clusters && b->image_of && b->homes;
}

bool pli_flat_certificate_build(pli_memory *memory, const pli_near_kernels *kernels, pli_clusters *clusters,
                                const pli_cluster_source *source, float near, pli_flat_certificate **flat_certificate)
{
    flat_builder b = {.memory = memory, .kernels = kernels, .clusters = clusters, .source = source, .complete = true};
    *flat_certificate = NULL;
    if (source->triangle_count == 0)
        return true;
    bool qualifies = false;
    b.complete = flat_allocate(&b) && allocate_flat_certificate(&b);
    if (b.complete && is_manifold(&b)) {
        for (int32_t i = 0; i < DIRECTIONS; i++) {
            b.directions[i][0] = cos(3.14159265358979 * i / DIRECTIONS);
            b.directions[i][1] = sin(3.14159265358979 * i / DIRECTIONS);
        }
        // Lay out the surface in planes.
        bool is_flat = find_plane(&b);

        b.complete = pli_flat_charts_make(b.memory, &b.charts, b.clusters, b.source, is_flat ? &b.normal : NULL) &&
                     (!is_flat || find_convex(&b)) &&
                     (b.convex || pli_flat_cover_begin(b.memory, &b.flat_cover, &b.charts));
        qualifies = b.complete && build_clusters(&b);
    }
    if (b.complete && qualifies) {
        int32_t count = b.clusters->count;
        for (int32_t cluster = 0; cluster < count; cluster++)
            b.slots[cluster] = -1;
        for (int32_t cluster = 0; cluster < count && b.convex && b.complete; cluster++)
            match_cluster(&b, cluster, near);
        if (!b.convex) {
            // Find the partners within each chart. One chart is laid out at a time.
            const pli_swept_box empty = pli_swept_box_empty();
            for (int32_t cluster = 0; cluster < b.clusters->count; cluster++)
                pli_bvh16_set(&b.clusters->tree, cluster, &empty);
            for (int32_t chart = 0; chart < b.charts.chart_count && b.complete; chart++) {
                unfold(&b, chart);
                for (int32_t i = 0; i < b.members.count && b.complete; i++)
                    if (b.charts.chart_of[b.members.clusters[i]] == chart)
                        match_cluster(&b, b.members.clusters[i], near);
            }
        }
        b.complete = b.complete && sort_by_cluster(&b) && finish_images(&b);
    }
    void *arrays[] = {b.sides,         b.boxes,         b.outlines,         b.inverse_height, b.slots,
                      b.near.clusters, b.both.clusters, b.members.clusters, b.image_of,       b.homes};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(b.memory, arrays[i]);
    pli_flat_cover_end(b.memory, &b.flat_cover);
    pli_flat_charts_release(b.memory, &b.charts);
    if (b.complete && qualifies)
        *flat_certificate = b.flat_certificate;
    else
        pli_flat_certificate_release(memory, b.flat_certificate);
    return b.complete;
}

void pli_flat_certificate_release(pli_memory *memory, pli_flat_certificate *flat_certificate)
{
    if (!flat_certificate)
        return;
    void *arrays[] = {
        flat_certificate->clusters,    flat_certificate->places,        flat_certificate->weights,
        flat_certificate->corners,     flat_certificate->inverses,      flat_certificate->gradients,
        flat_certificate->sums,        flat_certificate->inverse_apart, flat_certificate->partner_starts,
        flat_certificate->partners,    flat_certificate->covers,        flat_certificate->surrounding_starts,
        flat_certificate->surrounding, flat_certificate->listed,        flat_certificate->doubtful,
        flat_certificate->images,      flat_certificate->more,          flat_certificate->more_starts};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    pli_release(memory, flat_certificate);
}
