// A restored world goes on to the same bits from every step of a run in which cloth tears, with every kind of contact: twins
// are restored from it in turn, run beside it for a few steps, and must have its hash after each.
#include "sheets.h"
#include "tears.h"

#include "pliant/rigid.h"

enum { SIDE = 13, STEPS = 26, TWINS = 3 };

// The things that the cloth which tears meets.
typedef struct meeting {
    const char *name;
    bool itself, particles, cloth, shapes, mesh, body;
    pli_order order;
    const char *stretch; // Type of its constraints; null: edges.
} meeting;

static const meeting meetings[] = {
    {.name = "itself by surfaces", .itself = true, .cloth = true},
    {.name = "itself by particles", .itself = true, .particles = true, .cloth = true, .shapes = true},
    {.name = "analytic shapes", .shapes = true},
    {.name = "a mesh that moves", .mesh = true},
    {.name = "shapes, by a membrane that is solved", .shapes = true, .stretch = "membrane"},
    {.name = "a rigid body", .itself = true, .body = true},
    {.name = "all", .itself = true, .cloth = true, .shapes = true, .mesh = true, .body = true},
    {.name = "all in sequence",
     .itself = true,
     .cloth = true,
     .shapes = true,
     .mesh = true,
     .body = true,
     .order = PLI_ORDER_SEQUENTIAL},
};

typedef struct place {
    pli_world *world;
    pli_mesh *meshes[3];
    pli_deformable torn;
    pli_attachment ends[2];
    pli_collider mover;
    pli_rigid_body body;
} place;

static void add_cloths(place *p, const meeting *m)
{
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = p->meshes[0];
    def.thickness = 0.02f;
    def.self_collision = m->itself;
    def.self_contact = m->particles ? PLI_SELF_CONTACT_PARTICLES : PLI_SELF_CONTACT_SURFACES;
    def.tearing = (pli_tearing){.stretch = 1.06f, .force = INFINITY, .max_tears = 12};
    must(pli_deformable_create(p->world, &def, &p->torn, &problem));
    if (m->stretch) { // As soft as rubber, so that it tears.
        const pli_constraints set = constrain(p->world, p->torn, m->stretch, NULL);
        tune(p->world, set, "warp", 50.0);
        tune(p->world, set, "weft", 50.0);
    } else {
        tune(p->world, constrain(p->world, p->torn, "distance", NULL), "compliance", 1e-7);
    }
    tune(p->world, constrain(p->world, p->torn, "dihedral", NULL), "compliance", 1e-3);
    if (m->cloth) {
        def.mesh = p->meshes[1];
        def.tearing = (pli_tearing){.stretch = INFINITY, .force = INFINITY, .max_tears = 1};
        def.pose.position = (pli_vec3){0.05f, 0.06f, 0.02f};
        pli_deformable other;
        must(pli_deformable_create(p->world, &def, &other, &problem));
        constrain(p->world, other, "distance", NULL);
    }
}

// Held at one end, softly at the other, and at the corner between by the body if there is one.
static void add_attachments(place *p, const meeting *m)
{
    int32_t rows[2][SIDE];
    for (int32_t i = 0; i < SIDE; i++)
        rows[0][i] = i, rows[1][i] = SIDE * (SIDE - 1) + i;
    for (int32_t k = 0; k < 2; k++) {
        pli_attachment_def hold = pli_attachment_def_default();
        hold.deformable = p->torn, hold.particles = rows[k], hold.particle_count = SIDE, hold.fixed = k == 0;
        must(pli_attachment_create(p->world, &hold, &p->ends[k], &problem));
    }
    if (!m->body)
        return;
    pli_rigid_body_def def = pli_rigid_body_def_default();
    def.inverse_mass = 2.0f;
    for (int32_t k = 0; k < 3; k++)
        def.inverse_inertia[k] = 40.0f;
    def.state.pose.position = (pli_vec3){0.0f, 0.2f, 0.0f};
    def.state.velocity = (pli_vec3){0.0f, -2.0f, 0.0f};
    must(pli_rigid_body_create(p->world, &def, &p->body, &problem));
    pli_collider_def carried = pli_collider_def_default();
    carried.shape = PLI_SHAPE_BOX;
    carried.half_extents = (pli_vec3){0.1f, 0.08f, 0.1f};
    carried.body = p->body;
    pli_collider collider;
    must(pli_collider_create(p->world, &carried, &collider, &problem));
    const int32_t tied = SIDE * (SIDE / 2);
    pli_attachment_def tie = pli_attachment_def_default();
    pli_attachment attachment;
    tie.deformable = p->torn, tie.particles = &tied, tie.particle_count = 1, tie.body = p->body;
    must(pli_attachment_create(p->world, &tie, &attachment, &problem));
}

static void add_colliders(place *p, const meeting *m)
{
    pli_collider_def def = pli_collider_def_default();
    pli_collider collider;
    if (m->mesh) {
        def.shape = PLI_SHAPE_MESH;
        def.mesh = p->meshes[2];
        def.pose.position = (pli_vec3){0.1f, -0.12f, 0.1f};
        must(pli_collider_create(p->world, &def, &p->mover, &problem));
    }
    if (m->shapes) {
        def = pli_collider_def_default();
        def.shape = PLI_SHAPE_SPHERE;
        def.radius = 0.12f;
        def.friction = 0.4f;
        def.pose.position = (pli_vec3){-0.1f, -0.15f, -0.1f};
        must(pli_collider_create(p->world, &def, &collider, &problem));
    }
}

static place open_place(const meeting *m, int32_t threads)
{
    pli_world_def def = tear_def(m->order);
    def.thread_count = threads;
    def.simd = threads > 1 ? PLI_SIMD_AUTO : PLI_SIMD_SCALAR;
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    place p = {.world = world_from(&def)};
    p.meshes[0] = mesh_grid(SIDE, SIDE, 0.6, PLI_GRID_ALTERNATING);
    p.meshes[1] = mesh_grid(9, 9, 0.4, PLI_GRID_DIAGONAL);
    must(pli_mesh_create_sphere(2, 0.1f, &p.meshes[2], &problem));
    add_cloths(&p, m);
    add_attachments(&p, m);
    add_colliders(&p, m);
    return p;
}

static void close_place(place *p)
{
    pli_world_destroy(p->world);
    for (int32_t i = 0; i < COUNT_OF(p->meshes); i++)
        pli_mesh_destroy(p->meshes[i]);
}

// A host's part of the step, which depends on the number of the step and the state of the world alone.
static void drive(place *p, const meeting *m)
{
    float t = (float)(pli_world_step_count(p->world) + 1);
    for (int32_t k = 0; k < 2; k++) {
        pli_transform pose = pli_transform_identity();
        pose.position.z = (k ? 0.004f : -0.004f) * t;
        pose.rotation = quat_about((vec){0, 0, 1}, (k ? 0.02 : -0.02) * (double)t);
        must(pli_attachment_set_pose(p->world, p->ends[k], pose, &problem));
    }
    if (m->mesh) {
        pli_transform pose = pli_transform_identity();
        pose.position = (pli_vec3){0.1f, -0.12f + 0.006f * t, 0.1f};
        must(pli_collider_set_pose(p->world, p->mover, pose, &problem));
    }
    if (m->body) {
        pli_rigid_state state;
        must(pli_rigid_body_get_state(p->world, p->body, &state, &problem));
        state.velocity.y -= 9.81f / 60.0f;
        must(pli_rigid_body_set_state(p->world, p->body, &state, false, &problem));
    }
    step(p->world, 1.0 / 60.0);
}

static void restore_from(pli_world *world, const pli_world *of)
{
    size_t size = pli_world_snapshot_size(of);
    void *bytes = malloc(size);
    must(pli_world_snapshot_write(of, bytes, size, &problem));
    must(pli_world_snapshot_read(world, bytes, size, &problem));
    free(bytes);
}

static void check_meeting(const meeting *m)
{
    place run = open_place(m, 1), twins[TWINS];
    int32_t whole = vertex_count_of(run.world, run.torn), contacts = 0, steps = shortened() ? 13 : STEPS;
    for (int32_t k = 0; k < TWINS; k++)
        twins[k] = open_place(m, 1 + k);
    for (int32_t i = 0; i < steps; i++) {
        // The twin whose turn it is goes back or forth to now, from three steps off.
        restore_from(twins[i % TWINS].world, run.world);
        drive(&run, m);
        contacts += statistics_of(run.world).contact_count;
        for (int32_t k = 0; k < TWINS && k <= i; k++) {
            drive(&twins[k], m);
            holds(pli_world_hash(twins[k].world) == pli_world_hash(run.world), "%s: step %d, restored %d before",
                  m->name, (int)i, (int)((i - k + TWINS) % TWINS));
        }
    }
    int32_t now = vertex_count_of(run.world, run.torn);
    holds(now > whole + 10 && contacts > 4 * steps, "%s: %d of %d vertices are torn, %d contacts", m->name,
          (int)(now - whole), (int)whole, (int)contacts);
    for (int32_t k = 0; k < TWINS; k++)
        close_place(&twins[k]);
    close_place(&run);
}

static void torn_worlds_go_on_from_every_step(void **state)
{
    (void)state;
    for (int32_t i = 0; i < COUNT_OF(meetings); i += shortened() ? 2 : 1)
        check_meeting(&meetings[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(torn_worlds_go_on_from_every_step),
    };
    return cmocka_run_group_tests_name("restored", tests, NULL, NULL);
}
