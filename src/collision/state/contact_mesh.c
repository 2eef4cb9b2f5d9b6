// Builds the contact mesh: edges found by sorting triangle sides, neighbours across each edge, and edge rings of
// vertices.
#include "collision/state/contact_mesh.h"

#include "base/sort.h"
#include "collision/certificate/flat_cook.h"

#include <string.h>

// State of building one contact mesh.
typedef struct contact_mesh_builder {
    pli_memory *memory;
    pli_contact_mesh *surface;
    // [3 * triangle_count] sorting key: the side's two vertices, lower first; value: 3 * triangle + side.
    pli_sort_item *sides;
} contact_mesh_builder;

static bool contact_mesh_allocate(contact_mesh_builder *b, const pli_faces *shape)
{
    pli_contact_mesh *s = b->surface;
    int64_t triangles = shape->triangle_count, vertices = shape->vertex_count;
    s->triangles = PLI_ALLOCATE(b->memory, int32_t, 3 * triangles);
    s->apexes = PLI_ALLOCATE(b->memory, int32_t, 3 * triangles);
    s->side_edges = PLI_ALLOCATE(b->memory, int32_t, 3 * triangles);
    s->owned = PLI_ALLOCATE(b->memory, uint8_t, triangles);
    s->ring_begins = PLI_ALLOCATE(b->memory, int32_t, vertices);
    s->ring_ends = PLI_ALLOCATE(b->memory, int32_t, vertices);
    s->rest = PLI_ALLOCATE(b->memory, float, 3 * vertices);
    s->vertex_triangles = PLI_ALLOCATE(b->memory, int32_t, vertices);
    b->sides = PLI_ALLOCATE(b->memory, pli_sort_item, 3 * triangles);
    return s->triangles && s->apexes && s->side_edges && s->owned && s->ring_begins && s->ring_ends && s->rest &&
           s->vertex_triangles && b->sides;
}

static int32_t contact_mesh_apex(const pli_contact_mesh *s, int32_t side)
{
    return s->triangles[side - side % 3 + (side + 2) % 3];
}

static void contact_mesh_measure_edges(pli_contact_mesh *s)
{
    double sum = 0.0;
    for (int32_t e = 0; e < s->edge_count; e++) {
        const float *a = s->rest + 3 * s->edges[2 * e], *b = s->rest + 3 * s->edges[2 * e + 1];
        float length = pli_length((pli_vec3){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
        s->longest_edge = pli_higher(s->longest_edge, length);
        sum += (double)length;
    }
    s->mean_edge = s->edge_count > 0 ? (float)(sum / s->edge_count) : 0.0f;
}

// Largest rest distance of two clusters that the flat certificate covers, in addition to the thickness [mean edges].
#define FLAT_CERTIFICATE_REACH 0.35f

static pli_cluster_source contact_mesh_source(const pli_contact_mesh *s)
{
    return (pli_cluster_source){s->vertex_count, s->triangle_count, s->edge_count, s->triangles,
                                s->side_edges,   s->edges,          s->rest};
}

static bool make_clusters(pli_memory *memory, pli_contact_mesh *s)
{
    const pli_cluster_source source = contact_mesh_source(s);
    return pli_clusters_build(memory, &s->clusters, &source);
}

bool pli_contact_mesh_make_flat_certificate(pli_memory *memory, const pli_near_kernels *kernels, pli_contact_mesh *s)
{
    const pli_cluster_source source = contact_mesh_source(s);
    return pli_flat_certificate_build(memory, kernels, &s->clusters, &source,
                                      s->material.thickness + FLAT_CERTIFICATE_REACH * s->mean_edge,
                                      &s->flat_certificate);
}

bool pli_contact_mesh_build(pli_memory *memory, pli_contact_mesh *s, const pli_faces *shape, const int32_t *places)
{
    contact_mesh_builder b = {memory, s, NULL};
    bool complete = contact_mesh_allocate(&b, shape);
    if (complete) {
        s->vertex_count = shape->vertex_count;
        s->triangle_count = shape->triangle_count;
        for (int32_t i = 0; i < 3 * s->triangle_count; i++)
            s->triangles[i] = places ? places[shape->triangles[i]] : shape->triangles[i];
        for (int32_t v = 0; v < s->vertex_count; v++)
            for (int32_t k = 0; k < 3; k++)
                s->rest[3 * (places ? places[v] : v) + k] = shape->positions[3 * v + k];
        for (int32_t v = 0; v < s->vertex_count; v++)
            s->vertex_triangles[v] = -1;
        for (int32_t i = 0; i < 3 * s->triangle_count; i++) {
            int32_t *first = &s->vertex_triangles[s->triangles[i]];
            if (*first >= 0)
                continue;
            *first = i / 3;
            s->owned[i / 3] |= (uint8_t)(1 << i % 3);
        }
        for (int32_t i = 0; i < 3 * s->triangle_count; i++) {
            uint32_t a = (uint32_t)s->triangles[i], other = (uint32_t)s->triangles[i - i % 3 + (i + 1) % 3];
            uint64_t low = a < other ? a : other, high = a < other ? other : a;
            b.sides[i] = (pli_sort_item){low << 32 | high, i};
        }
        complete = pli_sort(memory, b.sides, 3 * s->triangle_count);
    }
    if (complete) {
        s->edge_count = 0;
        for (int32_t i = 0; i < 3 * s->triangle_count; i++)
            s->edge_count += i == 0 || b.sides[i].key != b.sides[i - 1].key;
        s->edges = PLI_ALLOCATE(memory, int32_t, 2 * (int64_t)s->edge_count);
        s->edge_triangles = PLI_ALLOCATE(memory, int32_t, s->edge_count);
        s->ring = PLI_ALLOCATE(memory, int32_t, 2 * (int64_t)s->edge_count);
        complete = s->edges && s->edge_triangles && s->ring;
    }
    if (complete) {
        // Equal keys are contiguous after sorting: each run is one edge, owned by the triangle of its first side.
        int32_t edge = 0;
        for (int32_t i = 0, next; i < 3 * s->triangle_count; i = next, edge++) {
            next = i + 1;
            while (next < 3 * s->triangle_count && b.sides[next].key == b.sides[i].key)
                next++;
            int32_t first = b.sides[i].value, second = next > i + 1 ? b.sides[i + 1].value : -1;
            s->edges[2 * edge] = (int32_t)(b.sides[i].key >> 32);
            s->edges[2 * edge + 1] = (int32_t)(uint32_t)b.sides[i].key;
            s->edge_triangles[edge] = first / 3;
            s->owned[first / 3] |= (uint8_t)(8 << first % 3);
            for (int32_t k = i; k < next; k++) {
                s->side_edges[b.sides[k].value] = edge;
                s->apexes[b.sides[k].value] = k > i         ? contact_mesh_apex(s, first)
                                              : second >= 0 ? contact_mesh_apex(s, second)
                                                            : -1;
            }
        }
        int32_t at = 0;
        for (int32_t e = 0; e < 2 * s->edge_count; e++)
            s->ring_ends[s->edges[e]]++;
        for (int32_t v = 0; v < s->vertex_count; v++) {
            s->ring_begins[v] = at;
            at += s->ring_ends[v];
            s->ring_ends[v] = s->ring_begins[v];
        }
        for (int32_t e = 0; e < 2 * s->edge_count; e++)
            s->ring[s->ring_ends[s->edges[e]]++] = s->edges[e ^ 1];
        s->ring_count = at;
        contact_mesh_measure_edges(s);
        complete = make_clusters(memory, s);
    }
    pli_release(memory, b.sides);
    return complete;
}

bool pli_contact_mesh_build_thin(pli_memory *memory, pli_contact_mesh *s, const float *positions, int32_t count)
{
    s->vertex_count = count;
    s->edge_count = count - 1;
    s->rest = PLI_ALLOCATE(memory, float, 3 * (int64_t)count);
    s->vertex_triangles = PLI_ALLOCATE(memory, int32_t, count);
    s->ring_begins = PLI_ALLOCATE(memory, int32_t, count);
    s->ring_ends = PLI_ALLOCATE(memory, int32_t, count);
    s->edges = PLI_ALLOCATE(memory, int32_t, 2);
    s->ring = PLI_ALLOCATE(memory, int32_t, 2);
    s->edge_triangles = PLI_ALLOCATE(memory, int32_t, 1);
    if (!s->rest || !s->vertex_triangles || !s->ring_begins || !s->ring_ends || !s->edges || !s->ring ||
        !s->edge_triangles)
        return false;
    memcpy(s->rest, positions, 3 * (size_t)count * sizeof(float));
    s->edges[1] = s->ring[0] = 1;
    s->edge_triangles[0] = -1;
    for (int32_t v = 0; v < count; v++) {
        s->vertex_triangles[v] = -1;
        s->ring_begins[v] = count > 1 ? v : 0;
        s->ring_ends[v] = count > 1 ? v + 1 : 0;
    }
    contact_mesh_measure_edges(s);
    return make_clusters(memory, s);
}

void pli_contact_mesh_release(pli_memory *memory, pli_contact_mesh *s)
{
    pli_clusters_release(memory, &s->clusters);
    pli_flat_certificate_release(memory, s->flat_certificate);
    void *arrays[] = {s->triangles,        s->edges,     s->apexes,     s->edge_triangles,
                      s->vertex_triangles, s->owned,     s->side_edges, s->ring,
                      s->ring_begins,      s->ring_ends, s->rest,       s->vertex_clusters};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
}

int32_t pli_contact_mesh_places(const pli_contact_mesh *s, int32_t cluster, int32_t places[PLI_CLUSTER_PLACES])
{
    const pli_clusters *p = &s->clusters;
    int32_t count = 0;
    for (int32_t i = p->starts[PLI_PRIMITIVE_TRIANGLE][cluster]; i < p->ends[PLI_PRIMITIVE_TRIANGLE][cluster]; i++)
        for (int k = 0; k < 3; k++)
            places[count++] = s->triangles[3 * p->items[PLI_PRIMITIVE_TRIANGLE][i] + k];
    if (count > 0 && !s->was_cut)
        return count;
    // Clusters without triangles, and clusters of a torn mesh whose vertices may belong to triangles of other
    // clusters.
    for (int32_t i = p->starts[PLI_PRIMITIVE_VERTEX][cluster]; i < p->ends[PLI_PRIMITIVE_VERTEX][cluster]; i++)
        places[count++] = p->items[PLI_PRIMITIVE_VERTEX][i];
    for (int32_t i = p->starts[PLI_PRIMITIVE_EDGE][cluster]; i < p->ends[PLI_PRIMITIVE_EDGE][cluster]; i++)
        for (int k = 0; k < 2; k++)
            places[count++] = s->edges[2 * p->items[PLI_PRIMITIVE_EDGE][i] + k];
    return count;
}

const int32_t *pli_contact_mesh_cluster_places(const pli_contact_mesh *s, int32_t cluster,
                                               int32_t listed[PLI_CLUSTER_PLACES], int32_t *count)
{
    const pli_flat_certificate *flat_certificate = pli_contact_mesh_flat_certificate(s);
    *count = flat_certificate ? flat_certificate->clusters[cluster].count : pli_contact_mesh_places(s, cluster, listed);
    return flat_certificate ? flat_certificate->clusters[cluster].places : listed;
}
