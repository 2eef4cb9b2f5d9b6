// Whatever the host does, a step takes bounded work and memory, cloth goes no further than its own way and that of what moves it, and
// a step can be ended early: colliders and pins that jump, steps of ten seconds, huge gravity, sheets that start in a plane.
#include "crossings.h"
#include "sheets.h"

/* ---- worlds whose memory and log are watched ----------------------------------------------------- */

typedef struct watch {
    pli_hooks hooks; // The default ones.
    size_t bytes, most;
    int32_t shortened, inside; // Warnings of motion that was shortened, and of cloth that starts inside.
    char line[400];
} watch;

static void *watched_allocate(void *user, size_t size, size_t alignment)
{
    watch *w = user;
    w->bytes += size;
    w->most = w->bytes > w->most ? w->bytes : w->most;
    return w->hooks.allocate(w->hooks.user, size, alignment);
}

static void watched_release(void *user, void *memory, size_t size)
{
    watch *w = user;
    w->bytes -= size;
    w->hooks.release(w->hooks.user, memory, size);
}

static void watched_log(void *user, pli_log_level level, const char *message)
{
    watch *w = user;
    w->shortened += level == PLI_LOG_WARNING && strncmp(message, "contact takes more work", 23) == 0;
    if (strstr(message, "starts inside")) {
        w->inside++;
        snprintf(w->line, sizeof w->line, "%s", message);
    }
}

static pli_world_def watched_def(watch *w)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    w->hooks = pli_hooks_default();
    def.hooks = (pli_hooks){watched_allocate, watched_release, watched_log, w->hooks.assertion, w};
    return def;
}

/* ---- scenes -------------------------------------------------------------------------------------- */

typedef struct bad_scene {
    const char *name;
    void (*make)(pli_world *world);
    double dt;
    double way; // How far the host moves something [m]; 0 for scenes in which it moves nothing.
} bad_scene;

static const float UP = 0.5f;

static pli_deformable sheet_at(pli_world *world, int32_t side, double size, pli_transform pose, bool self)
{
    return drop_cloth(world, mesh_grid(side, side, size, PLI_GRID_ALTERNATING), pose, 0.006, self);
}

static void set_gravity(pli_world *world, float y)
{
    pli_settings settings = pli_world_settings(world);
    settings.gravity = (pli_vec3){0.0f, y, 0.0f};
    must(pli_world_set_settings(world, &settings, &problem));
}

static pli_attachment hold(pli_world *world, pli_deformable cloth, int32_t count)
{
    int32_t particles[64];
    for (int32_t i = 0; i < count; i++)
        particles[i] = i;
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = cloth, def.particles = particles, def.particle_count = count;
    pli_attachment attachment;
    must(pli_attachment_create(world, &def, &attachment, &problem));
    return attachment;
}

static pli_collider ball(pli_world *world)
{
    pli_mesh *mesh;
    must(pli_mesh_create_sphere(3, 0.2f, &mesh, &problem));
    pli_collider collider = mesh_collider(world, mesh, pli_transform_identity(), 0.3);
    return collider;
}

enum { FREE_SIDE = 30 };

// A ball goes 1.5 m in one step, through a sheet that lies before it.
static void hit_sheet(pli_world *world, bool self)
{
    pli_transform pose = pli_transform_identity();
    set_gravity(world, 0.0f);
    pose.position.y = UP;
    sheet_at(world, FREE_SIDE, 1.0, pose, self);
    pose.position.y = 1.5f;
    must(pli_collider_set_pose(world, ball(world), pose, &problem));
}

static void hit_free_sheet(pli_world *world) { hit_sheet(world, false); }

static void hit_sheet_that_touches_itself(pli_world *world) { hit_sheet(world, true); }

// The same through a sheet that hangs from its upper row.
static void hit_hanging_sheet(pli_world *world)
{
    pli_transform pose = pose_turned(90.0, (vec){1, 0, 0}, (vec){0, 0, (double)UP});
    hold(world, sheet_at(world, 30, 1.0, pose, true), 30);
    pose = pli_transform_identity();
    pose.position.z = 1.5f;
    must(pli_collider_set_pose(world, ball(world), pose, &problem));
}

static void start_in_a_plane(pli_world *world)
{
    sheet_at(world, 40, 1.0, pose_turned(80.0, (vec){1, 0, 0}, (vec){0, 0, 0}), true);
    ground(world);
}

static void fall_on_a_ball(pli_world *world)
{
    pli_transform pose = pli_transform_identity();
    pose.position.y = 1.0f;
    hold(world, sheet_at(world, 24, 1.0, pose, true), 1);
    ball(world);
}

static void fall_hard(pli_world *world)
{
    fall_on_a_ball(world);
    set_gravity(world, -1e6f);
}

static void jump(pli_world *world)
{
    pli_transform pose = pose_turned(90.0, (vec){1, 0, 0}, (vec){0, 0, 0});
    pli_attachment pins = hold(world, sheet_at(world, 24, 1.0, pose, true), 24);
    pose = pli_transform_identity();
    pose.position.x = 100.0f;
    must(pli_attachment_set_pose(world, pins, pose, &problem));
}

static const bad_scene bad_scenes[] = {
    {"a ball through a free sheet", hit_free_sheet, 1.0 / 60.0, 1.5},
    {"a ball through a hanging sheet", hit_hanging_sheet, 1.0 / 60.0, 1.5},
    {"a sheet half below a plane", start_in_a_plane, 1.0 / 60.0, 0.0},
    {"a step of ten seconds", fall_on_a_ball, 10.0, 0.0},
    {"gravity of 1e6", fall_hard, 1.0 / 60.0, 0.0},
    {"pins that jump by 100 m", jump, 1.0 / 60.0, 100.0},
};

static pli_world *bad_world(const bad_scene *scene, const pli_world_def *def)
{
    pli_world *world = world_from(def);
    scene->make(world);
    return world;
}

/* ---- what holds ---------------------------------------------------------------------------------- */

// The largest distance of a vertex from where the scene put it, over all deformables.
static double farthest_from(const pli_world *world, const vec *starts)
{
    pli_deformable cloth = pli_world_deformable_at(world, 0);
    double most = 0.0;
    for (int32_t v = 0; v < vertex_count_of(world, cloth); v++) {
        vec d = sub(position_of(world, cloth, v), starts[v]);
        most = fmax(most, sqrt(dot(d, d)));
    }
    return most;
}

static vec *places_of(const pli_world *world)
{
    pli_deformable cloth = pli_world_deformable_at(world, 0);
    vec *places = malloc((size_t)vertex_count_of(world, cloth) * sizeof *places);
    for (int32_t v = 0; v < vertex_count_of(world, cloth); v++)
        places[v] = position_of(world, cloth, v);
    return places;
}

static void bad_steps_are_bounded(void **state)
{
    (void)state;
    for (int32_t k = 0; k < COUNT_OF(bad_scenes); k++) {
        const bad_scene *scene = &bad_scenes[k];
        watch w = {0};
        pli_world_def def = watched_def(&w);
        pli_world *world = bad_world(scene, &def);
        vec *starts = places_of(world);
        double budget = (double)def.settings.work_budget, work = 0.0;
        int32_t shortened_count = 0, told = 0;
        for (int32_t frame = 0; frame < 2; frame++) {
            step(world, scene->dt);
            const pli_statistics s = statistics_of(world);
            work = fmax(work, s.work);
            shortened_count += s.shortened_count;
            holds(s.work < 1.5 * budget, "%s: work of %g in frame %d", scene->name, s.work, (int)frame);
            // An edge of these sheets is up to 6 cm; gravity adds 8 mm in two steps.
            double most = scene->way + 0.1;
            holds(scene->way == 0.0 || frame > 0 || farthest_from(world, starts) < most, "%s: a way of %g m",
                  scene->name, farthest_from(world, starts));
            // Edges that cross triangles are counted.
            told = s.intersection_count + s.failed_pair_count;
            int32_t crossing = crossings(world);
            holds(crossing == 0 || told > 0, "%s: %d crossings, none told", scene->name, (int)crossing);
            holds(all_finite(world), "%s is finite", scene->name);
        }
        holds(w.most < (size_t)100 << 20, "%s: %zu MB", scene->name, w.most >> 20);
        holds((shortened_count > 0) == (w.shortened == 1), "%s: shortened in %d substeps, told %d times", scene->name,
              (int)shortened_count, (int)w.shortened);
        free(starts);
        pli_world_destroy(world);
    }
}

// Nothing went through whole, which no edge that crosses a triangle would show: the four vertices in the middle of the sheet are
// still before the ball, and none is within it.
static void nothing_passed(const pli_world *world, const char *what)
{
    pli_deformable cloth = pli_world_deformable_at(world, 0);
    pli_transform pose;
    must(pli_collider_pose(world, pli_world_collider_at(world, 0), &pose, &problem));
    const pli_vec3 c = pose.position;
    const vec centre = {(double)c.x, (double)c.y, (double)c.z};
    double nearest = INFINITY, least = INFINITY;
    for (int32_t v = 0; v < vertex_count_of(world, cloth); v++) {
        vec from = sub(position_of(world, cloth, v), centre);
        nearest = fmin(nearest, sqrt(dot(from, from)));
        int32_t row = v / FREE_SIDE, column = v % FREE_SIDE;
        if ((row == 14 || row == 15) && (column == 14 || column == 15))
            least = fmin(least, from.y);
    }
    // The ball's triangles go up to 2 mm inside of its radius.
    holds(nearest > 0.198 && least > 0.0, "%s: a vertex %g m from the centre, the middle at %g", what, nearest, least);
}

typedef struct budgeted {
    float budget;
    void (*make)(pli_world *world);
} budgeted;

// Surfaces that may touch are kept apart because pairs are found and cleared, not only while the budget shortens motion: with 18 or 32 it is
// shortened less than by default, with 1000 not at all. What may not touch is not looked at: a sheet without self-collision
// folds through itself there.
static const budgeted budgets[] = {
    {1000.0f, hit_free_sheet},
    {32.0f, hit_sheet_that_touches_itself},
    {18.0f, hit_free_sheet},
    {4.0f, hit_free_sheet},
    {32.0f, hit_free_sheet},
    {4.0f, hit_sheet_that_touches_itself},
    {18.0f, hit_sheet_that_touches_itself},
    {1000.0f, hit_sheet_that_touches_itself},
};

static void hit_within(const budgeted *b)
{
    watch w = {0};
    pli_world_def def = watched_def(&w);
    def.settings.work_budget = b->budget;
    pli_world *world = world_from(&def);
    b->make(world);
    for (int32_t frame = 0; frame < 2; frame++) {
        char what[80];
        snprintf(what, sizeof what, "a budget of %g, self-collision %d, frame %d", (double)b->budget,
                 b->make == hit_sheet_that_touches_itself, (int)frame);
        step(world, 1.0 / 60.0);
        const pli_statistics s = statistics_of(world);
        int32_t count = crossings(world);
        holds(count == 0 && s.intersection_count == 0 && s.failed_pair_count == 0,
              "%s: %d crossings, %d intersections, %d given up", what, (int)count, (int)s.intersection_count,
              (int)s.failed_pair_count);
        holds((s.shortened_count == 0) == (b->budget == 1000.0f), "%s: shortened in %d substeps", what,
              (int)s.shortened_count);
        nothing_passed(world, what);
    }
    pli_world_destroy(world);
}

static void no_budget_lets_anything_through(void **state)
{
    (void)state;
    for (int32_t k = 0; k < (shortened() ? 2 : COUNT_OF(budgets)); k++)
        hit_within(&budgets[k]);
}

static void what_starts_inside_is_told(void **state)
{
    (void)state;
    for (int32_t k = 0; k < 2; k++) {
        watch w = {0};
        pli_world_def def = watched_def(&w);
        pli_world *world = world_from(&def);
        pli_deformable_def cloth = pli_deformable_def_default();
        pli_mesh *mesh = mesh_grid(9, 9, 1.0, PLI_GRID_ALTERNATING);
        // The centres of the outer rows are .5 m from the middle, 4 of 9 rows below it, and up to .49 m deep.
        cloth.mesh = mesh, cloth.name = "banner";
        cloth.pose = pose_turned(80.0, (vec){1, 0, 0}, (vec){0, k == 0 ? 0.0 : 0.6, 0});
        pli_deformable made;
        must(pli_deformable_create(world, &cloth, &made, &problem));
        pli_mesh_destroy(mesh);
        ground(world);
        step(world, 1.0 / 60.0);
        step(world, 1.0 / 60.0);
        holds(w.inside == (k == 0), "told %d times of a sheet at %d", (int)w.inside, (int)k);
        holds(k > 0 || (strstr(w.line, "banner starts inside collider 0, a plane") && strstr(w.line, "36 of its 81") &&
                        strstr(w.line, "0.49")),
              "the message is '%.150s'", w.line);
        pli_world_destroy(world);
    }
}

static pli_world *copy_of(const pli_world *world, const bad_scene *scene, const pli_world_def *def)
{
    pli_world *copy = bad_world(scene, def);
    size_t size = pli_world_snapshot_size(world);
    void *snapshot = malloc(size);
    must(pli_world_snapshot_write(world, snapshot, size, &problem));
    must(pli_world_snapshot_read(copy, snapshot, size, &problem));
    free(snapshot);
    return copy;
}

// A world that had a bad step holds, three seconds later, little more than one that never had it and goes on from its state.
static void memory_of_a_bad_step_is_given_back(void **state)
{
    (void)state;
    const bad_scene *scene = &bad_scenes[2];
    watch w = {0}, fresh = {0};
    pli_world_def def = watched_def(&w), fresh_def = watched_def(&fresh);
    pli_world *world = bad_world(scene, &def);
    for (int32_t frame = 0; frame < 3 * 60 + 10; frame++)
        step(world, 1.0 / 60.0);
    pli_world *copy = copy_of(world, scene, &fresh_def);
    step(copy, 1.0 / 60.0);
    holds(w.bytes < 3 * fresh.bytes, "%zu of %zu kB are kept, a fresh world holds %zu", w.bytes >> 10, w.most >> 10,
          fresh.bytes >> 10);
    pli_world_destroy(copy);
    pli_world_destroy(world);
}

/* ---- the same bits ------------------------------------------------------------------------------- */

static void run_and_hash(const bad_scene *scene, const pli_world_def *def, bool restores, uint64_t hashes[2])
{
    pli_world *world = bad_world(scene, def);
    for (int32_t frame = 0; frame < 2; frame++) {
        step(world, scene->dt);
        hashes[frame] = pli_world_hash(world);
        if (!restores)
            continue;
        size_t size = pli_world_snapshot_size(world);
        void *snapshot = malloc(size);
        must(pli_world_snapshot_write(world, snapshot, size, &problem));
        pli_world_destroy(world);
        world = bad_world(scene, def);
        must(pli_world_snapshot_read(world, snapshot, size, &problem));
        free(snapshot);
    }
    pli_world_destroy(world);
}

static void the_budget_knows_no_machine(void **state)
{
    (void)state;
    for (int32_t k = shortened() ? 1 : 0; k < COUNT_OF(bad_scenes); k += shortened() ? 2 : 1) {
        watch w = {0};
        pli_world_def def = watched_def(&w);
        def.settings.work_budget = 1.0f;
        uint64_t expected[2], found[2];
        run_and_hash(&bad_scenes[k], &def, false, expected);
        for (int32_t variant = 0; variant < 3; variant++) {
            pli_world_def other = def;
            other.thread_count = variant == 0 ? 3 : 1;
            other.simd = variant == 1 ? PLI_SIMD_SCALAR : PLI_SIMD_AUTO;
            run_and_hash(&bad_scenes[k], &other, variant == 2, found);
            for (int32_t frame = 0; frame < 2; frame++)
                holds(found[frame] == expected[frame], "%s, variant %d, frame %d", bad_scenes[k].name, (int)variant,
                      (int)frame);
        }
    }
}

static void a_budget_that_suffices_changes_nothing(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int32_t k = 0; k < 2; k++) {
        watch w = {0};
        pli_world_def def = watched_def(&w);
        def.settings.work_budget = k == 0 ? def.settings.work_budget : 1000.0f;
        pli_world *world = world_from(&def);
        fall_on_a_ball(world);
        for (int32_t frame = 0; frame < 30; frame++)
            step(world, 1.0 / 60.0);
        hashes[k] = pli_world_hash(world);
        pli_world_destroy(world);
    }
    holds(hashes[0] == hashes[1], "states differ");
}

/* ---- cancelling ---------------------------------------------------------------------------------- */

// Runs parallel loops one item after the other, and cancels the world before the loop that has this number.
typedef struct canceller {
    pli_world *world;
    int32_t loops, at;
} canceller;

static void run_and_cancel(void *user, int32_t count, pli_task task, void *data)
{
    canceller *c = user;
    if (c->world && c->loops++ == c->at)
        pli_world_cancel(c->world);
    for (int32_t i = 0; i < count; i++)
        task(data, i);
}

static void a_cancelled_step_leaves_the_state(void **state)
{
    (void)state;
    uint64_t expected = 0;
    int32_t loops = 1, cancelled = 0;
    for (int32_t at = -1; at < loops; at += at < 0 ? 1 : 1 + loops / (shortened() ? 12 : 60)) {
        watch w = {0};
        canceller c = {.at = at};
        pli_world_def def = watched_def(&w);
        def.tasks = (pli_task_hooks){run_and_cancel, &c};
        pli_world *world = bad_world(&bad_scenes[1], &def);
        step(world, 1.0 / 60.0);
        uint64_t before = pli_world_hash(world);
        double time = pli_world_time(world);
        c.world = world;
        pli_status status = pli_world_step(world, 1.0f / 60.0f, &problem);
        c.world = NULL;
        if (at < 0) {
            loops = c.loops;
            expected = pli_world_hash(world);
            holds(status == PLI_STATUS_OK && loops > 100, "%d loops", (int)loops);
        } else if (status == PLI_STATUS_CANCELLED) {
            cancelled++;
            holds(pli_world_hash(world) == before && pli_world_time(world) == time, "loop %d left a trace", (int)at);
            step(world, 1.0 / 60.0);
            holds(pli_world_hash(world) == expected, "after loop %d the next step differs", (int)at);
        }
        pli_world_destroy(world);
    }
    holds(cancelled > 8, "%d steps were cancelled", (int)cancelled);
}

static void a_cancel_is_never_lost(void **state)
{
    (void)state;
    watch w = {0};
    pli_world_def def = watched_def(&w);
    pli_world *world = bad_world(&bad_scenes[3], &def);
    uint64_t before = pli_world_hash(world);
    pli_world_cancel(world);
    holds(pli_world_step(world, 1.0f / 60.0f, &problem) == PLI_STATUS_CANCELLED, "the next step runs");
    holds(strstr(problem.message, "cancelled"), "the message is '%.150s'", problem.message);
    holds(pli_world_hash(world) == before, "it left a trace");
    must(pli_world_set_time_limit(world, 1e-9, &problem));
    holds(pli_world_step(world, 1.0f / 60.0f, &problem) == PLI_STATUS_CANCELLED, "a nanosecond suffices");
    holds(strstr(problem.message, "time limit"), "the message is '%.150s'", problem.message);
    holds(pli_world_set_time_limit(world, 0.0, &problem) == PLI_STATUS_INVALID_ARGUMENT, "0 s is a limit");
    must(pli_world_set_time_limit(world, INFINITY, &problem));
    step(world, 1.0 / 60.0);
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(bad_steps_are_bounded),
        property(no_budget_lets_anything_through),
        property(what_starts_inside_is_told),
        property(memory_of_a_bad_step_is_given_back),
        property(the_budget_knows_no_machine),
        property(a_budget_that_suffices_changes_nothing),
        property(a_cancelled_step_leaves_the_state),
        property(a_cancel_is_never_lost),
    };
    return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}
