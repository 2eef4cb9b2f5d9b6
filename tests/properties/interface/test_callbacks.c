// Callbacks look at their world and cannot change it: each call that would is refused with a message from within each kind of
// callback, the call that asks ends as if nobody had tried, and the same calls are taken afterwards.
#include "sheets.h"

enum { SIDE = 7, COUNT = SIDE * SIDE };

typedef struct scene {
    pli_world *world;
    pli_mesh *mesh;
    pli_deformable cloth, other;
    pli_constraints set;
    pli_collider ball, animated;
    pli_rigid_body body;
    pli_attachment attachment;
    void *bytes; // A snapshot of its start.
    size_t size;
    bool meddles;
    int32_t tries; // Callbacks that have tried all.
} scene;

static scene *current; // Of callbacks that are given no pointer.

// Destroys come last, so that whatever they free is missing in the call that asks.
static int32_t refused(const scene *s, int32_t *count)
{
    pli_world *w = s->world;
    const float at[3 * COUNT] = {0};
    const double origin[3] = {1, 2, 3};
    const int32_t particle = 3;
    pli_error e = {0};
    pli_transform pose = pli_transform_identity();
    pli_deformable_def cloth = pli_deformable_def_default();
    pli_collider_def ball = pli_collider_def_default();
    pli_constraints_def set = pli_constraints_def_default();
    pli_attachment_def attachment = pli_attachment_def_default();
    pli_rigid_body_def body = pli_rigid_body_def_default();
    pli_teleport_def teleport = pli_teleport_def_default();
    pli_cut_def cut = pli_cut_def_default();
    pli_settings settings = pli_world_settings(w);
    pli_deformable d;
    pli_collider c;
    pli_constraints k;
    pli_attachment a;
    pli_rigid_body b;
    pli_grab_def grab = pli_grab_def_default();
    pli_grab g;
    pli_tearing tearing = {.stretch = 2.0f, .force = INFINITY, .max_tears = 1};
    pli_status statuses[1];
    cloth.mesh = s->mesh, set.deformable = s->cloth, set.type = "distance";
    attachment.deformable = grab.deformable = s->cloth, attachment.particles = &particle, attachment.particle_count = 1;
    teleport.everything = true, teleport.to.position.x = 1.0f, cut.normal.x = 1.0f, settings.iterations = 5;
    const pli_status results[] = {
        pli_deformable_create(w, &cloth, &d, &e),
        pli_collider_create(w, &ball, &c, &e),
        pli_constraints_create(w, &set, &k, &e),
        pli_attachment_create(w, &attachment, &a, &e),
        pli_rigid_body_create(w, &body, &b, &e),
        pli_grab_begin(w, &grab, &g, &e),
        pli_deformable_set_def(w, s->cloth, &cloth, &e),
        pli_collider_set_def(w, s->ball, &ball, &e),
        pli_attachment_set_def(w, s->attachment, &attachment, &e),
        pli_deformable_set_tearing(w, s->cloth, &tearing, &e),
        pli_deformable_set_stretch(w, s->cloth, PLI_STRETCH_SOLVED, &e),
        pli_deformable_set_positions(w, s->cloth, 0, COUNT, at, &e),
        pli_deformable_set_velocities(w, s->cloth, 0, COUNT, at, &e),
        pli_deformable_set_inverse_masses(w, s->cloth, 0, COUNT, at, &e),
        pli_deformable_add_force(w, s->cloth, 0, (pli_vec3){1, 0, 0}, &e),
        pli_deformable_paint(w, s->cloth, "thickness", PLI_ELEMENT_VERTEX, at, COUNT, &e),
        pli_deformable_set_paused(w, s->cloth, true, &e),
        pli_deformable_reset(w, s->cloth, NULL, &e),
        pli_deformable_cut(w, s->other, &cut, NULL, &e),
        pli_constraints_set_parameter(w, s->set, "compliance", 1.0, &e),
        pli_collider_set_pose(w, s->ball, pose, &e),
        pli_collider_set_vertices(w, s->animated, at, COUNT, &e),
        pli_collider_set_source(w, s->animated, NULL, NULL, &e),
        pli_collider_teleport(w, s->ball, pose, &e),
        pli_attachment_set_pose(w, s->attachment, pose, &e),
        pli_world_teleport(w, &teleport, &e),
        pli_world_set_origin(w, origin, &e),
        pli_world_set_settings(w, &settings, &e),
        pli_world_snapshot_read(w, s->bytes, s->size, &e),
        pli_world_step(w, 0.01f, &e),
        pli_worlds_step(&w, 1, 0.01f, 1, statuses, &e),
        pli_attachment_destroy(w, s->attachment, &e),
        pli_constraints_destroy(w, s->set, &e),
        pli_collider_destroy(w, s->ball, &e),
        pli_collider_destroy(w, s->animated, &e),
        pli_rigid_body_destroy(w, s->body, &e),
        pli_deformable_destroy(w, s->other, &e),
        pli_deformable_destroy(w, s->cloth, &e),
    };
    int32_t no = 0;
    for (int32_t i = 0; i < COUNT_OF(results); i++) {
        no += results[i] == PLI_STATUS_INVALID_ARGUMENT;
        if (results[i] != PLI_STATUS_INVALID_ARGUMENT)
            holds(false, "call %d gives %s", (int)i, pli_status_name(results[i]));
    }
    holds(strstr(e.message, "callback") != NULL, "the message is '%.200s'", e.message);
    *count = COUNT_OF(results);
    return no;
}

static void meddle(void *user)
{
    scene *s = user;
    int32_t count;
    if (!s || !s->meddles || s->tries >= 3)
        return;
    s->tries++;
    holds(pli_world_is_in_call(s->world), "the world says within a callback that it is in no call");
    const int32_t no = refused(s, &count);
    holds(no == count, "%d of %d calls are refused", (int)no, (int)count);
    pli_world_destroy(s->world);
    pli_world_set_air_field(s->world, NULL, NULL);
    pli_world_set_contact_filter(s->world, NULL, NULL);
    pli_world_set_topology_callback(s->world, NULL, NULL);
    pli_world_set_substep_callback(s->world, NULL, NULL);
    pli_world_set_trace(s->world, NULL, NULL);
}

/* ---- the callbacks -------------------------------------------------------------------------------- */

static bool in_air(void *user, double time, const float *points, float *velocities, int32_t count)
{
    (void)time, (void)points, (void)velocities, (void)count;
    meddle(user);
    return true;
}

static bool in_filter(void *user, const pli_contact_side *a, const pli_contact_side *b)
{
    (void)a, (void)b;
    meddle(user);
    return true;
}

static void in_topology(void *user, pli_deformable deformable, const pli_topology_change *change)
{
    (void)deformable, (void)change;
    meddle(user);
}

// Poses of bodies may be set here, which is what it is for.
static void in_substep(void *user, pli_world *world, float step)
{
    const scene *s = user;
    pli_rigid_state state;
    (void)step;
    must(pli_rigid_body_get_state(world, s->body, &state, &problem));
    must(pli_rigid_body_set_state(world, s->body, &state, false, &problem));
    meddle(user);
}

static void in_trace(void *user, const pli_world *world, const pli_trace_point *point)
{
    (void)world, (void)point;
    meddle(user);
}

static bool in_source(void *user, double time, float *positions)
{
    (void)time, (void)positions;
    meddle(user);
    return false;
}

static pli_status in_generator(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    meddle(current);
    const int32_t *edges = pli_mesh_topology(mesh)->edges;
    return pli_stencils_fill(stencils, 2, edges, NULL, 8, error);
}

static bool in_rest(const pli_stencil *stencil, float *rest)
{
    meddle(current);
    rest[0] = (float)distance(vec_of(stencil->positions[0]), vec_of(stencil->positions[1]));
    return true;
}

static void in_evaluate(const pli_stencil *stencil, double *values, double *gradients)
{
    meddle(current);
    vec d = sub(vec_of(stencil->positions[0]), vec_of(stencil->positions[1])), n = unit(d);
    values[0] = length(d) - (double)stencil->rest[0];
    const double both[6] = {n.x, n.y, n.z, -n.x, -n.y, -n.z};
    if (gradients)
        memcpy(gradients, both, sizeof both);
}

static void in_log(void *user, pli_log_level level, const char *message)
{
    (void)user, (void)level, (void)message;
    meddle(current);
}

static void *in_allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    meddle(current);
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void in_release(void *user, void *memory, size_t size)
{
    (void)user, (void)size;
    meddle(current);
    free(memory);
}

/* ---- the scene ------------------------------------------------------------------------------------- */

// Cloth that tears, in the air, over a ball and a sheet that is animated, with a body; more work than the budget has, so that a warning is
// logged.
static void open_scene(scene *s, const pli_hooks *hooks)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    def.settings.air_density = 1.2f;
    if (hooks)
        def.hooks = *hooks;
    *s = (scene){.world = world_from(&def), .mesh = mesh_grid(SIDE, SIDE, 0.4, PLI_GRID_ALTERNATING)};
    static const pli_constraint_type type = {.name = "own",
                                             .summary = "a distance",
                                             .formula = "C = |x1 - x2| - l0",
                                             .source = "this test",
                                             .unit = "m",
                                             .generator = "own",
                                             .cardinality = 2,
                                             .dimension = 1,
                                             .rest_count = 1,
                                             .rest = in_rest,
                                             .evaluate = in_evaluate};
    static const pli_generator generator = {
        .name = "own", .summary = "some edges", .source = "this test", .cardinality = 2, .generate = in_generator};
    must(pli_world_register_type(s->world, &type, &problem));
    must(pli_world_register_generator(s->world, &generator, &problem));
    pli_deformable_def cloth = pli_deformable_def_default();
    cloth.mesh = s->mesh, cloth.thickness = 0.01f;
    must(pli_deformable_create(s->world, &cloth, &s->other, &problem));
    cloth.pose.position.y = 0.02f;
    cloth.tearing = (pli_tearing){.stretch = 1.01f, .force = INFINITY, .max_tears = 4};
    must(pli_deformable_create(s->world, &cloth, &s->cloth, &problem));
    constrain(s->world, s->other, "distance", NULL);
    s->set = constrain(s->world, s->cloth, "distance", NULL);
    attach_every(s->world, s->cloth, 0, SIDE, 1);
    const int32_t corner = COUNT - 1;
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = s->cloth, hold.particles = &corner, hold.particle_count = 1, hold.stretch = INFINITY;
    must(pli_attachment_create(s->world, &hold, &s->attachment, &problem));
    pli_collider_def ball = pli_collider_def_default();
    ball.shape = PLI_SHAPE_SPHERE, ball.radius = 0.1f, ball.pose.position.y = -0.105f;
    must(pli_collider_create(s->world, &ball, &s->ball, &problem));
    s->animated = mesh_collider(s->world, mesh_grid(SIDE, SIDE, 0.3, PLI_GRID_ALTERNATING),
                                pose_turned(0.0, (vec){0, 1, 0}, (vec){0.3, -0.02, 0}), 0.3);
    pli_rigid_body_def body = pli_rigid_body_def_default();
    body.state.pose.position.y = 2.0f;
    must(pli_rigid_body_create(s->world, &body, &s->body, &problem));
    s->bytes = snapshot_of(s->world, &s->size);
    current = s;
}

static void close_scene(scene *s)
{
    s->meddles = false;
    pli_world_destroy(s->world);
    pli_mesh_destroy(s->mesh);
    free(s->bytes);
    current = NULL;
}

enum { AIR = 1, FILTER = 2, TOPOLOGY = 4, SUBSTEP = 8, TRACE = 16, SOURCE = 32, GENERATOR = 64, OWN = 128, KINDS = 8 };

// Cuts, makes a set by the user's generator and one of the user's type, steps, asks. Returns the hash.
static uint64_t use(scene *s, int32_t kind)
{
    pli_world_set_air_field(s->world, kind & AIR ? in_air : NULL, s);
    pli_world_set_contact_filter(s->world, kind & FILTER ? in_filter : NULL, s);
    pli_world_set_topology_callback(s->world, kind & TOPOLOGY ? in_topology : NULL, s);
    pli_world_set_substep_callback(s->world, kind & SUBSTEP ? in_substep : NULL, s);
    pli_world_set_trace(s->world, kind & TRACE ? in_trace : NULL, s);
    must(pli_collider_set_source(s->world, s->animated, kind & SOURCE ? in_source : NULL, s, &problem));
    if (kind & GENERATOR)
        constrain(s->world, s->other, "distance", "own");
    if (kind & OWN) {
        pli_constraints own = constrain(s->world, s->other, "own", "edges");
        (void)residual_of(s->world, own);
    }
    pli_transform far = pli_transform_identity();
    far.position = (pli_vec3){0.2f, 0.0f, 0.3f};
    must(pli_attachment_set_pose(s->world, s->attachment, far, &problem));
    for (int32_t frame = 0; frame < 4; frame++)
        step(s->world, 1.0 / 60.0);
    holds(!pli_world_is_in_call(s->world), "the world says after its calls that it is in one");
    return pli_world_hash(s->world);
}

static void each_kind_of_callback_is_refused(void **state)
{
    (void)state;
    for (int32_t kind = 1; kind < 1 << KINDS; kind *= 2) {
        uint64_t hashes[2];
        for (int32_t i = 0; i < 2; i++) {
            scene s;
            open_scene(&s, NULL);
            s.meddles = i == 1;
            hashes[i] = use(&s, kind);
            holds(!s.meddles || s.tries > 0, "callback %d was never asked", (int)kind);
            close_scene(&s);
        }
        holds(hashes[0] == hashes[1], "callback %d: the world goes elsewhere", (int)kind);
    }
}

static void so_are_the_hooks(void **state)
{
    (void)state;
    pli_hooks hooks[] = {pli_hooks_default(), pli_hooks_default()};
    hooks[0].allocate = in_allocate, hooks[0].release = in_release;
    hooks[1].log = in_log;
    for (int32_t k = 0; k < COUNT_OF(hooks); k++) {
        uint64_t hashes[2];
        for (int32_t i = 0; i < 2; i++) {
            scene s;
            open_scene(&s, &hooks[k]);
            s.meddles = i == 1;
            // The ball leaps through the cloth's middle, which is more than can be done in time: a warning.
            pli_settings settings = pli_world_settings(s.world);
            settings.work_budget = 1.0f;
            must(pli_world_set_settings(s.world, &settings, &problem));
            s.tries = 0;
            pli_transform through = pli_transform_identity();
            through.position.y = 0.3f;
            must(pli_collider_set_pose(s.world, s.animated, through, &problem));
            hashes[i] = use(&s, GENERATOR);
            holds(!s.meddles || s.tries > 0, "hook %d was never called", (int)k);
            close_scene(&s);
        }
        holds(hashes[0] == hashes[1], "hook %d: the world goes elsewhere", (int)k);
    }
}

// Calls that were refused within a callback succeed after it.
static void the_same_is_taken_afterwards(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, NULL);
    s.meddles = true;
    use(&s, AIR | OWN);
    s.meddles = false;
    must(pli_attachment_destroy(s.world, s.attachment, &problem));
    must(pli_deformable_destroy(s.world, s.cloth, &problem));
    must(pli_collider_destroy(s.world, s.animated, &problem));
    must(pli_rigid_body_destroy(s.world, s.body, &problem));
    step(s.world, 1.0 / 60.0);
    close_scene(&s);
}

// A world that steps among others is not changed by the callbacks of one of them.
static void nor_is_another_world_of_the_same_step(void **state)
{
    (void)state;
    scene s[2];
    pli_status statuses[2];
    open_scene(&s[1], NULL);
    open_scene(&s[0], NULL);
    pli_world_set_air_field(s[0].world, in_air, &s[1]); // That of the first tries to change the second.
    s[1].meddles = true;
    pli_world *worlds[] = {s[0].world, s[1].world};
    must(pli_worlds_step(worlds, 2, 1.0f / 60.0f, 1, statuses, &problem));
    holds(s[1].tries > 0, "nothing was tried");
    close_scene(&s[1]);
    close_scene(&s[0]);
}

static void destroy_again(void *world) { pli_world_destroy(world); }

static void a_world_is_destroyed_once(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    must(pli_world_own(world, world, destroy_again, &problem));
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(each_kind_of_callback_is_refused), property(so_are_the_hooks),
        property(the_same_is_taken_afterwards),     property(nor_is_another_world_of_the_same_step),
        property(a_world_is_destroyed_once),
    };
    return cmocka_run_group_tests_name("callbacks", tests, NULL, NULL);
}
