// Planes between the sides of a pair: whatever share of its trajectory each particle goes, up to where it was cut, the sides do not
// cross, by the times at which four points are in one plane (Provot 1997), found by brute force.
#include "../inside.h"
#include "../properties/property.h"

#include "collision/ccd/planes.h"

enum { CASES = 2000, SHARES = 10, TIMES = 200 };

static double volume(const pli_dvec3 at[4])
{
    return pli_ddot(pli_dcross(pli_dsub(at[1], at[0]), pli_dsub(at[2], at[0])), pli_dsub(at[3], at[0]));
}

static void at_time(const pli_dvec3 from[4], const pli_dvec3 to[4], double time, pli_dvec3 at[4])
{
    for (int k = 0; k < 4; k++)
        at[k] = pli_dadd(from[k], pli_dscale(pli_dsub(to[k], from[k]), time));
}

// Are the sides within one another, where all four are in one plane? By the signs of areas across their largest axis.
static bool touches(pli_pair_kind kind, const pli_dvec3 p[4])
{
    double flat[4][2];
    pli_dvec3 n = pli_dcross(pli_dsub(p[2], p[1]), pli_dsub(p[3], p[1]));
    int drop = fabs(n.x) > fabs(n.y) && fabs(n.x) > fabs(n.z) ? 0 : fabs(n.y) > fabs(n.z) ? 1 : 2;
    for (int k = 0; k < 4; k++) {
        const double all[3] = {p[k].x, p[k].y, p[k].z};
        flat[k][0] = all[(drop + 1) % 3], flat[k][1] = all[(drop + 2) % 3];
    }
#define AREA(a, b, c)                                                                                                  \
    ((flat[b][0] - flat[a][0]) * (flat[c][1] - flat[a][1]) - (flat[b][1] - flat[a][1]) * (flat[c][0] - flat[a][0]))
    if (kind == PLI_PAIR_EDGE_EDGE)
        return (AREA(0, 1, 2) > 0.0) != (AREA(0, 1, 3) > 0.0) && (AREA(2, 3, 0) > 0.0) != (AREA(2, 3, 1) > 0.0);
    bool a = AREA(1, 2, 0) > 0.0, b = AREA(2, 3, 0) > 0.0, c = AREA(3, 1, 0) > 0.0;
#undef AREA
    return a == b && b == c;
}

static bool crosses(pli_pair_kind kind, const pli_dvec3 from[4], const pli_dvec3 to[4])
{
    pli_dvec3 at[4];
    at_time(from, to, 0.0, at);
    double before = volume(at);
    for (int i = 1; i <= TIMES; i++) {
        double low = (double)(i - 1) / TIMES, high = (double)i / TIMES;
        at_time(from, to, high, at);
        double after = volume(at);
        bool changes = (after > 0.0) != (before > 0.0);
        before = after;
        for (int k = 0; changes && k < 40; k++) {
            double middle = 0.5 * (low + high);
            at_time(from, to, middle, at);
            *((volume(at) > 0.0) == (after > 0.0) ? &high : &low) = middle;
        }
        if (changes && touches(kind, at))
            return true;
    }
    return false;
}

static pli_dvec3 any(double size)
{
    vec p = random_vec(size);
    return (pli_dvec3){p.x, p.y, p.z};
}

// A pair whose sides are a little apart and would mostly cross.
static pli_plane_pair random_pair(int32_t i)
{
    pli_plane_pair pair = {.kind = i % 2 ? PLI_PAIR_EDGE_EDGE : PLI_PAIR_VERTEX_TRIANGLE};
    pli_dvec3 across = any(1.0);
    across = pli_dscale(across, 1.0 / fmax(pli_dlength(across), 0.1));
    double gap = pow(10.0, uniform(-7.0, -3.0));
    for (int k = 0; k < 4; k++) {
        pli_dvec3 p = any(0.02);
        double up = pli_ddot(p, across), side = pli_pair_side(pair.kind, k) ? -1.0 : 1.0;
        pair.from[k] = pli_dadd(p, pli_dscale(across, side * (fabs(up) + gap) - up));
        pair.to[k] = pli_dadd(pair.from[k], pli_dsub(any(0.01), pli_dscale(across, side * uniform(0.0, 0.03))));
    }
    pair.gap_left = i % 3 ? 1e-4 : 0.0;
    return pair;
}

static void no_share_of_cut_trajectories_crosses(void **state)
{
    (void)state;
    int32_t crossing = 0, cut = 0;
    for (int32_t i = 0; i < CASES; i++) {
        const pli_plane_pair pair = random_pair(i);
        pli_plane plane;
        assert_true(pli_plane_between(&pair, &plane));
        crossing += crosses(pair.kind, pair.from, pair.to);
        double shares[4];
        for (int k = 0; k < 4; k++) {
            shares[k] = pli_plane_share(&plane, pli_pair_side(pair.kind, k), pair.from[k], pair.to[k]);
            cut += shares[k] < 1.0;
        }
        for (int32_t n = 0; n < SHARES; n++) {
            pli_dvec3 to[4];
            for (int k = 0; k < 4; k++) {
                double part = n == 0 ? 1.0 : n < 6 ? (double)(random_bits() % 2) : uniform(0.0, 1.0);
                to[k] = pli_dadd(pair.from[k], pli_dscale(pli_dsub(pair.to[k], pair.from[k]), part * shares[k]));
                assert_true(pli_plane_keeps(&plane, pli_pair_side(pair.kind, k), to[k]));
            }
            holds(!crosses(pair.kind, pair.from, to), "case %d crosses", (int)i);
        }
    }
    holds(crossing > CASES / 10 && cut < 4 * CASES, "%d of %d would cross, %d of %d trajectories cut", (int)crossing,
          CASES, (int)cut, 4 * CASES);
}

// A side that slides along the other goes all its way; one that alone comes is alone cut; what comes no nearer is not cut.
static void only_what_comes_is_cut(void **state)
{
    (void)state;
    pli_plane_pair pair = {
        .kind = PLI_PAIR_VERTEX_TRIANGLE,
        .from = {{0, 0.01, 0}, {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}},
        .to = {{0.3, 0.01, 0.2}, {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}},
        .gap_left = 1e-3,
    };
    pli_plane plane;
    for (int32_t i = 0; i < 3; i++) {
        pair.to[0].y = i == 0 ? 0.01 : i == 1 ? 0.03 : -0.01;
        assert_true(pli_plane_between(&pair, &plane));
        double share = pli_plane_share(&plane, 0, pair.from[0], pair.to[0]);
        holds(i < 2 ? share == 1.0 : share > 0.3 && share < 0.5, "way %d goes %g", (int)i, share);
        for (int k = 1; k < 4; k++)
            assert_true(pli_plane_share(&plane, 1, pair.from[k], pair.to[k]) == 1.0);
    }
}

// The distance that is to be guaranteed is kept; a firm side pushes the plane along, or leaves no place for one.
static void levels_and_firm_sides_are_kept(void **state)
{
    (void)state;
    pli_plane_pair pair = {
        .kind = PLI_PAIR_VERTEX_TRIANGLE,
        .from = {{0, 0.01, 0}, {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}},
        .to = {{0, -0.02, 0}, {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}},
        .least = 0.008,
    };
    pli_plane plane;
    assert_true(pli_plane_between(&pair, &plane));
    double share = pli_plane_share(&plane, 0, pair.from[0], pair.to[0]), height = 0.01 - 0.03 * share;
    holds(height >= 0.008 && height < 0.0095, "it ends at %g", height);
    pair.least = 0.0, pair.firm[1] = true;
    for (int k = 1; k < 4; k++)
        pair.to[k].y = 0.006;
    assert_true(pli_plane_between(&pair, &plane));
    height = 0.01 - 0.03 * pli_plane_share(&plane, 0, pair.from[0], pair.to[0]);
    holds(height >= 0.006 && height < 0.0095, "it ends at %g", height);
    for (int k = 1; k < 4; k++)
        pair.to[k].y = 0.012;
    assert_false(pli_plane_between(&pair, &plane));
}

// Sides that touch may part, along the direction that kept them apart before, and come no nearer.
static void what_touches_may_part(void **state)
{
    (void)state;
    pli_plane_pair pair = {
        .kind = PLI_PAIR_VERTEX_TRIANGLE,
        .from = {{0, 0, 0}, {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}},
        .to = {{0, 0.02, 0}, {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}},
        .normal = {1e-9, 1.0, -1e-9},
    };
    pli_plane plane;
    assert_true(pli_plane_between(&pair, &plane));
    assert_true(pli_plane_share(&plane, 0, pair.from[0], pair.to[0]) == 1.0);
    pair.to[0].y = -0.02;
    assert_true(pli_plane_between(&pair, &plane));
    assert_true(pli_plane_share(&plane, 0, pair.from[0], pair.to[0]) < 1e-6);
    pair.normal = (pli_dvec3){0, 0, 0};
    assert_false(pli_plane_between(&pair, &plane));
}

// A particle whose trajectory is not finite does not move.
static void what_is_not_finite_stays(void **state)
{
    (void)state;
    pli_plane_pair pair = {
        .kind = PLI_PAIR_EDGE_EDGE,
        .from = {{-1, 0.01, 0}, {1, 0.01, 0}, {0, 0, -1}, {0, 0, 1}},
        .to = {{-1, NAN, 0}, {1, (double)-INFINITY, 0}, {0, 0, -1}, {0, 0, 1}},
    };
    pli_plane plane;
    assert_true(pli_plane_between(&pair, &plane));
    for (int k = 0; k < 2; k++)
        assert_true(pli_plane_share(&plane, 0, pair.from[k], pair.to[k]) == 0.0);
}

// The direction between the closest points of sides that are 3e-9 m apart is rounded: along it, triangles of a third of a metre are across each
// other. A pressed plate has such gaps, and has to leave: there is a plane, which leaves a side that moves away
// its whole trajectory, and keeps one that comes.
static void sides_of_a_narrow_gap_may_part(void **state)
{
    (void)state;
    const double gap = 3.0268e-9;
    for (int32_t i = 0; i < CASES; i++) {
        const double side = 0.35 * (1 + i % 5), t = uniform(0.05, 0.95), turn = uniform(0.0, 6.0), c = cos(turn),
                     s = sin(turn), shift = uniform(-0.5, 0.5);
        // A vertex below the diagonal of a box, or an edge across that diagonal.
        const bool edges = i % 2;
        pli_dvec3 flat[4] = {{side * (1.0 - 2.0 * t), -gap, side * (2.0 * t - 1.0)},
                             {-side, 0.0, side},
                             {side, 0.0, -side},
                             {side, 0.0, side}};
        pli_plane_pair pair = {.kind = edges ? PLI_PAIR_EDGE_EDGE : PLI_PAIR_VERTEX_TRIANGLE, .gap_left = 1e-4};
        if (edges) {
            pli_dvec3 middle = flat[0];
            flat[0] = (pli_dvec3){middle.x - 0.06, -gap, middle.z - 0.05}, flat[2] = flat[1],
            flat[3] = (pli_dvec3){side, 0.0, -side};
            flat[1] = (pli_dvec3){middle.x + 0.05, -gap, middle.z + 0.07};
        }
        for (int k = 0; k < 4; k++) {
            const pli_dvec3 p = {(double)(float)(c * flat[k].x + s * flat[k].z + shift), flat[k].y,
                                 (double)(float)(c * flat[k].z - s * flat[k].x - shift)};
            bool upper = pli_pair_side(pair.kind, k) == 1;
            pair.from[k] = p, pair.to[k] = p;
            pair.to[k].y += upper ? 0.005 : 0.0;
        }
        pli_plane plane;
        holds(pli_plane_between(&pair, &plane), "case %d has no plane", (int)i);
        for (int k = 0; k < 4; k++) {
            int of = pli_pair_side(pair.kind, k);
            holds(pli_plane_share(&plane, of, pair.from[k], pair.to[k]) == 1.0, "case %d: particle %d is cut", (int)i,
                  k);
            pli_dvec3 towards = pair.from[k];
            towards.y += of ? -0.005 : 0.005;
            towards = pli_dadd(pair.from[k], pli_dscale(pli_dsub(towards, pair.from[k]),
                                                        pli_plane_share(&plane, of, pair.from[k], towards)));
            holds(pli_plane_keeps(&plane, of, towards), "case %d: particle %d is across", (int)i, k);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(no_share_of_cut_trajectories_crosses), property(only_what_comes_is_cut),
        property(levels_and_firm_sides_are_kept),       property(what_touches_may_part),
        property(sides_of_a_narrow_gap_may_part),       property(what_is_not_finite_stays),
    };
    return cmocka_run_group_tests_name("planes", tests, NULL, NULL);
}
