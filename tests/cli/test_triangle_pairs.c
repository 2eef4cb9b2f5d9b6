// The exact predicates against whole-number arithmetic in 128 bits, and pairs of triangles whose
// relation follows from how they were made.
#include "intersections/exact_sign.h"
#include "intersections/triangle_pair.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

__extension__ typedef __int128 whole;

static uint64_t random_state = 1;

static int32_t random_below(int32_t bound)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((random_state >> 33) % (uint64_t)bound);
}

static int sign(whole value) { return (value > 0) - (value < 0); }

// The determinant of the differences, in whole numbers.
static int side_in_wholes(int32_t p[4][3])
{
    whole d[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            d[i][k] = (whole)p[i + 1][k] - p[0][k];
    return sign(d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) - d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]));
}

// Points of at most 24 bits, the last one in the plane of the others or next to it, at any power of two.
static void test_planes_against_whole_numbers(void **state)
{
    (void)state;
    int seen[3] = {0};
    for (int round = 0; round < 200000; round++) {
        int32_t p[4][3], bound = round % 2 ? 1 << 6 : 1 << 22;
        float f[4][3];
        int u = random_below(3) - 1, v = random_below(3) - 1, power = random_below(120) - 60;
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 3; i++)
                p[i][k] = random_below(bound) - bound / 2;
            p[3][k] = p[0][k] + u * (p[1][k] - p[0][k]) + v * (p[2][k] - p[0][k]) + (random_below(8) == 0);
            for (int i = 0; i < 4; i++)
                f[i][k] = ldexpf((float)p[i][k], power);
        }
        int expected = side_in_wholes(p);
        seen[expected + 1]++;
        assert_int_equal(pli_cli_side_of_plane(f[0], f[1], f[2], f[3]), expected);
        assert_int_equal(pli_cli_side_of_plane(f[1], f[0], f[2], f[3]), -expected);
    }
    for (int i = 0; i < 3; i++)
        assert_true(seen[i] > 1000);
}

// Coordinates of every size at once: differences of these are no doubles.
static void test_planes_of_mixed_sizes(void **state)
{
    (void)state;
    const float tiny = ldexpf(1.0f, -149), huge = ldexpf(1.0f, 127), one = 1.0f;
    const float a[3] = {0, 0, tiny}, b[3] = {huge, 0, tiny}, c[3] = {0, huge, tiny};
    const float above[3] = {one, one, 2 * tiny}, in[3] = {huge, huge, tiny}, below[3] = {huge, -huge, 0};
    assert_int_equal(pli_cli_side_of_plane(a, b, c, above), 1);
    assert_int_equal(pli_cli_side_of_plane(a, b, c, in), 0);
    assert_int_equal(pli_cli_side_of_plane(a, b, c, below), -1);
    // The plane z = x holds huge, one and tiny alike.
    const float p[3] = {huge, 0, huge}, q[3] = {tiny, 1, tiny}, r[3] = {one, -huge, one}, on[3] = {-tiny, 5, -tiny};
    const float off[3] = {-tiny, 5, 0};
    assert_int_equal(pli_cli_side_of_plane(p, q, r, on), 0);
    assert_int_equal(pli_cli_side_of_plane(p, q, r, off), pli_cli_side_of_plane(p, q, r, (float[]){0, 0, 1}));
}

static void test_lines_against_whole_numbers(void **state)
{
    (void)state;
    for (int round = 0; round < 100000; round++) {
        int32_t p[3][3], bound = round % 2 ? 9 : 1 << 24;
        float f[3][3];
        for (int i = 0; i < 9; i++)
            f[i / 3][i % 3] = (float)(p[i / 3][i % 3] = random_below(bound) - bound / 2);
        int x = random_below(3), y = (x + 1) % 3;
        int expected = sign(((whole)p[1][x] - p[0][x]) * ((whole)p[2][y] - p[0][y]) -
                            ((whole)p[1][y] - p[0][y]) * ((whole)p[2][x] - p[0][x]));
        assert_int_equal(pli_cli_side_of_line(f[0], f[1], f[2], x, y), expected);
    }
}

/* ---- pairs ---------------------------------------------------------------------------------- */

typedef struct pair {
    float a[3][3], b[3][3];
    int32_t shared;
    pli_cli_relation relation;
} pair;

static const pair pairs[] = {
    // A standing triangle through a lying one, then lifted: on it with a corner, with an edge, off it.
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, -1}, {1, 1, 2}, {1, 2, 2}}, 0, PLI_CLI_CROSSING},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {1, 1, 2}, {1, 2, 2}}, 0, PLI_CLI_TOUCHING},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {1, 2, 0}, {1, 2, 2}}, 0, PLI_CLI_TOUCHING},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 1}, {1, 1, 2}, {1, 2, 2}}, 0, PLI_CLI_APART},
    // Through it with an edge in its plane and the rest above; through its border only; beyond it.
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{-1, 1, 0}, {9, 1, 0}, {1, 1, 2}}, 0, PLI_CLI_TOUCHING},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 0, -1}, {1, 0, 1}, {1, -5, 0}}, 0, PLI_CLI_TOUCHING},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{9, 1, -1}, {9, 1, 2}, {9, 2, 2}}, 0, PLI_CLI_APART},
    // In one plane: overlapping, inside, equal, at an edge, at a corner, apart.
    {{{0, 0, 0}, {4, 0, 4}, {0, 4, 0}}, {{1, 1, 1}, {5, 1, 5}, {1, 5, 1}}, 0, PLI_CLI_TOUCHING},
    {{{0, 0, 0}, {8, 0, 8}, {0, 8, 0}}, {{1, 1, 1}, {2, 1, 2}, {1, 2, 1}}, 0, PLI_CLI_TOUCHING},
    {{{0, 0, 0}, {4, 0, 4}, {0, 4, 0}}, {{0, 0, 0}, {4, 0, 4}, {0, 4, 0}}, 0, PLI_CLI_TOUCHING},
    {{{0, 0, 0}, {4, 0, 4}, {0, 4, 0}}, {{1, 0, 1}, {3, 0, 3}, {1, -1, 1}}, 0, PLI_CLI_TOUCHING},
    {{{0, 0, 0}, {4, 0, 4}, {0, 4, 0}}, {{4, 0, 4}, {5, 0, 5}, {5, 1, 5}}, 0, PLI_CLI_TOUCHING},
    {{{0, 0, 0}, {4, 0, 4}, {0, 4, 0}}, {{3, 3, 3}, {5, 0, 5}, {5, 5, 5}}, 0, PLI_CLI_APART},
    // Without area: a segment through the inside, along the border, beside it; a point on and off.
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, -1}, {1, 1, 2}, {1, 1, 0}}, 0, PLI_CLI_CROSSING},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 0, -1}, {1, 0, 2}, {1, 0, 1}}, 0, PLI_CLI_TOUCHING},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{5, 0, 0}, {8, 0, 0}, {6, 0, 0}}, 0, PLI_CLI_APART},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}, 0, PLI_CLI_TOUCHING},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, 0, PLI_CLI_APART},
    // With a common corner: through the inside, the same mirrored past the corner, along an edge, beside.
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {1, 1, 1}, {1, 1, -1}}, 1, PLI_CLI_CROSSING},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {-1, -1, 1}, {-1, -1, -1}}, 1, PLI_CLI_APART},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {9, 9, 1}, {9, 9, -1}}, 1, PLI_CLI_CROSSING},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {2, 0, 0}, {1, 0, 3}}, 1, PLI_CLI_TOUCHING},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {-2, 0, 0}, {1, 0, 3}}, 1, PLI_CLI_APART},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {1, 1, 0}, {2, 1, 0}}, 1, PLI_CLI_TOUCHING},
    // With a common edge: bent, flat, folded back; and all corners.
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 1}}, 2, PLI_CLI_APART},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {4, 0, 0}, {0, -4, 0}}, 2, PLI_CLI_APART},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {4, 0, 0}, {3, 9, 0}}, 2, PLI_CLI_TOUCHING},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, 3, PLI_CLI_TOUCHING},
};
enum { PAIR_COUNT = sizeof pairs / sizeof *pairs };

// Every order of corners that keeps the shared ones first, both orders of the triangles, the axes
// turned, and far from the origin.
static void test_pairs_in_every_order(void **state)
{
    (void)state;
    static const int orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < PAIR_COUNT; i++)
        for (int way = 0; way < 6 * 6 * 3 * 2; way++) {
            const int *of_a = orders[way % 6], *of_b = orders[way / 6 % 6];
            int axis = way / 36 % 3;
            float shift = way / 108 ? 1048576.0f : 0.0f, points[6][3];
            const float *a[3], *b[3];
            bool fits = true;
            for (int k = 0; k < 3; k++) {
                fits = fits && (k >= pairs[i].shared || (of_a[k] < pairs[i].shared && of_a[k] == of_b[k]));
                for (int x = 0; x < 3; x++) {
                    points[k][x] = pairs[i].a[of_a[k]][(x + axis) % 3] + shift;
                    points[3 + k][x] = pairs[i].b[of_b[k]][(x + axis) % 3] + shift;
                }
                a[k] = points[k];
                b[k] = points[3 + k];
            }
            if (!fits)
                continue;
            assert_int_equal(pli_cli_triangle_pair(a, b, pairs[i].shared), pairs[i].relation);
            assert_int_equal(pli_cli_triangle_pair(b, a, pairs[i].shared), pairs[i].relation);
        }
}

// A corner one step of a float below, on and above the other triangle's plane.
static void test_one_step_decides(void **state)
{
    (void)state;
    const float a[3][3] = {{0, 0, 0.1f}, {1, 0, 0.1f}, {0, 1, 0.1f}};
    float b[3][3] = {{0.3f, 0.2f, 0}, {0.4f, 0.2f, 5}, {0.3f, 0.7f, 6}};
    const float *of_a[3] = {a[0], a[1], a[2]}, *of_b[3] = {b[0], b[1], b[2]};
    const struct {
        float height;
        pli_cli_relation relation;
    } steps[] = {
        {nextafterf(0.1f, 0), PLI_CLI_CROSSING}, {0.1f, PLI_CLI_TOUCHING}, {nextafterf(0.1f, 1), PLI_CLI_APART}};
    for (int i = 0; i < 3; i++) {
        b[0][2] = steps[i].height;
        assert_int_equal(pli_cli_triangle_pair(of_a, of_b, 0), steps[i].relation);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planes_against_whole_numbers),
        cmocka_unit_test(test_planes_of_mixed_sizes),
        cmocka_unit_test(test_lines_against_whole_numbers),
        cmocka_unit_test(test_pairs_in_every_order),
        cmocka_unit_test(test_one_step_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
