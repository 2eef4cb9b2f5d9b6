// simd: each operation of each back end gives the bits that plain C gives, on numbers of every kind.
#include "wide_probe.h"

#include "pliant/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef struct row {
    const char *name;
    probe run;
} row;

static row rows[PLI_SIMD_COUNT];
static int32_t row_count;

void probe_enrol(const char *backend, probe run) { rows[row_count++] = (row){backend, run}; }

static bool runs_here(const char *name)
{
    for (int32_t i = 0; i < PLI_SIMD_COUNT; i++)
        if (strcmp(pli_choice_name("simd", i), name) == 0)
            return pli_simd_available((pli_simd)i);
    fail_msg("no back end is called %s", name);
    return false;
}

static uint32_t random_state = 7;

static uint32_t random_bits(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 16 | random_state << 16;
}

// Zeros of both signs, denormals, infinities, what is no number, equal numbers, and any bits.
static float any_float(void)
{
    static const float special[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.25f, 1e-40f, -3e-45f, 3e38f, INFINITY, -INFINITY, NAN};
    uint32_t kind = random_bits() % 4, bits = random_bits();
    float value;
    memcpy(&value, &bits, sizeof value);
    if (kind == 0)
        return special[random_bits() % (sizeof special / sizeof *special)];
    return kind == 1 ? value : (float)((int32_t)bits >> 8) * 0x1p-20f;
}

static void fill(probe_input *in)
{
    float *arrays[] = {in->a, in->b, in->c};
    for (int32_t i = 0; i < PROBE_LANES; i++) {
        for (int32_t k = 0; k < 3; k++)
            arrays[k][i] = any_float();
        in->index[i] = i * 7 % PROBE_LANES + (i % 2 ? PROBE_LANES : 0);
        in->places[i] = pli_index_of(in->index[i]);
    }
    for (int32_t i = 0; i < PROBE_PARTICLES; i++) {
        in->p[i] = (pli_particle){any_float(), any_float(), any_float(), any_float()};
        in->q[i] = (pli_particle){any_float(), any_float(), any_float(), any_float()};
    }
}

// Equal bits; what is no number has no bits of its own.
static bool same(float a, float b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

static void compare(const char *backend, const char *operation, const void *found, const void *expected, size_t size)
{
    for (size_t i = 0; i < size / sizeof(float); i++) {
        float a = ((const float *)found)[i], b = ((const float *)expected)[i];
        if (!same(a, b))
            fail_msg("%s, %s, lane %d: %.9g, in plain C %.9g", backend, operation, (int)i, (double)a, (double)b);
    }
}

static void compare_with(const row *tested, const probe_input *in, const probe_output *expected)
{
    static probe_output found;
    memset(&found, 0, sizeof found);
    tested->run(in, &found);
#define COMPARE(part) compare(tested->name, #part, found.part, expected->part, sizeof found.part);
    PROBE_OPERATIONS(COMPARE)
    PROBE_QUADS(COMPARE)
}

static const row *scalar_row(void)
{
    for (int32_t i = 0; i < row_count; i++)
        if (strcmp(rows[i].name, "scalar") == 0)
            return &rows[i];
    fail_msg("scalar did not enrol");
    return NULL;
}

static void every_back_end_is_plain_arithmetic(void **state)
{
    (void)state;
    static probe_input in;
    static probe_output expected;
    const row *plain = scalar_row();
    for (int32_t i = 0; i < row_count; i++) {
        bool here = runs_here(rows[i].name);
        print_message("%s%s\n", rows[i].name, here ? "" : ": not on this processor");
        for (int32_t round = 0; round < 4000 && here; round++) {
            fill(&in);
            memset(&expected, 0, sizeof expected);
            plain->run(&in, &expected);
            compare_with(&rows[i], &in, &expected);
        }
    }
}

// The scalar twin itself: what C says each operation is.
static void the_scalar_twin_is_what_c_says(void **state)
{
    (void)state;
    static probe_input in;
    static probe_output out;
    for (int32_t round = 0; round < 4000; round++) {
        fill(&in);
        scalar_row()->run(&in, &out);
        for (int32_t i = 0; i < PROBE_LANES; i++) {
            float a = in.a[i], b = in.b[i], c = in.c[i];
            pli_particle p = in.p[in.index[i]], s = out.stored[in.index[i]];
            assert_true(same(out.plus[i], a + b) && same(out.minus[i], a - b) && same(out.times[i], a * b));
            assert_true(same(out.over[i], a / b) && same(out.negative[i], -a) && same(out.root[i], sqrtf(a)));
            assert_true(same(out.least[i], a < b ? a : b) && same(out.most[i], a < b ? b : a));
            assert_true(isnan(a) || out.size[i] == fabsf(a));
            assert_true(same(out.select_less[i], a < b ? b : c));
            assert_true(same(out.select_both[i], a < b && b < c ? a : c));
            assert_true(same(out.select_either[i], a < b || b < c ? a : 2.0f));
            assert_true(same(out.select_not[i], a < b ? c : a) && out.bits[i] == (a < b ? 1.0f : 0.0f));
            assert_true(same(out.inverse_above[i], a > 0.25f ? 1.0f / a : 0.0f));
            assert_true(same(out.load_x[i], p.x) && same(out.load_y[i], p.y) && same(out.load_z[i], p.z));
            assert_true(same(out.indexed[i], ((const float *)in.p)[in.index[i]]));
            assert_true(same(out.part[i], i < PROBE_LANES - 1 ? a : 0.0f));
            assert_true(same(out.loaded_part[i], i < PROBE_LANES - 1 ? a : 0.0f));
            assert_true(same(out.block_x[i], in.p[i].x) && same(out.block_y[i], in.p[i].y));
            assert_true(same(out.block_z[i], in.p[i].z) && same(out.block_w[i], in.p[i].w));
            assert_true(same(s.x, p.x + a) && same(s.y, p.y - a) && same(s.z, p.z * a) && same(s.w, p.w));
        }
        for (int32_t i = 0; i < PROBE_PARTICLES; i++) {
            pli_particle p = in.p[i], q = in.q[i];
            assert_true(same(out.quads_plus[i].x, p.x + q.x) && same(out.quads_minus[i].y, p.y - q.y));
            assert_true(same(out.quads_times[i].z, p.z * 4.0f) && same(out.quads_kept_w[i].w, q.w));
            assert_true(same(out.quads_kept_w[i].x, p.x));
            assert_true(same(out.quads_least[i].y, p.y < q.y ? p.y : q.y));
            assert_true(same(out.quads_most[i].w, p.w < q.w ? q.w : p.w));
            assert_true(same(out.quads_taken[i].x, p.z) && same(out.quads_taken[i].y, p.x));
            assert_true(same(out.quads_taken[i].z, p.x) && same(out.quads_taken[i].w, p.w));
            assert_true(same(out.quads_moving[i].x, p.w != 0.0f ? q.x : 2.0f));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scalar_twin_is_what_c_says),
        cmocka_unit_test(every_back_end_is_plain_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
