// Built-in meshes: counts, closed forms, and everything the brute-force oracle checks.
#include "mesh_oracle.h"

static const double pi = 3.14159265358979323846;

static void check_counts(const pli_mesh *mesh, int32_t vertices, int32_t edges, int32_t hinges, int32_t faces)
{
    const pli_mesh_report *report = pli_mesh_get_report(mesh);
    assert_int_equal(report->vertex_count, vertices);
    assert_int_equal(report->edge_count, edges);
    assert_int_equal(report->hinge_count, hinges);
    assert_int_equal(report->face_count, faces);
    assert_true(report->oriented);
    assert_int_equal(report->non_manifold_vertices, 0);
    assert_int_equal(report->isolated_vertices, 0);
    assert_int_equal(report->duplicate_vertices, 0);
    assert_int_equal(report->zero_area_faces, 0);
    assert_int_equal(report->component_count, 1);
}

static pli_mesh *grid(int32_t columns, int32_t rows, float width, float depth, pli_grid_pattern pattern)
{
    pli_mesh *mesh = NULL;
    pli_error error;
    assert_int_equal(pli_mesh_create_grid(columns, rows, width, depth, pattern, &mesh, &error), PLI_STATUS_OK);
    return mesh;
}

// The paper's 10 x 10 fabric and its triangulations.
static void grids_have_the_papers_counts(void **state)
{
    (void)state;
    static const int32_t expected[4][4] = {
        [PLI_GRID_QUADS] = {100, 180, 144, 81},
        [PLI_GRID_DIAGONAL] = {100, 261, 225, 162},
        [PLI_GRID_ALTERNATING] = {100, 261, 225, 162},
        [PLI_GRID_CROSSED] = {181, 504, 468, 324},
    };
    for (int32_t pattern = 0; pattern < 4; pattern++) {
        pli_mesh *mesh = grid(10, 10, 1, 1, (pli_grid_pattern)pattern);
        const int32_t *count = expected[pattern];
        check_counts(mesh, count[0], count[1], count[2], count[3]);
        assert_int_equal(oracle_euler(mesh), 1);
        assert_int_equal(pli_mesh_get_report(mesh)->boundary_loop_count, 1);
        oracle_check(mesh);
        pli_mesh_destroy(mesh);
    }
}

static void grid_lies_as_documented(void **state)
{
    (void)state;
    pli_mesh *mesh = grid(4, 3, 6, 8, PLI_GRID_CROSSED);
    const pli_topology *t = pli_mesh_topology(mesh);
    for (int32_t row = 0; row < 3; row++)
        for (int32_t column = 0; column < 4; column++) {
            const float *p = t->positions + 3 * (row * 4 + column);
            oracle_near((double)p[0], -3 + 2 * column, 1e-6);
            oracle_near((double)p[1], 0, 0);
            oracle_near((double)p[2], -4 + 4 * row, 1e-6);
        }
    oracle_near((double)t->positions[3 * 12], -2, 1e-6);
    oracle_near((double)t->positions[3 * 12 + 2], -2, 1e-6);
    for (int32_t i = 0; i < t->triangle_count; i++) {
        double area[3] = {0};
        oracle_area_vector(t->positions, t->triangles + 3 * i, 3, area);
        assert_true(area[1] > 0);
    }
    oracle_near(pli_mesh_get_report(mesh)->area, 48, 1e-5);
    pli_mesh_destroy(mesh);
}

static bool has_edge(const pli_mesh *mesh, int32_t a, int32_t b)
{
    return oracle_find_edge(pli_mesh_topology(mesh), a, b) >= 0;
}

static void diagonals_run_as_documented(void **state)
{
    (void)state;
    pli_mesh *same = grid(3, 3, 1, 1, PLI_GRID_DIAGONAL), *alternating = grid(3, 3, 1, 1, PLI_GRID_ALTERNATING);
    assert_true(has_edge(same, 0, 4) && has_edge(same, 1, 5) && has_edge(same, 3, 7) && has_edge(same, 4, 8));
    assert_true(has_edge(alternating, 0, 4) && has_edge(alternating, 4, 8));
    assert_true(has_edge(alternating, 2, 4) && has_edge(alternating, 4, 6));
    pli_mesh_destroy(same);
    pli_mesh_destroy(alternating);
}

static void quads_of_a_grid_are_divided_alike(void **state)
{
    (void)state;
    pli_mesh *mesh = grid(40, 40, 0.7f, 0.7f, PLI_GRID_QUADS);
    const pli_topology *t = pli_mesh_topology(mesh);
    for (int32_t face = 0; face < t->face_count; face++) {
        assert_int_equal(t->triangles[6 * face], oracle_vertex(t, face, 0));
        assert_int_equal(t->triangles[6 * face + 2], oracle_vertex(t, face, 2));
    }
    pli_mesh_destroy(mesh);
}

static void tubes_are_round(void **state)
{
    (void)state;
    const int32_t around = 12, along = 5;
    for (int32_t pattern = 0; pattern < 4; pattern++)
        for (int capped = 0; capped < 2; capped++) {
            pli_mesh *mesh;
            assert_int_equal(pli_mesh_create_tube(around, along, 2, 3, capped, (pli_grid_pattern)pattern, &mesh, NULL),
                             PLI_STATUS_OK);
            const pli_mesh_report *report = pli_mesh_get_report(mesh);
            oracle_check(mesh);
            assert_int_equal(oracle_euler(mesh), capped ? 2 : 0);
            assert_int_equal(report->boundary_loop_count, capped ? 0 : 2);
            assert_int_equal(report->closed, capped);
            if (pattern != PLI_GRID_CROSSED) {
                double side = around * 2 * 2 * sin(pi / around) * 3;
                double cap = 0.5 * around * 4 * sin(2 * pi / around);
                oracle_near(report->area, side + (capped ? 2 * cap : 0), 1e-4);
                if (capped)
                    oracle_near(report->volume, cap * 3, 1e-4);
            }
            pli_mesh_destroy(mesh);
        }
}

static void spheres_approach_the_ball(void **state)
{
    (void)state;
    double error_before = 1;
    for (int32_t n = 0, power = 1; n <= 4; n++, power *= 4) {
        pli_mesh *mesh;
        assert_int_equal(pli_mesh_create_sphere(n, 1.5f, &mesh, NULL), PLI_STATUS_OK);
        check_counts(mesh, 10 * power + 2, 30 * power, 30 * power, 20 * power);
        const pli_mesh_report *report = pli_mesh_get_report(mesh);
        const double ball = 4.0 / 3 * pi * 1.5 * 1.5 * 1.5, error = 1 - report->volume / ball;
        assert_true(report->closed);
        assert_true(error > 0 && error < 0.45 * error_before);
        error_before = n ? error : 1;
        if (n <= 2)
            oracle_check(mesh);
        pli_mesh_destroy(mesh);
    }
    assert_true(error_before < 0.004);
}

static void plants_are_one_closed_surface(void **state)
{
    (void)state;
    static const int32_t branches[] = {0, 1, 5, 64}, segments[] = {1, 3}, sides[] = {4, 7, 32};
    for (int32_t i = 0; i < COUNT_OF(branches); i++)
        for (int32_t j = 0; j < COUNT_OF(segments); j++)
            for (int32_t k = 0; k < COUNT_OF(sides); k++) {
                pli_plant_def def = pli_plant_def_default();
                def.branches = branches[i];
                def.segments = segments[j];
                def.sides = sides[k];
                def.seed = (uint32_t)(i + j + k);
                pli_mesh *mesh;
                assert_int_equal(pli_mesh_create_plant(&def, &mesh, NULL), PLI_STATUS_OK);
                const pli_mesh_report *report = pli_mesh_get_report(mesh);
                assert_int_equal(oracle_euler(mesh), 2);
                assert_true(report->closed && report->oriented);
                assert_int_equal(report->component_count, 1);
                assert_int_equal(report->non_manifold_vertices, 0);
                assert_int_equal(report->zero_area_faces, 0);
                assert_int_equal(report->duplicate_vertices, 0);
                assert_true(report->volume > 0);
                assert_int_equal(report->face_degree_max, 4);
                oracle_near((double)report->bounds_min.y, 0, 0.5);
                assert_true(report->bounds_max.y >= def.height);
                pli_mesh_destroy(mesh);
            }
}

static void the_same_seed_gives_the_same_plant(void **state)
{
    (void)state;
    pli_plant_def def = pli_plant_def_default();
    pli_mesh *meshes[3];
    for (int i = 0; i < 3; i++) {
        def.seed = i < 2 ? 11 : 12;
        assert_int_equal(pli_mesh_create_plant(&def, &meshes[i], NULL), PLI_STATUS_OK);
    }
    const pli_topology *t = pli_mesh_topology(meshes[0]);
    const size_t size = 3 * (size_t)t->vertex_count * sizeof(float);
    assert_memory_equal(t->positions, pli_mesh_topology(meshes[1])->positions, size);
    assert_int_not_equal(memcmp(t->positions, pli_mesh_topology(meshes[2])->positions, size), 0);
    oracle_check(meshes[0]);
    for (int i = 0; i < 3; i++)
        pli_mesh_destroy(meshes[i]);
}

static void refuses(pli_status status, const pli_error *error, const char *word)
{
    assert_int_equal(status, PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(error->status, status);
    assert_non_null(strstr(error->message, word));
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    pli_mesh *mesh = NULL;
    pli_error e;
    refuses(pli_mesh_create_grid(1, 5, 1, 1, PLI_GRID_QUADS, &mesh, &e), &e, "too few");
    refuses(pli_mesh_create_grid(5, 1, 1, 1, PLI_GRID_QUADS, &mesh, &e), &e, "too few");
    refuses(pli_mesh_create_grid(5, 5, 0, 1, PLI_GRID_QUADS, &mesh, &e), &e, "width");
    refuses(pli_mesh_create_grid(5, 5, 1, NAN, PLI_GRID_QUADS, &mesh, &e), &e, "depth");
    refuses(pli_mesh_create_grid(5, 5, 1, 1, (pli_grid_pattern)4, &mesh, &e), &e, "pattern");
    refuses(pli_mesh_create_grid(INT32_MAX, INT32_MAX, 1, 1, PLI_GRID_QUADS, &mesh, &e), &e, "allowed");
    refuses(pli_mesh_create_tube(2, 5, 1, 1, true, PLI_GRID_QUADS, &mesh, &e), &e, "too few");
    refuses(pli_mesh_create_tube(5, 5, -1, 1, true, PLI_GRID_QUADS, &mesh, &e), &e, "radius");
    refuses(pli_mesh_create_sphere(10, 1, &mesh, &e), &e, "subdivisions");
    refuses(pli_mesh_create_sphere(-1, 1, &mesh, &e), &e, "subdivisions");
    refuses(pli_mesh_create_sphere(1, INFINITY, &mesh, &e), &e, "radius");
    pli_plant_def def = pli_plant_def_default();
    def.leaf_width = 0;
    refuses(pli_mesh_create_plant(&def, &mesh, &e), &e, "leaf_width");
    def = pli_plant_def_default();
    def.sides = 3;
    refuses(pli_mesh_create_plant(&def, &mesh, &e), &e, "sides");
    def = pli_plant_def_default();
    def.branches = 65;
    refuses(pli_mesh_create_plant(&def, &mesh, &e), &e, "branches");
    def = pli_plant_def_default();
    def.segments = 0;
    refuses(pli_mesh_create_plant(&def, &mesh, &e), &e, "segments");
    assert_null(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_have_the_papers_counts),
        cmocka_unit_test(grid_lies_as_documented),
        cmocka_unit_test(diagonals_run_as_documented),
        cmocka_unit_test(quads_of_a_grid_are_divided_alike),
        cmocka_unit_test(tubes_are_round),
        cmocka_unit_test(spheres_approach_the_ball),
        cmocka_unit_test(plants_are_one_closed_surface),
        cmocka_unit_test(the_same_seed_gives_the_same_plant),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
