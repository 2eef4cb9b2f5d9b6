// Teleports and resets: what is placed is there at once, goes on as it would have, and touches nothing between; a world
// that was teleported against one that was not, a deformable that was reset against one just made.
#include "crossings.h"
#include "samples.h"
#include "scenery.h"
#include "sheets.h"

static void steps(pli_world *world, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        step(world, 1.0 / 60.0);
}

static vec turned_by(pli_quat q, vec v)
{
    vec u = {(double)q.x, (double)q.y, (double)q.z}, twice = scale(cross(u, v), 2.0);
    return add(add(v, scale(twice, (double)q.w)), cross(u, twice));
}

static vec vec_at(pli_vec3 v) { return (vec){(double)v.x, (double)v.y, (double)v.z}; }

// Where a point is that was in the frame `from` and is now in `to`.
static vec between_frames(const pli_teleport_def *jump, vec p)
{
    pli_quat back = jump->from.rotation;
    back.x = -back.x, back.y = -back.y, back.z = -back.z;
    vec local = turned_by(back, sub(p, vec_at(jump->from.position)));
    return add(vec_at(jump->to.position), turned_by(jump->to.rotation, local));
}

/* ---- a cape on a character ---------------------------------------------------------------------- */

// A cape held by two bones, over two capsules, a mesh and the proxy of a body.
typedef struct character {
    pli_world *world;
    pli_deformable cape;
    pli_attachment bones[2];
    pli_collider colliders[3];
    pli_rigid_body body;
} character;

static character make_character(int32_t side)
{
    character c = {.world = NULL};
    pli_world_def def = pli_world_def_default();
    def.settings.damping = 13.4f;
    c.world = world_from(&def);
    pli_deformable_def cape = pli_deformable_def_default();
    pli_mesh *cloth = mesh_grid(side, side, 1.0, PLI_GRID_ALTERNATING), *ball = mesh_ball(2, 0.0);
    cape.mesh = cloth;
    cape.pose = pose_turned(70.0, (vec){1, 0, 0}, (vec){0.0, 1.5, -0.4});
    cape.self_collision = true;
    must(pli_deformable_create(c.world, &cape, &c.cape, &problem));
    constrain(c.world, c.cape, "distance", NULL);
    for (int32_t k = 0; k < 2; k++) {
        const int32_t particle[1] = {k * (side - 1)};
        pli_attachment_def hold = pli_attachment_def_default();
        hold.deformable = c.cape, hold.particles = particle, hold.particle_count = 1;
        hold.pose.position = (pli_vec3){k ? 0.4f : -0.4f, 1.5f, 0.0f};
        hold.fixed = k == 0, hold.compliance = 1e-5;
        must(pli_attachment_create(c.world, &hold, &c.bones[k], &problem));
    }
    for (int32_t k = 0; k < 3; k++) {
        pli_collider_def limb = pli_collider_def_default();
        limb.shape = k == 2 ? PLI_SHAPE_MESH : PLI_SHAPE_CAPSULE;
        limb.mesh = k == 2 ? ball : NULL;
        limb.radius = 0.12f, limb.half_height = 0.3f;
        limb.pose.position = (pli_vec3){k == 2 ? 0.0f
                                        : k    ? 0.25f
                                               : -0.25f,
                                        k == 2 ? 0.0f : 1.2f, k == 2 ? -1.8f : -0.55f};
        must(pli_collider_create(c.world, &limb, &c.colliders[k], &problem));
    }
    pli_rigid_body_def body = pli_rigid_body_def_default();
    body.state.pose.position = (pli_vec3){0.6f, 0.5f, 0.3f};
    body.state.velocity = (pli_vec3){0.1f, 0.0f, 0.2f}, body.state.angular_velocity = (pli_vec3){0.3f, 1.0f, 0.0f};
    must(pli_rigid_body_create(c.world, &body, &c.body, &problem));
    pli_mesh_destroy(cloth);
    pli_mesh_destroy(ball);
    return c;
}

static pli_teleport_def jump_of(const character *c)
{
    pli_teleport_def jump = pli_teleport_def_default();
    jump.deformables = &c->cape, jump.deformable_count = 1;
    jump.colliders = c->colliders, jump.collider_count = 3;
    jump.rigid_bodies = &c->body, jump.rigid_body_count = 1;
    return jump;
}

static void what_is_teleported_goes_on_as_if_it_were_not(void **state)
{
    (void)state;
    const vec places[3] = {{2.5, 0.25, -1.0}, {300.0, 20.0, -80.0}, {900.0, -10.0, 1200.0}};
    for (int32_t k = 0; k < 3; k++) {
        character here = make_character(15), there = make_character(15);
        pli_teleport_def jump = jump_of(&there);
        jump.from = pose_turned(10.0, (vec){0, 1, 0}, (vec){0.1, 0.2, 0.3});
        jump.to = pose_turned(75.0, (vec){0, 1, 0}, places[k]);
        jump.everything = k == 2;
        steps(here.world, 12);
        steps(there.world, 12);
        must(pli_world_teleport(there.world, &jump, &problem));
        for (int32_t after = 0; after < 2; after++) {
            // Positions are read as floats: half a unit in the last place far out, twice, and some steps of motion.
            double size = length(places[k]), tolerance = after ? 2e-4 + 1e-6 * size : 2e-6 + 1.5e-7 * size;
            pli_rigid_state a, b;
            must(pli_rigid_body_get_state(here.world, here.body, &a, &problem));
            must(pli_rigid_body_get_state(there.world, there.body, &b, &problem));
            near(distance(between_frames(&jump, vec_at(a.pose.position)), vec_at(b.pose.position)), 0.0, tolerance,
                 "place %d: body", (int)k);
            double worst = 0.0, worst_velocity = 0.0;
            for (int32_t v = 0; v < vertex_count_of(here.world, here.cape); v++) {
                vec expected = between_frames(&jump, position_of(here.world, here.cape, v));
                vec velocity = sub(between_frames(&jump, velocity_of(here.world, here.cape, v)),
                                   between_frames(&jump, (vec){0, 0, 0}));
                worst = fmax(worst, distance(expected, position_of(there.world, there.cape, v)));
                worst_velocity = fmax(worst_velocity, distance(velocity, velocity_of(there.world, there.cape, v)));
            }
            near(worst, 0.0, tolerance, "place %d: positions %s", (int)k, after ? "5 steps later" : "at once");
            near(worst_velocity, 0.0, 1e-3 + tolerance * (after ? 60.0 : 1.0), "place %d: velocities", (int)k);
            steps(here.world, 5);
            steps(there.world, 5);
        }
        // Locally nothing is lost, wherever it is: shapes are the same.
        pli_statistics s = statistics_of(here.world), t = statistics_of(there.world);
        near(t.stretch_max, s.stretch_max, 3e-3, "place %d: stretch", (int)k);
        pli_world_destroy(here.world);
        pli_world_destroy(there.world);
    }
}

static void a_teleport_touches_nothing_between(void **state)
{
    (void)state;
    // A sheet hangs half way. It moves as in a world in which the character stays.
    uint64_t hashes[2];
    for (int32_t k = 0; k < 2; k++) {
        character c = make_character(11);
        pli_mesh *mesh = mesh_grid(11, 11, 3.0, PLI_GRID_ALTERNATING);
        pli_deformable sheet = drop_cloth(c.world, mesh, pose_turned(90.0, (vec){0, 0, 1}, (vec){4, 1, 0}), 0.005,
                                          false);
        pli_teleport_def jump = jump_of(&c);
        jump.to.position = (pli_vec3){8.0f, 0.0f, 0.0f};
        steps(c.world, 4);
        if (k)
            must(pli_world_teleport(c.world, &jump, &problem));
        steps(c.world, 4);
        pli_view view = pli_deformable_positions(c.world, sheet);
        hashes[k] = 0;
        for (int32_t v = 0; v < view.count; v++)
            for (int d = 0; d < 3; d++) {
                uint32_t bits;
                memcpy(&bits, pli_view_at(view, v) + d, 4);
                hashes[k] = hashes[k] * 1099511628211u + bits;
            }
        pli_world_destroy(c.world);
    }
    holds(hashes[0] == hashes[1], "a sheet between");
}

static void velocities_drop_and_contacts_are_forgotten(void **state)
{
    (void)state;
    character c = make_character(11);
    pli_teleport_def jump = jump_of(&c);
    steps(c.world, 60);
    int32_t contacts;
    must(pli_world_contacts(c.world, NULL, 0, &contacts, &problem));
    holds(contacts > 0, "the cape lies on the capsules");
    jump.to.position = (pli_vec3){0.0f, 0.0f, 12.0f};
    jump.keep_velocities = false;
    must(pli_world_teleport(c.world, &jump, &problem));
    must(pli_world_contacts(c.world, NULL, 0, &contacts, &problem));
    near(contacts, 0, 0, "contacts");
    near(statistics_of(c.world).kinetic_energy, 0.0, 0.0, "energy");
    pli_rigid_state body;
    must(pli_rigid_body_get_state(c.world, c.body, &body, &problem));
    near(length(vec_at(body.velocity)) + length(vec_at(body.angular_velocity)), 0.0, 0.0, "the body's velocity");
    // Its colliders are there too: the cape goes on resting on them.
    steps(c.world, 10);
    must(pli_world_contacts(c.world, NULL, 0, &contacts, &problem));
    holds(contacts > 0, "contacts there: %d", (int)contacts);
    near(statistics_of(c.world).intersection_count, 0, 0, "intersections");
    pli_world_destroy(c.world);
}

static void poses_to_come_go_along(void **state)
{
    (void)state;
    character c = make_character(25);
    steps(c.world, 2);
    pli_transform pose = pli_transform_identity(), found;
    double z = position_of(c.world, c.cape, 0).z;
    pose.position = (pli_vec3){-0.4f, 1.75f, 0.0f};
    must(pli_attachment_set_pose(c.world, c.bones[0], pose, &problem));
    must(pli_collider_set_pose(c.world, c.colliders[0], pose, &problem));
    pli_teleport_def jump = jump_of(&c);
    jump.to.position = (pli_vec3){0.0f, 0.0f, 6.0f};
    must(pli_world_teleport(c.world, &jump, &problem));
    steps(c.world, 1);
    must(pli_collider_pose(c.world, c.colliders[0], &found, &problem));
    near(distance(vec_at(found.position), (vec){-0.4, 1.75, 6.0}), 0.0, 1e-6,
         "the collider is where it was told to go");
    near(position_of(c.world, c.cape, 0).z - z, 6.0, 1e-5, "what is held");
    pli_attachment_def hold;
    must(pli_attachment_get_def(c.world, c.bones[0], &hold, &problem));
    near(distance(vec_at(hold.pose.position), (vec){-0.4, 1.75, 6.0}), 0.0, 1e-6, "and the bone");
    pli_world_destroy(c.world);
}

static void bad_teleports_are_refused(void **state)
{
    (void)state;
    character c = make_character(9);
    pli_collider_def carried = pli_collider_def_default();
    pli_collider with_body, gone;
    carried.radius = 0.1f, carried.body = c.body;
    must(pli_collider_create(c.world, &carried, &with_body, &problem));
    carried.body = (pli_rigid_body){0, 0};
    must(pli_collider_create(c.world, &carried, &gone, &problem));
    must(pli_collider_destroy(c.world, gone, &problem));
    steps(c.world, 1);
    uint64_t before = pli_world_hash(c.world);
    pli_teleport_def good = jump_of(&c), jump = good;
    jump.to.position.x = NAN;
    near(pli_world_teleport(c.world, &jump, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "not finite");
    jump = good, jump.from.rotation.w = 2.0f;
    near(pli_world_teleport(c.world, &jump, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "not a rotation");
    jump = good, jump.colliders = &with_body, jump.collider_count = 1;
    near(pli_world_teleport(c.world, &jump, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "a body's collider");
    jump.colliders = &gone;
    near(pli_world_teleport(c.world, &jump, &problem), PLI_STATUS_NOT_FOUND, 0, "gone");
    holds(pli_world_hash(c.world) == before, "nothing has moved");
    vec were[81], had[81];
    for (int32_t v = 0; v < vertex_count_of(c.world, c.cape); v++)
        were[v] = position_of(c.world, c.cape, v), had[v] = velocity_of(c.world, c.cape, v);
    jump = pli_teleport_def_default(), jump.everything = true;
    must(pli_world_teleport(c.world, &jump, &problem));
    // Not the hash, which knows -0 from 0.
    for (int32_t v = 0; v < vertex_count_of(c.world, c.cape); v++) {
        near(distance(position_of(c.world, c.cape, v), were[v]), 0.0, 0.0, "to itself: vertex %d", (int)v);
        near(distance(velocity_of(c.world, c.cape, v), had[v]), 0.0, 0.0, "to itself: velocity %d", (int)v);
    }
    pli_world_destroy(c.world);
}

/* ---- single objects ------------------------------------------------------------------------------ */

// How far a sheet without gravity goes when a ball passes through the place where it is; 0 is "at once".
static double sheet_moved_by(int32_t how)
{
    pli_world_def def = pli_world_def_default();
    def.settings.gravity = (pli_vec3){0, 0, 0};
    pli_world *world = world_from(&def);
    pli_mesh *grid = mesh_grid(11, 11, 1.0, PLI_GRID_ALTERNATING), *ball = mesh_ball(2, 0.0);
    pli_deformable sheet = drop_cloth(world, grid, pli_transform_identity(), 0.005, false);
    float *low = copied_positions(ball), *high = copied_positions(ball);
    int32_t count = pli_mesh_topology(ball)->vertex_count;
    for (int32_t i = 0; i < count; i++) {
        for (int d = 0; d < 3; d++)
            low[3 * i + d] *= 0.2f, high[3 * i + d] *= 0.2f;
        low[3 * i + 1] -= 0.3f, high[3 * i + 1] += 0.3f;
    }
    pli_collider_def mesh = pli_collider_def_default();
    mesh.shape = PLI_SHAPE_MESH, mesh.mesh = ball;
    mesh.positions = how == 3 ? high : low;
    pli_collider collider;
    must(pli_collider_create(world, &mesh, &collider, &problem));
    step(world, 1.0 / 60.0);
    pli_transform up = pli_transform_identity();
    up.position.y = 0.6f;
    if (how == 0)
        must(pli_collider_teleport(world, collider, up, &problem));
    if (how == 1)
        must(pli_collider_teleport_vertices(world, collider, high, count, &problem));
    if (how == 2)
        must(pli_collider_set_vertices(world, collider, high, count, &problem));
    steps(world, 2);
    double moved = 0.0;
    for (int32_t v = 0; v < vertex_count_of(world, sheet); v++)
        moved = fmax(moved, fabs(position_of(world, sheet, v).y));
    pli_view now = pli_collider_vertices(world, collider);
    near((double)pli_view_at(now, 0)[1], (double)(how == 0 ? low : high)[1], 1e-6, "way %d: vertices", (int)how);
    free(low);
    free(high);
    pli_mesh_destroy(ball);
    pli_world_destroy(world);
    return moved;
}

static void a_collider_is_placed_without_a_sweep(void **state)
{
    (void)state;
    near(sheet_moved_by(0), 0.0, 0.0, "a pose at once");
    near(sheet_moved_by(1), 0.0, 0.0, "vertices at once");
    holds(sheet_moved_by(2) > 0.05, "a motion sweeps it along");
    near(sheet_moved_by(3), 0.0, 0.0, "made where it is");
    float bad[12] = {0};
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *grid = mesh_grid(2, 2, 1.0, PLI_GRID_ALTERNATING);
    pli_collider_def def = pli_collider_def_default();
    pli_collider collider;
    def.shape = PLI_SHAPE_MESH, def.mesh = grid, def.positions = bad;
    bad[7] = INFINITY;
    near(pli_collider_create(world, &def, &collider, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "not finite");
    pli_mesh_destroy(grid);
    pli_world_destroy(world);
}

static void an_attachment_is_placed_without_a_motion(void **state)
{
    (void)state;
    character c = make_character(9);
    steps(c.world, 3);
    vec before = position_of(c.world, c.cape, 0), free_one = position_of(c.world, c.cape, 40);
    pli_attachment_def now;
    must(pli_attachment_get_def(c.world, c.bones[0], &now, &problem));
    pli_transform pose = now.pose;
    pose.position.x += 0.125f;
    must(pli_attachment_teleport(c.world, c.bones[0], pose, &problem));
    near(position_of(c.world, c.cape, 0).x - before.x, 0.125, 1e-6, "what it fixes is there");
    near(distance(position_of(c.world, c.cape, 40), free_one), 0.0, 0.0, "what it does not, is not");
    steps(c.world, 1);
    near(position_of(c.world, c.cape, 0).x - before.x, 0.125, 1e-6, "and stays there");
    pose.rotation.w = 3.0f;
    near(pli_attachment_teleport(c.world, c.bones[0], pose, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "no rotation");
    pli_world_destroy(c.world);
}

/* ---- reset ---------------------------------------------------------------------------------------- */

// A sheet with a type that remembers a side, folded by what falls on it, with forces to come.
static pli_world *folded(pli_deformable *sheet, int32_t frames, bool twice)
{
    pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    random_state = 5;
    pli_mesh *grid = mesh_grid(12, 12, 1.0, PLI_GRID_ALTERNATING), *mesh = mesh_jittered(grid, 0.1, 0.05);
    pli_deformable_def cloth = pli_deformable_def_default();
    cloth.mesh = mesh;
    cloth.velocity = (pli_vec3){0.5f, -1.0f, 0.0f};
    cloth.pose = pose_turned(30.0, (vec){1, 0, 0}, (vec){0.0, 1.0, 0.0});
    must(pli_deformable_create(world, &cloth, sheet, &problem));
    pli_mesh_destroy(mesh);
    constrain(world, *sheet, "distance", NULL);
    constrain(world, *sheet, "triangle_signed", NULL);
    constrain(world, *sheet, "triangle_area", NULL);
    pli_collider_def ball = pli_collider_def_default();
    ball.radius = 0.3f, ball.pose.position = (pli_vec3){0.1f, 0.4f, 0.0f};
    pli_collider collider;
    must(pli_collider_create(world, &ball, &collider, &problem));
    for (int32_t k = 0; k <= twice; k++) {
        if (k) {
            float crumpled[3 * 144];
            for (int32_t i = 0; i < COUNT_OF(crumpled); i++)
                crumpled[i] = (float)uniform(-0.5, 0.5);
            must(pli_deformable_set_positions(world, *sheet, 0, 144, crumpled, &problem));
            step(world, 1e-3);
            must(pli_deformable_add_force(world, *sheet, 5, (pli_vec3){0, 100.0f, 0}, &problem));
            must(pli_deformable_reset(world, *sheet, NULL, &problem));
        }
        steps(world, frames);
    }
    return world;
}

static void a_reset_deformable_is_as_new(void **state)
{
    (void)state;
    pli_deformable sheet;
    pli_world *once = folded(&sheet, 40, false), *twice = folded(&sheet, 40, true);
    holds(pli_world_hash(once) == pli_world_hash(twice), "the same bits again");
    pli_world_destroy(once);
    pli_world_destroy(twice);
}

// All that a run depends on, but for the time and the number of steps, which stand first, the time since when something
// intersects, and the checksum, which stand last.
static unsigned char *state_of(const pli_world *world, size_t *size)
{
    enum { BEFORE = 32, BEHIND = 16 };
    unsigned char *bytes = snapshot_of(world, size);
    *size -= BEFORE + BEHIND;
    memmove(bytes, bytes + BEFORE, *size);
    return bytes;
}

static void a_reset_leaves_nothing_behind(void **state)
{
    (void)state;
    pli_deformable sheet;
    pli_world *fresh = folded(&sheet, 0, false), *used = folded(&sheet, 0, true);
    size_t size, other;
    unsigned char *expected = state_of(fresh, &size), *found = state_of(used, &other);
    near((double)other, (double)size, 0.0, "size");
    for (size_t i = 0; i < size; i++)
        if (expected[i] != found[i]) {
            holds(false, "byte %zu of %zu differs", i, size);
            break;
        }
    free(expected);
    free(found);
    pli_world_destroy(fresh);
    pli_world_destroy(used);
}

static void a_reset_takes_a_pose_and_leaves_what_is_held(void **state)
{
    (void)state;
    character c = make_character(9);
    steps(c.world, 20);
    int32_t count = vertex_count_of(c.world, c.cape);
    float *pose = malloc(sizeof *pose * 3 * (size_t)count);
    vec held = position_of(c.world, c.cape, 0);
    for (int32_t i = 0; i < 3 * count; i++)
        pose[i] = (float)(0.01 * i);
    must(pli_deformable_reset_to(c.world, c.cape, pose, count, &problem));
    near(distance(position_of(c.world, c.cape, 0), held), 0.0, 0.0, "what is held");
    for (int32_t v = 1; v < count; v++)
        near(distance(position_of(c.world, c.cape, v), vec_of_floats(pose + 3 * v)), 0.0, 0.0, "vertex %d", (int)v);
    near(statistics_of(c.world).kinetic_energy, 0.0, 1e-12, "energy of all but the body");
    near(pli_deformable_reset_to(c.world, c.cape, pose, count - 1, &problem), PLI_STATUS_INVALID_ARGUMENT, 0,
         "too few");
    pose[4] = NAN;
    near(pli_deformable_reset_to(c.world, c.cape, pose, count, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "not finite");
    free(pose);
    pli_world_destroy(c.world);
}

static void a_reset_goes_to_where_a_teleport_went(void **state)
{
    (void)state;
    character c = make_character(9);
    vec start[81];
    int32_t count = vertex_count_of(c.world, c.cape);
    for (int32_t v = 0; v < count; v++)
        start[v] = position_of(c.world, c.cape, v);
    steps(c.world, 5);
    pli_teleport_def jump = jump_of(&c);
    jump.to = pose_turned(40.0, (vec){0, 1, 0}, (vec){3.0, 0.0, 5.0});
    must(pli_world_teleport(c.world, &jump, &problem));
    must(pli_deformable_reset(c.world, c.cape, NULL, &problem));
    for (int32_t v = 0; v < count; v++)
        near(distance(position_of(c.world, c.cape, v), between_frames(&jump, start[v])), 0.0, 3e-6, "vertex %d",
             (int)v);
    // And to any other pose: the rest shape is a grid in the plane.
    pli_transform flat = pli_transform_identity();
    flat.position = (pli_vec3){1.0f, 2.0f, 3.0f};
    must(pli_deformable_reset(c.world, c.cape, &flat, &problem));
    for (int32_t v = 1; v < count; v++)
        near(position_of(c.world, c.cape, v).y, 2.0, 1e-6, "vertex %d lies flat", (int)v);
    flat.rotation.w = 0.0f;
    near(pli_deformable_reset(c.world, c.cape, &flat, &problem), PLI_STATUS_INVALID_ARGUMENT, 0, "no rotation");
    pli_world_destroy(c.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(what_is_teleported_goes_on_as_if_it_were_not),
        property(a_teleport_touches_nothing_between),
        property(velocities_drop_and_contacts_are_forgotten),
        property(poses_to_come_go_along),
        property(bad_teleports_are_refused),
        property(a_collider_is_placed_without_a_sweep),
        property(an_attachment_is_placed_without_a_motion),
        property(a_reset_deformable_is_as_new),
        property(a_reset_leaves_nothing_behind),
        property(a_reset_takes_a_pose_and_leaves_what_is_held),
        property(a_reset_goes_to_where_a_teleport_went),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
