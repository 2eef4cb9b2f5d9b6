// Any bytes as calls of the interface: objects are made, moved, cut, saved and destroyed in any order between steps, and after
// each call everything that can be asked is asked, and in callbacks within a step too. Handles of destroyed objects are used on,
// numbers are NaN, infinite and at the ends of ranges, snapshots are damaged, and worlds step side by side.
#include <pliant/pliant.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS_MAX = 60, STEPS_MAX = 8, OBJECTS_MAX = 5 };

// The world and what was made in it, with the bytes that are left.
typedef struct run {
    const uint8_t *data;
    size_t size;
    pli_world *world, *other; // `other` is made when it is first stepped.
    pli_mesh *mesh;
    pli_deformable deformables[OBJECTS_MAX];
    pli_constraints sets[OBJECTS_MAX];
    pli_collider colliders[OBJECTS_MAX];
    pli_rigid_body bodies[OBJECTS_MAX];
    pli_attachment attachments[OBJECTS_MAX];
    int32_t step_count;
    void *snapshot;
    size_t snapshot_size;
} run;

static void no_log(void *user, pli_log_level level, const char *message) { (void)user, (void)level, (void)message; }

static int32_t take(run *r, int32_t count)
{
    if (r->size == 0)
        return 0;
    r->size--;
    return *r->data++ % count;
}

static pli_vec3 take_place(run *r)
{
    float x = 0.05f * (float)(take(r, 9) - 4), y = 0.02f * (float)(take(r, 9) - 4);
    return (pli_vec3){x, y, 0.05f * (float)(take(r, 9) - 4)};
}

static void make_deformable(run *r)
{
    int32_t at = take(r, OBJECTS_MAX), kind = take(r, 16);
    pli_deformable_def def = pli_deformable_def_default();
    pli_constraints_def set = pli_constraints_def_default();
    def.mesh = r->mesh;
    def.pose.position = take_place(r);
    def.self_collision = kind & 1;
    def.self_contact = kind & 2 ? PLI_SELF_CONTACT_PARTICLES : PLI_SELF_CONTACT_SURFACES;
    def.tearing.stretch = kind & 4 ? 1.02f : INFINITY;
    def.stretch = kind & 8 ? PLI_STRETCH_SWEPT : PLI_STRETCH_AUTO;
    if (pli_deformable_create(r->world, &def, &r->deformables[at], NULL) != PLI_STATUS_OK)
        return;
    set.deformable = r->deformables[at], set.type = "distance";
    pli_constraints_create(r->world, &set, &r->sets[at], NULL);
}

static void make_set(run *r)
{
    static const char *const types[] = {"dihedral", "isometric", "triangle_signed", "ring_laplacian"};
    pli_constraints_def def = pli_constraints_def_default();
    def.deformable = r->deformables[take(r, OBJECTS_MAX)];
    def.type = types[take(r, 4)];
    pli_constraints_create(r->world, &def, &r->sets[take(r, OBJECTS_MAX)], NULL);
}

static void make_collider(run *r)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = (pli_shape)take(r, PLI_SHAPE_COUNT);
    def.radius = 0.1f, def.half_height = 0.1f;
    def.half_extents = (pli_vec3){0.1f, 0.1f, 0.1f};
    def.mesh = def.shape == PLI_SHAPE_MESH || def.shape == PLI_SHAPE_HULL ? r->mesh : NULL;
    def.pose.position = take_place(r);
    if (take(r, 2))
        def.body = r->bodies[take(r, OBJECTS_MAX)];
    pli_collider_create(r->world, &def, &r->colliders[take(r, OBJECTS_MAX)], NULL);
}

static void make_body(run *r)
{
    pli_rigid_body_def def = pli_rigid_body_def_default();
    def.state.pose.position = take_place(r);
    pli_rigid_body_create(r->world, &def, &r->bodies[take(r, OBJECTS_MAX)], NULL);
}

static void make_attachment(run *r)
{
    int32_t particles[2] = {take(r, 16), 15};
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = r->deformables[take(r, OBJECTS_MAX)];
    def.particles = particles, def.particle_count = particles[0] < 15 ? 2 : 1;
    def.fixed = take(r, 2);
    def.compliance = 0.01;
    if (take(r, 2))
        def.body = r->bodies[take(r, OBJECTS_MAX)];
    pli_attachment_create(r->world, &def, &r->attachments[take(r, OBJECTS_MAX)], NULL);
}

static void step(run *r)
{
    if (r->step_count++ < STEPS_MAX)
        pli_world_step(r->world, 0.01f, NULL);
}

static void destroy_deformable(run *r) { pli_deformable_destroy(r->world, r->deformables[take(r, OBJECTS_MAX)], NULL); }

static void destroy_set(run *r) { pli_constraints_destroy(r->world, r->sets[take(r, OBJECTS_MAX)], NULL); }

static void destroy_collider(run *r) { pli_collider_destroy(r->world, r->colliders[take(r, OBJECTS_MAX)], NULL); }

static void destroy_body(run *r) { pli_rigid_body_destroy(r->world, r->bodies[take(r, OBJECTS_MAX)], NULL); }

static void destroy_attachment(run *r) { pli_attachment_destroy(r->world, r->attachments[take(r, OBJECTS_MAX)], NULL); }

static void cut(run *r)
{
    pli_cut_def def = pli_cut_def_default();
    def.normal = (pli_vec3){1.0f, 0.0f, 0.3f};
    def.point = take_place(r);
    pli_deformable_cut(r->world, r->deformables[take(r, OBJECTS_MAX)], &def, NULL, NULL);
}

static void set_tearing(run *r)
{
    const pli_tearing tearing = {.stretch = take(r, 2) ? 1.01f : INFINITY, .force = INFINITY, .max_tears = 3};
    pli_deformable_set_tearing(r->world, r->deformables[take(r, OBJECTS_MAX)], &tearing, NULL);
}

static void place_particle(run *r)
{
    pli_vec3 at = take_place(r);
    pli_deformable_set_positions(r->world, r->deformables[take(r, OBJECTS_MAX)], take(r, 16), 1, &at.x, NULL);
}

static void move_collider(run *r)
{
    pli_transform pose = pli_transform_identity();
    pose.position = take_place(r);
    pli_collider_set_pose(r->world, r->colliders[take(r, OBJECTS_MAX)], pose, NULL);
}

static void save(run *r)
{
    free(r->snapshot);
    r->snapshot_size = pli_world_snapshot_size(r->world);
    r->snapshot = malloc(r->snapshot_size);
    pli_world_snapshot_write(r->world, r->snapshot, r->snapshot_size, NULL);
}

static void restore(run *r)
{
    if (r->snapshot)
        pli_world_snapshot_read(r->world, r->snapshot, r->snapshot_size, NULL);
}

/* ---- numbers that no sensible host sends --------------------------------------------------------- */

static float take_number(run *r)
{
    static const float numbers[] = {0.0f, -1.0f, 1e-40f, 1e-9f, 0.01f, 1e3f, 1e6f, 1e15f, 1e30f, -1e30f, NAN, INFINITY};
    return numbers[take(r, sizeof numbers / sizeof *numbers)];
}

static void set_any_setting(run *r)
{
    const pli_descriptor_group *group = pli_descriptor_group_find("settings");
    const pli_property *property = &group->properties[take(r, group->property_count)];
    const int32_t kind = take(r, 3);
    pli_settings settings = pli_world_settings(r->world);
    const double number = (double)take_number(r), x = kind == 0   ? property->minimum
                                                      : kind == 1 ? property->initial
                                                                  : number;
    const double values[3] = {x, number, x};
    pli_property_write(property, &settings, values, NULL);
    settings.substeps = settings.substeps < 8 ? settings.substeps : 8;
    settings.iterations = settings.iterations < 8 ? settings.iterations : 8;
    pli_world_set_settings(r->world, &settings, NULL);
}

static void set_particle(run *r)
{
    const int32_t what = take(r, 4), particle = take(r, 18) - 1;
    const pli_deformable deformable = r->deformables[take(r, OBJECTS_MAX)];
    const float x = take_number(r), three[3] = {x, take_number(r), 0.0f};
    if (what == 0)
        pli_deformable_set_positions(r->world, deformable, particle, 1, three, NULL);
    if (what == 1)
        pli_deformable_set_velocities(r->world, deformable, particle, 1, three, NULL);
    if (what == 2)
        pli_deformable_set_inverse_masses(r->world, deformable, particle, 1, three, NULL);
    if (what == 3)
        pli_deformable_add_force(r->world, deformable, particle, (pli_vec3){three[0], three[1], three[2]}, NULL);
}

static void step_any(run *r)
{
    const float dt = take_number(r);
    if (take(r, 4) == 0)
        pli_world_cancel(r->world);
    if (r->step_count++ < STEPS_MAX)
        pli_world_step(r->world, dt, NULL);
}

static void let_sleep(run *r)
{
    pli_settings settings = pli_world_settings(r->world);
    settings.sleep_speed = take(r, 2) ? 10.0f : 0.0f;
    pli_world_set_settings(r->world, &settings, NULL);
}

// Beside another world, or in a list that has the same one twice.
static void step_together(run *r)
{
    pli_world_def def = pli_world_def_default();
    if (!r->other)
        pli_world_create(&def, &r->other, NULL);
    pli_world *worlds[2] = {r->world, take(r, 4) ? r->other : r->world};
    pli_status statuses[2];
    if (r->step_count++ < STEPS_MAX)
        pli_worlds_step(worlds, 2, 0.01f, 1 + take(r, 2), statuses, NULL);
}

static void restore_damaged(run *r)
{
    if (!r->snapshot || r->snapshot_size == 0)
        return;
    uint8_t *bytes = r->snapshot;
    const size_t at = (size_t)take(r, 256) * (size_t)take(r, 256) % r->snapshot_size;
    const uint8_t was = bytes[at];
    bytes[at] ^= (uint8_t)(1 + take(r, 255));
    pli_world_snapshot_read(r->world, bytes, r->snapshot_size, NULL);
    bytes[at] = was;
    pli_world_snapshot_read(r->world, bytes, at, NULL);
}

/* ---- questions ----------------------------------------------------------------------------------- */

static float sum_of(pli_view view)
{
    float sum = 0.0f;
    for (int32_t i = 0; i < view.count; i++)
        sum += pli_view_at(view, i)[0];
    return sum;
}

// Reads all that there is to read of the objects at `i`, alive or not.
static float ask_objects(const run *r, int32_t i)
{
    float values[64], sum = 0.0f;
    pli_residual residual;
    pli_transform pose;
    pli_rigid_state state;
    pli_vec3 normal;
    float distance;
    const pli_mesh *mesh;
    sum += sum_of(pli_deformable_positions(r->world, r->deformables[i]));
    sum += sum_of(pli_deformable_velocities(r->world, r->deformables[i]));
    sum += sum_of(pli_deformable_normals(r->world, r->deformables[i]));
    pli_deformable_statistics statistics;
    pli_deformable_get_statistics(r->world, r->deformables[i], &statistics, NULL);
    sum += (float)pli_deformable_mass(r->world, r->deformables[i]);
    for (int32_t m = 0; m < PLI_MEASURE_COUNT; m++)
        pli_deformable_measure(r->world, r->deformables[i], (pli_measure)m, values, 64, NULL);
    pli_deformable_get_mesh(r->world, r->deformables[i], &mesh, NULL);
    pli_constraints_get_residual(r->world, r->sets[i], &residual, NULL);
    sum += sum_of(pli_collider_vertices(r->world, r->colliders[i]));
    pli_collider_pose(r->world, r->colliders[i], &pose, NULL);
    pli_collider_ray(r->world, r->colliders[i], (pli_vec3){0, 1, 0}, (pli_vec3){0, -1, 0}, 2.0f, &distance, &normal);
    pli_rigid_body_get_state(r->world, r->bodies[i], &state, NULL);
    return sum;
}

static float ask(const run *r)
{
    pli_statistics statistics;
    pli_contact_point points[8];
    pli_ray_hit hit;
    int32_t count = 0;
    float sum = 0.0f;
    pli_world_get_statistics(r->world, &statistics);
    pli_world_contacts(r->world, points, 8, &count, NULL);
    pli_world_ray(r->world, (pli_vec3){0, 1, 0}, (pli_vec3){0, -1, 0}, 2.0f, UINT32_MAX, &hit);
    pli_world_hash(r->world);
    pli_world_snapshot_size(r->world);
    for (int32_t i = 0; i < OBJECTS_MAX; i++)
        sum += ask_objects(r, i);
    return sum;
}

/* ---- callbacks within a step --------------------------------------------------------------------- */

static void on_topology(void *user, pli_deformable deformable, const pli_topology_change *change)
{
    (void)deformable, (void)change;
    (void)ask(user);
}

static bool on_pair(void *user, const pli_contact_side *a, const pli_contact_side *b)
{
    const run *r = user;
    pli_statistics statistics;
    (void)a, (void)b;
    pli_world_get_statistics(r->world, &statistics);
    return true;
}

// It may take changes of the bodies, and set their states.
static void on_substep(void *user, pli_world *world, float step)
{
    const run *r = user;
    (void)step;
    for (int32_t i = 0; i < OBJECTS_MAX; i++) {
        pli_rigid_state state;
        if (pli_rigid_body_get_state(world, r->bodies[i], &state, NULL) == PLI_STATUS_OK)
            pli_rigid_body_set_state(world, r->bodies[i], &state, false, NULL);
    }
}

static bool on_air(void *user, double time, const float *points, float *velocities, int32_t count)
{
    (void)user, (void)time;
    for (int32_t i = 0; i < count; i++)
        velocities[3 * i] = points[3 * i] * 1e3f;
    return true;
}

static void on_trace(void *user, const pli_world *world, const pli_trace_point *point)
{
    (void)user, (void)point;
    (void)pli_world_hash(world);
}

static void set_callbacks(run *r)
{
    const int32_t which = take(r, 32);
    pli_world_set_topology_callback(r->world, which & 1 ? on_topology : NULL, r);
    pli_world_set_contact_filter(r->world, which & 2 ? on_pair : NULL, r);
    pli_world_set_substep_callback(r->world, which & 4 ? on_substep : NULL, r);
    pli_world_set_air_field(r->world, which & 8 ? on_air : NULL, r);
    pli_world_set_trace(r->world, which & 16 ? on_trace : NULL, r);
}

static void (*const calls[])(run *r) = {
    make_deformable,
    make_set,
    make_collider,
    make_body,
    make_attachment,
    step,
    step,
    destroy_deformable,
    destroy_set,
    destroy_collider,
    destroy_body,
    destroy_attachment,
    cut,
    set_tearing,
    place_particle,
    move_collider,
    save,
    restore,
};
enum { CALL_COUNT = sizeof calls / sizeof *calls };

// Bytes from FIRST_HOSTILE on, so that those below mean what they meant when the corpus was found.
static void (*const hostile_calls[])(run *r) = {
    set_any_setting, set_particle, step_any, let_sleep, step_together, restore_damaged, set_callbacks,
};
enum { HOSTILE_COUNT = sizeof hostile_calls / sizeof *hostile_calls, FIRST_HOSTILE = 12 * CALL_COUNT };

static void call_next(run *r)
{
    const int32_t byte = take(r, 256);
    if (byte < FIRST_HOSTILE)
        calls[byte % CALL_COUNT](r);
    else
        hostile_calls[(byte - FIRST_HOSTILE) % HOSTILE_COUNT](r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    run r = {.data = data, .size = size};
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = 2;
    def.thread_count = 1;
    def.hooks.log = no_log;
    volatile float sum = 0.0f;
    pli_mesh_create_grid(4, 4, 0.3f, 0.3f, PLI_GRID_ALTERNATING, &r.mesh, NULL);
    pli_world_create(&def, &r.world, NULL);
    for (int32_t i = 0; i < CALLS_MAX && r.size > 0; i++) {
        call_next(&r);
        sum = sum + ask(&r);
    }
    free(r.snapshot);
    pli_world_destroy(r.world);
    pli_world_destroy(r.other);
    pli_mesh_destroy(r.mesh);
    return 0;
}
