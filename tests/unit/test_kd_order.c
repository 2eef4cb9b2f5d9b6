// Groups of points: every one is in one, and halves of any node of the tree over groups are apart along an axis.
#include "collision/broadphase/spatial_order.h"
#include "pliant/mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 8, MOST = 3000 };

typedef struct cloud {
    int32_t order[MOST], count;
    float points[3 * MOST];
} cloud;

static uint32_t random_state = 3;

static float any(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (float)(random_state >> 8) / 16777216.0f;
}

static float along(const cloud *c, int32_t rank, int32_t axis) { return c->points[3 * c->order[rank] + axis]; }

static bool is_apart(const cloud *c, int32_t begin, int32_t middle, int32_t end)
{
    for (int32_t axis = 0; axis < 3; axis++) {
        float high = -INFINITY, low = INFINITY;
        for (int32_t i = begin; i < end; i++) {
            if (i < middle)
                high = fmaxf(high, along(c, i, axis));
            else
                low = fminf(low, along(c, i, axis));
        }
        if (high <= low)
            return true;
    }
    return false;
}

// Nodes of a complete binary tree over groups: runs of 1, 2, 4 ... groups.
static void look_at(cloud *c)
{
    static uint8_t seen[MOST];
    pli_memory memory = pli_memory_make(NULL);
    assert_true(pli_kd_order(&memory, c->points, c->count, SIZE, c->order));
    assert_int_equal(memory.bytes, 0);
    memset(seen, 0, sizeof seen);
    for (int32_t i = 0; i < c->count; i++) {
        assert_in_range(c->order[i], 0, c->count - 1);
        assert_false(seen[c->order[i]]);
        seen[c->order[i]] = 1;
    }
    for (int32_t half = SIZE; half < c->count; half *= 2)
        for (int32_t begin = 0; begin + half < c->count; begin += 2 * half) {
            int32_t end = begin + 2 * half < c->count ? begin + 2 * half : c->count;
            assert_true(is_apart(c, begin, begin + half, end));
        }
}

static void halves_of_nodes_are_apart(void **state)
{
    (void)state;
    cloud *c = malloc(sizeof *c);
    for (int32_t round = 0; round < 60; round++) {
        c->count = round < 20 ? round : (int32_t)(any() * MOST);
        // Some flat, some in a line, some in few places, so that many are equal.
        float steps = round % 3 == 0 ? 4.0f : 1e6f;
        for (int32_t i = 0; i < 3 * c->count; i++)
            c->points[i] = i % 3 >= 3 - round % 4 ? 1.0f : floorf(any() * steps) / steps;
        look_at(c);
    }
    free(c);
}

// Triangles of a sheet of squares, by the sums of their corners: no group is longer than a few of them, as it is where a curve jumps.
static void groups_of_a_sheet_are_compact(void **state)
{
    (void)state;
    enum { SIDE = 37 };
    cloud *c = malloc(sizeof *c);
    pli_mesh *mesh = NULL;
    assert_int_equal(pli_mesh_create_grid(SIDE, SIDE, SIDE - 1, SIDE - 1, PLI_GRID_DIAGONAL, &mesh, NULL),
                     PLI_STATUS_OK);
    const pli_topology *t = pli_mesh_topology(mesh);
    c->count = t->corner_count / 3;
    memset(c->points, 0, sizeof c->points);
    for (int32_t i = 0; i < 3 * t->corner_count; i++)
        c->points[3 * (i / 9) + i % 3] += t->positions[3 * t->face_vertices[i / 3] + i % 3];
    look_at(c);
    for (int32_t begin = 0; begin < c->count; begin += SIZE)
        for (int32_t axis = 0; axis < 3; axis++) {
            float low = INFINITY, high = -INFINITY;
            for (int32_t i = 3 * begin; i < 3 * c->count && i < 3 * (begin + SIZE); i++) {
                float at = t->positions[3 * t->face_vertices[3 * c->order[i / 3] + i % 3] + axis];
                low = fminf(low, at), high = fmaxf(high, at);
            }
            assert_true(high - low <= 4.01f);
        }
    pli_mesh_destroy(mesh);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_of_nodes_are_apart),
        cmocka_unit_test(groups_of_a_sheet_are_compact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
