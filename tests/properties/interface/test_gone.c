// Handles of what was destroyed, in every call that takes one: each says NOT_FOUND, or gives what stands for nothing, and the world and the
// results stay as they are.
#include "samples.h"
#include "worlds.h"

enum { ROOM = 300, SIDE = 4 };

// The handles that are tried, and what calls may write to and read from.
typedef struct gone {
    pli_world *world;
    pli_mesh *mesh;
    pli_deformable cloth;
    pli_constraints set;
    pli_attachment hold;
    pli_collider collider;
    pli_rigid_body body;
    float values[ROOM];
    int32_t numbers[ROOM];
    uint64_t hash;
} gone;

#define not_found(call)                                                                                                \
    do {                                                                                                               \
        problem = (pli_error){0};                                                                                      \
        pli_status status_here = (call);                                                                               \
        holds(status_here == PLI_STATUS_NOT_FOUND && problem.status == status_here && problem.message[0],              \
              "%s: %s, %.100s", #call, pli_status_name(status_here), problem.message);                                 \
    } while (0)

static void make_all(gone *g)
{
    static const int32_t corner[] = {0};
    pli_collider_def ball = pli_collider_def_default();
    pli_rigid_body_def body = pli_rigid_body_def_default();
    pli_attachment_def hold = pli_attachment_def_default();
    ball.pose.position.y = -2.0f;
    g->cloth = deform(g->world, g->mesh, NULL);
    g->set = constrain(g->world, g->cloth, "distance", NULL);
    hold.deformable = g->cloth, hold.particles = corner, hold.particle_count = 1;
    must(pli_attachment_create(g->world, &hold, &g->hold, &problem));
    must(pli_collider_create(g->world, &ball, &g->collider, &problem));
    must(pli_rigid_body_create(g->world, &body, &g->body, &problem));
}

static void deformables_are_gone(gone *g)
{
    pli_world *w = g->world;
    const pli_deformable c = g->cloth;
    pli_vec3 low, high;
    double number;
    pli_deformable_def def = pli_deformable_def_default();
    pli_deformable_statistics statistics;
    pli_stretch stretch;
    pli_tearing tearing;
    pli_cut_def cut = pli_cut_def_default();
    pli_effective_stiffness representation;
    pli_material_def material = pli_material_def_default();
    pli_grab_def grab_def = pli_grab_def_default();
    pli_grab grab = {0};
    pli_constraints set;
    const pli_mesh *mesh;
    cut.normal.x = 1.0f;
    grab_def.deformable = c;
    not_found(pli_deformable_destroy(w, c, &problem));
    holds(isnan(pli_deformable_mass(w, c)), "mass");
    not_found(pli_deformable_get_bounds(w, c, &low, &high, &problem));
    not_found(pli_deformable_boxes(w, c, &low, 0, g->numbers, &problem));
    not_found(pli_deformable_get_def(w, c, &def, &problem));
    not_found(pli_deformable_set_def(w, c, &def, &problem));
    not_found(pli_deformable_set_paused(w, c, true, &problem));
    not_found(pli_deformable_wake(w, c, &problem));
    not_found(pli_deformable_set_positions(w, c, 0, 1, g->values, &problem));
    not_found(pli_deformable_set_velocities(w, c, 0, 1, g->values, &problem));
    not_found(pli_deformable_set_inverse_masses(w, c, 0, 1, g->values, &problem));
    not_found(pli_deformable_add_force(w, c, 0, (pli_vec3){0}, &problem));
    not_found(pli_deformable_measure(w, c, PLI_MEASURE_SPEED, g->values, ROOM, &problem));
    not_found(pli_deformable_get_statistics(w, c, &statistics, &problem));
    not_found(pli_deformable_get_plate_energy(w, c, &number, &problem));
    not_found(pli_deformable_get_stretch(w, c, &stretch, &stretch, &problem));
    not_found(pli_deformable_set_stretch(w, c, PLI_STRETCH_SWEPT, &problem));
    not_found(pli_deformable_get_tearing(w, c, &tearing, &problem));
    not_found(pli_deformable_set_tearing(w, c, &def.tearing, &problem));
    not_found(pli_deformable_cut(w, c, &cut, NULL, &problem));
    not_found(pli_deformable_get_mesh(w, c, &mesh, &problem));
    not_found(pli_deformable_reset(w, c, NULL, &problem));
    not_found(pli_deformable_reset_to(w, c, g->values, SIDE * SIDE, &problem));
    not_found(pli_deformable_get_effective_stiffness(w, c, 0.01, &representation, &problem));
    not_found(pli_material_create_constraints(w, c, &material, &set, &problem));
    not_found(pli_grab_begin(w, &grab_def, &grab, &problem));
    float value;
    for (int32_t i = 0; pli_attribute_painted_at(i); i++)
        not_found(pli_deformable_paint(w, c, pli_attribute_painted_at(i)->name, PLI_ELEMENT_VERTEX, g->values,
                                       SIDE * SIDE, &problem));
    not_found(pli_deformable_get_attribute(w, c, "friction", &value, 1, &problem));
}

static void views_are_empty(const gone *g)
{
    pli_world *w = g->world;
    const pli_deformable c = g->cloth;
    int32_t stride;
    float far;
    pli_vec3 normal;
    const pli_view views[] = {
        pli_deformable_positions(w, c),  pli_deformable_local_positions(w, c), pli_deformable_previous_positions(w, c),
        pli_deformable_velocities(w, c), pli_deformable_normals(w, c),         pli_collider_vertices(w, g->collider)};
    for (int32_t i = 0; i < COUNT_OF(views); i++)
        near(views[i].count, 0, 0.0, "view %d", (int)i);
    near(pli_deformable_vertex_count(w, c), 0, 0.0, "vertices");
    near(pli_trace_read(w, c, NULL, NULL), 0, 0.0, "vertices of a trace");
    holds(strcmp(pli_deformable_name(w, c), "") == 0 && strcmp(pli_rigid_body_name(w, g->body), "") == 0, "names");
    holds(!pli_deformable_rest_mesh(w, c) && !pli_deformable_inverse_masses(w, c, &stride) &&
              !pli_deformable_face_vertices(w, c) && !pli_deformable_triangles(w, c) &&
              !pli_collider_mesh(w, g->collider),
          "pointers");
    holds(!pli_deformable_is_asleep(w, c) && !pli_rigid_body_is_asleep(w, g->body), "nothing sleeps");
    holds(!pli_collider_ray(w, g->collider, (pli_vec3){0}, (pli_vec3){1.0f, 0.0f, 0.0f}, 1.0f, &far, &normal),
          "a ray meets nothing");
}

static void sets_and_holds_are_gone(gone *g)
{
    pli_world *w = g->world;
    const pli_constraints s = g->set;
    const pli_transform pose = pli_transform_identity();
    double number;
    pli_constraints_info info;
    pli_residual residual;
    pli_attachment_tracking_error lag;
    pli_attachment_def def = pli_attachment_def_default();
    not_found(pli_constraints_destroy(w, s, &problem));
    not_found(pli_constraints_get_info(w, s, &info, &problem));
    not_found(pli_constraints_get_parameter(w, s, "compliance", &number, &problem));
    not_found(pli_constraints_set_parameter(w, s, "compliance", 1.0, &problem));
    not_found(pli_constraints_get_residual(w, s, &residual, &problem));
    holds(isnan(pli_constraints_energy(w, s)), "energy");
    not_found(pli_constraints_stencil(w, s, 0, NULL, NULL, NULL, NULL, &problem));
    not_found(pli_constraints_sequence(w, s, g->numbers, NULL, NULL, NULL, &problem));
    not_found(pli_constraints_batches(w, s, g->numbers, &problem));
    not_found(pli_constraints_set_tensile_stiffness(w, s, 1.0, &problem));
    not_found(pli_constraints_set_warp(w, s, g->values, 1, &problem));
    not_found(pli_constraints_paint(w, s, "stiffness", PLI_ELEMENT_VERTEX, g->values, 1, &problem));
    not_found(pli_attachment_destroy(w, g->hold, &problem));
    not_found(pli_attachment_set_pose(w, g->hold, pose, &problem));
    not_found(pli_attachment_get_tracking_error(w, g->hold, &lag, &problem));
    not_found(pli_attachment_particles(w, g->hold, NULL, 0, g->numbers, &problem));
    not_found(pli_attachment_get_def(w, g->hold, &def, &problem));
    not_found(pli_attachment_set_def(w, g->hold, &def, &problem));
    not_found(pli_attachment_teleport(w, g->hold, pose, &problem));
}

static void colliders_and_bodies_are_gone(gone *g)
{
    pli_world *w = g->world;
    pli_transform pose = pli_transform_identity();
    pli_collider_def def = pli_collider_def_default();
    pli_collider_tracking_error lag;
    pli_rigid_body_def body_def = pli_rigid_body_def_default();
    pli_rigid_state body_state = body_def.state;
    pli_rigid_change change;
    pli_rigid_tracking_error body_lag;
    not_found(pli_collider_destroy(w, g->collider, &problem));
    not_found(pli_collider_set_pose(w, g->collider, pose, &problem));
    not_found(pli_collider_set_vertices(w, g->collider, g->values, 1, &problem));
    not_found(pli_collider_set_source(w, g->collider, NULL, NULL, &problem));
    not_found(pli_collider_pose(w, g->collider, &pose, &problem));
    not_found(pli_collider_get_local_pose(w, g->collider, &pose, &problem));
    not_found(pli_collider_get_placed_vertices(w, g->collider, g->values, 1, &problem));
    not_found(pli_collider_get_tracking_error(w, g->collider, &lag, &problem));
    not_found(pli_collider_get_def(w, g->collider, &def, &problem));
    not_found(pli_collider_set_def(w, g->collider, &def, &problem));
    not_found(pli_collider_teleport(w, g->collider, pose, &problem));
    not_found(pli_collider_teleport_vertices(w, g->collider, g->values, 1, &problem));
    not_found(pli_rigid_body_destroy(w, g->body, &problem));
    not_found(pli_rigid_body_get_def(w, g->body, &body_def, &problem));
    not_found(pli_rigid_body_get_state(w, g->body, &body_state, &problem));
    not_found(pli_rigid_body_get_local_state(w, g->body, &body_state, &problem));
    not_found(pli_rigid_body_set_state(w, g->body, &body_state, false, &problem));
    not_found(pli_rigid_body_set_mass(w, g->body, 1.0f, g->values, &problem));
    not_found(pli_rigid_body_wake(w, g->body, &problem));
    not_found(pli_rigid_body_take_change(w, g->body, &change, &problem));
    not_found(pli_rigid_body_get_tracking_error(w, g->body, &body_lag, &problem));
}

// Definitions that name what is gone.
static void nothing_is_made_of_what_is_gone(gone *g)
{
    pli_world *w = g->world;
    pli_constraints_def set_def = pli_constraints_def_default();
    pli_attachment_def hold_def = pli_attachment_def_default();
    pli_collider_def ball = pli_collider_def_default();
    pli_teleport_def jump = pli_teleport_def_default();
    pli_constraints set = {0};
    pli_attachment hold = {0};
    pli_collider collider = {0};
    set_def.deformable = g->cloth, set_def.type = "distance";
    hold_def.deformable = g->cloth, hold_def.particles = g->numbers, hold_def.particle_count = 1;
    ball.body = g->body;
    not_found(pli_constraints_create(w, &set_def, &set, &problem));
    not_found(pli_attachment_create(w, &hold_def, &hold, &problem));
    not_found(pli_collider_create(w, &ball, &collider, &problem));
    hold_def.deformable = pli_world_deformable_at(w, 0), hold_def.body = g->body;
    not_found(pli_attachment_create(w, &hold_def, &hold, &problem));
    jump.deformables = &g->cloth, jump.deformable_count = 1;
    not_found(pli_world_teleport(w, &jump, &problem));
    jump.deformable_count = 0, jump.colliders = &g->collider, jump.collider_count = 1;
    not_found(pli_world_teleport(w, &jump, &problem));
    jump.collider_count = 0, jump.rigid_bodies = &g->body, jump.rigid_body_count = 1;
    not_found(pli_world_teleport(w, &jump, &problem));
    holds(!set.id && !hold.id && !collider.id, "handles of nothing");
}

static void check_gone(gone *g)
{
    deformables_are_gone(g);
    views_are_empty(g);
    sets_and_holds_are_gone(g);
    colliders_and_bodies_are_gone(g);
    nothing_is_made_of_what_is_gone(g);
    holds(pli_world_hash(g->world) == g->hash, "the world has changed");
    near(pli_world_deformable_count(g->world) + pli_world_constraints_count(g->world) +
             pli_world_attachment_count(g->world) + pli_world_collider_count(g->world) +
             pli_world_rigid_body_count(g->world),
         5, 0.0, "what is in the world");
}

static void what_is_gone_is_not_found(void **state)
{
    (void)state;
    gone g = {.world = plain_world(PLI_METHOD_XPBD), .mesh = mesh_grid(SIDE, SIDE, 1.0, PLI_GRID_DIAGONAL)};
    make_all(&g);
    const gone first = g;
    make_all(&g);
    step(g.world, 0.01);
    must(pli_deformable_destroy(g.world, first.cloth, &problem));
    must(pli_collider_destroy(g.world, first.collider, &problem));
    must(pli_rigid_body_destroy(g.world, first.body, &problem));
    gone tried[] = {first, g, g};
    for (int32_t i = 0; i < COUNT_OF(tried); i++) {
        tried[i].hash = pli_world_hash(g.world);
        if (i > 0) { // No handle at all, and one that never was.
            const uint32_t id = i == 1 ? 0 : 0x7ffffff0u;
            tried[i].cloth.id = tried[i].set.id = tried[i].hold.id = tried[i].collider.id = tried[i].body.id = id;
        }
    }
    check_gone(&tried[0]);
    check_gone(&tried[2]);
    deformables_are_gone(&tried[1]);
    views_are_empty(&tried[1]);
    sets_and_holds_are_gone(&tried[1]);
    colliders_and_bodies_are_gone(&tried[1]);
    step(g.world, 0.01);
    pli_world_destroy(g.world);
    pli_mesh_destroy(g.mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {property(what_is_gone_is_not_found)};
    return cmocka_run_group_tests_name("what is gone", tests, NULL, NULL);
}
