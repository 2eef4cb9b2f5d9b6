// Small scenes that can be set up anywhere, and what is measured of each: contact, constraints, conservation and bodies
// at a distance from the origin, against the same at the origin.
#ifndef PLIANT_TESTS_FAR_SCENES_H
#define PLIANT_TESTS_FAR_SCENES_H

#include "crossings.h"
#include "samples.h"
#include "sheets.h"

enum { FIGURES = 3 };

typedef struct far_scene {
    const char *name;
    void (*run)(vec at, double figures[FIGURES]);
    // Each figure has a name, and by how much it may differ at 1 km from its value at the origin.
    struct {
        const char *what;
        double tolerance;
    } figures[FIGURES];
} far_scene;

static pli_transform far_pose(vec at, double x, double y, double z)
{
    pli_transform pose = pli_transform_identity();
    pose.position = to_vec3(add(at, (vec){x, y, z}));
    return pose;
}

static pli_deformable far_cloth(pli_world *world, pli_mesh *mesh, pli_transform pose, bool self)
{
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.pose = pose;
    def.self_collision = self;
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &problem));
    pli_mesh_destroy(mesh);
    constrain(world, cloth, "distance", NULL);
    return cloth;
}

static pli_attachment far_hold(pli_world *world, pli_deformable cloth, const int32_t *particles, int32_t count)
{
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = cloth, def.particles = particles, def.particle_count = count;
    pli_attachment hold;
    must(pli_attachment_create(world, &def, &hold, &problem));
    return hold;
}

static pli_origin_kind far_origin = PLI_ORIGIN_AUTO;

static pli_world *far_world(void)
{
    pli_world_def def = pli_world_def_default();
    def.settings.origin = far_origin;
    return world_from(&def);
}

static vec far_centre(const pli_world *world, pli_deformable cloth)
{
    int32_t count = vertex_count_of(world, cloth);
    vec sum = {0, 0, 0};
    for (int32_t i = 0; i < count; i++)
        sum = add(sum, position_of(world, cloth, i));
    return scale(sum, 1.0 / count);
}

static vec far_velocity(const pli_world *world, pli_deformable cloth)
{
    int32_t count = vertex_count_of(world, cloth);
    vec sum = {0, 0, 0};
    for (int32_t i = 0; i < count; i++)
        sum = add(sum, velocity_of(world, cloth, i));
    return scale(sum, 1.0 / count);
}

static void steps(pli_world *world, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        step(world, 1.0 / 60.0);
}

/* ---- without contact --------------------------------------------------------------------------- */

static void far_hanging(vec at, double figures[FIGURES])
{
    const int32_t corners[2] = {0, 14};
    pli_world *world = far_world();
    pli_settings settings = pli_world_settings(world);
    settings.damping = 21.4f;
    must(pli_world_set_settings(world, &settings, &problem));
    pli_transform pose = far_pose(at, 0, 0, 0);
    pose.rotation = quat_about((vec){1, 0, 0}, 1.5);
    pli_deformable cloth = far_cloth(world, mesh_grid(15, 15, 1.0, PLI_GRID_ALTERNATING), pose, false);
    pli_constraints bending = constrain(world, cloth, "isometric", NULL);
    tune(world, bending, "rigidity", 1e-4);
    far_hold(world, cloth, corners, 2);
    steps(world, shortened() ? 300 : 900);
    pli_statistics s = statistics_of(world);
    figures[0] = s.kinetic_energy;
    figures[1] = s.stretch_max;
    vec before = far_centre(world, cloth);
    steps(world, 1);
    figures[2] = distance(before, far_centre(world, cloth)) * 60.0;
    pli_world_destroy(world);
}

static void far_falling(vec at, double figures[FIGURES])
{
    pli_world *world = far_world();
    pli_deformable cloth = far_cloth(world, mesh_grid(9, 9, 1.0, PLI_GRID_ALTERNATING), far_pose(at, 0, 0, 0), false);
    pli_settings settings = pli_world_settings(world);
    vec start = far_centre(world, cloth);
    steps(world, 60);
    // Symplectic Euler with n substeps of h falls g h^2 n (n + 1) / 2.
    double n = 60.0 * settings.substeps, h = (double)(float)(1.0 / 60.0) / settings.substeps, g = 9.81;
    vec fallen = sub(start, far_centre(world, cloth)), v = far_velocity(world, cloth);
    figures[0] = fallen.y / (g * h * h * n * (n + 1.0) / 2.0) - 1.0;
    figures[1] = -v.y / (g * h * n) - 1.0;
    figures[2] = statistics_of(world).stretch_max;
    pli_world_destroy(world);
}

static void far_pendulum(vec at, double figures[FIGURES])
{
    static const float points[9] = {0, 0, 0, 0.8f, -0.6f, 0, 0.8f, -0.6f, 0.01f};
    static const int32_t corners[3] = {0, 1, 2}, top[1] = {0};
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = points, def.vertex_count = 3, def.face_vertices = corners, def.face_count = 1;
    pli_mesh *mesh;
    must(pli_mesh_create(&def, &mesh, &problem));
    pli_world *world = far_world();
    pli_deformable bob = far_cloth(world, mesh, far_pose(at, 0, 0, 0), false);
    far_hold(world, bob, top, 1);
    steps(world, 300);
    vec arm = sub(position_of(world, bob, 1), position_of(world, bob, 0));
    figures[0] = atan2(arm.x, -arm.y);
    figures[1] = length(arm) - 1.0;
    figures[2] = statistics_of(world).kinetic_energy / mass_of(world, bob, 1);
    pli_world_destroy(world);
}

static void far_balloon(vec at, double figures[FIGURES])
{
    pli_world *world = far_world();
    pli_settings settings = pli_world_settings(world);
    settings.gravity = (pli_vec3){0, 0, 0};
    must(pli_world_set_settings(world, &settings, &problem));
    pli_mesh *mesh = mesh_ball(2, 0.0);
    pli_deformable ball = far_cloth(world, mesh, far_pose(at, 0, 0, 0), false);
    pli_constraints volume = constrain(world, ball, "volume", NULL);
    tune(world, volume, "pressure", 1.3);
    steps(world, 120);
    const pli_topology *t = pli_mesh_topology(pli_deformable_rest_mesh(world, ball));
    vec centre = far_centre(world, ball);
    double now = 0.0, rest = 0.0;
    for (int32_t i = 0; i < t->triangle_count; i++) {
        const int32_t *c = t->triangles + 3 * i;
        now += dot(sub(position_of(world, ball, c[0]), centre),
                   cross(sub(position_of(world, ball, c[1]), centre), sub(position_of(world, ball, c[2]), centre)));
        rest += dot(vec_of_floats(t->positions + 3 * c[0]),
                    cross(vec_of_floats(t->positions + 3 * c[1]), vec_of_floats(t->positions + 3 * c[2])));
    }
    figures[0] = now / rest;
    figures[1] = length(far_velocity(world, ball));
    figures[2] = statistics_of(world).stretch_max;
    pli_world_destroy(world);
}

static void far_wind(vec at, double figures[FIGURES])
{
    const int32_t corners[2] = {0, 10};
    pli_world *world = far_world();
    pli_settings settings = pli_world_settings(world);
    settings.wind = (pli_vec3){1.0f, 0.0f, 3.0f};
    settings.air_density = 1.2f;
    settings.damping = 13.4f;
    must(pli_world_set_settings(world, &settings, &problem));
    pli_deformable cloth = far_cloth(world, mesh_grid(11, 11, 1.0, PLI_GRID_ALTERNATING), far_pose(at, 0, 0, 0), false);
    far_hold(world, cloth, corners, 2);
    steps(world, 300);
    figures[0] = sub(far_centre(world, cloth), at).y;
    figures[1] = sub(far_centre(world, cloth), at).z;
    figures[2] = statistics_of(world).stretch_max;
    pli_world_destroy(world);
}

// A chain of triangles that hangs: the tension of its first edge is the weight below it, and it tears at that.
static void far_tension(vec at, double figures[FIGURES])
{
    const int32_t top[2] = {0, 1};
    pli_world *world = far_world();
    pli_settings settings = pli_world_settings(world);
    settings.damping = 13.4f;
    settings.substeps = 20;
    must(pli_world_set_settings(world, &settings, &problem));
    pli_mesh *mesh = mesh_grid(2, 9, 0.8, PLI_GRID_ALTERNATING);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.pose = far_pose(at, 0, 0, 0);
    def.pose.rotation = quat_about((vec){1, 0, 0}, -1.5707963267948966);
    pli_deformable strip;
    must(pli_deformable_create(world, &def, &strip, &problem));
    pli_mesh_destroy(mesh);
    pli_constraints edges = constrain_keeping(world, strip, "distance", NULL, true);
    tune(world, edges, "compliance", 1e-5);
    pli_constraints_info info;
    must(pli_constraints_get_info(world, edges, &info, &problem));
    int32_t ends[2] = {0, 1};
    vec high = position_of(world, strip, 0), low = position_of(world, strip, 17);
    if (high.y < low.y)
        ends[0] = 16, ends[1] = 17;
    far_hold(world, strip, high.y < low.y ? ends : top, 2);
    steps(world, 240);
    double weight = 0.0, pull = 0.0, most = 0.0, least = INFINITY;
    for (int32_t i = 0; i < 18; i++)
        weight += i == ends[0] || i == ends[1] ? 0.0 : 9.81 * mass_of(world, strip, i);
    for (int32_t frame = 0; frame < 20; frame++) {
        double sum = 0.0, h = (double)(float)(1.0 / 60.0) / 20.0;
        steps(world, 1);
        for (int32_t c = 0; c < info.constraint_count; c++) {
            int32_t pair[2];
            float lambda[3];
            must(pli_constraints_stencil(world, edges, c, pair, NULL, NULL, lambda, &problem));
            bool held[2] = {pair[0] == ends[0] || pair[0] == ends[1], pair[1] == ends[0] || pair[1] == ends[1]};
            vec along = unit(sub(position_of(world, strip, pair[0]), position_of(world, strip, pair[1])));
            if (held[0] != held[1])
                sum += fabs((double)lambda[0] / (h * h) * along.y);
        }
        pull += sum / 20.0;
        most = fmax(most, sum), least = fmin(least, sum);
    }
    figures[0] = pull / weight - 1.0;
    figures[1] = (most - least) / weight;
    figures[2] = statistics_of(world).kinetic_energy;
    pli_world_destroy(world);
}

/* ---- with contact ------------------------------------------------------------------------------ */

static pli_collider far_collider(pli_world *world, pli_collider_def def)
{
    pli_collider collider;
    must(pli_collider_create(world, &def, &collider, &problem));
    return collider;
}

// A patch on a slope at .97 of the friction angle: how far it creeps in some seconds.
static double creep_on(vec at, int32_t surface)
{
    const double mu = 0.5, angle = atan(0.97 * 0.5);
    pli_world *world = far_world();
    pli_settings settings = pli_world_settings(world);
    settings.gravity = (pli_vec3){(float)(9.81 * sin(angle)), (float)(-9.81 * cos(angle)), 0.0f};
    must(pli_world_set_settings(world, &settings, &problem));
    pli_deformable cloth = far_cloth(world, mesh_grid(7, 7, 0.5, PLI_GRID_ALTERNATING), far_pose(at, 0, 0.006, 0),
                                     false);
    pli_collider_def def = pli_collider_def_default();
    def.shape = surface == 0 ? PLI_SHAPE_PLANE : surface == 1 ? PLI_SHAPE_BOX : PLI_SHAPE_MESH;
    def.half_extents = (pli_vec3){2.0f, 0.5f, 2.0f};
    def.pose = far_pose(at, 0, surface == 1 ? -0.5 : 0.0, 0);
    def.friction = (float)mu;
    def.mesh = surface == 2 ? mesh_grid(21, 21, 2.0, PLI_GRID_ALTERNATING) : NULL;
    far_collider(world, def);
    pli_mesh_destroy((pli_mesh *)def.mesh);
    steps(world, 20);
    vec before = far_centre(world, cloth);
    steps(world, shortened() ? 120 : 600);
    double crept = distance(before, far_centre(world, cloth));
    pli_world_destroy(world);
    return crept;
}

static void far_creep(vec at, double figures[FIGURES])
{
    for (int32_t surface = 0; surface < FIGURES; surface++)
        figures[surface] = creep_on(at, surface);
}

// A sheet that falls upright onto the ground and crumples on itself, 5 mm thick.
static void far_crumple(vec at, double figures[FIGURES])
{
    pli_world *world = far_world();
    pli_transform pose = far_pose(at, 0, 0.52, 0);
    pose.rotation = quat_about((vec){1, 0, 0.1}, 1.3);
    pli_deformable cloth = far_cloth(world, mesh_grid(21, 21, 1.0, PLI_GRID_ALTERNATING), pose, true);
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_PLANE;
    def.pose = far_pose(at, 0, 0, 0);
    far_collider(world, def);
    figures[0] = 0;
    for (int32_t i = 0; i < (shortened() ? 3 : 10); i++) {
        steps(world, 15);
        figures[0] += crossings(world);
    }
    figures[1] = statistics_of(world).failed_pair_count;
    figures[2] = statistics_of(world).stretch_max;
    (void)cloth;
    pli_world_destroy(world);
}

static void far_drape(vec at, double figures[FIGURES])
{
    pli_world *world = far_world();
    pli_settings settings = pli_world_settings(world);
    settings.damping = 6.3f;
    must(pli_world_set_settings(world, &settings, &problem));
    pli_deformable cloth = far_cloth(world, mesh_grid(17, 17, 1.0, PLI_GRID_ALTERNATING), far_pose(at, 0, 0.32, 0),
                                     true);
    pli_collider_def def = pli_collider_def_default();
    def.radius = 0.3f;
    def.friction = 0.6f;
    def.pose = far_pose(at, 0, 0, 0);
    far_collider(world, def);
    steps(world, shortened() ? 120 : 300);
    double nearest = INFINITY;
    for (int32_t i = 0; i < vertex_count_of(world, cloth); i++)
        nearest = fmin(nearest, distance(position_of(world, cloth, i), at) - 0.3);
    figures[0] = nearest;
    figures[1] = statistics_of(world).kinetic_energy;
    figures[2] = sub(far_centre(world, cloth), at).y;
    pli_world_destroy(world);
}

// A ball of 1 kg that falls on a held sheet, through the proxy of a rigid body.
static void far_body(vec at, double figures[FIGURES])
{
    const int32_t corners[4] = {0, 12, 156, 168};
    pli_world *world = far_world();
    pli_deformable cloth = far_cloth(world, mesh_grid(13, 13, 1.0, PLI_GRID_ALTERNATING), far_pose(at, 0, 0, 0), false);
    far_hold(world, cloth, corners, 4);
    pli_rigid_body_def def = pli_rigid_body_def_default();
    def.state.pose = far_pose(at, 0, 0.16, 0);
    for (int k = 0; k < 3; k++)
        def.inverse_inertia[k] = 1.0f / (0.4f * 0.15f * 0.15f);
    pli_rigid_body body;
    must(pli_rigid_body_create(world, &def, &body, &problem));
    pli_collider_def shape = pli_collider_def_default();
    shape.radius = 0.15f;
    shape.body = body;
    far_collider(world, shape);
    pli_rigid_state state;
    double impulse = 0.0;
    for (int32_t i = 0; i < 20; i++) {
        pli_rigid_change change;
        must(pli_rigid_body_get_state(world, body, &state, &problem));
        state.velocity.y -= 9.81f / 60.0f;
        must(pli_rigid_body_set_state(world, body, &state, false, &problem));
        steps(world, 1);
        must(pli_rigid_body_take_change(world, body, &change, &problem));
        impulse += (double)change.impulse.y;
    }
    must(pli_rigid_body_get_state(world, body, &state, &problem));
    figures[0] = (double)state.pose.position.y - at.y;
    figures[1] = impulse / (9.81 / 3.0) - 1.0;
    figures[2] = hypot((double)state.pose.position.x - at.x, (double)state.pose.position.z - at.z);
    pli_world_destroy(world);
}

// A patch that lies on a moving floor, whose vertices the host gives in its own coordinates, and on one whose pose it gives.
static double slip_on(vec at, bool by_vertices, double *gap)
{
    pli_world *world = far_world();
    pli_mesh *floor = mesh_grid(9, 9, 2.0, PLI_GRID_ALTERNATING);
    float *vertices = copied_positions(floor), *moved = copied_positions(floor);
    int32_t count = pli_mesh_topology(floor)->vertex_count;
    pli_deformable cloth = far_cloth(world, mesh_grid(7, 7, 0.5, PLI_GRID_ALTERNATING), far_pose(at, 0, 0.006, 0),
                                     false);
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_MESH;
    def.friction = 0.8f;
    for (int32_t i = 0; i < 3 * count; i++)
        moved[i] += (float)(i % 3 == 0 ? at.x : i % 3 == 1 ? at.y : at.z);
    pli_mesh *there = mesh_moved(floor, moved);
    def.mesh = by_vertices ? there : floor;
    if (!by_vertices)
        def.pose = far_pose(at, 0, 0, 0);
    pli_collider collider = far_collider(world, def);
    double z = 0.0;
    for (int32_t frame = 0; frame < 90; frame++) {
        z = 0.25 * pow(fmax(0.0, frame - 29.0) / 60.0, 2.0);
        for (int32_t i = 0; i < 3 * count; i++)
            moved[i] = (float)((double)vertices[i] + (i % 3 == 0 ? at.x : i % 3 == 1 ? at.y : at.z + z));
        if (by_vertices)
            must(pli_collider_set_vertices(world, collider, moved, count, &problem));
        else
            must(pli_collider_set_pose(world, collider, far_pose(at, 0, 0, z), &problem));
        steps(world, 1);
    }
    vec end = sub(far_centre(world, cloth), at);
    *gap = end.y;
    free(vertices);
    free(moved);
    pli_mesh_destroy(floor);
    pli_mesh_destroy(there);
    pli_world_destroy(world);
    return hypot(end.x, end.z - z);
}

static void far_carried(vec at, double figures[FIGURES])
{
    figures[0] = slip_on(at, true, &figures[2]);
    figures[1] = slip_on(at, false, &figures[2]);
}

static const far_scene far_scenes[] = {
    {"hanging sheet", far_hanging, {{"energy [J]", 1e-4}, {"stretch", 1e-3}, {"drift [m/s]", 1e-2}}},
    {"free fall", far_falling, {{"fallen, error", 1e-4}, {"speed, error", 1e-4}, {"stretch", 1e-4}}},
    {"pendulum", far_pendulum, {{"angle [rad]", 1e-2}, {"stretch", 1e-4}, {"energy [J/kg]", 1e-2}}},
    {"balloon", far_balloon, {{"volume", 1e-4}, {"drift [m/s]", 1e-2}, {"stretch", 1e-3}}},
    {"wind", far_wind, {{"height [m]", 1e-2}, {"depth [m]", 1e-2}, {"stretch", 1e-3}}},
    {"tension", far_tension, {{"force, error", 1e-2}, {"spread", 1e-2}, {"energy [J]", 1e-4}}},
    {"creep", far_creep, {{"plane [m]", 1e-3}, {"box [m]", 1e-3}, {"mesh [m]", 1e-3}}},
    {"crumpled sheet", far_crumple, {{"crossings", 0}, {"pairs failed", 0}, {"stretch", 1e-1}}},
    {"cloth on a ball", far_drape, {{"distance [m]", 1e-3}, {"energy [J]", 1e-3}, {"height [m]", 1e-2}}},
    {"carried patch", far_carried, {{"vertices [m]", 1e-3}, {"pose [m]", 1e-3}, {"height [m]", 2e-4}}},
    {"rigid body", far_body, {{"height [m]", 1e-2}, {"impulse, error", 1e-2}, {"sideways [m]", 1e-2}}},
};

#endif
