#include "wide_probe.h"

#include "base/simd/wide_angle.h"

#include <math.h>

static void probe_floats(const probe_input *in, probe_output *out, int32_t i)
{
    wide a = wide_load(in->a + i), b = wide_load(in->b + i), c = wide_load(in->c + i);
    wide_mask ab = wide_less(a, b), bc = wide_less(b, c);
    wide_store(out->plus + i, a + b);
    wide_store(out->minus + i, a - b);
    wide_store(out->times + i, a * b);
    wide_store(out->over + i, a / b);
    wide_store(out->negative + i, -a);
    wide_store(out->root + i, wide_sqrt(a));
    wide_store(out->least + i, wide_min(a, b));
    wide_store(out->most + i, wide_max(a, b));
    wide_store(out->size + i, wide_abs(a));
    wide_store(out->select_less + i, wide_select(ab, b, c));
    wide_store(out->select_both + i, wide_select(wide_and(ab, bc), a, c));
    wide_store(out->select_either + i, wide_select(wide_or(ab, bc), a, wide_set(2.0f)));
    wide_store(out->select_not + i, wide_select(wide_not(ab), a, c));
    for (int32_t k = 0; k < WIDE; k++)
        out->bits[i + k] = (float)(wide_bits(ab) >> k & 1u) + (wide_bits(ab) >> (WIDE - 1) > 1u ? 7.0f : 0.0f);
    wide_store(out->inverse_above + i, wide_inverse_above(a, 0.25f));
    wide_store(out->angle + i, wide_atan2(a, b));
}

static void probe_particles(const probe_input *in, probe_output *out, int32_t i)
{
    wide x, y, z, w, more = wide_load(in->a + i);
    wide_load_particles(in->p, in->index + i, &x, &y, &z, &w);
    wide_store(out->load_x + i, x);
    wide_store(out->load_y + i, y);
    wide_store(out->load_z + i, z);
    wide_store(out->load_w + i, w);
    wide_store(out->indexed + i, wide_load_indexed((const float *)in->p, in->index + i));
    wide_store_particles(out->stored, in->index + i, x + more, y - more, z * more, w);
}

// Sums of particles as lanes, differences' masses, and particles moved along differences.
static void probe_bundles(const probe_input *in, probe_output *out, int32_t i)
{
    wide3 sum;
    wide more = wide_load(in->a + i);
#ifdef WIDE_BUNDLES
    wide_bundle p = wide_bundle_load(in->p, in->places + i), q = wide_bundle_load(in->q, in->places + i);
    wide_bundle d = wide_bundle_subtract(p, q);
    wide_bundle_vectors(wide_bundle_add(p, q), &sum.x, &sum.y, &sum.z);
    wide_store(out->bundle_w + i, wide_bundle_masses(d));
    wide_bundle_store(out->bundled, in->places + i, wide_bundle_add_scaled(p, d, more));
#else
    wide_particle p, q;
    wide_load_listed(in->p, in->places + i, &p.x.x, &p.x.y, &p.x.z, &p.w);
    wide_load_listed(in->q, in->places + i, &q.x.x, &q.x.y, &q.x.z, &q.w);
    sum = wide3_add(p.x, q.x);
    wide_store(out->bundle_w + i, p.w - q.w);
    wide3 moved = wide3_add_scaled(p.x, wide3_sub(p.x, q.x), more);
    wide_store_listed(out->bundled, in->places + i, moved.x, moved.y, moved.z, p.w);
#endif
    wide_store(out->bundle_x + i, sum.x);
    wide_store(out->bundle_y + i, sum.y);
    wide_store(out->bundle_z + i, sum.z);
}

static pli_particle with_mass(pli_particle p)
{
    p.w = isfinite(p.w) ? fabsf(p.w) : 0.5f;
    return p;
}

// Pairs that move along their difference: particle k and the one PROBE_LANES behind it.
static void probe_pairs(const probe_input *in, probe_output *out, int32_t i)
{
    pli_index first[WIDE], second[WIDE];
    for (int32_t k = 0; k < WIDE; k++) {
        first[k] = pli_index_of(i + k), second[k] = pli_index_of(PROBE_LANES + i + k);
        out->paired[i + k] = with_mass(in->p[i + k]), out->paired[PROBE_LANES + i + k] = with_mass(in->q[i + k]);
    }
#ifdef WIDE_PAIRS
    for (int32_t k = 0; k < WIDE; k += WIDE_PAIRS)
        wide_move_pairs(out->paired, first + k, second + k, in->a + i + k, in->b + i + k);
#else
    wide_particle p, q;
    wide_load_listed(out->paired, first, &p.x.x, &p.x.y, &p.x.z, &p.w);
    wide_load_listed(out->paired, second, &q.x.x, &q.x.y, &q.x.z, &q.w);
    wide3 along = wide3_sub(p.x, q.x);
    p.x = wide3_add_scaled(p.x, along, wide_load(in->a + i)), q.x = wide3_add_scaled(q.x, along, wide_load(in->b + i));
    wide_store_listed(out->paired, first, p.x.x, p.x.y, p.x.z, p.w);
    wide_store_listed(out->paired, second, q.x.x, q.x.y, q.x.z, q.w);
#endif
}

// Contiguous particles, transposed in an order of lanes of their own, are put in order again.
static void probe_blocks(const probe_input *in, probe_output *out, int32_t i)
{
    quads from[QUADS_OF_BLOCK];
    float lanes[4][WIDE];
    for (int32_t q = 0; q < QUADS_OF_BLOCK; q++)
        from[q] = quads_load(in->p + i + q * QUADS);
    wide_particle p = wide_transpose_block(from);
    wide_store(lanes[0], p.x.x);
    wide_store(lanes[1], p.x.y);
    wide_store(lanes[2], p.x.z);
    wide_store(lanes[3], p.w);
    for (int32_t k = 0; k < WIDE; k++) {
        int32_t lane = wide_lane_of(k);
        out->block_x[i + k] = lanes[0][lane], out->block_y[i + k] = lanes[1][lane];
        out->block_z[i + k] = lanes[2][lane], out->block_w[i + k] = lanes[3][lane];
    }
}

// All lanes but the last are loaded and stored, by parts of every length below the width.
static void probe_parts(const probe_input *in, probe_output *out)
{
    for (int32_t i = 0, length = 0; i < PROBE_LANES - 1; i += length) {
        float from[WIDE];
        length = length % WIDE + 1;
        if (length > PROBE_LANES - 1 - i)
            length = PROBE_LANES - 1 - i;
        for (int32_t k = 0; k < WIDE; k++)
            from[k] = k < length ? in->a[i + k] : 77.0f;
        if (length == WIDE) {
            wide_store(out->part + i, wide_load(from));
            wide_store(out->loaded_part + i, wide_load(from));
        } else {
            wide_store_part(out->part + i, wide_load(from), length);
            wide_store_part(out->loaded_part + i, wide_load_part(from, length), length);
        }
    }
}

static void probe_quads(const probe_input *in, probe_output *out, int32_t i)
{
    quads p = quads_load(in->p + i), q = quads_load(in->q + i), two = quads_set(2.0f, 3.0f, 4.0f, 5.0f);
    quads_store(out->quads_plus + i, quads_add(p, q));
    quads_store(out->quads_minus + i, quads_subtract(p, q));
    quads_store(out->quads_times + i, quads_multiply(p, two));
    quads_store(out->quads_least + i, quads_min(p, q));
    quads_store(out->quads_most + i, quads_max(p, q));
    quads_store(out->quads_kept_w + i, quads_keep_w(p, q));
    quads_store(out->quads_taken + i, QUADS_TAKE(p, 2, 0, 0));
    quads_store(out->quads_moving + i, quads_where_moving(p, q, two));
}

static void run(const probe_input *in, probe_output *out)
{
    for (int32_t i = 0; i < PROBE_LANES; i += WIDE) {
        probe_floats(in, out, i);
        probe_particles(in, out, i);
        probe_bundles(in, out, i);
        probe_pairs(in, out, i);
        probe_blocks(in, out, i);
    }
    probe_parts(in, out);
    for (int32_t i = 0; i < PROBE_PARTICLES; i += QUADS)
        probe_quads(in, out, i);
}

#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)

__attribute__((constructor)) static void enrol(void) { probe_enrol(TEXT(PLI_BACKEND), run); }
