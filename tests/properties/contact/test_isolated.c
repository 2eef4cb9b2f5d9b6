// Deformables that nothing can touch run a step alone. An application that is called in each substep, and does nothing, makes all of them
// run together: states must be the same, also where some leave the boxes that isolated them.
#include "scenery.h"

#include <string.h>

enum { COLUMNS = 9, ROWS = 8 };

// Sheets side by side, squeezed to `squeeze` of their size, which burst open: softly, so that they meet later in the step.
typedef struct crowd {
    int32_t count, threads;
    double pitch, squeeze, compliance, speed; // [m], share, [1/(N/m)], towards each other [m/s].
    double other;   // Another one that goes with the substeps in any case, squeezed to this share; or 0.
    bool colliders; // A ball that moves, over a plane.
} crowd;

static void do_nothing(void *user, pli_world *world, float h)
{
    (void)world, (void)h;
    ++*(int32_t *)user;
}

static void squeeze_sheet(pli_world *world, pli_deformable body, vec about, double to, double speed)
{
    int32_t count = vertex_count_of(world, body);
    float *at = calloc(3 * (size_t)count, sizeof *at), *speeds = calloc(3 * (size_t)count, sizeof *speeds);
    for (int32_t v = 0; v < count; v++) {
        vec p = position_of(world, body, v);
        at[3 * v] = (float)(about.x + to * (p.x - about.x));
        at[3 * v + 1] = (float)p.y;
        at[3 * v + 2] = (float)(about.z + to * (p.z - about.z));
        speeds[3 * v] = (float)speed;
    }
    must(pli_deformable_set_positions(world, body, 0, count, at, &problem));
    must(pli_deformable_set_velocities(world, body, 0, count, speeds, &problem));
    free(at);
    free(speeds);
}

static void add_sheet(pli_world *world, const pli_mesh *mesh, const crowd *c, int32_t i, bool itself)
{
    pli_deformable_def sheet = pli_deformable_def_default();
    sheet.mesh = mesh, sheet.thickness = 0.01f, sheet.self_collision = itself;
    sheet.pose.position = (pli_vec3){(float)(c->pitch * i), 1.0f + 0.002f * (float)(i % 3), 0.0f};
    pli_deformable body;
    must(pli_deformable_create(world, &sheet, &body, &problem));
    tune(world, constrain(world, body, "distance", NULL), "compliance", c->compliance);
    squeeze_sheet(world, body, (vec){c->pitch * i, 0.0, 0.0}, itself ? c->other : c->squeeze,
                  i % 2 ? -c->speed : c->speed);
}

static pli_world *crowd_of(const crowd *c)
{
    pli_world_def def = pli_world_def_default();
    def.thread_count = c->threads;
    def.settings.substeps = 8;
    def.settings.origin = PLI_ORIGIN_FIXED;
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_grid(COLUMNS, ROWS, 0.3, PLI_GRID_ALTERNATING);
    for (int32_t i = 0; i < c->count; i++)
        add_sheet(world, mesh, c, i, false);
    if (c->other > 0.0)
        add_sheet(world, mesh, c, c->count, true);
    pli_collider_def ground = pli_collider_def_default(), ball = ground;
    ball.shape = PLI_SHAPE_SPHERE, ball.radius = 0.1f, ball.pose.position = (pli_vec3){0.1f, 0.6f, 0.0f};
    pli_collider made;
    if (c->colliders) {
        must(pli_collider_create(world, &ground, &made, &problem));
        must(pli_collider_create(world, &ball, &made, &problem));
        ball.pose.position.y = 1.4f;
        must(pli_collider_set_pose(world, made, ball.pose, &problem));
    }
    pli_mesh_destroy(mesh);
    return world;
}

static int32_t contacts_of(const pli_world *world)
{
    pli_statistics statistics;
    pli_world_get_statistics(world, &statistics);
    return statistics.contact_count;
}

static void count_call(void *user, const pli_world *world, const pli_trace_point *point)
{
    (void)world, (void)point;
    ++*(int32_t *)user;
}

// Steps of the crowd beside steps of one that goes together, and of one that is traced.
static void compare(const char *name, const crowd *c, int32_t frames)
{
    int32_t calls = 0, contacts = 0, parts = 0;
    pli_world *isolated = crowd_of(c), *together = crowd_of(c), *traced = crowd_of(c);
    pli_world_set_trace(traced, count_call, &parts);
    pli_world_set_substep_callback(together, do_nothing, &calls);
    for (int32_t i = 0; i < frames; i++) {
        step(isolated, 1.0 / 60.0);
        step(together, 1.0 / 60.0);
        step(traced, 1.0 / 60.0);
        holds(pli_world_hash(isolated) == pli_world_hash(traced), "%s: another state under a trace", name);
        pli_statistics a, b;
        pli_world_get_statistics(isolated, &a);
        pli_world_get_statistics(together, &b);
        holds(pli_world_hash(isolated) == pli_world_hash(together), "%s, %d threads: another state in frame %d", name,
              (int)c->threads, (int)i);
        holds(a.projection_count == b.projection_count, "%s: %lld projections are told, of %lld", name,
              (long long)a.projection_count, (long long)b.projection_count);
        contacts += contacts_of(isolated);
    }
    holds(calls == 8 * frames, "%s: %d calls", name, (int)calls);
    holds((contacts > 0) == (c->pitch < 0.5 || c->colliders), "%s: %d contacts", name, (int)contacts);
    pli_world_destroy(isolated);
    pli_world_destroy(together);
    pli_world_destroy(traced);
    holds(parts > 8 * 8 * frames, "%s: %d parts", name, (int)parts);
}

static void who_is_alone_has_the_state_of_all_together(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        crowd crowd;
    } cases[] = {
        {"far from each other", {6, 1, 1.0, 1.0, 0.0, 1.0, 0.0, false}},
        {"thrown at each other", {4, 1, 0.4, 1.0, 0.0, 4.0, 0.0, false}},
        {"bursting", {4, 1, 0.27, 0.7, 0.0, 0.0, 0.0, false}},
        {"bursting slowly", {4, 1, 0.27, 0.7, 1e-4, 0.0, 0.0, false}},
        {"with one that folds", {4, 1, 0.27, 0.7, 1e-5, 0.0, 0.7, false}},
        {"beside one that folds", {1, 1, 0.29, 1.0, 0.0, 0.0, 0.5, false}},
        {"beside one that opens slowly", {1, 1, 0.29, 1.0, 1e-4, 0.0, 0.5, false}},
        {"with a ball over the ground", {4, 1, 0.6, 0.8, 1e-5, 0.5, 0.8, true}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int32_t threads = 1; threads < 3; threads++) {
            crowd c = cases[i].crowd;
            c.threads = threads;
            compare(cases[i].name, &c, 12);
        }
}

// The search for contacts does not know of those that are alone: they take no more memory than where layers part them.
static void who_is_alone_is_not_searched(void **state)
{
    (void)state;
    uint64_t bytes[2];
    for (int32_t parted = 0; parted < 2; parted++) {
        pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
        def.settings.origin = PLI_ORIGIN_FIXED; // They stay together in a step in which it moves.
        pli_world *world = world_from(&def);
        pli_mesh *mesh = mesh_grid(COLUMNS, ROWS, 0.3, PLI_GRID_ALTERNATING);
        for (int32_t i = 0; i < 50; i++) {
            pli_deformable_def sheet = pli_deformable_def_default();
            sheet.mesh = mesh, sheet.mask = parted ? 0 : sheet.mask;
            sheet.pose.position.x = 0.6f * (float)i;
            pli_deformable body;
            must(pli_deformable_create(world, &sheet, &body, &problem));
            constrain(world, body, "distance", NULL);
        }
        for (int32_t i = 0; i < 3; i++)
            step(world, 1.0 / 60.0);
        pli_statistics statistics;
        pli_world_get_statistics(world, &statistics);
        bytes[parted] = statistics.memory;
        pli_world_destroy(world);
        pli_mesh_destroy(mesh);
    }
    holds(bytes[0] == bytes[1], "%llu bytes, and %llu where layers part all", (unsigned long long)bytes[0],
          (unsigned long long)bytes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(who_is_alone_has_the_state_of_all_together),
        property(who_is_alone_is_not_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
