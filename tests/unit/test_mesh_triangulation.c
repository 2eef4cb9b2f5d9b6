// Quads by their shorter diagonal, polygons by ear clipping: triangles never turn over, areas add up.
#include "mesh_oracle.h"

static const double pi = 3.14159265358979323846;

static pli_mesh *one_face(const float *positions, int32_t count)
{
    int32_t *faces = malloc((size_t)count * sizeof *faces);
    for (int32_t i = 0; i < count; i++)
        faces[i] = i;
    const pli_mesh_def def = oracle_def(positions, count, &count, faces, 1);
    pli_mesh *mesh = oracle_make(&def);
    free(faces);
    return mesh;
}

// Sum of the triangles' areas, which exceeds the polygon's when one of them is turned over.
static double unsigned_area(const pli_topology *t)
{
    double sum = 0;
    for (int32_t i = 0; i < t->triangle_count; i++) {
        double own[3] = {0};
        oracle_area_vector(t->positions, t->triangles + 3 * i, 3, own);
        sum += sqrt(own[0] * own[0] + own[1] * own[1] + own[2] * own[2]);
    }
    return sum;
}

static double polygon_area(const pli_topology *t)
{
    double whole[3] = {0};
    oracle_area_vector(t->positions, t->face_vertices, t->corner_count, whole);
    return sqrt(whole[0] * whole[0] + whole[1] * whole[1] + whole[2] * whole[2]);
}

static void check_polygon(const float *positions, int32_t count)
{
    pli_mesh *mesh = one_face(positions, count);
    const pli_topology *t = pli_mesh_topology(mesh);
    assert_int_equal(t->triangle_count, count - 2);
    oracle_near(unsigned_area(t), polygon_area(t), 1e-5 * polygon_area(t));
    oracle_near(pli_mesh_get_report(mesh)->area, polygon_area(t), 1e-5 * polygon_area(t));
    if (count < 200)
        oracle_check(mesh);
    pli_mesh_destroy(mesh);
}

static void check_quad(const float *positions, int32_t from, int32_t to)
{
    pli_mesh *mesh = one_face(positions, 4);
    const pli_topology *t = pli_mesh_topology(mesh);
    int32_t uses[4] = {0};
    for (int i = 0; i < 6; i++)
        uses[t->triangles[i]]++;
    assert_int_equal(uses[from], 2);
    assert_int_equal(uses[to], 2);
    pli_mesh_destroy(mesh);
}

static void quads_take_the_shorter_diagonal(void **state)
{
    (void)state;
    static const float square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static const float leaning[] = {0, 0, 0, 1, 0, 0, 1.5f, 1, 0, 0.5f, 1, 0};
    static const float other[] = {0.5f, 0, 0, 1.5f, 0, 0, 1, 1, 0, 0, 1, 0};
    check_quad(square, 0, 2);
    check_quad(leaning, 1, 3);
    check_quad(other, 0, 2);
}

// The shorter diagonal of a dart lies outside it.
static void darts_are_not_turned_over(void **state)
{
    (void)state;
    static const float dart[] = {0, 2, 0, -0.3f, 0, 0, 0, 0.4f, 0, 0.3f, 0, 0};
    static const float turned[] = {-0.3f, 0, 0, 0, 0.4f, 0, 0.3f, 0, 0, 0, 2, 0};
    check_quad(dart, 0, 2);
    check_quad(turned, 1, 3);
    check_polygon(dart, 4);
    check_polygon(turned, 4);
}

// In a plane that leans to all three axes.
static void write_point(float *position, double x, double y)
{
    position[0] = (float)(0.8 * x - 0.36 * y);
    position[1] = (float)(0.6 * x + 0.48 * y);
    position[2] = (float)(0.8 * y + 5);
}

static void convex_polygons_of_any_degree(void **state)
{
    (void)state;
    static const int32_t degrees[] = {5, 6, 17, 100, 1000, 4096};
    for (int32_t i = 0; i < COUNT_OF(degrees); i++) {
        float *positions = malloc(3 * (size_t)degrees[i] * sizeof *positions);
        for (int32_t k = 0; k < degrees[i]; k++)
            write_point(positions + 3 * k, cos(2 * pi * k / degrees[i]), sin(2 * pi * k / degrees[i]));
        check_polygon(positions, degrees[i]);
        free(positions);
    }
}

// Rounding in the positions must not make the diagonals of equal squares run differently.
static void squares_of_a_leaning_grid_are_divided_alike(void **state)
{
    (void)state;
    float positions[3 * 20 * 20];
    int32_t sizes[19 * 19], faces[4 * 19 * 19];
    for (int32_t i = 0; i < 20 * 20; i++)
        write_point(positions + 3 * i, 0.037 * (i % 20), 0.037 * (int32_t)(i / 20));
    for (int32_t face = 0; face < 19 * 19; face++) {
        const int32_t a = face / 19 * 20 + face % 19, square[] = {a, a + 1, a + 21, a + 20};
        memcpy(faces + 4 * face, square, sizeof square);
        sizes[face] = 4;
    }
    const pli_mesh_def def = oracle_def(positions, 20 * 20, sizes, faces, 19 * 19);
    pli_mesh *mesh = oracle_make(&def);
    const pli_topology *t = pli_mesh_topology(mesh);
    for (int32_t face = 0; face < t->face_count; face++) {
        assert_int_equal(t->triangles[6 * face], oracle_vertex(t, face, 0));
        assert_int_equal(t->triangles[6 * face + 2], oracle_vertex(t, face, 2));
    }
    pli_mesh_destroy(mesh);
}

static void more_corners_than_are_clipped_make_a_fan(void **state)
{
    (void)state;
    const int32_t count = 4097;
    float *positions = malloc(3 * (size_t)count * sizeof *positions);
    for (int32_t k = 0; k < count; k++)
        write_point(positions + 3 * k, cos(2 * pi * k / count), sin(2 * pi * k / count));
    pli_mesh *mesh = one_face(positions, count);
    const pli_topology *t = pli_mesh_topology(mesh);
    for (int32_t i = 0; i < t->triangle_count; i++)
        assert_int_equal(t->triangles[3 * i], 0);
    pli_mesh_destroy(mesh);
    free(positions);
}

// Spikes of any length between neighbours: a diagonal that is short often leaves the polygon.
static void random_stars_are_concave(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int32_t round = 0; round < 300; round++) {
        const int32_t count = 5 + round % 40;
        float positions[3 * 45];
        for (int32_t k = 0; k < count; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const double r = 0.05 + (double)(seed >> 40) / 0x1p24, angle = 2 * pi * k / count;
            write_point(positions + 3 * k, r * cos(angle), r * sin(angle));
        }
        check_polygon(positions, count);
    }
}

static void stars_are_concave(void **state)
{
    (void)state;
    for (int32_t tips = 3; tips < 60; tips += 7) {
        float positions[3 * 2 * 60];
        for (int32_t k = 0; k < 2 * tips; k++) {
            const double r = k % 2 ? 0.2 : 1, angle = pi * k / tips;
            write_point(positions + 3 * k, r * cos(angle), r * sin(angle));
        }
        check_polygon(positions, 2 * tips);
    }
}

static void combs_and_spirals_are_concave(void **state)
{
    (void)state;
    float comb[3 * 42];
    for (int32_t k = 0; k < 40; k++)
        write_point(comb + 3 * k, 39 - k, k % 2 ? 1 : 8);
    write_point(comb + 3 * 40, 0, 0);
    write_point(comb + 3 * 41, 39, 0);
    check_polygon(comb, 42);
    float spiral[3 * 200];
    for (int32_t k = 0; k < 100; k++) {
        const double angle = 0.15 * k, out = 1 + 0.1 * k, in = out - 0.4;
        write_point(spiral + 3 * k, out * cos(angle), out * sin(angle));
        write_point(spiral + 3 * (199 - k), in * cos(angle), in * sin(angle));
    }
    check_polygon(spiral, 200);
}

// Corners on straight sides, and a hole joined to the outside by a cut walked twice.
static void straight_corners_and_holes(void **state)
{
    (void)state;
    float sides[3 * 16];
    for (int32_t k = 0; k < 4; k++)
        for (int32_t i = 0; i < 4; i++) {
            const double along = i / 4.0, x[] = {along, 1, 1 - along, 0}, y[] = {0, along, 1, 1 - along};
            write_point(sides + 3 * (4 * k + i), x[k], y[k]);
        }
    check_polygon(sides, 16);
    static const double ring[][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}};
    float holed[3 * COUNT_OF(ring)];
    for (int32_t k = 0; k < COUNT_OF(ring); k++)
        write_point(holed + 3 * k, ring[k][0], ring[k][1]);
    check_polygon(holed, COUNT_OF(ring));
}

// Self-crossing, collapsed and twisted faces have no good division but always a whole one.
static void hopeless_polygons_still_give_their_triangles(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < 4; kind++)
        for (int32_t count = 4; count < 40; count += 3) {
            float positions[3 * 40];
            for (int32_t k = 0; k < count; k++) {
                const double turn = 2 * pi * k / count;
                const double x = kind == 0 ? cos(2 * turn) : kind == 1 ? 0 : kind == 2 ? k : sin(turn);
                const double y = kind == 0 ? sin(turn) : kind == 3 ? sin(5 * turn) : 0;
                write_point(positions + 3 * k, x, y);
            }
            pli_mesh *mesh = one_face(positions, count);
            assert_int_equal(pli_mesh_get_report(mesh)->triangle_count, count - 2);
            assert_true(isfinite(pli_mesh_get_report(mesh)->area));
            if (kind == 1 || kind == 2)
                assert_int_equal(pli_mesh_get_report(mesh)->zero_area_faces, 1);
            pli_mesh_destroy(mesh);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quads_take_the_shorter_diagonal),
        cmocka_unit_test(darts_are_not_turned_over),
        cmocka_unit_test(convex_polygons_of_any_degree),
        cmocka_unit_test(squares_of_a_leaning_grid_are_divided_alike),
        cmocka_unit_test(more_corners_than_are_clipped_make_a_fan),
        cmocka_unit_test(random_stars_are_concave),
        cmocka_unit_test(stars_are_concave),
        cmocka_unit_test(combs_and_spirals_are_concave),
        cmocka_unit_test(straight_corners_and_holes),
        cmocka_unit_test(hopeless_polygons_still_give_their_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
