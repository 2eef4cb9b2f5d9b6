// Conservative advancement against brute force: along the share of the trajectories that it calls clear, sampled finely
// and in double, no pair comes nearer than the level and the share of its distance that are to remain; and what is not
// clear to the end does come near.
#include "../inside.h"

#include "collision/narrowphase/closest_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROUNDS = 4000, SAMPLES = 500 };
static const double share = 0.1;

static double any(double low, double high)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

static void positions_at(const pli_dvec3 from[4], const pli_dvec3 to[4], double part, pli_dvec3 at[4])
{
    for (int i = 0; i < 4; i++)
        at[i] = pli_dadd(from[i], pli_dscale(pli_dsub(to[i], from[i]), part));
}

static double distance_at(pli_pair_kind kind, const pli_dvec3 from[4], const pli_dvec3 to[4], double part)
{
    pli_dvec3 at[4];
    positions_at(from, to, part, at);
    return sqrt(pli_closest_points(kind, at).square);
}

static void what_is_clear_stays_beyond_the_level(void **state)
{
    (void)state;
    int stopped = 0, clear = 0;
    for (int round = 0; round < ROUNDS; round++) {
        pli_pair_kind kind = round % 2 ? PLI_PAIR_EDGE_EDGE : PLI_PAIR_VERTEX_TRIANGLE;
        pli_dvec3 from[4], to[4];
        double way = round % 3 ? 0.5 : 3.0;
        for (int i = 0; i < 4; i++) {
            from[i] = (pli_dvec3){any(-1, 1), any(-1, 1), any(-1, 1)};
            to[i] = pli_dadd(from[i], (pli_dvec3){any(-way, way), any(-way, way), any(-way, way)});
        }
        double start = distance_at(kind, from, to, 0.0), level = round % 5 ? any(0.0, 0.99) * start : 0.0;
        double part = pli_advance(kind, from, to, level, share), least = level + share * (start - level);
        double nearest = start;
        for (int k = 1; k <= SAMPLES; k++)
            nearest = fmin(nearest, distance_at(kind, from, to, part * k / SAMPLES));
        if (!(nearest > least - 1e-12))
            fail_msg("round %d: %.9g within %.9g of the way, least %.9g", round, nearest, part, least);
        clear += part >= 1.0, stopped += part < 1.0;
        // It stops for a reason: within a tenth of what lies beyond the least distance.
        double now = distance_at(kind, from, to, part);
        if (part < 1.0 && !(now < least + 0.11 * (start - least)))
            fail_msg("round %d: stopped at %.9g of %.9g with %.9g to keep", round, now, start, least);
    }
    assert_true(clear > ROUNDS / 10 && stopped > ROUNDS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_clear_stays_beyond_the_level),
    };
    return cmocka_run_group_tests_name("advancement", tests, NULL, NULL);
}
