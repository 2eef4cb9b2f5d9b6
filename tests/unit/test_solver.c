// solver and simd: colouring, particle order, k', the arc tangent.
#include "base/memory.h"
#include "base/simd/wide_angle.h"
#include "sweep/vertex_order.h"
#include "sweep/colouring.h"
#include "constraints/stiffness.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t random_state = 99;

static uint32_t next_random(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

static int32_t lowest_of(const int32_t *particles, int32_t cardinality, int32_t i)
{
    int32_t lowest = particles[i * cardinality];
    for (int32_t k = 1; k < cardinality; k++)
        lowest = particles[i * cardinality + k] < lowest ? particles[i * cardinality + k] : lowest;
    return lowest;
}

// Returns the overflow colour.
static int32_t check_colouring(const int32_t *particles, int32_t cardinality, int32_t count, int32_t particle_count)
{
    pli_memory memory = pli_memory_make(NULL);
    pli_schedule schedule;
    int32_t *order = calloc((size_t)count + 1, sizeof *order);
    assert_true(pli_schedule_visits(&memory, particles, NULL, cardinality, count, particle_count, order));
    for (int32_t i = 1; i < count; i++)
        assert_true(lowest_of(particles, cardinality, order[i - 1]) <= lowest_of(particles, cardinality, order[i]));
    assert_true(pli_schedule_colour(&memory, particles, NULL, cardinality, order, count, particle_count, &schedule));
    free(order);
    int32_t *seen = calloc((size_t)particle_count, sizeof *seen), *visits = calloc((size_t)count + 1, sizeof *visits);
    assert_int_equal(schedule.colour_offsets[0], 0);
    assert_int_equal(schedule.colour_offsets[schedule.colour_count], count);
    for (int32_t colour = 0; colour < schedule.colour_count; colour++) {
        for (int32_t i = schedule.colour_offsets[colour]; i < schedule.colour_offsets[colour + 1]; i++) {
            visits[schedule.order[i]]++;
            for (int32_t k = 0; k < cardinality; k++) {
                int32_t particle = particles[schedule.order[i] * cardinality + k];
                assert_true(colour == schedule.overflow || seen[particle] != colour + 1);
                seen[particle] = colour + 1;
            }
        }
    }
    for (int32_t i = 0; i < count; i++)
        assert_int_equal(visits[i], 1);
    int32_t overflow = schedule.overflow;
    free(seen);
    free(visits);
    pli_schedule_release(&memory, &schedule);
    assert_int_equal(memory.bytes, 0);
    return overflow;
}

static void colours_share_no_particle(void **state)
{
    (void)state;
    enum { COUNT = 3000, PARTICLES = 700 };
    int32_t particles[4 * COUNT];
    for (int32_t cardinality = 1; cardinality <= 4; cardinality++) {
        for (int32_t i = 0; i < COUNT; i++)
            for (int32_t k = 0; k < cardinality; k++)
                particles[i * cardinality + k] = (int32_t)((next_random() / 4 * 4 + (uint32_t)k) % PARTICLES);
        check_colouring(particles, cardinality, COUNT, PARTICLES);
    }
    check_colouring(particles, 2, 0, PARTICLES);
}

static void a_crowded_particle_overflows(void **state)
{
    (void)state;
    enum { SPOKES = 200 };
    int32_t particles[2 * SPOKES];
    for (int32_t i = 0; i < SPOKES; i++) {
        particles[2 * i] = 0;
        particles[2 * i + 1] = i + 1;
    }
    // 63 colours of one spoke each, and all other spokes in the last.
    assert_int_equal(check_colouring(particles, 2, SPOKES, SPOKES + 1), 63);
    assert_int_equal(check_colouring(particles, 2, 63, SPOKES + 1), -1);
}

static void order_is_a_permutation_and_helps_shuffled_meshes(void **state)
{
    (void)state;
    enum { SIDE = 40, COUNT = SIDE * SIDE };
    pli_memory memory = pli_memory_make(NULL);
    float positions[3 * COUNT];
    int32_t name[COUNT], sizes[(SIDE - 1) * (SIDE - 1)], corners[4 * (SIDE - 1) * (SIDE - 1)];
    for (int32_t i = 0; i < COUNT; i++)
        name[i] = i;
    for (int32_t i = COUNT - 1; i > 0; i--) {
        int32_t j = (int32_t)(next_random() % (uint32_t)(i + 1)), swap = name[i];
        name[i] = name[j];
        name[j] = swap;
    }
    for (int32_t i = 0; i < COUNT; i++) {
        float *p = positions + 3 * name[i];
        p[0] = (float)(i % SIDE), p[1] = 0.0f, p[2] = (float)(i / SIDE);
    }
    int32_t face = 0;
    for (int32_t row = 0; row + 1 < SIDE; row++) {
        for (int32_t column = 0; column + 1 < SIDE; column++, face++) {
            int32_t at = row * SIDE + column;
            const int32_t quad[4] = {name[at], name[at + SIDE], name[at + SIDE + 1], name[at + 1]};
            sizes[face] = 4;
            memcpy(corners + 4 * face, quad, sizeof quad);
        }
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions;
    def.vertex_count = COUNT;
    def.face_sizes = sizes;
    def.face_vertices = corners;
    def.face_count = face;
    pli_mesh *mesh;
    pli_error error;
    assert_int_equal(pli_mesh_create(&def, &mesh, &error), PLI_STATUS_OK);
    int32_t *order, hits[COUNT] = {0};
    assert_true(pli_particle_order(&memory, mesh, &order));
    assert_non_null(order);
    for (int32_t i = 0; i < COUNT; i++)
        hits[order[i]]++;
    for (int32_t i = 0; i < COUNT; i++)
        assert_int_equal(hits[i], 1);
    const pli_topology *topology = pli_mesh_topology(mesh);
    double before = 0, after = 0;
    for (int32_t e = 0; e < topology->edge_count; e++) {
        int32_t a = topology->edges[2 * e], b = topology->edges[2 * e + 1];
        before += abs(a - b);
        after += abs(order[a] - order[b]);
    }
    assert_true(after < 0.2 * before);
    pli_release(&memory, order);
    pli_mesh_destroy(mesh);
}

static void share_matches_the_closed_form(void **state)
{
    (void)state;
    const double ks[] = {1e-8, 1e-3, 0.1, 0.5, 0.9, 0.999, 0.999999};
    const int32_t counts[] = {1, 2, 3, 4, 16, 64, 1000};
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
            double expected = -expm1(log1p(-ks[i]) / counts[j]), found = pli_stiffness_per_iteration(ks[i], counts[j]);
            if (fabs(found / expected - 1.0) > 1e-11)
                fail_msg("k %g n %d: %.17g, closed form %.17g", ks[i], (int)counts[j], found, expected);
        }
    }
    assert_true(pli_stiffness_per_iteration(0.0, 7) == 0.0);
    assert_true(pli_stiffness_per_iteration(1.0, 7) == 1.0);
}

static void arc_tangent_is_within_its_bound(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int32_t i = 0; i < 200000; i++) {
        double angle = (i - 100000) * (3.14159265358979 / 100000.0);
        float scale = powf(10.0f, (float)(i % 13) - 6.0f);
        float y = (float)sin(angle) * scale, x = (float)cos(angle) * scale;
        double error = fabs((double)wide_atan2(y, x) - atan2((double)y, (double)x));
        worst = error > worst && error < 3.0 ? error : worst;
    }
    if (worst > 3e-7)
        fail_msg("largest error %g rad, bound 3e-7", worst);
    assert_true(wide_atan2(0.0f, 0.0f) == 0.0f);
    assert_float_equal(wide_atan2(0.0f, -1.0f), 3.14159265f, 1e-6f);
    // Small angles keep their relative precision: no dead zone.
    assert_float_equal(wide_atan2(1e-7f, 1.0f) * 1e7f, 1.0f, 1e-6f);
}

// Angles of a nearly flat sheet: each is its tangent to the last bit, and no power of it is a subnormal number, on which
// a processor takes a hundred cycles.
static void small_angles_are_exact_and_raise_no_underflow(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 20000; i++) {
        volatile float tangent = (float)pow(10.0, -36.0 + 32.5 * i / 20000.0);
        float nearest = (float)atan((double)tangent);
#ifdef FE_UNDERFLOW
        feclearexcept(FE_UNDERFLOW);
#endif
        volatile float angle = wide_atan2(tangent, 1.0f);
#ifdef FE_UNDERFLOW
        if (fetestexcept(FE_UNDERFLOW))
            fail_msg("the angle of %g underflows", (double)tangent);
#endif
        if (tangent < 1e-4f && angle != nearest)
            fail_msg("the angle of %g is %g, nearest is %g", (double)tangent, (double)angle, (double)nearest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_share_no_particle),
        cmocka_unit_test(a_crowded_particle_overflows),
        cmocka_unit_test(order_is_a_permutation_and_helps_shuffled_meshes),
        cmocka_unit_test(share_matches_the_closed_form),
        cmocka_unit_test(arc_tangent_is_within_its_bound),
        cmocka_unit_test(small_angles_are_exact_and_raise_no_underflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
