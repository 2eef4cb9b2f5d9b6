// Meshes and characters of the benchmark's scenes: triangulations against the definition of Delaunay, closed surfaces
// against Euler's formula, and a walk that neither jumps nor comes apart.
#include "bench/scenarios/character.h"
#include "bench/scenarios/irregular_mesh.h"
#include "bench/scenarios/scenarios.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double frame_seconds = 1.0 / 60.0;

static const float *corner(const pli_topology *t, int32_t face, int32_t k)
{
    return t->positions + 3 * t->face_vertices[3 * face + k];
}

// Area of the triangle as seen from above, so that y is left out. Positive when the face looks upwards.
static double signed_area(const float *p, const float *q, const float *r)
{
    return 0.5 * (((double)q[2] - p[2]) * ((double)r[0] - p[0]) - ((double)q[0] - p[0]) * ((double)r[2] - p[2]));
}

// The determinant that is positive when d lies within the circle of a, b, c, which run counter-clockwise from above.
static double in_circle(const float *a, const float *b, const float *c, const float *d)
{
    double m[3][3];
    const float *rows[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        m[i][0] = (double)rows[i][2] - d[2], m[i][1] = (double)rows[i][0] - d[0];
        m[i][2] = m[i][0] * m[i][0] + m[i][1] * m[i][1];
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static int32_t different_valences(const pli_topology *t)
{
    int32_t *faces = calloc((size_t)t->vertex_count, sizeof *faces), seen[32] = {0}, different = 0;
    assert_non_null(faces);
    for (int32_t i = 0; i < t->corner_count; i++)
        faces[t->face_vertices[i]]++;
    for (int32_t v = 0; v < t->vertex_count; v++)
        different += faces[v] < 32 && seen[faces[v]]++ == 0;
    free(faces);
    return different;
}

static void test_no_point_lies_in_a_triangles_circle(void **state)
{
    (void)state;
    const double jitters[] = {0.0, 0.3, 0.45};
    for (int round = 0; round < 3; round++) {
        pli_mesh *mesh = NULL;
        enum { SIDE = 17 };
        assert_int_equal(bench_create_irregular_sheet(SIDE, 1.6f, jitters[round], &mesh, NULL), PLI_STATUS_OK);
        const pli_topology *t = pli_mesh_topology(mesh);
        double sum = 0.0;
        assert_int_equal(t->vertex_count, SIDE * SIDE);
        assert_int_equal(t->face_count, 2 * (SIDE - 1) * (SIDE - 1));
        for (int32_t f = 0; f < t->face_count; f++) {
            double area = signed_area(corner(t, f, 0), corner(t, f, 1), corner(t, f, 2));
            assert_true(area > 0.0);
            sum += area;
            for (int32_t v = 0; v < t->vertex_count; v++)
                assert_true(in_circle(corner(t, f, 0), corner(t, f, 1), corner(t, f, 2), t->positions + 3 * v) < 1e-9);
        }
        assert_true(fabs(sum - 1.6 * 1.6) < 1e-5);
        assert_true(round == 0 || different_valences(t) >= 6);
        pli_mesh_destroy(mesh);
    }
}

static void test_spheres_are_closed_and_irregular(void **state)
{
    (void)state;
    pli_mesh *mesh = NULL;
    assert_int_equal(bench_create_irregular_sphere(3000, 0.5f, &mesh, NULL), PLI_STATUS_OK);
    const pli_topology *t = pli_mesh_topology(mesh);
    assert_in_range(t->vertex_count, 2950, 3000);
    assert_int_equal(t->vertex_count - t->edge_count + t->face_count, 2);
    assert_true(different_valences(t) >= 5);
    double volume = 0.0;
    for (int32_t f = 0; f < t->face_count; f++) {
        const float *a = corner(t, f, 0), *b = corner(t, f, 1), *c = corner(t, f, 2);
        volume += (a[0] * ((double)b[1] * c[2] - (double)b[2] * c[1]) +
                   a[1] * ((double)b[2] * c[0] - (double)b[0] * c[2]) +
                   a[2] * ((double)b[0] * c[1] - (double)b[1] * c[0])) /
                  6.0;
    }
    assert_true(fabs(volume - 4.0 / 3.0 * 3.14159265 * 0.125) < 0.005);
    pli_mesh_destroy(mesh);
}

static double distance(pli_vec3 a, pli_vec3 b)
{
    return sqrt(((double)a.x - b.x) * ((double)a.x - b.x) + ((double)a.y - b.y) * ((double)a.y - b.y) +
                ((double)a.z - b.z) * ((double)a.z - b.z));
}

// An upper end of a thigh stays at its hip, which the chest's frame carries, and nothing moves faster than a runner's foot.
static void test_characters_walk_without_jumps(void **state)
{
    (void)state;
    pli_world *world = NULL;
    bench_character *character = NULL;
    pli_world_def def = pli_world_def_default();
    pli_transform before[16], now;
    pli_vec3 start = {0.0f, 0.0f, 0.0f}, chest = start;
    assert_int_equal(pli_world_create(&def, &world, NULL), PLI_STATUS_OK);
    assert_int_equal(bench_character_create(world, BENCH_HERO, start, 0.7, &character, NULL), PLI_STATUS_OK);
    int32_t count = pli_world_collider_count(world);
    assert_int_equal(count, 11);
    for (int32_t frame = 0; frame <= 120; frame++) {
        double time = frame * frame_seconds;
        assert_int_equal(bench_character_move(character, world, time, NULL), PLI_STATUS_OK);
        assert_int_equal(pli_world_step(world, (float)frame_seconds, NULL), PLI_STATUS_OK);
        chest = bench_character_chest(character, time).position;
        for (int32_t i = 0; i < count; i++) {
            assert_int_equal(pli_collider_pose(world, pli_world_collider_at(world, i), &now, NULL), PLI_STATUS_OK);
            assert_true(frame == 0 || distance(now.position, before[i].position) < 8.0 * frame_seconds);
            assert_true(distance(now.position, chest) < 1.1);
            before[i] = now;
        }
        const pli_vec3 arm = before[3].position, head = before[2].position;
        assert_true(fabs(distance(before[0].position, chest) - 0.25) < 1e-4);
        assert_true(distance(arm, head) > 0.3 && distance(arm, head) < 0.7);
    }
    assert_true(distance(start, chest) > 1.0 && fabs((double)chest.y - 0.95) < 1e-4);
    free(character);
    pli_world_destroy(world);
}

static const bench_scenario *scenario_named(const char *name)
{
    for (int32_t i = 0; i < bench_scenario_count(); i++)
        if (strcmp(bench_scenario_at(i)->name, name) == 0)
            return bench_scenario_at(i);
    return NULL;
}

// The attachment of a cape goes where the chest goes: the held particles keep their distance from the chest's frame.
static void test_capes_follow_their_characters(void **state)
{
    (void)state;
    bench_live *live = bench_live_create(scenario_named("crowd-50x300"), 1, PLI_SIMD_AUTO, NULL);
    assert_non_null(live);
    assert_int_equal(live->actor_count, 50);
    pli_deformable cape = pli_world_deformable_at(live->world, 7);
    const bench_character *character = live->actors[7].character;
    double at_first = 0.0;
    for (int32_t frame = 0; frame <= 30; frame++) {
        double time = (frame + 1) * frame_seconds;
        assert_int_equal(bench_live_move(live, time, NULL), PLI_STATUS_OK);
        assert_int_equal(pli_world_step(live->world, (float)frame_seconds, NULL), PLI_STATUS_OK);
        const float *p = pli_view_at(pli_deformable_positions(live->world, cape), 0);
        double away = distance((pli_vec3){p[0], p[1], p[2]}, bench_character_chest(character, time).position);
        at_first = frame == 0 ? away : at_first;
        assert_true(fabs(away - at_first) < 1e-4);
    }
    bench_live_destroy(live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_point_lies_in_a_triangles_circle),
        cmocka_unit_test(test_spheres_are_closed_and_irregular),
        cmocka_unit_test(test_characters_walk_without_jumps),
        cmocka_unit_test(test_capes_follow_their_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
