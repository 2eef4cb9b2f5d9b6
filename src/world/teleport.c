// Teleports move the named objects from one frame to another without motion in between (pliant/placing.h).
//
//     from F                  to T          a point keeps its place in the frame:
//       |_ * p        =>      T_             p' = T.position + R (p - F.position),  R = T.rotation F.rotation^-1
//                               \* p'
//
// All positions are computed in double in the application's coordinates and rounded once, relative to the new origin of the world.
#include "pliant/placing.h"

#include "model/handles.h"
#include "particles/publish.h"
#include "world/moving_origin.h"

pli_teleport_def pli_teleport_def_default(void)
{
    return (pli_teleport_def){
        .from = pli_transform_identity(), .to = pli_transform_identity(), .keep_velocities = true};
}

/* ---- where and who ------------------------------------------------------------------------------ */

typedef struct teleport_jump {
    const pli_teleport_def *def;
    pli_dvec3 before, after; // Origin of the world before and after.
    pli_dvec3 from, to;      // Positions of the frames in the application's coordinates.
    double turn[4];          // Rotation from one frame to the other: unit quaternion x y z w.
} teleport_jump;

// The product of two rotations, as a unit quaternion.
static void multiply(const double a[4], const double b[4], double out[4])
{
    pli_rigid_turn_product(a, b, out);
    double length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
    for (int k = 0; k < 4; k++)
        out[k] /= length;
}

static teleport_jump teleport_of(const pli_world *world, const pli_teleport_def *def)
{
    const pli_quat f = def->from.rotation, t = def->to.rotation;
    const double back[4] = {-(double)f.x, -(double)f.y, -(double)f.z, (double)f.w};
    const double there[4] = {(double)t.x, (double)t.y, (double)t.z, (double)t.w};
    teleport_jump jump = {.def = def,
                          .before = world->origin,
                          .after = world->origin,
                          .from = pli_widened(def->from.position),
                          .to = pli_widened(def->to.position)};
    multiply(there, back, jump.turn);
    return jump;
}

// Maps a point, in the application's coordinates.
static pli_dvec3 moved(const teleport_jump *jump, pli_dvec3 point)
{
    return pli_dadd(jump->to, pli_rigid_rotate(jump->turn, pli_dsub(point, jump->from)));
}

// Maps a position relative to the previous origin to one relative to `origin`.
static pli_dvec3 moved_local(const teleport_jump *jump, pli_dvec3 at, pli_dvec3 origin)
{
    return pli_dsub(moved(jump, pli_dadd(at, jump->before)), origin);
}

static bool takes_deformable(const teleport_jump *jump, const pli_deformable_data *deformable)
{
    bool takes = jump->def->everything;
    for (int32_t i = 0; !takes && i < jump->def->deformable_count; i++)
        takes = jump->def->deformables[i].id == deformable->id;
    return takes;
}

static bool takes_rigid(const teleport_jump *jump, const pli_rigid_body_data *rigid)
{
    bool takes = jump->def->everything;
    for (int32_t i = 0; !takes && i < jump->def->rigid_body_count; i++)
        takes = jump->def->rigid_bodies[i].id == rigid->id;
    return takes;
}

static bool takes_collider(const teleport_jump *jump, const pli_collider_data *collider)
{
    bool takes = jump->def->everything && !collider->rigid;
    for (int32_t i = 0; !takes && !jump->def->everything && i < jump->def->collider_count; i++)
        takes = jump->def->colliders[i].id == collider->id;
    return takes;
}

static pli_dvec3 particle_after(const void *user, const pli_deformable_data *deformable, pli_dvec3 at)
{
    const teleport_jump *jump = user;
    return takes_deformable(jump, deformable) ? moved_local(jump, at, jump->before) : at;
}

static pli_dvec3 rigid_body_after(const void *user, const pli_rigid_body_data *rigid, pli_dvec3 at)
{
    const teleport_jump *jump = user;
    return takes_rigid(jump, rigid) ? moved_local(jump, at, jump->before) : at;
}

/* ---- moving ------------------------------------------------------------------------------------- */

static pli_dvec3 turned(const teleport_jump *jump, pli_dvec3 v) { return pli_rigid_rotate(jump->turn, v); }

static void move_pose(const teleport_jump *jump, pli_transform *pose)
{
    const pli_quat q = pose->rotation;
    const double now[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
    double there[4];
    multiply(jump->turn, now, there);
    pose->position = pli_rounded(moved(jump, pli_widened(pose->position)));
    pose->rotation = (pli_quat){(float)there[0], (float)there[1], (float)there[2], (float)there[3]};
}

// Also changes the pose and velocity of its definition, so that a reset returns it to the new place.
static void move_deformable(const teleport_jump *jump, pli_deformable_data *deformable)
{
    const pli_jump features = {{jump->turn[0], jump->turn[1], jump->turn[2], jump->turn[3]},
                               jump->def->keep_velocities};
    move_pose(jump, &deformable->def.pose);
    pli_features_teleport(deformable, &features);
    deformable->def.velocity = pli_rounded(turned(jump, pli_widened(deformable->def.velocity)));
    for (int32_t i = 0; i < deformable->count; i++) {
        pli_particle *p = &deformable->particles[i], *v = &deformable->velocities[i];
        pli_vec3 at = pli_rounded(moved_local(jump, pli_widened(pli_position_of(p)), jump->after));
        pli_vec3 velocity = {0.0f, 0.0f, 0.0f};
        if (jump->def->keep_velocities)
            velocity = pli_rounded(turned(jump, pli_widened(pli_position_of(v))));
        p->x = at.x, p->y = at.y, p->z = at.z;
        v->x = velocity.x, v->y = velocity.y, v->z = velocity.z;
    }
}

static void shift_teleported_particles(const teleport_jump *jump, pli_deformable_data *deformable)
{
    pli_dvec3 by = pli_dsub(jump->before, jump->after);
    pli_features_jump(deformable);
    for (int32_t i = 0; i < deformable->count; i++) {
        pli_particle *p = &deformable->particles[i];
        pli_vec3 at = pli_rounded(pli_dadd(pli_widened(pli_position_of(p)), by));
        p->x = at.x, p->y = at.y, p->z = at.z;
    }
}

static void move_rigid(const teleport_jump *jump, pli_rigid_body_data *rigid, bool goes)
{
    pli_rigid_pose *poses[] = {&rigid->now.pose, &rigid->previous, &rigid->placed_pose, &rigid->target};
    pli_dvec3 *vectors[] = {&rigid->now.velocity,    &rigid->now.spin,    &rigid->now.velocity_change,
                            &rigid->now.spin_change, &rigid->now.impulse, &rigid->now.angular_impulse};
    for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
        pli_dvec3 centre = poses[i]->centre;
        poses[i]->centre = goes ? moved_local(jump, centre, jump->after)
                                : pli_dadd(centre, pli_dsub(jump->before, jump->after));
        if (goes && poses[i]->turn[0] * poses[i]->turn[0] + poses[i]->turn[1] * poses[i]->turn[1] +
                            poses[i]->turn[2] * poses[i]->turn[2] + poses[i]->turn[3] * poses[i]->turn[3] >
                        0.0)
            multiply(jump->turn, poses[i]->turn, poses[i]->turn);
    }
    for (size_t i = 0; goes && i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = turned(jump, *vectors[i]);
    if (goes && !jump->def->keep_velocities)
        rigid->now.velocity = rigid->now.spin = (pli_dvec3){0, 0, 0};
    if (goes)
        pli_rigid_update_inertia(rigid);
}

static void move_colliders(const teleport_jump *jump, pli_world *world)
{
    for (int32_t i = 0; i < world->colliders.count; i++) {
        pli_collider_data *collider = pli_collider_at(world, i);
        if (!takes_collider(jump, collider))
            continue;
        move_pose(jump, &collider->def.pose);
        move_pose(jump, &collider->next);
        pli_collider_forget_place(collider);
    }
}

static void move_all(const teleport_jump *jump, pli_world *world)
{
    bool shifts = pli_dlength(pli_dsub(jump->after, jump->before)) > 0.0;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (takes_deformable(jump, deformable))
            move_deformable(jump, deformable);
        else if (shifts)
            shift_teleported_particles(jump, deformable);
    }
    for (int32_t i = 0; i < world->rigids.count; i++) {
        pli_rigid_body_data *rigid = pli_rigid_at(world, i);
        if (shifts || takes_rigid(jump, rigid))
            move_rigid(jump, rigid, takes_rigid(jump, rigid));
    }
    for (int32_t i = 0; i < world->attachments.count; i++) {
        pli_attachment_data *attachment = pli_attachment_at(world, i);
        if (attachment->rigid || !takes_deformable(jump, attachment->deformable))
            continue;
        move_pose(jump, &attachment->pose);
        move_pose(jump, &attachment->next);
    }
    move_colliders(jump, world);
    if (shifts)
        pli_world_take_origin(world, jump->after);
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (takes_deformable(jump, deformable))
            pli_deformable_publish_jump(world, deformable, 0, deformable->count);
        else if (shifts)
            pli_deformable_publish(world, deformable, 0, deformable->count);
    }
}

/* ---- public ------------------------------------------------------------------------------------- */

static pli_status check_colliders(const pli_world *world, const pli_teleport_def *def, pli_error *error)
{
    for (int32_t i = 0; i < def->collider_count; i++) {
        const pli_collider_data *collider = pli_collider_data_of(world, def->colliders[i], error);
        if (!collider)
            return PLI_STATUS_NOT_FOUND;
        if (collider->rigid)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                            "teleport: collider %d goes with its rigid body; name that", (int)i);
    }
    return pli_succeed(error);
}

static pli_status check_teleport(const pli_world *world, pli_teleport_def *def, pli_error *error)
{
    if (!pli_transform_check(&def->from) || !pli_transform_check(&def->to))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "teleport: both frames must be finite, with unit rotations");
    for (int32_t i = 0; !def->everything && i < def->deformable_count; i++)
        if (!pli_deformable_get(world, def->deformables[i], error))
            return PLI_STATUS_NOT_FOUND;
    for (int32_t i = 0; !def->everything && i < def->rigid_body_count; i++)
        if (!pli_rigid_get(world, def->rigid_bodies[i], error))
            return PLI_STATUS_NOT_FOUND;
    return def->everything ? pli_succeed(error) : check_colliders(world, def, error);
}

pli_status pli_world_teleport(pli_world *world, const pli_teleport_def *def, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    PLI_ASSERT(&world->memory.hooks, def);
    pli_teleport_def full = *def;
    pli_status status = check_teleport(world, &full, error);
    if (status != PLI_STATUS_OK)
        return status;
    teleport_jump jump = teleport_of(world, &full);
    const pli_motion_of_objects motion = {particle_after, rigid_body_after, &jump};
    jump.after = pli_world_origin_after(world, &motion);
    if (pli_dlength(jump.after) > 0.0 && !pli_world_reserve_published(world))
        return pli_fail_memory(error);
    move_all(&jump, world);
    pli_world_forget_contacts(world);
    pli_collision_expect_intersections(&world->collision);
    return status;
}
