// Tests of listed pairs by 16 (closest_kernels): every back end gives the bits of the functions for one pair, for pairs in
// any state, degenerate ones included; and edges that it leaves out touch only with their ends.
#include "../inside.h"

#include "collision/narrowphase/closest_kernels.h"
#include "collision/state/collision_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PARTICLES = 4 * PLI_NEAR_LANES, ROUNDS = 400 };

static float any(float low, float high)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return low + (high - low) * (float)(state >> 40) * 0x1p-24f;
}

typedef struct pairs {
    pli_particle before[PARTICLES], after[PARTICLES];
    pli_pair_block block;
} pairs;

// A quarter of the rounds lies on a coarse lattice, where edges are parallel, triangles flat and corners coincide.
static pli_particle any_particle(bool on_lattice, float far)
{
    pli_particle p = {any(-0.02f, 0.02f), any(-0.02f, 0.02f), any(-0.02f, 0.02f), 1.0f};
    if (on_lattice)
        p.x = 0.01f * roundf(p.x * 100.0f), p.y = 0.01f * roundf(p.y * 50.0f), p.z = 0.0f;
    p.x += far;
    return p;
}

static void any_pairs(pairs *s, int32_t round)
{
    float far = round % 3 == 0 ? 5.0f : 0.0f, moved = round % 2 ? 0.002f : 0.02f;
    for (int32_t i = 0; i < PARTICLES; i++) {
        s->before[i] = s->after[i] = any_particle(round % 4 == 0, far);
        s->after[i].x += any(-moved, moved), s->after[i].y += any(-moved, moved);
    }
    for (int32_t lane = 0; lane < PLI_NEAR_LANES; lane++) {
        float x = any(-1, 1), y = any(-1, 1), z = any(-1, 1), length = sqrtf(x * x + y * y + z * z);
        for (int32_t k = 0; k < 4; k++)
            s->block.at[k][lane] = (4 * lane + k * 5) % PARTICLES;
        s->block.normal[0][lane] = x / length, s->block.normal[1][lane] = y / length,
        s->block.normal[2][lane] = z / length;
        s->block.limit[lane] = any(-0.01f, 0.01f);
    }
}

static pli_candidate_pair pair_in(const pairs *s, pli_pair_kind kind, int32_t lane)
{
    const pli_pair_block *b = &s->block;
    return (pli_candidate_pair){
        .at = {b->at[0][lane], b->at[1][lane], b->at[2][lane], b->at[3][lane]},
        .normal = {b->normal[0][lane], b->normal[1][lane], b->normal[2][lane]},
        .kind = (int32_t)kind,
    };
}

static void assert_closest(pairs *s, const pli_closest_kernels *kernels, pli_pair_kind kind)
{
    pli_closest_block found;
    kernels->closest[kind](s->before, (const int32_t(*)[PLI_NEAR_LANES])s->block.at, &found);
    kernels->apart[kind](s->before, s->after, &s->block);
    uint32_t misses = s->block.misses;
    for (int32_t lane = 0; lane < PLI_NEAR_LANES; lane++) {
        const pli_candidate_pair pair = pair_in(s, kind, lane);
        pli_dvec3 at[4];
        pli_pair_positions(&pair, s->before, at);
        const pli_closest one = pli_closest_points(kind, at), other = pli_closest_in(&found, lane);
        assert_memory_equal(&one, &other, sizeof one);
        bool inside = one.weights[0] > 0.0 && one.weights[1] > 0.0 && one.weights[2] < 0.0 && one.weights[3] < 0.0;
        if (misses >> lane & 1)
            assert_false(kind == PLI_PAIR_VERTEX_TRIANGLE || inside);
    }
}

static void assert_gaps(pairs *s, const pli_closest_kernels *kernels, pli_pair_kind kind, int32_t *apart)
{
    uint32_t far = kernels->apart[kind](s->before, s->after, &s->block),
             clear = kernels->separated[kind](s->before, s->after, &s->block);
    for (int32_t lane = 0; lane < PLI_NEAR_LANES; lane++) {
        const pli_candidate_pair pair = pair_in(s, kind, lane);
        float start = pli_pair_gap(&pair, s->before, pair.normal), end = pli_pair_gap(&pair, s->after, pair.normal),
              limit = s->block.limit[lane], least = fminf(limit, 0.5f * start);
        assert_int_equal(far >> lane & 1, start > limit && end > limit);
        assert_int_equal(clear >> lane & 1, start > 0.0f && end > least && least > PLI_LEAST_GAP);
        *apart += (int32_t)((far >> lane & 1) + (clear >> lane & 1));
    }
}

static void blocks_give_the_bits_of_single_pairs(void **state)
{
    (void)state;
    static pairs s;
    for (int32_t round = 0; round < ROUNDS; round++) {
        any_pairs(&s, round);
        for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++)
            for (int32_t kind = 0; kind < 2 && pli_simd_available((pli_simd)simd); kind++)
                assert_closest(&s, inside_closest_kernels((pli_simd)simd), (pli_pair_kind)kind);
    }
}

static void blocks_find_the_gaps_of_single_pairs(void **state)
{
    (void)state;
    static pairs s;
    int32_t apart = 0;
    for (int32_t round = 0; round < ROUNDS; round++) {
        any_pairs(&s, round);
        for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++)
            for (int32_t kind = 0; kind < 2 && pli_simd_available((pli_simd)simd); kind++)
                assert_gaps(&s, inside_closest_kernels((pli_simd)simd), (pli_pair_kind)kind, &apart);
    }
    assert_true(apart > ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_give_the_bits_of_single_pairs),
        cmocka_unit_test(blocks_find_the_gaps_of_single_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
