// Conventions of the public interface: the version of the headers, handles that belong to one world, rows that are copied, and meshes in the
// caller's memory.
#include "scenery.h"

#include <pliant/check.h>

/* ---- versions ---------------------------------------------------------------------------------- */

static void headers_of_another_version_are_refused(void **state)
{
    (void)state;
    const pli_world_def def = pli_world_def_default();
    pli_world *world = NULL;
    must(pli_world_create_version(PLI_VERSION_NUMBER, &def, &world, &problem));
    pli_world_destroy(world);
    holds(pli_world_create_version(PLI_VERSION_NUMBER + 100, &def, &world, &problem) == PLI_STATUS_UNSUPPORTED &&
              !world && strstr(problem.message, pli_version()) && strstr(problem.message, "0.2.0"),
          "another version: %.150s", problem.message);
    pli_text_release(NULL);
}

/* ---- handles ----------------------------------------------------------------------------------- */

#define not_found(call) holds((call) == PLI_STATUS_NOT_FOUND, "%s", #call)

static pli_world *furnished(pli_mesh *mesh)
{
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    const int32_t corner[1] = {0};
    pli_deformable body = deform(world, mesh, NULL);
    constrain(world, body, "distance", NULL);
    pli_collider_def collider = pli_collider_def_default();
    pli_collider made;
    must(pli_collider_create(world, &collider, &made, &problem));
    pli_rigid_body_def rigid = pli_rigid_body_def_default();
    pli_rigid_body carrier;
    must(pli_rigid_body_create(world, &rigid, &carrier, &problem));
    pli_attachment_def hold = pli_attachment_def_default();
    pli_attachment held;
    hold.deformable = body, hold.particles = corner, hold.particle_count = 1;
    must(pli_attachment_create(world, &hold, &held, &problem));
    return world;
}

// Both worlds made the same objects in the same order, so only the world tells their handles apart.
static void handles_belong_to_one_world(void **state)
{
    (void)state;
    const int32_t corner[1] = {1};
    pli_mesh *mesh = mesh_hilly(5);
    for (int32_t round = 0; round < 20; round++) {
        pli_world *own = furnished(mesh), *other = furnished(mesh);
        pli_deformable deformable = pli_world_deformable_at(other, 0);
        pli_constraints set = pli_world_constraints_at(other, 0);
        pli_collider collider = pli_world_collider_at(other, 0);
        pli_rigid_body body = pli_world_rigid_body_at(other, 0);
        pli_attachment attachment = pli_world_attachment_at(other, 0);
        holds(deformable.id == pli_world_deformable_at(own, 0).id && deformable.id != 0, "the same number");
        // Gone, and perhaps another world at its place: its handles stay its own.
        if (round % 2) {
            pli_world_destroy(other);
            other = furnished(mesh);
        }
        pli_attachment_def hold = pli_attachment_def_default();
        pli_rigid_state rigid;
        pli_collider_def around = pli_collider_def_default();
        pli_collider no_collider;
        pli_attachment no_attachment;
        pli_constraints_info info;
        hold.body = around.body = body;
        pli_world *worlds[2] = {own, round % 2 ? other : own};
        for (int32_t w = 0; w < 2; w++) {
            not_found(pli_deformable_destroy(worlds[w], deformable, &problem));
            not_found(pli_constraints_get_info(worlds[w], set, &info, &problem));
            not_found(pli_constraints_destroy(worlds[w], set, &problem));
            not_found(pli_collider_destroy(worlds[w], collider, &problem));
            not_found(pli_collider_create(worlds[w], &around, &no_collider, &problem));
            not_found(pli_rigid_body_get_state(worlds[w], body, &rigid, &problem));
            not_found(pli_rigid_body_destroy(worlds[w], body, &problem));
            not_found(pli_attachment_destroy(worlds[w], attachment, &problem));
            hold.deformable = pli_world_deformable_at(worlds[w], 0), hold.particles = corner, hold.particle_count = 1;
            not_found(pli_attachment_create(worlds[w], &hold, &no_attachment, &problem));
            holds(pli_deformable_positions(worlds[w], deformable).count == 0, "positions of another world");
        }
        pli_world_destroy(own);
        pli_world_destroy(other);
    }
    pli_mesh_destroy(mesh);
}

/* ---- rows of types ----------------------------------------------------------------------------- */

static void never_evaluated(const pli_stencil *stencil, double *values, double *gradients)
{
    (void)stencil, (void)gradients;
    values[0] = 0.0;
}

static void rows_are_copied(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_constraint_type type = {.name = "mine", .cardinality = 2, .dimension = 1, .evaluate = never_evaluated};
    must(pli_world_register_type(world, &type, &problem));
    type = (pli_constraint_type){.name = "spoilt"};
    pli_mesh *mesh = mesh_hilly(5);
    pli_constraints_def def = pli_constraints_def_default();
    const int32_t pair[2] = {0, 1};
    def.deformable = deform(world, mesh, NULL), def.type = "mine";
    def.particles = pair, def.constraint_count = 1;
    pli_constraints set;
    must(pli_constraints_create(world, &def, &set, &problem));
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

/* ---- meshes ------------------------------------------------------------------------------------ */

typedef struct counting {
    int64_t calls, live, bytes, fail_at;
} counting;

static void *count_allocate(void *user, size_t size, size_t alignment)
{
    counting *c = user;
    if (c->calls++ == c->fail_at)
        return NULL;
    void *block = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    c->live++;
    c->bytes += (int64_t)size;
    return block;
}

static void count_release(void *user, void *memory, size_t size)
{
    counting *c = user;
    c->live--;
    c->bytes -= (int64_t)size;
    free(memory);
}

static const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
static const char *const made[] = {"grid", "crossed grid", "tube", "sphere", "box", "hull", "plant"};

static pli_status make(int32_t which, const pli_hooks *hooks, pli_mesh **mesh)
{
    pli_plant_def plant = pli_plant_def_default();
    plant.hooks = *hooks;
    switch (which) {
    case 0:
        return pli_mesh_create_grid_with(hooks, 5, 4, 1.0f, 1.0f, PLI_GRID_QUADS, mesh, &problem);
    case 1:
        return pli_mesh_create_grid_with(hooks, 5, 4, 1.0f, 1.0f, PLI_GRID_CROSSED, mesh, &problem);
    case 2:
        return pli_mesh_create_tube_with(hooks, 6, 4, 0.2f, 1.0f, true, PLI_GRID_DIAGONAL, mesh, &problem);
    case 3:
        return pli_mesh_create_sphere_with(hooks, 2, 0.5f, mesh, &problem);
    case 4:
        return pli_mesh_create_box_with(hooks, (pli_vec3){1, 2, 3}, mesh, &problem);
    case 5:
        return pli_mesh_create_hull_with(hooks, corners, 5, mesh, &problem);
    default:
        return pli_mesh_create_plant(&plant, mesh, &problem);
    }
}

// All of a mesh comes from the hooks: what is held is at least its arrays, nothing is left, and each refusal is met.
static void meshes_are_made_in_the_callers_memory(void **state)
{
    (void)state;
    for (int32_t which = 0; which < COUNT_OF(made); which++) {
        counting c = {.fail_at = -1};
        pli_hooks hooks = pli_hooks_default();
        hooks.allocate = count_allocate, hooks.release = count_release, hooks.user = &c;
        pli_mesh *mesh = NULL;
        must(make(which, &hooks, &mesh));
        const pli_topology *t = pli_mesh_topology(mesh);
        int64_t least = 12 * (int64_t)t->vertex_count + 12 * (int64_t)t->triangle_count + 8 * (int64_t)t->edge_count;
        holds(c.bytes >= least, "%s: %d bytes are held, its arrays are %d", made[which], (int)c.bytes, (int)least);
        pli_stencils stencils;
        int64_t before = c.calls;
        must(pli_stencils_generate(mesh, "edges", &stencils, &problem));
        holds(c.calls > before, "%s: stencils in the mesh's memory", made[which]);
        pli_stencils_release(&stencils);
        holds(pli_mesh_retain(mesh) == mesh, "the same mesh");
        pli_mesh_destroy(mesh);
        holds(c.live > 0, "%s: one reference is left", made[which]);
        pli_mesh_destroy(mesh);
        near((double)c.live, 0.0, 0.0, "%s: blocks left", made[which]);
        int64_t calls = before;
        for (int64_t n = 0; n < calls; n++) {
            c = (counting){.fail_at = n};
            mesh = NULL;
            holds(make(which, &hooks, &mesh) == PLI_STATUS_OUT_OF_MEMORY && !mesh && c.live == 0,
                  "%s: request %d refused: %.100s, %d blocks left", made[which], (int)n, problem.message, (int)c.live);
        }
    }
}

/* ---- getters ----------------------------------------------------------------------------------- */

static void definitions_are_read_back(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *mesh;
    must(pli_mesh_create_grid(5, 3, 2.0f, 1.0f, PLI_GRID_DIAGONAL, &mesh, &problem));
    pli_deformable_def def = pli_deformable_def_default(), found;
    def.mesh = mesh, def.name = "flag", def.thickness = 0.02f, def.friction = 0.7f, def.layers = 6, def.mask = 9;
    def.user_data = 42, def.density = 0.3f, def.stretch = PLI_STRETCH_SWEPT;
    pli_deformable flag;
    must(pli_deformable_create(world, &def, &flag, &problem));
    must(pli_deformable_get_def(world, flag, &found, &problem));
    holds(strcmp(found.name, "flag") == 0 && found.mesh == mesh && found.thickness == def.thickness &&
              found.friction == def.friction && found.layers == 6 && found.mask == 9 && found.user_data == 42,
          "the deformable's definition");
    pli_stretch stretch;
    must(pli_deformable_get_stretch(world, flag, &stretch, NULL, &problem));
    holds(found.stretch == PLI_STRETCH_SWEPT && stretch == PLI_STRETCH_SWEPT, "its stretch");
    pli_vec3 low, high;
    const double mass = pli_deformable_mass(world, flag);
    near(mass, 0.3 * 2.0, 1e-6, "mass of density times area");
    must(pli_deformable_get_bounds(world, flag, &low, &high, &problem));
    near((double)(high.x - low.x), 2.0, 1e-6, "width");
    near((double)(high.z - low.z), 1.0, 1e-6, "depth");
    near((double)pli_deformable_vertex_count(world, flag), 15.0, 0.0, "vertices");
    const int32_t ends[2] = {3, 14};
    pli_attachment_def hold = pli_attachment_def_default(), tied;
    pli_attachment attachment;
    hold.deformable = flag, hold.particles = ends, hold.particle_count = 2, hold.pose.position = (pli_vec3){1, 2, 3};
    must(pli_attachment_create(world, &hold, &attachment, &problem));
    must(pli_attachment_get_def(world, attachment, &tied, &problem));
    holds(tied.deformable.id == flag.id && tied.fixed && tied.particle_count == 2 && tied.pose.position.y == 2.0f,
          "the attachment's definition");
    int32_t particles[4], count;
    must(pli_attachment_particles(world, attachment, particles, 4, &count, &problem));
    holds(count == 2 && particles[0] == 3 && particles[1] == 14, "its particles: %d, %d of %d", (int)particles[0],
          (int)particles[1], (int)count);
    pli_rigid_body_def rigid = pli_rigid_body_def_default(), body_found;
    rigid.name = "door", rigid.inverse_mass = 0.5f, rigid.state.velocity.x = 3.0f;
    pli_rigid_body body;
    must(pli_rigid_body_create(world, &rigid, &body, &problem));
    must(pli_rigid_body_get_def(world, body, &body_found, &problem));
    holds(strcmp(body_found.name, "door") == 0 && body_found.inverse_mass == 0.5f &&
              body_found.state.velocity.x == 3.0f,
          "the body's definition");
    pli_constraints set = constrain(world, flag, "distance", NULL);
    holds(pli_world_deformable_find(world, "flag").id == flag.id && !pli_world_deformable_find(world, "flax").id &&
              pli_world_rigid_body_find(world, "door").id == body.id && !pli_world_rigid_body_find(world, NULL).id &&
              pli_world_constraints_find(world, "distance").id == set.id,
          "by name");
    holds(strcmp(pli_deformable_name(world, flag), "flag") == 0, "its name");
    pli_tearing tearing = {.stretch = 1.25f, .force = INFINITY, .max_tears = 3}, read;
    must(pli_deformable_set_tearing(world, flag, &tearing, &problem));
    must(pli_deformable_get_tearing(world, flag, &read, &problem));
    holds(read.stretch == 1.25f && read.max_tears == 3, "tearing: %g, %d", (double)read.stretch, (int)read.max_tears);
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

static void worlds_tell_how_they_run(void **state)
{
    (void)state;
    for (int32_t k = 0; k < 2 * (int32_t)PLI_SIMD_COUNT; k++) {
        pli_world_def def = pli_world_def_default();
        def.thread_count = 1 + k % 3, def.order = (pli_order)(k % 2), def.simd = (pli_simd)(k / 2);
        pli_world *world;
        if (!pli_simd_available(def.simd))
            continue;
        must(pli_world_create(&def, &world, &problem));
        pli_simd simd = pli_world_simd(world);
        holds(pli_world_order(world) == def.order, "order %d", (int)def.order);
        holds(def.simd == PLI_SIMD_AUTO ? simd != PLI_SIMD_AUTO && pli_simd_available(simd) : simd == def.simd,
              "%s: %s", pli_choice_name("simd", (int32_t)def.simd), pli_choice_name("simd", (int32_t)simd));
        near((double)pli_world_thread_count(world), (double)def.thread_count, 0.0, "threads");
        pli_world_destroy(world);
    }
}

static int32_t ended[4], ended_count;

static void end(void *thing) { ended[ended_count++] = *(int32_t *)thing; }

static void lifetimes_end_last_first(void **state)
{
    (void)state;
    static int32_t things[3] = {7, 8, 9};
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    for (int32_t i = 0; i < 3; i++)
        must(pli_world_own(world, &things[i], end, &problem));
    near((double)ended_count, 0.0, 0.0, "ended before the world");
    pli_world_destroy(world);
    holds(ended_count == 3 && ended[0] == 9 && ended[1] == 8 && ended[2] == 7, "%d ended, first %d", (int)ended_count,
          (int)ended[0]);
}

static void names_and_values_are_one_to_one(void **state)
{
    (void)state;
    static const struct {
        const char *list, *last;
        int32_t count;
    } lists[] = {{"method", "pbd", 2},
                 {"order", "sequential", 2},
                 {"sweeps", "forward", 2},
                 {"integrator", "bdf2", PLI_INTEGRATOR_COUNT},
                 {"simd", "wasm", PLI_SIMD_COUNT},
                 {"ccd", "off", PLI_CCD_COUNT},
                 {"origin", "fixed", PLI_ORIGIN_COUNT},
                 {"stretch", "solved", PLI_STRETCH_COUNT},
                 {"self_contact", "particles", PLI_SELF_CONTACT_COUNT},
                 {"yields", "cloth", PLI_YIELDS_COUNT},
                 {"shape", NULL, PLI_SHAPE_COUNT},
                 {"grid_pattern", "crossed", PLI_GRID_CROSSED + 1},
                 {"measure", "residual", PLI_MEASURE_COUNT},
                 {"stage", "publish", PLI_STAGE_COUNT},
                 {"sense", "at_least", 3},
                 {"log_level", "error", 3},
                 {"finding", "tracking", PLI_FINDING_COUNT},
                 {"guess", "balloon", 4},
                 {"joint", "universal", 5}};
    for (int32_t i = 0; i < COUNT_OF(lists); i++) {
        const char *list = lists[i].list;
        const pli_choice *choices = pli_choices_find(list);
        for (int32_t k = 0; choices && k < lists[i].count; k++) {
            const char *name = pli_choice_name(list, k);
            holds(strcmp(name, choices[k].name) == 0 && pli_choice_value(list, name) == k, "%s %d is %s", list, k,
                  name);
            holds(choices[k].label && choices[k].summary && strchr(choices[k].summary, '.'), "%s: label and summary",
                  name);
        }
        holds(choices && !choices[lists[i].count].name, "%s has %d choices", list, lists[i].count);
        holds(!lists[i].last || strcmp(pli_choice_name(list, lists[i].count - 1), lists[i].last) == 0, "the last of %s",
              list);
        holds(strcmp(pli_choice_name(list, lists[i].count), "unknown") == 0 &&
                  strcmp(pli_choice_name(list, -1), "unknown") == 0 && pli_choice_value(list, "none of them") == -1 &&
                  pli_choice_value(list, NULL) == -1,
              "%s: out of range", list);
    }
    holds(!pli_choices_find("none") && !pli_choices_find(NULL) && strcmp(pli_choice_name("none", 0), "unknown") == 0 &&
              pli_choice_value(NULL, "xpbd") == -1 && pli_choice_find(NULL, "a") == -1,
          "unknown lists");
    for (int32_t i = 0; i < (int32_t)PLI_SHAPE_COUNT; i++)
        holds(strcmp(pli_choice_name("shape", i), pli_shape_at(i)->name) == 0, "shape %d", i);
    holds(pli_choice_value("method", "pbd") == (int32_t)PLI_METHOD_PBD, "a value");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(headers_of_another_version_are_refused),
        property(handles_belong_to_one_world),
        property(rows_are_copied),
        property(meshes_are_made_in_the_callers_memory),
        property(definitions_are_read_back),
        property(worlds_tell_how_they_run),
        property(lifetimes_end_last_first),
        property(names_and_values_are_one_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
