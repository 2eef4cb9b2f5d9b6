// Searches through the tree of boxes find what looking at each box finds, in order, whatever the width; and the nearest.
#include "collision/broadphase/cluster.h"
#include "../inside.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 9000, QUERIES = 40 };

static uint32_t random_state = 11;

static float any(float low, float high)
{
    random_state = random_state * 1664525u + 1013904223u;
    return low + (high - low) * (float)(random_state >> 8) / 16777216.0f;
}

static pli_aabb any_box(float size)
{
    pli_vec3 p = {any(-1.0f, 1.0f), any(-1.0f, 1.0f), any(-1.0f, 1.0f)};
    return (pli_aabb){p, pli_add(p, (pli_vec3){any(0.0f, size), any(0.0f, size), any(0.0f, size)})};
}

static pli_swept_box any_passage(float size)
{
    pli_swept_box p = {any_box(size), any_box(size)};
    if (any(0.0f, 1.0f) < 0.7f)
        p.end = p.start;
    return p;
}

// Apart when one is beyond the other along an axis at both ends, on the same side.
static bool are_apart(const pli_swept_box *a, const pli_swept_box *b)
{
    const float *ends[2][2] = {{&a->start.low.x, &a->end.low.x}, {&b->start.low.x, &b->end.low.x}};
    for (int32_t axis = 0; axis < 3; axis++)
        for (int32_t side = 0; side < 2; side++)
            if (ends[side][0][axis] > ends[1 - side][0][3 + axis] && ends[side][1][axis] > ends[1 - side][1][3 + axis])
                return true;
    return false;
}

// Vertices without anything, 8 to a cluster.
static void build(pli_memory *memory, int32_t count, pli_clusters *clusters)
{
    static const float rest[3 * MOST];
    const pli_cluster_source source = {.vertex_count = count, .rest = rest};
    assert_true(pli_clusters_build(memory, clusters, &source));
    assert_int_equal(clusters->count, (count + PLI_CLUSTER_SIZE - 1) / PLI_CLUSTER_SIZE);
}

typedef struct found {
    int32_t clusters[MOST], count;
} found;

static bool note(void *data, int32_t cluster)
{
    found *f = data;
    f->clusters[f->count++] = cluster;
    return true;
}

static void assert_found(const pli_clusters *clusters, const pli_near_kernels *near, const pli_swept_box *box,
                         int32_t first)
{
    static found f;
    f.count = 0;
    pli_bvh16_query(&clusters->tree, near, box, first, note, &f);
    int32_t at = 0;
    for (int32_t cluster = first; cluster < clusters->count; cluster++) {
        if (are_apart(&clusters->tree.swept_boxes[cluster], box))
            continue;
        assert_true(at < f.count);
        assert_int_equal(f.clusters[at++], cluster);
    }
    assert_int_equal(at, f.count);
}

static void searches_find_what_meets(void **state)
{
    (void)state;
    static const int32_t counts[] = {1, 7, 8, 9, 127, 128, 129, 136, 2047, 2048, 2049, MOST};
    pli_memory memory = pli_memory_make(NULL);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        pli_clusters clusters;
        build(&memory, counts[c], &clusters);
        for (int32_t round = 0; round < 3; round++) {
            // First all, then some of them.
            for (int32_t i = 0; i < clusters.count; i++) {
                pli_swept_box p = any_passage(0.2f);
                if (round == 0 || any(0.0f, 1.0f) < 0.1f)
                    pli_bvh16_set(&clusters.tree, i, &p);
            }
            pli_bvh16_refit(&clusters.tree, NULL);
            for (int32_t q = 0; q < QUERIES; q++) {
                pli_swept_box box = any_passage(q % 5 == 0 ? 3.0f : 0.4f);
                int32_t first = q % 2 ? (int32_t)(any(0.0f, 1.0f) * (float)clusters.count) : 0;
                for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++)
                    if (pli_simd_available((pli_simd)simd))
                        assert_found(&clusters, inside_pair_kernels((pli_simd)simd), &box, first);
            }
        }
        // A box of NaN is apart from nothing, and matches no more than there are.
        pli_swept_box none = {{{NAN, NAN, NAN}, {NAN, NAN, NAN}}, {{NAN, NAN, NAN}, {NAN, NAN, NAN}}};
        for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++)
            if (pli_simd_available((pli_simd)simd))
                assert_found(&clusters, inside_pair_kernels((pli_simd)simd), &none, 0);
        pli_clusters_release(&memory, &clusters);
    }
    assert_int_equal(memory.bytes, 0);
}

// Points in boxes, one each; the least distance is known when boxes are looked into, nearest first.
typedef struct nearest {
    const pli_vec3 *points;
    pli_vec3 from;
    double least;
    int32_t leaf, looked;
} nearest;

static double square_between(pli_vec3 a, pli_vec3 b)
{
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return x * x + y * y + z * z;
}

static double look_into(void *data, int32_t leaf)
{
    nearest *n = data;
    double square = square_between(n->points[leaf], n->from);
    n->looked++;
    if (square < n->least || (square == n->least && leaf < n->leaf))
        n->least = square, n->leaf = leaf;
    return n->least;
}

static void the_nearest_is_found_without_a_look_at_most(void **state)
{
    (void)state;
    static pli_vec3 points[MOST];
    static const int32_t counts[] = {1, 2, 16, 17, 300, MOST};
    pli_memory memory = pli_memory_make(NULL);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        pli_bvh16 tree = {0};
        assert_true(pli_bvh16_reserve(&memory, &tree, counts[k]));
        for (int32_t i = 0; i < counts[k]; i++) {
            // The boxes lie on a line, so that leaves of a row are neighbours; every third coincides with the one
            // before.
            float at = (float)(i - (i % 3 == 2)) / (float)counts[k];
            points[i] = (pli_vec3){at, 0.1f * at * at, 0.0f};
            pli_aabb box = pli_aabb_grow((pli_aabb){points[i], points[i]}, any(0.0f, 0.001f));
            pli_bvh16_set(&tree, i, &(pli_swept_box){box, any_box(1.0f)});
        }
        pli_bvh16_refit(&tree, NULL);
        for (int32_t q = 0; q < QUERIES; q++) {
            nearest all = {points, {any(-0.5f, 1.5f), any(-0.1f, 0.2f), any(-0.1f, 0.1f)}, INFINITY, -1, 0},
                    searched = all;
            for (int32_t i = 0; i < counts[k]; i++)
                look_into(&all, i);
            pli_bvh16_nearest(&tree, searched.from, look_into, &searched);
            assert_int_equal(searched.leaf, all.leaf);
            assert_true(counts[k] < MOST || searched.looked < MOST / 4);
        }
        pli_bvh16_release(&memory, &tree);
    }
    assert_int_equal(memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(searches_find_what_meets),
                                       cmocka_unit_test(the_nearest_is_found_without_a_look_at_most)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
