// The direction opposite to another, found by a tree of boxes, is the one that looking at all finds.
#include "../inside.h"
#include "../properties/property.h"

#include "mesh/generators/straightest.h"

#include <math.h>

enum { MOST = 3000, QUERIES = 60 };

static double directions[MOST][3];

static double cosine_of(int32_t a, int32_t b)
{
    const double *p = directions[a], *q = directions[b];
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

static int32_t by_all(int32_t count, int32_t from, double bound, double tolerance)
{
    double smallest = bound;
    for (int32_t i = 0; i < count; i++)
        if (i != from && cosine_of(from, i) < smallest)
            smallest = cosine_of(from, i);
    for (int32_t i = 0; i < count && smallest < bound; i++)
        if (i != from && cosine_of(from, i) < bound && cosine_of(from, i) <= smallest + tolerance)
            return i;
    return -1;
}

// On a sphere, a circle, a cone, a few places only, or with some of length 0.
static void fill(int32_t count, int kind)
{
    for (int32_t i = 0; i < count; i++) {
        double *d = directions[i], u = uniform(0.0, 6.2831853), z = uniform(-1.0, 1.0);
        z = kind == 1 ? 0.0 : kind == 2 ? -0.4 : kind == 3 ? floor(2.0 * z) / 2.0 : z;
        u = kind == 3 ? floor(u) : u;
        d[0] = sqrt(1.0 - z * z) * cos(u), d[1] = sqrt(1.0 - z * z) * sin(u), d[2] = z;
        for (int k = 0; kind == 4 && i % 3 == 0 && k < 3; k++)
            d[k] = 0.0;
    }
}

static void trees_agree_with_all(void **state)
{
    (void)state;
    static const double bounds[] = {0.0, -0.05}, tolerances[] = {0.0, 1e-6};
    pli_memory memory = pli_memory_make(NULL);
    pli_direction_tree tree;
    assert_true(pli_direction_tree_reserve(&memory, &tree, MOST));
    for (int round = 0; round < 200; round++) {
        int32_t count = round < 20 ? round + 1 : 1 + below(MOST);
        fill(count, round % 5);
        pli_direction_tree_build(&tree, (const double(*)[3])directions, count);
        for (int query = 0; query < QUERIES; query++) {
            int32_t from = below(count);
            double bound = bounds[query % 2], tolerance = tolerances[query / 2 % 2];
            int32_t found = pli_direction_tree_opposite(&tree, directions[from], from, bound, tolerance);
            if (found != by_all(count, from, bound, tolerance))
                failed("round %d: %d of %d has %d, not %d\n", round, (int)from, (int)count, (int)found,
                       (int)by_all(count, from, bound, tolerance));
        }
    }
    pli_direction_tree_release(&memory, &tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {property(trees_agree_with_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
