// Any bytes as definitions: every row of the descriptors of every object, flags among them, on every shape, static, posed, animated and
// carried by a body; then steps, other definitions of what lives, snapshots in between, cuts, and callbacks that destroy at random,
// which they must not be able to. The rows come from the tables, so that a new one is reached without an edit.
#include <pliant/pliant.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS_MAX = 40, STEPS_MAX = 6, EACH = 3, MESHES = 4, VERTICES = 25, ROWS_MAX = 4 };

typedef struct run {
    const uint8_t *data;
    size_t size;
    pli_world *world;
    pli_mesh *meshes[MESHES];
    pli_deformable deformables[EACH];
    pli_constraints sets[EACH];
    pli_collider colliders[EACH];
    pli_rigid_body bodies[EACH];
    pli_attachment attachments[EACH];
    int32_t step_count, asked;
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

static float take_number(run *r)
{
    static const float numbers[] = {0.0f, -1.0f, 1e-40f, 1e-9f, 0.01f,  0.5f, 3.0f,
                                    1e3f, 1e6f,  1e15f,  1e30f, -1e30f, NAN,  INFINITY};
    return numbers[take(r, sizeof numbers / sizeof *numbers)];
}

static pli_vec3 take_place(run *r)
{
    const float x = 0.05f * (float)(take(r, 9) - 4), y = 0.02f * (float)(take(r, 9) - 4);
    return (pli_vec3){x, y, 0.05f * (float)(take(r, 9) - 4)};
}

static pli_transform take_pose(run *r)
{
    pli_transform pose = pli_transform_identity();
    pose.position = take_place(r);
    if (take(r, 4) == 0)
        pose.rotation = (pli_quat){0.6f, 0.0f, 0.0f, 0.8f};
    return pose;
}

/* ---- definitions from the tables -------------------------------------------------------------------- */

static double take_value(run *r, const pli_property *p)
{
    const double values[] = {p->minimum,      p->maximum,      p->initial,
                             p->soft_minimum, p->soft_maximum, (double)take_number(r)};
    if (p->kind == PLI_PROPERTY_BOOLEAN)
        return take(r, 2);
    if (p->kind == PLI_PROPERTY_CHOICE && p->choices) {
        int32_t count = 0;
        while (p->choices[count].name)
            count++;
        return count ? take(r, count) : 0;
    }
    return values[take(r, 6)];
}

// Some rows of the group get other values; those that are refused stay.
static void spoil(run *r, const char *id, void *def)
{
    const pli_descriptor_group *group = pli_descriptor_group_find(id);
    for (int32_t i = take(r, ROWS_MAX + 1); group && i > 0; i--) {
        const pli_property *p = &group->properties[take(r, group->property_count)];
        double values[3];
        for (int32_t k = 0; k < 3; k++)
            values[k] = k == 0 || p->kind == PLI_PROPERTY_VECTOR ? take_value(r, p) : 0.0;
        pli_property_write(p, def, values, NULL);
    }
}

static void spoil_deformable(run *r, pli_deformable_def *def)
{
    spoil(r, "deformable", def);
    switch (take(r, 4)) {
    case 0:
        spoil(r, "tearing", &def->tearing);
        break;
    case 1:
        spoil(r, "plate", &def->plate);
        break;
    default:
        break;
    }
}

/* ---- callbacks ---------------------------------------------------------------------------------------- */

// Every one of them tries to destroy one thing of each kind, and all are to be refused.
static void destroy_all(run *r)
{
    const int32_t i = r->asked++ % EACH;
    const pli_status done[] = {
        pli_attachment_destroy(r->world, r->attachments[i], NULL), pli_constraints_destroy(r->world, r->sets[i], NULL),
        pli_collider_destroy(r->world, r->colliders[i], NULL),     pli_rigid_body_destroy(r->world, r->bodies[i], NULL),
        pli_deformable_destroy(r->world, r->deformables[i], NULL), pli_world_step(r->world, 0.01f, NULL)};
    for (size_t k = 0; k < sizeof done / sizeof *done; k++)
        if (done[k] != PLI_STATUS_INVALID_ARGUMENT)
            abort();
    pli_world_destroy(r->world);
}

static bool on_air(void *user, double time, const float *points, float *velocities, int32_t count)
{
    (void)time, (void)points;
    destroy_all(user);
    for (int32_t i = 0; i < count; i++)
        velocities[3 * i] = 1.0f;
    return true;
}

static bool on_pair(void *user, const pli_contact_side *a, const pli_contact_side *b)
{
    (void)a, (void)b;
    destroy_all(user);
    return true;
}

static void on_topology(void *user, pli_deformable deformable, const pli_topology_change *change)
{
    (void)deformable, (void)change;
    destroy_all(user);
}

static void on_substep(void *user, pli_world *world, float step)
{
    (void)world, (void)step;
    destroy_all(user);
}

static bool on_source(void *user, double time, float *positions)
{
    run *r = user;
    destroy_all(r);
    positions[0] += 0.01f * (float)sin(60.0 * time);
    return r->asked % 5 != 0;
}

static void set_callbacks(run *r)
{
    const int32_t which = take(r, 16);
    pli_world_set_air_field(r->world, which & 1 ? on_air : NULL, r);
    pli_world_set_contact_filter(r->world, which & 2 ? on_pair : NULL, r);
    pli_world_set_topology_callback(r->world, which & 4 ? on_topology : NULL, r);
    pli_world_set_substep_callback(r->world, which & 8 ? on_substep : NULL, r);
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

static void make_deformable(run *r)
{
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = r->meshes[take(r, MESHES)];
    def.pose = take_pose(r);
    def.thickness = 0.01f;
    spoil_deformable(r, &def);
    const int32_t at = take(r, EACH);
    if (pli_deformable_create(r->world, &def, &r->deformables[at], NULL) != PLI_STATUS_OK)
        return;
    pli_constraints_def set = pli_constraints_def_default();
    set.deformable = r->deformables[at], set.type = "distance";
    pli_constraints_create(r->world, &set, &r->sets[at], NULL);
}

static void make_set(run *r)
{
    pli_constraints_def def = pli_constraints_def_default();
    def.deformable = r->deformables[take(r, EACH)];
    def.type = pli_constraint_type_at(take(r, pli_constraint_type_count()))->name;
    def.keep_lambda = take(r, 2);
    if (take(r, 3) == 0)
        def.generator = pli_generator_at(take(r, pli_generator_count()))->name;
    pli_constraints set;
    if (pli_constraints_create(r->world, &def, &set, NULL) != PLI_STATUS_OK)
        return;
    r->sets[take(r, EACH)] = set;
    const pli_constraint_type *type = pli_constraint_type_find(def.type);
    for (int32_t i = take(r, 3); i > 0; i--) {
        const pli_property *p = pli_constraint_type_parameter(type, take(r, 8));
        if (p)
            pli_constraints_set_parameter(r->world, set, p->name, take_value(r, p), NULL);
    }
}

// A shape that is static, posed, animated, or carried.
static void make_collider(run *r)
{
    pli_collider_def def = pli_collider_def_default();
    def.radius = 0.1f, def.top_radius = 0.05f, def.half_height = 0.1f;
    def.half_extents = (pli_vec3){0.1f, 0.1f, 0.1f};
    def.pose = take_pose(r);
    spoil(r, "collider", &def);
    def.shape = (pli_shape)take(r, PLI_SHAPE_COUNT);
    def.one_sided = take(r, 2);
    def.mesh = take(r, 8) ? r->meshes[take(r, MESHES)] : NULL;
    if (def.shape != PLI_SHAPE_MESH && def.shape != PLI_SHAPE_HULL)
        def.mesh = NULL;
    if (take(r, 2))
        def.body = r->bodies[take(r, EACH)];
    pli_collider *at = &r->colliders[take(r, EACH)];
    if (pli_collider_create(r->world, &def, at, NULL) == PLI_STATUS_OK && take(r, 2))
        pli_collider_set_source(r->world, *at, on_source, r, NULL);
}

static void make_body(run *r)
{
    pli_rigid_body_def def = pli_rigid_body_def_default();
    def.state.pose = take_pose(r);
    if (take(r, 2))
        def.state.velocity = (pli_vec3){0.0f, -2.0f, 0.0f};
    if (take(r, 3) == 0)
        def.inverse_mass = take_number(r);
    def.respects_sleep = take(r, 2);
    pli_rigid_body_create(r->world, &def, &r->bodies[take(r, EACH)], NULL);
}

static void make_attachment(run *r)
{
    const int32_t particles[2] = {take(r, VERTICES), 3};
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = r->deformables[take(r, EACH)];
    def.particles = particles, def.particle_count = particles[0] == 3 ? 1 : 2;
    def.fixed = take(r, 2);
    def.enabled = take(r, 4) != 0;
    def.pose = take_pose(r);
    spoil(r, "attachment", &def);
    if (take(r, 2))
        def.body = r->bodies[take(r, EACH)];
    pli_attachment_create(r->world, &def, &r->attachments[take(r, EACH)], NULL);
}

static void change_deformable(run *r)
{
    pli_deformable_def def;
    const pli_deformable at = r->deformables[take(r, EACH)];
    if (pli_deformable_get_def(r->world, at, &def, NULL) != PLI_STATUS_OK)
        return;
    spoil_deformable(r, &def);
    pli_deformable_set_def(r->world, at, &def, NULL);
}

static void change_collider(run *r)
{
    pli_collider_def def;
    const pli_collider at = r->colliders[take(r, EACH)];
    if (pli_collider_get_def(r->world, at, &def, NULL) != PLI_STATUS_OK)
        return;
    spoil(r, "collider", &def);
    pli_collider_set_def(r->world, at, &def, NULL);
}

static void change_attachment(run *r)
{
    pli_attachment_def def;
    const pli_attachment at = r->attachments[take(r, EACH)];
    if (pli_attachment_get_def(r->world, at, &def, NULL) != PLI_STATUS_OK)
        return;
    spoil(r, "attachment", &def);
    def.enabled = take(r, 2);
    pli_attachment_set_def(r->world, at, &def, NULL);
}

// Limits that bound the time of an input stay small.
static void change_settings(run *r)
{
    pli_settings settings = pli_world_settings(r->world);
    spoil(r, "settings", &settings);
    spoil(r, "contact", &settings);
    settings.substeps = settings.substeps < 4 ? settings.substeps : 4;
    settings.iterations = settings.iterations < 3 ? settings.iterations : 3;
    settings.work_budget = fminf(settings.work_budget, 16.0f);
    pli_world_set_settings(r->world, &settings, NULL);
}

static void move(run *r)
{
    const int32_t at = take(r, EACH), count = pli_collider_vertices(r->world, r->colliders[at]).count;
    pli_collider_set_pose(r->world, r->colliders[at], take_pose(r), NULL);
    pli_attachment_set_pose(r->world, r->attachments[take(r, EACH)], take_pose(r), NULL);
    float *placed = calloc(3 * (size_t)count + 1, sizeof *placed);
    for (int32_t i = 0; i < 3 * count; i++)
        placed[i] = pli_view_at(pli_collider_vertices(r->world, r->colliders[at]), i / 3)[i % 3] +
                    0.02f * (float)(i % 3 == 1);
    if (take(r, 2))
        pli_collider_set_vertices(r->world, r->colliders[at], placed, count, NULL);
    free(placed);
}

static void step(run *r)
{
    if (r->step_count++ < STEPS_MAX)
        pli_world_step(r->world, 0.01f, NULL);
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

static void cut(run *r)
{
    pli_cut_def def = pli_cut_def_default();
    def.normal = (pli_vec3){1.0f, 0.0f, 0.3f};
    def.point = take_place(r);
    pli_deformable_cut(r->world, r->deformables[take(r, EACH)], &def, NULL, NULL);
}

static void destroy(run *r)
{
    const int32_t i = take(r, EACH);
    switch (take(r, 5)) {
    case 0:
        pli_deformable_destroy(r->world, r->deformables[i], NULL);
        break;
    case 1:
        pli_constraints_destroy(r->world, r->sets[i], NULL);
        break;
    case 2:
        pli_collider_destroy(r->world, r->colliders[i], NULL);
        break;
    case 3:
        pli_rigid_body_destroy(r->world, r->bodies[i], NULL);
        break;
    default:
        pli_attachment_destroy(r->world, r->attachments[i], NULL);
    }
}

static void teleport(run *r)
{
    pli_teleport_def def = pli_teleport_def_default();
    def.to = take_pose(r);
    def.everything = take(r, 2);
    def.keep_velocities = take(r, 2);
    def.deformables = r->deformables, def.deformable_count = take(r, EACH + 1);
    def.colliders = r->colliders, def.collider_count = take(r, EACH + 1);
    pli_world_teleport(r->world, &def, NULL);
}

static void (*const calls[])(run *r) = {make_deformable,
                                        make_set,
                                        make_collider,
                                        make_collider,
                                        make_body,
                                        make_attachment,
                                        change_deformable,
                                        change_collider,
                                        change_attachment,
                                        change_settings,
                                        move,
                                        step,
                                        step,
                                        step,
                                        save,
                                        restore,
                                        cut,
                                        destroy,
                                        teleport,
                                        set_callbacks};
enum { CALL_COUNT = sizeof calls / sizeof *calls };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    run r = {.data = data, .size = size};
    pli_world_def def = pli_world_def_default();
    def.thread_count = 1;
    def.hooks.log = no_log;
    def.settings.substeps = 2;
    def.settings.air_density = take(&r, 2) ? 1.2f : 0.0f;
    def.order = (pli_order)take(&r, 2);
    pli_mesh_create_grid(5, 5, 0.3f, 0.3f, PLI_GRID_ALTERNATING, &r.meshes[0], NULL);
    pli_mesh_create_sphere(0, 0.12f, &r.meshes[1], NULL);
    pli_mesh_create_box((pli_vec3){0.2f, 0.1f, 0.2f}, &r.meshes[2], NULL);
    pli_mesh_create_grid(2, 2, 0.2f, 0.2f, PLI_GRID_QUADS, &r.meshes[3], NULL);
    pli_world_create(&def, &r.world, NULL);
    make_deformable(&r);
    for (int32_t i = 0; i < CALLS_MAX && r.size > 0; i++)
        calls[take(&r, CALL_COUNT)](&r);
    step(&r);
    free(r.snapshot);
    pli_world_destroy(r.world);
    for (int32_t i = 0; i < MESHES; i++)
        pli_mesh_destroy(r.meshes[i]);
    return 0;
}
