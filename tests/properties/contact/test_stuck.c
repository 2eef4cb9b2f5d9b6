// Particles whose motion is held back for more than half a second are reported as stuck: as a fraction, in the log with the object and a
// cure, after a restore too; and what falls, lies and rests is not.
#include "sheets.h"

#include "step/stuck.h"
#include "model/handles.h"
#include "particles/held_back.h"

extern const pli_feature pli_feature_stuck;

enum { SIDE = 8, DOWN = 20, HELD = 60 };

typedef struct log_count {
    int32_t stuck;
    char line[400];
} log_count;

static void count_log(void *user, pli_log_level level, const char *message)
{
    log_count *log = user;
    if (level != PLI_LOG_WARNING || !strstr(message, "stuck"))
        return;
    log->stuck++;
    snprintf(log->line, sizeof log->line, "%s", message);
}

typedef struct scene {
    pli_world *world;
    pli_attachment upper;
} scene;

static pli_attachment pin_all(pli_world *world, pli_deformable cloth)
{
    int32_t particles[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        particles[i] = i;
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = cloth, def.particles = particles, def.particle_count = SIDE * SIDE;
    pli_attachment attachment;
    must(pli_attachment_create(world, &def, &attachment, &problem));
    return attachment;
}

// A sheet of which all particles are pinned above another one, and a loose one that lies on a plane beside.
static scene open_scene(log_count *log, int32_t threads)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, threads);
    def.hooks = pli_hooks_default();
    def.hooks.log = count_log, def.hooks.user = log;
    scene s = {.world = world_from(&def)};
    for (int32_t k = 0; k < 2; k++) {
        pli_deformable_def cloth = pli_deformable_def_default();
        pli_mesh *mesh = mesh_grid(SIDE, SIDE, 0.5, PLI_GRID_ALTERNATING);
        cloth.mesh = mesh, cloth.name = k ? "upper" : "lower", cloth.thickness = 0.01f;
        cloth.pose = pose_turned(k ? 0.0 : 10.0, (vec){0, 1, 0}, (vec){0, k ? 0.6 : 0.5, 0});
        pli_deformable made;
        must(pli_deformable_create(s.world, &cloth, &made, &problem));
        pli_mesh_destroy(mesh);
        s.upper = pin_all(s.world, made);
    }
    drop_cloth(s.world, mesh_grid(SIDE, SIDE, 0.5, PLI_GRID_ALTERNATING),
               pose_turned(0.0, (vec){0, 1, 0}, (vec){2, 0.02, 0}), 0.01, true);
    ground(s.world);
    return s;
}

static void lead(const scene *s, float height)
{
    pli_transform pose = pli_transform_identity();
    pose.position.y = height;
    must(pli_attachment_set_pose(s->world, s->upper, pose, &problem));
}

static void frame_of(const scene *s, int32_t frame)
{
    lead(s, frame <= HELD ? -0.2f * fminf(1.0f, (float)frame / (float)DOWN) : 0.0f);
    step(s->world, 1.0 / 60.0);
}

static void what_is_held_back_is_reported(void **state)
{
    (void)state;
    log_count log = {0};
    scene s = open_scene(&log, 1);
    for (int32_t frame = 1; frame <= HELD + 20; frame++) {
        frame_of(&s, frame);
        const pli_statistics now = statistics_of(s.world);
        // The sheets meet in frame 9 or so; half a second is 30 frames.
        holds(frame < 38 || frame > 45 || log.stuck == (now.stuck > 0.0), "frame %d: %d warnings, %g stuck", (int)frame,
              (int)log.stuck, now.stuck);
        holds(frame >= 38 || now.stuck == 0.0, "frame %d: %g is stuck already", (int)frame, now.stuck);
        holds(frame < 45 || frame > HELD || fabs(now.stuck - 1.0 / 3.0) < 0.01, "frame %d: %g is stuck", (int)frame,
              now.stuck);
        holds(frame < HELD + 2 || now.stuck == 0.0, "frame %d: %g is stuck, and moves", (int)frame, now.stuck);
    }
    holds(log.stuck == 1 && strstr(log.line, "upper is stuck") && strstr(log.line, "64 of its 64"),
          "%d warnings: '%.150s'", (int)log.stuck, log.line);
    pli_world_destroy(s.world);
}

// Times are restored into a fresh world, and are the same for any number of threads.
static void the_time_is_restored(void **state)
{
    (void)state;
    log_count log = {0}, other = {0};
    scene s = open_scene(&log, 1), fresh = open_scene(&other, 3);
    for (int32_t frame = 1; frame <= 30; frame++)
        frame_of(&s, frame);
    size_t size = pli_world_snapshot_size(s.world);
    void *bytes = malloc(size);
    must(pli_world_snapshot_write(s.world, bytes, size, &problem));
    must(pli_world_snapshot_read(fresh.world, bytes, size, &problem));
    free(bytes);
    int32_t first = 0;
    for (int32_t frame = 31; frame <= HELD; frame++) {
        frame_of(&s, frame);
        frame_of(&fresh, frame);
        double a = statistics_of(s.world).stuck, b = statistics_of(fresh.world).stuck;
        holds(a == b, "frame %d: %g and %g are stuck", (int)frame, a, b);
        first = first == 0 && a > 0.0 ? frame : first;
    }
    holds(first > 0 && other.stuck == 1, "stuck from frame %d on, %d warnings", (int)first, (int)other.stuck);
    pli_world_destroy(s.world);
    pli_world_destroy(fresh.world);
}

// The pins of the upper sheet take it below the lower one by a distance, of which planes take a few times as much in a step: a millimetre is
// more than half of a fall, a few micrometres are not.
static void what_is_hardly_held_back_is_not_stuck(void **state)
{
    (void)state;
    for (int32_t deep = 0; deep < 2; deep++) {
        log_count log = {0};
        scene s = open_scene(&log, 1);
        for (int32_t frame = 1; frame <= HELD; frame++) {
            lead(&s, -(0.1f + (deep ? 1e-3f : 4e-6f)) * fminf(1.0f, (float)frame / (float)DOWN));
            step(s.world, 1.0 / 60.0);
        }
        const pli_statistics now = statistics_of(s.world);
        holds(now.limited_count > 0 && fabs(now.stuck - (deep ? 1.0 / 3.0 : 0.0)) < 0.01, "deep %d: %d cut, %g stuck",
              (int)deep, (int)now.limited_count, now.stuck);
        pli_world_destroy(s.world);
    }
}

// The rule itself, for particles of which given lengths were taken and left, in multiples of half of a fall, while the origin of the world
// moves: what counts is whether more was taken than that, and than was left.
static void the_rule_compares_what_was_taken_and_left(void **state)
{
    (void)state;
    enum { CASES = 6, TIMES = 3 };
    static const struct {
        float taken, left;
        bool back;
    } cases[CASES] = {{10, 20, false}, {10, 5, true}, {0.9f, 0, false},
                      {1.1f, 0, true}, {0, 0, false}, {1.1f, 1.0f, true}};
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    pli_world *world = world_from(&def);
    drop_cloth(world, mesh_grid(SIDE, SIDE, 0.5, PLI_GRID_ALTERNATING),
               pose_turned(0.0, (vec){0, 1, 0}, (vec){0, 1, 0}), 0.01, true);
    drop_cloth(world, mesh_grid(SIDE, SIDE, 0.5, PLI_GRID_ALTERNATING),
               pose_turned(0.0, (vec){0, 1, 0}, (vec){3, 1, 0}), 0.01, true);
    step(world, 1.0 / 60.0);
    const float dt = 1.0f / 60.0f, fall = 0.5f * 9.81f * dt * dt / (float)def.settings.substeps;
    pli_ccd_state *ccd = &world->collision.ccd;
    pli_array_reserve_unset(&world->memory, &ccd->withheld, world->store.count);
    ccd->withheld.count = world->store.count;
    holds(pli_world_reserve_held_back(world), "no room");
    world->origin = (pli_dvec3){world->good_origin.x + 16.0, world->good_origin.y, world->good_origin.z - 3.0};
    for (int32_t b = 0; b < 2; b++) {
        const pli_deformable_data *cloth = pli_deformable_at(world, b);
        for (int32_t i = 0; i < cloth->count; i++) {
            pli_particle *p = &cloth->particles[i];
            ccd->withheld.items[cloth->first + i] = fall * cases[(i + b) % CASES].taken;
            p->x -= 16.0f, p->z += 3.0f, p->y += fall * cases[(i + b) % CASES].left;
        }
    }
    for (int32_t k = 0; k < TIMES; k++)
        pli_feature_stuck.finish(world, dt);
    for (int32_t b = 0; b < 2; b++)
        for (int32_t i = 0; i < SIDE * SIDE; i++)
            near((double)pli_deformable_at(world, b)->stuck->seconds[i],
                 cases[(i + b) % CASES].back ? (double)TIMES / 60.0 : 0.0, 1e-6, "case %d of deformable %d",
                 (int)((i + b) % CASES), (int)b);
    pli_world_destroy(world);
}

// A loose sheet that falls on a ball and slides to the ground is never stuck, nor is one that comes to rest.
static void what_moves_or_rests_is_not(void **state)
{
    (void)state;
    log_count log = {0};
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    def.hooks = pli_hooks_default();
    def.hooks.log = count_log, def.hooks.user = &log;
    pli_world *world = world_from(&def);
    drop_cloth(world, mesh_grid(20, 20, 0.6, PLI_GRID_ALTERNATING), pose_turned(0.0, (vec){0, 1, 0}, (vec){0, 0.4, 0}),
               0.01, true);
    pli_mesh *mesh;
    must(pli_mesh_create_sphere(3, 0.15f, &mesh, &problem));
    mesh_collider(world, mesh, pose_turned(0.0, (vec){0, 1, 0}, (vec){0.05, 0.15, 0}), 0.3);
    ground(world);
    for (int32_t frame = 1; frame <= (shortened() ? 60 : 180); frame++) {
        step(world, 1.0 / 60.0);
        holds(statistics_of(world).stuck == 0.0, "frame %d: %g is stuck", (int)frame, statistics_of(world).stuck);
    }
    holds(log.stuck == 0, "warned: '%.150s'", log.line);
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(what_is_held_back_is_reported),
        property(what_is_hardly_held_back_is_not_stuck),
        property(the_rule_compares_what_was_taken_and_left),
        property(the_time_is_restored),
        property(what_moves_or_rests_is_not),
    };
    return cmocka_run_group_tests_name("stuck", tests, NULL, NULL);
}
