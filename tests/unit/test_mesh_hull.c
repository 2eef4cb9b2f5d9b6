// Convex hulls against brute force, closed forms and integers of 128 bits; boxes.
#include "mesh/primitives/hull.h"
#include "mesh/primitives/orientation.h"
#include "mesh_oracle.h"

__extension__ typedef __int128 wide;

static uint64_t random_state;

static double uniform(double low, double high)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * (double)(random_state >> 11) / 9007199254740992.0;
}

static pli_mesh *hull_of(const float *points, int32_t count)
{
    pli_mesh *mesh = NULL;
    pli_error error = {0};
    pli_status status = pli_mesh_create_hull(points, count, &mesh, &error);
    if (status)
        print_error("refused: %s\n", error.message);
    assert_int_equal(status, PLI_STATUS_OK);
    return mesh;
}

static double span_of(const float *points, int32_t count)
{
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t i = 0; i < count; i++) {
            low = fmin(low, (double)points[3 * i + k]);
            high = fmax(high, (double)points[3 * i + k]);
        }
        most = fmax(most, high - low);
    }
    return most;
}

// How far a point is out of a triangle's plane [m].
static long double height_over(const float *t[3], const float *point)
{
    long double u[3], v[3], w[3], square = 0.0L, height = 0.0L;
    for (int k = 0; k < 3; k++) {
        u[k] = (long double)t[1][k] - (long double)t[0][k];
        v[k] = (long double)t[2][k] - (long double)t[0][k];
        w[k] = (long double)point[k] - (long double)t[0][k];
    }
    for (int k = 0; k < 3; k++) {
        long double normal = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        square += normal * normal;
        height += normal * w[k];
    }
    return height / sqrtl(square);
}

static void check_face(const pli_topology *t, int32_t face, const float *points, int32_t count, double slack)
{
    const float *corners[3];
    for (int k = 0; k < 3; k++)
        corners[k] = t->positions + 3 * t->triangles[3 * face + k];
    for (int32_t v = 0; v < t->vertex_count; v++)
        assert_true(pli_orientation(corners[0], corners[1], corners[2], t->positions + 3 * v) <= 0.0);
    for (int32_t i = 0; i < count; i++) {
        long double height = height_over(corners, points + 3 * i);
        if (height > (long double)slack)
            fail_msg("point %d is %Lg out of face %d; allowed %g", (int)i, height, (int)face, slack);
    }
}

// Closed, of one piece, a ball by Euler, convex; corners are points, in their order, and all points within.
static void check_hull(const pli_mesh *mesh, const float *points, int32_t count, double tolerance)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    const pli_mesh_report *report = pli_mesh_get_report(mesh);
    assert_true(report->closed && report->oriented && report->component_count == 1);
    assert_int_equal(report->isolated_vertices, 0);
    assert_int_equal(report->non_manifold_vertices, 0);
    assert_int_equal(report->face_degree_max, 3);
    assert_int_equal(t->vertex_count - t->edge_count + t->face_count, 2);
    assert_int_equal(2 * t->edge_count, 3 * t->face_count);
    assert_true(report->volume > 0.0);
    for (int32_t v = 0, i = 0; v < t->vertex_count; v++, i++) {
        while (i < count && memcmp(points + 3 * i, t->positions + 3 * v, 3 * sizeof(float)) != 0)
            i++;
        assert_true(i < count);
    }
    for (int32_t face = 0; face < t->triangle_count; face++)
        check_face(t, face, points, count, tolerance * span_of(points, count));
}

static void cubes_keep_their_corners_alone(void **state)
{
    (void)state;
    for (int32_t n = 2; n <= 9; n++) {
        int32_t count = 0;
        float *points = malloc(sizeof *points * 3 * 2 * (size_t)(n * n * n));
        for (int32_t copy = 0; copy < 2; copy++)
            for (int32_t i = 0; i < n * n * n; i++, count++) {
                points[3 * count] = (float)(i % n) - 3.0f;
                points[3 * count + 1] = 0.5f * (float)(i / n % n);
                points[3 * count + 2] = 0.25f * (float)(i / (n * n));
            }
        pli_mesh *mesh = hull_of(points, count);
        check_hull(mesh, points, count, 1e-6);
        assert_int_equal(pli_mesh_get_report(mesh)->vertex_count, 8);
        assert_int_equal(pli_mesh_get_report(mesh)->face_count, 12);
        oracle_near(pli_mesh_get_report(mesh)->volume, pow(n - 1, 3) / 8, 1e-9);
        pli_mesh_destroy(mesh);
        free(points);
    }
}

// All points of a sphere are corners, and the mesh it was made of is convex already.
static void spheres_are_their_own_hulls(void **state)
{
    (void)state;
    for (int32_t n = 0; n <= 3; n++) {
        pli_mesh *sphere;
        assert_int_equal(pli_mesh_create_sphere(n, 0.7f, &sphere, NULL), PLI_STATUS_OK);
        const pli_topology *t = pli_mesh_topology(sphere);
        pli_mesh *mesh = hull_of(t->positions, t->vertex_count);
        check_hull(mesh, t->positions, t->vertex_count, 1e-6);
        assert_int_equal(pli_mesh_get_report(mesh)->vertex_count, t->vertex_count);
        double volume = pli_mesh_get_report(sphere)->volume;
        oracle_near(pli_mesh_get_report(mesh)->volume, volume, 1e-6 * volume);
        pli_mesh_destroy(mesh);
        pli_mesh_destroy(sphere);
    }
}

static void rounded(float *points, int32_t i, double x, double y, double z)
{
    points[3 * i] = (float)x, points[3 * i + 1] = (float)y, points[3 * i + 2] = (float)z;
}

// Caps of 48 points each that rounding has thrown off their planes, turned about two axes.
static void turned_cylinders_are_closed(void **state)
{
    (void)state;
    const double pi = acos(-1.0);
    enum { AROUND = 48, RINGS = 7 };
    float points[3 * AROUND * RINGS];
    for (int32_t turn = 0; turn < 6; turn++) {
        for (int32_t i = 0; i < AROUND * RINGS; i++) {
            double angle = 2 * pi * (i % AROUND) / AROUND, x = cos(angle), y = i / AROUND, z = sin(angle);
            double a = 0.3 * turn, b = 0.7 * turn, u = x * cos(a) - y * sin(a), v = x * sin(a) + y * cos(a);
            rounded(points, i, u, v * cos(b) - z * sin(b), v * sin(b) + z * cos(b));
        }
        pli_mesh *mesh = hull_of(points, AROUND * RINGS);
        check_hull(mesh, points, AROUND * RINGS, 1e-5);
        double volume = (RINGS - 1) * AROUND * 0.5 * sin(2 * pi / AROUND);
        oracle_near(pli_mesh_get_report(mesh)->volume, volume, 1e-4 * volume);
        pli_mesh_destroy(mesh);
    }
}

static void fill_cloud(float *points, int32_t count, int32_t kind, double scale, double offset)
{
    for (int32_t i = 0; i < count; i++) {
        double p[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        for (int k = 0; k < 3 && kind == 1; k++)
            p[k] /= length;
        for (int k = 0; k < 3 && kind == 2; k++) // Few values: many that coincide, or lie in common planes.
            p[k] = round(3 * p[k]);
        p[2] *= kind == 3 ? 1e-3 : 1.0;
        rounded(points, i, scale * p[0] + offset, scale * p[1] - offset, scale * p[2] + offset);
    }
}

static void clouds_lie_within_their_hulls(void **state)
{
    (void)state;
    static const double scales[] = {1.0, 1e-4, 1e5}, offsets[] = {0.0, 0.0, 3e5};
    random_state = 5;
    for (int32_t round = 0; round < 150; round++) {
        int32_t kind = round % 4, count = (kind == 2 ? 30 : 4) + (int32_t)uniform(0, round % 5 == 0 ? 600 : 40);
        float *points = malloc(sizeof *points * 3 * (size_t)count);
        fill_cloud(points, count, kind, scales[round % 3], offsets[round % 3]);
        pli_mesh *mesh = hull_of(points, count);
        check_hull(mesh, points, count, kind == 3 ? 1e-3 : 2e-5);
        pli_mesh *again = hull_of(points, count);
        const pli_topology *t = pli_mesh_topology(mesh), *u = pli_mesh_topology(again);
        assert_int_equal(t->triangle_count, u->triangle_count);
        assert_memory_equal(t->triangles, u->triangles, 3 * (size_t)t->triangle_count * sizeof(int32_t));
        pli_mesh_destroy(again);
        pli_mesh_destroy(mesh);
        free(points);
    }
}

// The triples of points that all others lie on one side of, and the volume under them.
static void brute_force(const float *points, int32_t count, int32_t *faces, double *volume)
{
    *faces = 0;
    *volume = 0.0;
    for (int32_t a = 0; a < count; a++)
        for (int32_t b = a + 1; b < count; b++)
            for (int32_t c = b + 1; c < count; c++) {
                const float *t[3] = {points + 3 * a, points + 3 * b, points + 3 * c};
                int32_t above = 0, below = 0;
                for (int32_t i = 0; i < count; i++) {
                    if (i == a || i == b || i == c)
                        continue;
                    bool over = height_over(t, points + 3 * i) > 0.0L;
                    above += over;
                    below += !over;
                }
                if (above > 0 && below > 0)
                    continue;
                double p[3][3], centre[3] = {0};
                for (int32_t i = 0; i < 3 * count; i++)
                    centre[i % 3] += (double)points[i] / count;
                for (int i = 0; i < 9; i++)
                    p[i / 3][i % 3] = (double)t[i / 3][i % 3] - centre[i % 3];
                ++*faces;
                *volume += fabs(p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) -
                                p[0][1] * (p[1][0] * p[2][2] - p[1][2] * p[2][0]) +
                                p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) /
                           6;
            }
}

static void small_clouds_agree_with_brute_force(void **state)
{
    (void)state;
    random_state = 17;
    for (int32_t round = 0; round < 120; round++) {
        float points[3 * 16];
        int32_t count = 4 + round % 13, faces;
        double volume;
        fill_cloud(points, count, round % 2, 1.0, 0.0);
        pli_mesh *mesh = hull_of(points, count);
        brute_force(points, count, &faces, &volume);
        assert_int_equal(pli_mesh_get_report(mesh)->face_count, faces);
        oracle_near(pli_mesh_get_report(mesh)->volume, volume, 1e-6 * volume);
        pli_mesh_destroy(mesh);
    }
}

static void many_points_are_no_matter(void **state)
{
    (void)state;
    enum { COUNT = 10000 };
    float *points = malloc(sizeof *points * 3 * COUNT);
    random_state = 3;
    fill_cloud(points, COUNT, 1, 2.0, 0.0);
    pli_mesh *mesh = hull_of(points, COUNT);
    const pli_mesh_report *report = pli_mesh_get_report(mesh);
    assert_true(report->closed && report->oriented && report->vertex_count > COUNT * 9 / 10);
    assert_int_equal(report->face_count, 2 * report->vertex_count - 4);
    oracle_near(report->volume, 4.0 / 3 * acos(-1.0) * 8, 0.1);
    pli_mesh_destroy(mesh);
    free(points);
}

static void refuses(const float *points, int32_t count, pli_status expected, const char *words)
{
    pli_mesh *mesh = NULL;
    pli_error error = {0};
    assert_int_equal(pli_mesh_create_hull(points, count, &mesh, &error), expected);
    assert_int_equal(error.status, expected);
    if (!strstr(error.message, words))
        fail_msg("\"%s\" does not say \"%s\"", error.message, words);
    assert_null(mesh);
}

static void clouds_without_inside_are_refused(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    float flat[3 * COUNT], turned[3 * COUNT], line[3 * COUNT], one[3 * COUNT];
    random_state = 8;
    for (int32_t i = 0; i < COUNT; i++) {
        double u = uniform(-1, 1), v = uniform(-1, 1);
        rounded(flat, i, u, 2, v);
        rounded(turned, i, 5000 + 0.36 * u + 0.48 * v, 0.8 * u - 0.6 * v, 0.7 * u + 0.1 * v);
        rounded(line, i, 0.1 * u, 0.2 * u, 1 + 0.3 * u);
        rounded(one, i, 0.1, 0.2, 0.3);
    }
    refuses(flat, COUNT, PLI_STATUS_INVALID_MESH, "in one plane");
    refuses(turned, COUNT, PLI_STATUS_INVALID_MESH, "in one plane");
    refuses(line, COUNT, PLI_STATUS_INVALID_MESH, "on one line");
    refuses(one, COUNT, PLI_STATUS_INVALID_MESH, "at one place");
    refuses(flat, 3, PLI_STATUS_INVALID_ARGUMENT, "not 3");
    refuses(flat, -1, PLI_STATUS_INVALID_ARGUMENT, "not -1");
    flat[3 * 7 + 1] = NAN;
    refuses(flat, COUNT, PLI_STATUS_INVALID_MESH, "point 7");
    flat[3 * 7 + 1] = INFINITY;
    refuses(flat, COUNT, PLI_STATUS_INVALID_MESH, "point 7");
}

// det [b - a, c - a, d - a] of whole numbers.
static wide whole_determinant(const int64_t p[4][3])
{
    wide r[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            r[i][k] = p[i + 1][k] - p[0][k];
    return r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) - r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
           r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
}

// Coordinates are floats' whole numbers; the fourth point is on the plane of the others, or one off.
static void orientation_is_exact(void **state)
{
    (void)state;
    int32_t zeros = 0;
    random_state = 29;
    for (int32_t round = 0; round < 200000; round++) {
        int64_t p[4][3];
        float q[4][3];
        int64_t u = (int64_t)uniform(-3, 4), v = (int64_t)uniform(-3, 4);
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 3; i++)
                p[i][k] = (int64_t)uniform(-1.5e6, 1.5e6);
            p[3][k] = p[0][k] + u * (p[1][k] - p[0][k]) + v * (p[2][k] - p[0][k]);
        }
        p[3][round % 3] += round % 2;
        for (int i = 0; i < 12; i++)
            q[i / 3][i % 3] = ldexpf((float)p[i / 3][i % 3], round % 80 - 40);
        wide expected = whole_determinant((const int64_t(*)[3])p);
        double found = pli_orientation(q[0], q[1], q[2], q[3]);
        assert_true((found > 0.0) == (expected > 0) && (found < 0.0) == (expected < 0));
        zeros += expected == 0;
        int32_t power = 3 * (round % 80 - 40);
        oracle_near(found, ldexp((double)expected, power), ldexp(6e6, power));
    }
    assert_true(zeros > 90000);
}

typedef struct memory_ration {
    int32_t left, live; // Allocations granted and held.
} memory_ration;

static void *allocate(void *user, size_t size, size_t alignment)
{
    memory_ration *ration = user;
    if (ration->left == 0)
        return NULL;
    ration->left--;
    ration->live++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t size)
{
    (void)size;
    ((memory_ration *)user)->live--;
    free(memory);
}

static void missing_memory_leaves_nothing(void **state)
{
    (void)state;
    float points[3 * 60];
    random_state = 2;
    fill_cloud(points, 60, 0, 1.0, 0.0);
    int32_t failures = 0;
    for (pli_status status = PLI_STATUS_OUT_OF_MEMORY; status; failures++) {
        memory_ration ration = {.left = failures};
        pli_hooks hooks = {.allocate = allocate, .release = release, .user = &ration};
        pli_mesh *mesh = NULL;
        status = pli_mesh_create_hull_with(&hooks, points, 60, &mesh, NULL);
        assert_true(status == PLI_STATUS_OK || status == PLI_STATUS_OUT_OF_MEMORY);
        assert_true((mesh != NULL) == (status == PLI_STATUS_OK));
        pli_mesh_destroy(mesh);
        assert_int_equal(ration.live, 0);
    }
    assert_true(failures > 20);
}

static void boxes_have_their_size(void **state)
{
    (void)state;
    pli_mesh *mesh = NULL;
    pli_error error;
    assert_int_equal(pli_mesh_create_box((pli_vec3){2, 3, 5}, &mesh, &error), PLI_STATUS_OK);
    const pli_mesh_report *report = pli_mesh_get_report(mesh);
    oracle_check(mesh);
    assert_int_equal(report->vertex_count, 8);
    assert_int_equal(report->face_count, 6);
    assert_int_equal(report->face_degree_min, 4);
    assert_true(report->closed && report->oriented);
    oracle_near(report->volume, 30, 1e-6);
    oracle_near(report->area, 62, 1e-6);
    oracle_near((double)report->bounds_max.z, 2.5, 0);
    oracle_near((double)report->bounds_min.y, -1.5, 0);
    pli_mesh_destroy(mesh);
    mesh = NULL;
    assert_int_equal(pli_mesh_create_box((pli_vec3){2, 0, 5}, &mesh, &error), PLI_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "must be positive"));
    assert_int_equal(pli_mesh_create_box((pli_vec3){2, 1, NAN}, &mesh, &error), PLI_STATUS_INVALID_ARGUMENT);
    assert_null(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_keep_their_corners_alone),      cmocka_unit_test(spheres_are_their_own_hulls),
        cmocka_unit_test(turned_cylinders_are_closed),         cmocka_unit_test(clouds_lie_within_their_hulls),
        cmocka_unit_test(small_clouds_agree_with_brute_force), cmocka_unit_test(many_points_are_no_matter),
        cmocka_unit_test(clouds_without_inside_are_refused),   cmocka_unit_test(orientation_is_exact),
        cmocka_unit_test(missing_memory_leaves_nothing),       cmocka_unit_test(boxes_have_their_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
