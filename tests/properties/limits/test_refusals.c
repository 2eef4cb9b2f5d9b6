// Requests for memory that are refused one after the other, in small worlds that have every feature between them: each call says so and
// changes nothing, or does what it does with all memory.
#include "samples.h"
#include "worlds.h"

enum { MOST_ATTEMPTS = 4000, SIDE = 6, MOST_VERTICES = 256 };

// An allocator that counts what is held, and refuses one request.
typedef struct meter {
    int64_t calls, live, fail_at;
} meter;

static void *metered(void *user, size_t size, size_t alignment)
{
    meter *m = user;
    if (m->calls++ == m->fail_at)
        return NULL;
    m->live++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void given_back(void *user, void *memory, size_t size)
{
    meter *m = user;
    (void)size;
    m->live--;
    free(memory);
}

// Warnings of memory that is only desirable are expected.
static void no_log(void *user, pli_log_level level, const char *message) { (void)user, (void)level, (void)message; }

typedef struct stage {
    meter meter;
    pli_hooks hooks;
    pli_world_def def;
    pli_world *world;
    pli_mesh *mesh, *other;
    pli_deformable_def cloth_def;
    pli_deformable cloth;
    const char *type; // Of the set that is made next.
    pli_shape shape;  // Of the collider that is made next.
    pli_rigid_body body;
    pli_attachment hold;
    pli_collider surface;
    pli_constraints set;
    void *bytes; // A snapshot.
    size_t size;
    bool refused; // Whether the last attempt was refused something.
    float values[3 * MOST_VERTICES];
} stage;

// A call that may need memory, and what takes back what it did.
typedef pli_status (*act)(stage *s);

/* ---- each request once -------------------------------------------------------------------------- */

static int32_t things_in(const pli_world *world)
{
    return pli_world_deformable_count(world) + pli_world_constraints_count(world) + pli_world_collider_count(world) +
           pli_world_attachment_count(world) + pli_world_rigid_body_count(world);
}

static void keep(stage *s)
{
    free(s->bytes);
    s->size = pli_world_snapshot_size(s->world);
    s->bytes = malloc(s->size);
    must(pli_world_snapshot_write(s->world, s->bytes, s->size, &problem));
}

static pli_status go_back(stage *s) { return pli_world_snapshot_read(s->world, s->bytes, s->size, &problem); }

// Attempts until nothing is refused any more: the first request, the second and so on. An attempt that leaves more to the next one than all
// before, such as what a step has built already, begins the count anew. What succeeds without memory that is only desirable is taken back, and has come to the same bits.
static void refuse_each(stage *s, const char *what, act attempt, act take_back)
{
    int64_t attempts = 0, most = s->meter.live;
    uint64_t hash_without = 0;
    int32_t vertices_without = 0;
    bool went_without = false;
    s->refused = true;
    for (int64_t n = 0; s->refused && attempts < MOST_ATTEMPTS; attempts++) {
        const uint64_t before = pli_world_hash(s->world);
        const int32_t things = things_in(s->world);
        s->meter.fail_at = s->meter.calls + n;
        const pli_status status = attempt(s);
        s->refused = s->meter.calls > s->meter.fail_at;
        s->meter.fail_at = -1;
        holds(status == PLI_STATUS_OK || (s->refused && status == PLI_STATUS_OUT_OF_MEMORY),
              "%s, request %lld: %s, %.150s", what, (long long)n, pli_status_name(status), problem.message);
        if (status) {
            holds(pli_world_hash(s->world) == before && things_in(s->world) == things,
                  "%s, request %lld: something has changed", what, (long long)n);
        } else if (s->refused) {
            hash_without = pli_world_hash(s->world), went_without = true;
            vertices_without = pli_deformable_vertex_count(s->world, s->cloth);
            must(take_back ? take_back(s) : PLI_STATUS_OK);
        }
        n = status && s->meter.live > most ? 0 : n + 1;
        most = s->meter.live > most ? s->meter.live : most;
    }
    holds(attempts < MOST_ATTEMPTS, "%s: %lld attempts", what, (long long)attempts);
    // What should tear waits for memory.
    holds(!went_without || hash_without == pli_world_hash(s->world) ||
              vertices_without < pli_deformable_vertex_count(s->world, s->cloth),
          "%s: other bits without memory that is only desirable", what);
}

/* ---- calls ---------------------------------------------------------------------------------------- */

static pli_status make_cloth(stage *s) { return pli_deformable_create(s->world, &s->cloth_def, &s->cloth, &problem); }
static pli_status drop_cloth(stage *s) { return pli_deformable_destroy(s->world, s->cloth, &problem); }

static pli_status make_set(stage *s)
{
    pli_constraints_def def = pli_constraints_def_default();
    def.deformable = s->cloth, def.type = s->type, def.name = "a name";
    def.keep_lambda = true;
    return pli_constraints_create(s->world, &def, &s->set, &problem);
}
static pli_status drop_set(stage *s) { return pli_constraints_destroy(s->world, s->set, &problem); }

static pli_status make_hold(stage *s)
{
    static const int32_t corners[] = {0, 1, SIDE - 1};
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = s->cloth, def.particles = corners, def.particle_count = 3;
    return pli_attachment_create(s->world, &def, &s->hold, &problem);
}

static pli_status make_soft_hold(stage *s)
{
    static const int32_t corner[] = {SIDE + 2};
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = s->cloth, def.particles = corner, def.particle_count = 1;
    def.fixed = false, def.compliance = 1e-3;
    return pli_attachment_create(s->world, &def, &s->hold, &problem);
}

static pli_status make_carried(stage *s)
{
    static const int32_t corner[] = {2 * SIDE + 2};
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = s->cloth, def.particles = corner, def.particle_count = 1;
    def.body = s->body;
    return pli_attachment_create(s->world, &def, &s->hold, &problem);
}
static pli_status drop_hold(stage *s) { return pli_attachment_destroy(s->world, s->hold, &problem); }

static pli_status make_body(stage *s)
{
    pli_rigid_body_def def = pli_rigid_body_def_default();
    def.name = "a body", def.state.pose.position = (pli_vec3){0.3f, 0.5f, 0.0f};
    return pli_rigid_body_create(s->world, &def, &s->body, &problem);
}
static pli_status drop_body(stage *s) { return pli_rigid_body_destroy(s->world, s->body, &problem); }

static pli_status make_surface(stage *s)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = s->shape, def.mesh = s->shape == PLI_SHAPE_HULL || s->shape == PLI_SHAPE_MESH ? s->other : NULL;
    def.radius = def.half_height = 0.1f;
    def.half_extents = (pli_vec3){0.1f, 0.1f, 0.1f};
    def.pose.position.y = -0.2f;
    def.body = s->shape == PLI_SHAPE_BOX ? s->body : (pli_rigid_body){0};
    return pli_collider_create(s->world, &def, &s->surface, &problem);
}
static pli_status drop_surface(stage *s) { return pli_collider_destroy(s->world, s->surface, &problem); }

static pli_status take_step(stage *s) { return pli_world_step(s->world, 1.0f / 60.0f, &problem); }

static pli_status cut_in_two(stage *s)
{
    pli_cut_def cut = pli_cut_def_default();
    cut.normal = (pli_vec3){1.0f, 0.0f, 0.3f};
    return pli_deformable_cut(s->world, s->cloth, &cut, NULL, &problem);
}

static pli_status see_mesh(stage *s)
{
    const pli_mesh *mesh;
    return pli_deformable_get_mesh(s->world, s->cloth, &mesh, &problem);
}

static pli_status move_origin(stage *s)
{
    const double origin[3] = {40.0, 0.0, 0.0};
    return pli_world_set_origin(s->world, origin, &problem);
}

static pli_status jump(stage *s)
{
    pli_teleport_def def = pli_teleport_def_default();
    def.everything = true, def.to.position.x = 3.0f;
    return pli_world_teleport(s->world, &def, &problem);
}

static pli_status reset(stage *s) { return pli_deformable_reset(s->world, s->cloth, NULL, &problem); }

static pli_status bend_surface(stage *s)
{
    return pli_collider_set_vertices(s->world, s->surface, s->values, pli_mesh_topology(s->other)->vertex_count,
                                     &problem);
}

static pli_status measure_all(stage *s)
{
    pli_status status = PLI_STATUS_OK;
    float values[MOST_VERTICES];
    for (int32_t i = 0; i < PLI_MEASURE_COUNT && !status; i++)
        status = pli_deformable_measure(s->world, s->cloth, (pli_measure)i, values, MOST_VERTICES, &problem);
    return status;
}

static pli_status weigh_plate(stage *s)
{
    double energy;
    return pli_deformable_get_plate_energy(s->world, s->cloth, &energy, &problem);
}

static pli_status take_hold(stage *s)
{
    pli_grab_def def = pli_grab_def_default();
    pli_grab grab;
    def.deformable = s->cloth, def.vertex = 3 * SIDE + 3;
    const pli_status status = pli_grab_begin(s->world, &def, &grab, &problem);
    s->hold = grab.attachment;
    return status;
}

// Others than those that it holds, in the frame as it is.
static pli_status hold_others(stage *s)
{
    static const int32_t others[] = {3, 4};
    pli_attachment_def def;
    must(pli_attachment_get_def(s->world, s->hold, &def, &problem));
    def.particles = others, def.particle_count = 2;
    return pli_attachment_set_def(s->world, s->hold, &def, &problem);
}

static pli_status soften_hold(stage *s)
{
    pli_attachment_def def;
    must(pli_attachment_get_def(s->world, s->hold, &def, &problem));
    def.fixed = false, def.compliance = 1e-3;
    return pli_attachment_set_def(s->world, s->hold, &def, &problem);
}

static pli_status change_shape(stage *s)
{
    pli_collider_def def;
    must(pli_collider_get_def(s->world, s->surface, &def, &problem));
    def.shape = s->shape, def.mesh = s->shape == PLI_SHAPE_HULL || s->shape == PLI_SHAPE_MESH ? s->other : NULL;
    return pli_collider_set_def(s->world, s->surface, &def, &problem);
}

static pli_status change_cloth(stage *s)
{
    pli_deformable_def def;
    must(pli_deformable_get_def(s->world, s->cloth, &def, &problem));
    def.name = "another name";
    def.plate.rigidity = def.plate.rigidity > 0.0f ? 0.0f : 1e-4f;
    def.self_collision = !def.self_collision;
    return pli_deformable_set_def(s->world, s->cloth, &def, &problem);
}

static pli_status let_tear(stage *s)
{
    const pli_tearing tearing = {.stretch = 3.0f, .force = INFINITY, .max_tears = 4};
    return pli_deformable_set_tearing(s->world, s->cloth, &tearing, &problem);
}

static pli_status change_stretch(stage *s)
{
    pli_stretch now;
    must(pli_deformable_get_stretch(s->world, s->cloth, NULL, &now, &problem));
    return pli_deformable_set_stretch(s->world, s->cloth,
                                      now == PLI_STRETCH_SOLVED ? PLI_STRETCH_SWEPT : PLI_STRETCH_SOLVED, &problem);
}

static pli_status change_order(stage *s)
{
    pli_settings settings = pli_world_settings(s->world);
    settings.integrator = settings.integrator == PLI_INTEGRATOR_BDF2 ? PLI_INTEGRATOR_EULER : PLI_INTEGRATOR_BDF2;
    settings.sleep_speed = 0.01f;
    return pli_world_set_settings(s->world, &settings, &problem);
}

#define PAINT(name, value)                                                                                             \
    static pli_status paint_##name(stage *s)                                                                           \
    {                                                                                                                  \
        for (int32_t i = 0; i < MOST_VERTICES; i++)                                                                    \
            s->values[i] = (value) * (1.0f + 0.01f * (float)i);                                                        \
        return pli_deformable_paint(s->world, s->cloth, #name, PLI_ELEMENT_FACE, s->values,                            \
                                    pli_mesh_topology(s->mesh)->face_count, &problem);                                 \
    }
PAINT(density, 0.2f)
PAINT(friction, 0.2f)
PAINT(rigidity, 1e-4f)
PAINT(drag, 1.0f)
PAINT(thickness, 0.005f)
PAINT(pressure, 1.0f)
PAINT(yield, 2.0f)
PAINT(hardening, 0.5f)
PAINT(damping, 1.0f)

static pli_status paint_stiffness(stage *s)
{
    for (int32_t i = 0; i < MOST_VERTICES; i++)
        s->values[i] = 1.0f + 0.01f * (float)i;
    return pli_constraints_paint(s->world, pli_world_constraints_at(s->world, 0), "stiffness", PLI_ELEMENT_FACE,
                                 s->values, pli_mesh_topology(s->mesh)->face_count, &problem);
}

static pli_status set_tensile_stiffness(stage *s)
{
    return pli_constraints_set_tensile_stiffness(s->world, pli_world_constraints_at(s->world, 0), 1000.0, &problem);
}

/* ---- meshes -------------------------------------------------------------------------------------- */

// A mesh is made or memory is missing.
static pli_status drop(pli_status status, pli_mesh *mesh)
{
    holds((status == PLI_STATUS_OK) == (mesh != NULL), "%s and a mesh", pli_status_name(status));
    pli_mesh_destroy(mesh);
    return status;
}

static pli_status make_grids(stage *s)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i <= PLI_GRID_CROSSED && !status; i++) {
        pli_mesh *mesh = NULL;
        status = pli_mesh_create_grid_with(&s->hooks, 5, 4, 1.0f, 1.0f, (pli_grid_pattern)i, &mesh, &problem);
        drop(status, mesh);
    }
    return status;
}

static pli_status make_ball(stage *s)
{
    pli_mesh *mesh = NULL;
    const pli_status status = pli_mesh_create_sphere_with(&s->hooks, 1, 1.0f, &mesh, &problem);
    return drop(status, mesh);
}

static pli_status make_box(stage *s)
{
    pli_mesh *mesh = NULL;
    const pli_status status = pli_mesh_create_box_with(&s->hooks, (pli_vec3){1.0f, 1.0f, 1.0f}, &mesh, &problem);
    return drop(status, mesh);
}

static pli_status make_tube(stage *s)
{
    pli_mesh *mesh = NULL;
    const pli_status status = pli_mesh_create_tube_with(&s->hooks, 6, 4, 1.0f, 1.0f, true, PLI_GRID_QUADS, &mesh,
                                                        &problem);
    return drop(status, mesh);
}

static pli_status make_hull(stage *s)
{
    const pli_topology *t = pli_mesh_topology(s->other);
    pli_mesh *mesh = NULL;
    const pli_status status = pli_mesh_create_hull_with(&s->hooks, t->positions, t->vertex_count, &mesh, &problem);
    return drop(status, mesh);
}

static pli_status make_plant(stage *s)
{
    pli_plant_def def = pli_plant_def_default();
    pli_mesh *mesh = NULL;
    def.hooks = s->hooks, def.branches = 2, def.segments = 2;
    const pli_status status = pli_mesh_create_plant(&def, &mesh, &problem);
    return drop(status, mesh);
}

// Of a mesh whose memory is metered, as its generators' is.
static pli_status make_stencils(stage *s)
{
    pli_stencils stencils = {0};
    const pli_status status = pli_stencils_generate(s->mesh, s->type, &stencils, &problem);
    pli_stencils_release(&stencils);
    return status;
}

static void meshes_without_memory(void **state)
{
    (void)state;
    stage *s = calloc(1, sizeof *s);
    s->meter.fail_at = -1;
    s->hooks = pli_hooks_default();
    s->hooks.allocate = metered, s->hooks.release = given_back, s->hooks.user = &s->meter;
    s->world = plain_world(PLI_METHOD_XPBD);
    s->other = mesh_ball(1, 0.1);
    const act makers[] = {make_grids, make_ball, make_box, make_tube, make_hull, make_plant};
    for (int32_t i = 0; i < COUNT_OF(makers); i++)
        refuse_each(s, "mesh", makers[i], NULL);
    near((double)s->meter.live, 0.0, 0.0, "blocks left");
    must(pli_mesh_create_sphere_with(&s->hooks, 1, 1.0f, &s->mesh, &problem));
    for (int32_t i = 0; i < pli_generator_count(); i++) {
        s->type = pli_generator_at(i)->name;
        refuse_each(s, s->type, make_stencils, NULL);
    }
    pli_mesh_destroy(s->mesh);
    near((double)s->meter.live, 0.0, 0.0, "blocks left");
    pli_mesh_destroy(s->other);
    pli_world_destroy(s->world);
    free(s);
}

/* ---- worlds --------------------------------------------------------------------------------------- */

// A small world by what its cloth has.
typedef struct kind {
    const char *name;
    const char *types[3];
    pli_stretch stretch;
    pli_order order;
    pli_method method;
    bool even, plated, tears, meets_itself, by_particles, bdf2;
} kind;

static const kind kinds[] = {
    {.name = "edges", .types = {"distance", "dihedral"}},
    {.name = "grid", .types = {"distance", "opposite_distance"}, .even = true},
    {.name = "rings", .types = {"distance", "ring_laplacian"}, .meets_itself = true},
    {.name = "sticks", .types = {"distance", "stick"}, .bdf2 = true},
    {.name = "membrane", .types = {"membrane", "isometric"}, .stretch = PLI_STRETCH_SOLVED, .meets_itself = true},
    {.name = "plate", .types = {"distance"}, .plated = true},
    {.name = "tears", .types = {"distance", "dihedral", "ring_laplacian"}, .tears = true, .meets_itself = true},
    {.name = "balls", .types = {"distance"}, .meets_itself = true, .by_particles = true},
    {.name = "sequence", .types = {"distance", "triangle", "ring_laplacian"}, .order = PLI_ORDER_SEQUENTIAL},
    {.name = "pbd", .types = {"distance", "triangle_signed"}, .method = PLI_METHOD_PBD},
};

static stage *stage_of(const kind *k)
{
    stage *s = calloc(1, sizeof *s);
    s->meter.fail_at = -1;
    s->hooks = pli_hooks_default();
    s->hooks.allocate = metered, s->hooks.release = given_back, s->hooks.log = no_log, s->hooks.user = &s->meter;
    s->def = pli_world_def_default();
    s->def.hooks = s->hooks;
    s->def.order = k->order;
    s->def.settings.method = k->method;
    s->def.settings.substeps = 2;
    s->def.settings.damping = 1.0f;
    s->def.settings.air_density = 1.2f;
    s->def.settings.gust_strength = 0.5f;
    s->def.settings.integrator = k->bdf2 ? PLI_INTEGRATOR_BDF2 : PLI_INTEGRATOR_EULER;
    s->world = world_from(&s->def);
    s->mesh = k->even ? mesh_grid(SIDE, SIDE, 1.0, PLI_GRID_DIAGONAL) : mesh_hilly(SIDE);
    s->other = mesh_ball(1, 0.1);
    s->cloth_def = pli_deformable_def_default();
    s->cloth_def.mesh = s->mesh, s->cloth_def.name = "cloth";
    s->cloth_def.keep_previous = true;
    s->cloth_def.self_collision = k->meets_itself;
    s->cloth_def.self_contact = k->by_particles ? PLI_SELF_CONTACT_PARTICLES : PLI_SELF_CONTACT_SURFACES;
    s->cloth_def.stretch = k->stretch;
    if (k->plated)
        s->cloth_def.plate = (pli_plate){.rigidity = 1e-4f, .poisson = 0.3f, .yield = 3.0f, .hardening = 0.5f};
    if (k->tears)
        s->cloth_def.tearing.stretch = 1.05f;
    return s;
}

static void end(stage *s)
{
    pli_world_destroy(s->world);
    near((double)s->meter.live, 0.0, 0.0, "blocks left");
    pli_mesh_destroy(s->mesh);
    pli_mesh_destroy(s->other);
    free(s->bytes);
    free(s);
}

// The first step builds what later ones use; the state from before it is come back to where memory was wanting.
static void take_steps(stage *s, const char *what, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        keep(s);
        refuse_each(s, what, take_step, go_back);
    }
}

static pli_status let_go(stage *s)
{
    while (pli_world_attachment_count(s->world) > 0)
        must(pli_attachment_destroy(s->world, pli_world_attachment_at(s->world, 0), &problem));
    return PLI_STATUS_OK;
}

static void change_what_lives(stage *s)
{
    s->hold = pli_world_attachment_at(s->world, 2);
    refuse_each(s, "other particles", hold_others, NULL);
    refuse_each(s, "soft", soften_hold, NULL);
    s->shape = PLI_SHAPE_HULL;
    refuse_each(s, "a hull", change_shape, NULL);
    s->shape = PLI_SHAPE_MESH;
    refuse_each(s, "a mesh", change_shape, NULL);
    refuse_each(s, "definition", change_cloth, NULL);
    refuse_each(s, "stretch", change_stretch, NULL);
    refuse_each(s, "settings", change_order, NULL);
    if (s->def.settings.method == PLI_METHOD_XPBD)
        refuse_each(s, "tearing", let_tear, NULL);
    // Attachments of the snapshot come back, with those that are gone by now.
    keep(s);
    const int32_t count = pli_world_attachment_count(s->world);
    must(let_go(s));
    refuse_each(s, "going back over attachments", go_back, let_go);
    near(pli_world_attachment_count(s->world), count, 0.0, "attachments");
}

// Makes what is in the world.
static void make_all(stage *s, const kind *k, bool all_shapes)
{
    refuse_each(s, "cloth", make_cloth, drop_cloth);
    for (int32_t i = 0; i < COUNT_OF(k->types) && k->types[i]; i++) {
        s->type = k->types[i];
        refuse_each(s, s->type, make_set, drop_set);
    }
    refuse_each(s, "soft hold", make_soft_hold, drop_hold);
    refuse_each(s, "body", make_body, drop_body);
    refuse_each(s, "carried", make_carried, drop_hold);
    refuse_each(s, "hold", make_hold, drop_hold);
    // The last surface is a mesh, which bends later.
    for (int32_t i = all_shapes ? 0 : PLI_SHAPE_COUNT; i <= PLI_SHAPE_COUNT; i++) {
        s->shape = i < PLI_SHAPE_COUNT ? (pli_shape)i : PLI_SHAPE_MESH;
        refuse_each(s, "surface", make_surface, drop_surface);
    }
}

static void whole_lives_without_memory(void **state)
{
    (void)state;
    for (int32_t i = 0; i < COUNT_OF(kinds); i++) {
        const kind *k = &kinds[i];
        stage *s = stage_of(k);
        make_all(s, k, i == 0);
        take_steps(s, k->name, 2);
        const pli_topology *t = pli_mesh_topology(s->other);
        memcpy(s->values, t->positions, sizeof(float) * 3 * (size_t)t->vertex_count);
        s->values[1] += 0.01f;
        refuse_each(s, "bend", bend_surface, NULL);
        refuse_each(s, "measures", measure_all, NULL);
        refuse_each(s, "energy", weigh_plate, NULL);
        refuse_each(s, "grab", take_hold, drop_hold);
        take_steps(s, k->name, 1);
        keep(s);
        refuse_each(s, "going back", go_back, NULL);
        refuse_each(s, "cut", cut_in_two, go_back);
        refuse_each(s, "mesh", see_mesh, NULL);
        take_steps(s, k->name, 1);
        keep(s);
        refuse_each(s, "going back", go_back, NULL);
        refuse_each(s, "origin", move_origin, NULL);
        refuse_each(s, "jump", jump, NULL);
        refuse_each(s, "reset", reset, NULL);
        take_steps(s, k->name, 1);
        change_what_lives(s);
        take_steps(s, k->name, 1);
        end(s);
    }
}

static void paint_without_memory(void **state)
{
    (void)state;
    for (int32_t i = 0; i < COUNT_OF(kinds); i++) {
        const kind *k = &kinds[i];
        stage *s = stage_of(k);
        must(make_cloth(s));
        for (int32_t t = 0; t < COUNT_OF(k->types) && k->types[t]; t++) {
            s->type = k->types[t];
            must(make_set(s));
        }
        if (strcmp(k->types[0], "distance") == 0)
            refuse_each(s, "tensile stiffness", set_tensile_stiffness, NULL);
        const act paints[] = {paint_density, paint_friction,  paint_drag,     paint_thickness, paint_pressure,
                              paint_damping, paint_stiffness, paint_rigidity, paint_yield,     paint_hardening};
        for (int32_t p = 0; p < COUNT_OF(paints) - (k->plated ? 0 : 3); p++)
            refuse_each(s, "paint", paints[p], NULL);
        take_steps(s, k->name, 2);
        end(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(meshes_without_memory),
        property(whole_lives_without_memory),
        property(paint_without_memory),
    };
    return cmocka_run_group_tests_name("refusals", tests, NULL, NULL);
}
