// collision/rows and wide/balls: which particles come near one another on straight ways, against all pairs one by one in
// double, in every width.
#include "../properties/property.h"

#include "collision/rows.h"
#include "solver/world.h"

enum { MOST = 700, ROOM = MOST * MOST / 2, KINDS = 7 };

typedef struct cloud {
    pli_particle starts[MOST], ways[MOST];
    float rest[3 * MOST], joined;
    int32_t count, lifetime;
    float reach;
} cloud;

static cloud c;
static uint8_t found[MOST][MOST];
static pli_ball_pair pairs[ROOM];

static void fill(double x, double y, double z, double speed)
{
    for (int32_t i = 0; i < c.count; i++) {
        c.starts[i] = (pli_particle){(float)uniform(-x, x), (float)uniform(-y, y), (float)uniform(-z, z), 1.0f};
        vec way = random_vec(speed);
        c.ways[i] = (pli_particle){(float)way.x, (float)way.y, (float)way.z, 0.0f};
    }
}

// A box, a sheet, a thread along each axis, one that flies together, two sheets that go through each other.
static void make(int32_t kind)
{
    c.count = 300 + below(MOST - 300);
    c.lifetime = 1 + below(12);
    c.reach = (float)uniform(0.02, 0.12);
    c.joined = kind % 2 ? (float)uniform(0.3, 0.7) : 0.0f;
    for (int32_t i = 0; i < 3 * c.count; i++)
        c.rest[i] = (float)uniform(-0.5, 0.5);
    double speed = kind == 0 ? 0.0 : 0.1 / c.lifetime;
    static const double sizes[KINDS][3] = {{1, 1, 1}, {2, 0.01, 2}, {3, 0, 0}, {0, 3, 0}, {0.1, 0, 3}, {1, 1, 1}, {1, 0.05, 1}};
    fill(sizes[kind][0], sizes[kind][1], sizes[kind][2], speed);
    for (int32_t i = 0; i < c.count && kind >= 5; i++) {
        c.ways[i].x += kind == 5 ? 7.0f : 0.0f;
        c.ways[i].y += kind == 6 ? (i % 2 ? 0.5f : -0.5f) / (float)c.lifetime : 0.0f;
    }
}

static double least_distance(int32_t i, int32_t k)
{
    const pli_particle *a = &c.starts[i], *b = &c.starts[k], *u = &c.ways[i], *v = &c.ways[k];
    vec p = {(double)a->x - (double)b->x, (double)a->y - (double)b->y, (double)a->z - (double)b->z};
    vec w = {(double)u->x - (double)v->x, (double)u->y - (double)v->y, (double)u->z - (double)v->z};
    double square = dot(w, w), at = square > 0.0 ? -dot(p, w) / square : 0.0;
    return length(add(p, scale(w, fmin(fmax(at, 0.0), c.lifetime))));
}

static pli_bounds bounds_of(const pli_particle *particles)
{
    pli_bounds b = pli_bounds_empty();
    for (int32_t i = 0; i < c.count; i++)
        pli_bounds_include(&b, (pli_vec3){particles[i].x, particles[i].y, particles[i].z});
    return b;
}

static int32_t search(const pli_ball_kernels *kernels, int32_t room)
{
    pli_memory memory = pli_memory_make(NULL);
    pli_task_hooks own = {0};
    pli_tasks *tasks = pli_tasks_create(&memory, 2, &own);
    pli_rows rows = {0};
    pli_row_source source = {c.starts, c.ways, c.rest, c.joined, c.count, c.lifetime, c.reach};
    pli_bounds starts = bounds_of(c.starts), ways = bounds_of(c.ways);
    int32_t count = 0;
    assert_true(pli_rows_sort(&memory, tasks, &rows, &source, &starts, &ways));
    for (int32_t row = 0; row < rows.across * rows.up; row++) {
        int32_t left = room > count ? room - count : 0;
        count += pli_rows_meet(&rows, kernels, row, left ? pairs + count : NULL, left);
    }
    for (int32_t i = 0; i < count && i < room; i++)
        for (int k = 0; k < 2; k++)
            pairs[i].rank[k] = rows.order[pairs[i].rank[k]];
    pli_rows_release(&memory, &rows);
    pli_tasks_destroy(&memory, tasks);
    holds(memory.bytes == 0, "%zu bytes are kept", memory.bytes);
    return count;
}

static void compare(const char *name, int32_t count)
{
    memset(found, 0, sizeof found);
    for (int32_t i = 0; i < count; i++) {
        found[pairs[i].rank[0]][pairs[i].rank[1]]++;
        found[pairs[i].rank[1]][pairs[i].rank[0]]++;
    }
    for (int32_t i = 0; i < c.count; i++)
        for (int32_t k = 0; k < i; k++) {
            double least = least_distance(i, k) / (double)c.reach;
            double rest = distance(vec_of_floats(c.rest + 3 * i), vec_of_floats(c.rest + 3 * k));
            if (fabs(least - 1.0) > 1e-4 && fabs(rest - (double)c.joined) > 1e-6)
                holds(found[i][k] == (least < 1.0 && rest > (double)c.joined), "%s: %d and %d come as near as %g and are found %d times", name, (int)i,
                      (int)k, least, (int)found[i][k]);
        }
}

static void what_comes_near_is_found_once(void **state)
{
    (void)state;
    int32_t all = 0;
    for (int32_t round = 0; round < 5 * KINDS; round++) {
        make(round % KINDS);
        for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
            if (!pli_simd_available((pli_simd)simd))
                continue;
            int32_t count = search(pli_kernels_of((pli_simd)simd)->balls, ROOM);
            compare(pli_simd_name((pli_simd)simd), count);
            all += count;
        }
    }
    holds(all > 1000, "%d pairs in all", (int)all);
}

// The count says how much room there should have been, and nothing is written beyond what there was.
static void room_is_kept_to(void **state)
{
    (void)state;
    make(1);
    int32_t count = search(pli_kernels_of(PLI_SIMD_AUTO)->balls, ROOM);
    pairs[count / 2] = (pli_ball_pair){{-7, -7}};
    holds(search(pli_kernels_of(PLI_SIMD_AUTO)->balls, count / 2) == count, "the count depends on the room");
    holds(count > 10 && pairs[count / 2].rank[0] == -7, "more than there is room for");
}

// All in one point, and some that are nowhere: an end, and no more pairs for each than are said.
static void what_has_collapsed_has_an_end(void **state)
{
    (void)state;
    c = (cloud){.count = MOST, .lifetime = 3, .reach = 0.1f};
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++)
        if (pli_simd_available((pli_simd)simd)) {
            int32_t count = search(pli_kernels_of((pli_simd)simd)->balls, ROOM);
            holds(count >= MOST && count <= MOST * PLI_BALLS_MOST, "%d pairs", (int)count);
        }
    make(0);
    c.starts[5].x = c.ways[7].y = NAN;
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++)
        if (pli_simd_available((pli_simd)simd))
            search(pli_kernels_of((pli_simd)simd)->balls, ROOM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(what_comes_near_is_found_once),
        property(room_is_kept_to),
        property(what_has_collapsed_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
