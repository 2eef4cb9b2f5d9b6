// Particle groups and their kernels (particle_groups, particle_kernels): the pairs that come near one another on linear
// trajectories, against all pairs one by one in double, in every width; of all groups, and of some whose trajectories
// begin later than the others.
#include "../inside.h"
#include "../properties/property.h"

#include "collision/particle_contact/particle_groups.h"

enum { MOST = 700, ROOM = MOST * MOST / 2, KINDS = 7 };

typedef struct cloud {
    pli_particle starts[MOST], trajectories[MOST];
    float rest[3 * MOST], joined;
    int32_t count, lifetime;
    float reach;
    int32_t later;                          // When those of some groups begin other trajectories; 0: none do.
    pli_particle turns[MOST], turned[MOST]; // Where they are then, and a substep later.
    float begin_time[MOST];
} cloud;

static cloud c;
static uint8_t found[MOST][MOST];
static pli_particle_rank_pair pairs[ROOM];

static void fill(double x, double y, double z, double speed)
{
    for (int32_t i = 0; i < c.count; i++) {
        c.starts[i] = (pli_particle){(float)uniform(-x, x), (float)uniform(-y, y), (float)uniform(-z, z), 1.0f};
        vec trajectory = random_vec(speed);
        c.trajectories[i] = (pli_particle){(float)trajectory.x, (float)trajectory.y, (float)trajectory.z, 0.0f};
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
    static const double sizes[KINDS][3] = {{1, 1, 1},   {2, 0.01, 2}, {3, 0, 0},   {0, 3, 0},
                                           {0.1, 0, 3}, {1, 1, 1},    {1, 0.05, 1}};
    fill(sizes[kind][0], sizes[kind][1], sizes[kind][2], speed);
    for (int32_t i = 0; i < c.count && kind >= 5; i++) {
        c.trajectories[i].x += kind == 5 ? 7.0f : 0.0f;
        c.trajectories[i].y += kind == 6 ? (i % 2 ? 0.5f : -0.5f) / (float)c.lifetime : 0.0f;
    }
}

// From `now` on.
static double least_distance(int32_t i, int32_t k, double now)
{
    const pli_particle *a = &c.starts[i], *b = &c.starts[k], *u = &c.trajectories[i], *v = &c.trajectories[k];
    double ages[2] = {now - (double)c.begin_time[i], now - (double)c.begin_time[k]};
    vec p = {(double)a->x - (double)b->x + ages[0] * (double)u->x - ages[1] * (double)v->x,
             (double)a->y - (double)b->y + ages[0] * (double)u->y - ages[1] * (double)v->y,
             (double)a->z - (double)b->z + ages[0] * (double)u->z - ages[1] * (double)v->z};
    vec w = {(double)u->x - (double)v->x, (double)u->y - (double)v->y, (double)u->z - (double)v->z};
    double square = dot(w, w), at = square > 0.0 ? -dot(p, w) / square : 0.0;
    return length(add(p, scale(w, fmin(fmax(at, 0.0), c.lifetime - now))));
}

static pli_groups groups;
static pli_memory memory;
static pli_tasks *tasks;

static int begin(void **state)
{
    (void)state;
    memory = pli_memory_make(NULL);
    pli_task_hooks own = {0};
    tasks = pli_tasks_create(&memory, 2, &own);
    return tasks == NULL;
}

static int end(void **state)
{
    (void)state;
    pli_groups_release(&memory, &groups);
    pli_tasks_destroy(&memory, tasks);
    return memory.bytes != 0;
}

static void each_step(const pli_particle *starts, const pli_particle *trajectories, pli_particle *to)
{
    for (int32_t i = 0; i < c.count; i++)
        to[i] = (pli_particle){starts[i].x + trajectories[i].x, starts[i].y + trajectories[i].y,
                               starts[i].z + trajectories[i].z, 1.0f};
}

// Reads the starts and displacements as groups store them, which differ from the given ones by rounding.
static void read_trajectories(void)
{
    for (int32_t g = 0; g < groups.count; g++)
        for (int32_t i = 0; i < groups.groups[g].count; i++) {
            const pli_particle_group *group = &groups.groups[g];
            int32_t number = group->particles[i];
            c.starts[number] = (pli_particle){group->start[0][i], group->start[1][i], group->start[2][i], 1.0f};
            c.trajectories[number] = (pli_particle){group->trajectory[0][i], group->trajectory[1][i],
                                                    group->trajectory[2][i], 0.0f};
            c.begin_time[number] = group->begin_time;
        }
}

static void begin_trajectories(void)
{
    static pli_particle to[MOST];
    each_step(c.starts, c.trajectories, to);
    assert_true(pli_groups_build(&memory, &groups, c.rest, c.count));
    memset(groups.deviating, 1, (size_t)groups.count);
    pli_groups_begin(tasks, &groups, c.starts, to, 0.0f, (float)c.lifetime, true);
    read_trajectories();
}

// Every third group turns.
static void turn_some(void)
{
    for (int32_t g = 0; g < groups.count; g++)
        groups.deviating[g] = g % 3 == 1;
    for (int32_t i = 0; i < c.count; i++) {
        vec trajectory = random_vec(0.3 / c.lifetime);
        c.turns[i] = (pli_particle){c.starts[i].x + (float)c.later * c.trajectories[i].x + 0.01f,
                                    c.starts[i].y + (float)c.later * c.trajectories[i].y,
                                    c.starts[i].z + (float)c.later * c.trajectories[i].z, 1.0f};
        c.turned[i] = (pli_particle){c.turns[i].x + (float)trajectory.x, c.turns[i].y + (float)trajectory.y,
                                     c.turns[i].z + (float)trajectory.z, 1.0f};
    }
    pli_groups_begin(tasks, &groups, c.turns, c.turned, (float)c.later, (float)c.lifetime, false);
    read_trajectories();
}

static int32_t search(const pli_particle_contact_kernels *kernels, int32_t room)
{
    const pli_particle_search particle_contacts = pli_groups_search(&groups, c.reach, c.joined);
    int32_t count = 0;
    for (int32_t g = 0; g < groups.count; g++) {
        int32_t left = room > count ? room - count : 0;
        if (groups.deviating[g])
            count += kernels->query(&particle_contacts, g, left ? pairs + count : NULL, left);
    }
    for (int32_t i = 0; i < count && i < room; i++)
        for (int k = 0; k < 2; k++)
            pairs[i].rank[k] = groups.groups[pairs[i].rank[k] / PLI_PARTICLE_GROUP_SIZE]
                                   .particles[pairs[i].rank[k] % PLI_PARTICLE_GROUP_SIZE];
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
            double least = least_distance(i, k, (double)groups.now) / (double)c.reach;
            bool asks = groups.deviating[groups.group_of[i]] || groups.deviating[groups.group_of[k]];
            double rest = distance(vec_of_floats(c.rest + 3 * i), vec_of_floats(c.rest + 3 * k));
            if (fabs(least - 1.0) > 2e-4 && fabs(rest - (double)c.joined) > 1e-6)
                holds(found[i][k] == (asks && least < 1.0 && rest > (double)c.joined),
                      "%s: %d and %d come as near as %g and are found %d times", name, (int)i, (int)k, least,
                      (int)found[i][k]);
        }
}

static int32_t compare_all(void)
{
    int32_t count = 0;
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++)
        if (pli_simd_available((pli_simd)simd)) {
            count = search(inside_particle_kernels((pli_simd)simd), ROOM);
            compare(pli_choice_name("simd", simd), count);
        }
    return count;
}

static void what_comes_near_is_found_once(void **state)
{
    (void)state;
    int32_t all = 0, turned = 0;
    for (int32_t round = 0; round < 5 * KINDS; round++) {
        make(round % KINDS);
        begin_trajectories();
        all += compare_all();
        for (c.later = 1; c.later < c.lifetime; c.later += 4) {
            turn_some();
            turned += compare_all();
        }
    }
    holds(all > 1000 && turned > 1000, "%d and %d pairs in all", (int)all, (int)turned);
}

// The count is that of all pairs, and nothing is written beyond the capacity.
static void capacity_is_respected(void **state)
{
    (void)state;
    make(1);
    begin_trajectories();
    int32_t count = search(inside_particle_kernels(PLI_SIMD_AUTO), ROOM);
    pairs[count / 2] = (pli_particle_rank_pair){{-7, -7}};
    holds(search(inside_particle_kernels(PLI_SIMD_AUTO), count / 2) == count, "the count depends on the room");
    holds(count > 10 && pairs[count / 2].rank[0] == -7, "more than there is room for");
}

// All in one point, and some that are nowhere: an end, and no more pairs for each than are said.
static void what_has_collapsed_has_an_end(void **state)
{
    (void)state;
    c = (cloud){.count = MOST, .lifetime = 3, .reach = 0.1f};
    begin_trajectories();
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++)
        if (pli_simd_available((pli_simd)simd)) {
            int32_t count = search(inside_particle_kernels((pli_simd)simd), ROOM);
            holds(count >= MOST && count <= MOST * (PLI_PARTICLE_PAIRS_MAX + PLI_PARTICLE_GROUP_SIZE), "%d pairs",
                  (int)count);
        }
    make(0);
    c.starts[5].x = c.trajectories[7].y = NAN;
    begin_trajectories();
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++)
        if (pli_simd_available((pli_simd)simd))
            search(inside_particle_kernels((pli_simd)simd), ROOM);
}

// Whole groups and blocks, so that those of neighbours in the sheet are small.
static void groups_are_what_lies_together(void **state)
{
    (void)state;
    enum { SIDE = 24 };
    c = (cloud){.count = SIDE * SIDE, .lifetime = 1, .reach = 0.1f};
    for (int32_t i = 0; i < c.count; i++)
        c.rest[3 * i] = (float)(i % SIDE), c.rest[3 * i + 2] = (float)(i / SIDE);
    begin_trajectories();
    bool seen[SIDE * SIDE] = {false};
    for (int32_t g = 0; g < groups.count; g++) {
        double widest = 0.0;
        const pli_particle_group *group = &groups.groups[g];
        for (int32_t i = 0; i < group->count; i++) {
            int32_t number = group->particles[i];
            holds(!seen[number] && groups.group_of[number] == g, "%d is in two groups", (int)number);
            seen[number] = true;
            for (int32_t k = 0; k < i; k++)
                widest = fmax(widest, distance(vec_of_floats(c.rest + 3 * number),
                                               vec_of_floats(c.rest + 3 * group->particles[k])));
        }
        holds(widest < 9.0, "group %d is %g wide", (int)g, widest);
    }
    for (int32_t i = 0; i < c.count; i++)
        holds(seen[i], "%d is in no group", (int)i);
}

// Particles further off their trajectory than a limit are told from particles nearer to it.
static void deviations_are_found(void **state)
{
    (void)state;
    const float limits[2] = {0.01f, 0.04f};
    make(0);
    begin_trajectories();
    for (int32_t i = 0; i < c.count; i++)
        c.turned[i] = (pli_particle){c.starts[i].x + 2.0f * c.trajectories[i].x,
                                     c.starts[i].y + 2.0f * c.trajectories[i].y,
                                     c.starts[i].z + 2.0f * c.trajectories[i].z, 1.0f};
    c.turned[groups.groups[1].particles[3]].x += 0.15f;
    c.turned[groups.groups[4].particles[15]].y -= 0.25f;
    c.turned[groups.groups[7].particles[0]].z += 0.05f;
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
        if (!pli_simd_available((pli_simd)simd))
            continue;
        float most = inside_particle_kernels((pli_simd)simd)
                         ->deviation(groups.groups, groups.count, c.turned, 2.0f, limits, groups.deviating);
        near(sqrt((double)most), 0.15, 1e-5, "the most that is off and not astray");
        for (int32_t g = 0; g < groups.count; g++)
            holds(groups.deviating[g] == (g == 1   ? PLI_GROUP_DEVIATES_SOON
                                          : g == 4 ? PLI_GROUP_DEVIATES
                                                   : 0),
                  "group %d: %d", (int)g, groups.deviating[g]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(what_comes_near_is_found_once), property(capacity_is_respected),
        property(what_has_collapsed_has_an_end), property(groups_are_what_lies_together),
        property(deviations_are_found),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
