// Rigid body proxies in a world: created and driven by the application, and advanced with the substeps (pliant/rigid.h).
#include "rigid/coupling/rigid_proxy.h"

#include "constraints/stiffness.h"
#include "model/handles.h"
#include "model/origin.h"

#include <string.h>

#define RIGID_FARTHEST 1e15

pli_rigid_body_def pli_rigid_body_def_default(void)
{
    return (pli_rigid_body_def){.state = {.pose = pli_transform_identity()},
                                .inverse_mass = 1.0f,
                                .inverse_inertia = {1.0f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f},
                                .mass_scale = 1.0f};
}

static bool is_finite(pli_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static pli_status check_state(const pli_rigid_state *state, pli_error *error)
{
    pli_transform pose = state->pose;
    if (!pli_transform_check(&pose))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the rigid body's pose must be finite, with a unit rotation");
    if (!is_finite(state->velocity) || !is_finite(state->angular_velocity) || !is_finite(state->acceleration))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the rigid body's velocities and acceleration must be "
                        "finite");
    return pli_succeed(error);
}

// Tests the principal minors, with a margin for rounding: none is negative when no eigenvalue is.
static bool has_negative_eigenvalue(const float m[6])
{
    double xx = (double)m[0], yy = (double)m[1], zz = (double)m[2], xy = (double)m[3], xz = (double)m[4],
           yz = (double)m[5];
    double size = fmax(xx, fmax(yy, zz)), square = 1e-6 * size * size;
    double whole = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    return xx < 0.0 || yy < 0.0 || zz < 0.0 || xx * yy - xy * xy < -square || xx * zz - xz * xz < -square ||
           yy * zz - yz * yz < -square || whole < -square * size;
}

static pli_status check_mass(float inverse_mass, const float inverse_inertia[6], pli_error *error)
{
    if (!(inverse_mass >= 0.0f) || !isfinite(inverse_mass))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the rigid body's inverse_mass is %g; it must be finite and "
                        "not negative [1/kg]: a mass of zero is none, and 0 stands for what nothing moves",
                        (double)inverse_mass);
    for (int k = 0; k < 6; k++)
        if (!isfinite(inverse_inertia[k]))
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                            "inverse_inertia[%d] of the rigid body is %g; it must be "
                            "finite: a singular inertia has no inverse, and 0 stands for what nothing turns",
                            k, (double)inverse_inertia[k]);
    if (has_negative_eigenvalue(inverse_inertia))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the rigid body's inverse_inertia has a negative eigenvalue, "
                        "which no body has; the order is xx yy zz xy xz yz");
    return pli_succeed(error);
}

static pli_status rigid_check(const pli_rigid_body_def *def, pli_error *error)
{
    pli_status status = check_state(&def->state, error);
    if (status == PLI_STATUS_OK)
        status = check_mass(def->inverse_mass, def->inverse_inertia, error);
    if (status == PLI_STATUS_OK && !is_finite(def->centre_of_mass))
        status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the rigid body's centre_of_mass must be finite");
    if (status == PLI_STATUS_OK && (!(def->mass_scale >= 0.0f) || !isfinite(def->mass_scale)))
        status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                          "the rigid body's mass_scale is %g; it must be finite and "
                          "not negative",
                          (double)def->mass_scale);
    return status;
}

// The pose of the centre of mass, relative to the world's origin, for a frame in the application's coordinates.
static pli_rigid_pose local_pose_of(const pli_world *world, const pli_rigid_body_data *rigid, pli_transform frame)
{
    pli_rigid_pose pose = pli_rigid_pose_of(rigid, frame);
    pose.centre = pli_dsub(pose.centre, world->origin);
    return pose;
}

pli_status pli_rigid_body_create(pli_world *world, const pli_rigid_body_def *def, pli_rigid_body *body,
                                 pli_error *error)
{
    *body = (pli_rigid_body){0, 0};
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    PLI_ASSERT(&world->memory.hooks, def);
    pli_status status = rigid_check(def, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_rigid_body_data *rigid = PLI_ALLOCATE(&world->memory, pli_rigid_body_data, 1);
    if (!rigid)
        return pli_fail_memory(error);
    rigid->def = *def;
    rigid->def.name = NULL;
    if (!pli_copy_string(&world->memory, def->name, &rigid->name) ||
        !pli_list_add(&world->memory, &world->rigids, rigid)) {
        pli_rigid_free(world, rigid);
        return pli_fail_memory(error);
    }
    rigid->now.pose = rigid->placed_pose = rigid->previous = local_pose_of(world, rigid, def->state.pose);
    rigid->now.velocity = pli_widened(def->state.velocity);
    rigid->now.spin = pli_widened(def->state.angular_velocity);
    rigid->acceleration = pli_widened(def->state.acceleration);
    pli_rigid_update_inertia(rigid);
    rigid->id = ++world->last_id;
    *body = (pli_rigid_body){rigid->id, world->tag};
    return pli_succeed(error);
}

void pli_rigid_free(pli_world *world, pli_rigid_body_data *rigid)
{
    pli_list_remove(&world->rigids, rigid);
    pli_release(&world->memory, rigid->name);
    pli_release(&world->memory, rigid);
}

pli_rigid_body pli_world_rigid_body_at(const pli_world *world, int32_t i)
{
    uint32_t id = i >= 0 && i < world->rigids.count ? *world->rigids.items[i] : 0;
    return (pli_rigid_body){id, id ? world->tag : 0};
}

int32_t pli_world_rigid_body_count(const pli_world *world) { return world->rigids.count; }

const char *pli_rigid_body_name(const pli_world *world, pli_rigid_body body)
{
    const pli_rigid_body_data *rigid = pli_rigid_get(world, body, NULL);
    return rigid && rigid->name ? rigid->name : "";
}

// The state, with its position relative to a point at `-origin` from the world's origin.
static pli_rigid_state state_of(const pli_rigid_body_data *rigid, pli_dvec3 origin)
{
    pli_rigid_pose pose = rigid->now.pose;
    pose.centre = pli_dadd(pose.centre, origin);
    return (pli_rigid_state){
        .pose = pli_rigid_frame(rigid, &pose),
        .velocity = pli_rounded(rigid->now.velocity),
        .angular_velocity = pli_rounded(rigid->now.spin),
        .acceleration = pli_rounded(rigid->acceleration),
    };
}

pli_status pli_rigid_body_get_state(const pli_world *world, pli_rigid_body body, pli_rigid_state *state,
                                    pli_error *error)
{
    const pli_rigid_body_data *rigid = pli_rigid_get(world, body, error);
    if (!rigid)
        return PLI_STATUS_NOT_FOUND;
    *state = state_of(rigid, world->origin);
    return pli_succeed(error);
}

pli_status pli_rigid_body_get_local_state(const pli_world *world, pli_rigid_body body, pli_rigid_state *state,
                                          pli_error *error)
{
    const pli_rigid_body_data *rigid = pli_rigid_get(world, body, error);
    if (!rigid)
        return PLI_STATUS_NOT_FOUND;
    *state = state_of(rigid, (pli_dvec3){0, 0, 0});
    return pli_succeed(error);
}

static bool same(const void *a, const void *b, size_t size) { return memcmp(a, b, size) == 0; }

static void rigid_place(pli_world *world, pli_rigid_body_data *rigid, const pli_rigid_pose *pose, bool teleport)
{
    if (!teleport && !world->callbacks.substep_runs) {
        rigid->target = *pose;
        rigid->approaching = true;
        return;
    }
    rigid->now.pose = rigid->placed_pose = *pose;
    rigid->approaching = false;
    if (teleport) {
        pli_collision_expect_intersections(&world->collision);
        pli_world_forget_contacts(world);
    }
    pli_rigid_update_inertia(rigid);
}

pli_status pli_rigid_body_set_state(pli_world *world, pli_rigid_body body, const pli_rigid_state *state, bool teleport,
                                    pli_error *error)
{
    pli_rigid_body_data *rigid = pli_rigid_get(world, body, error);
    if (!rigid)
        return PLI_STATUS_NOT_FOUND;
    pli_status status = check_state(state, error);
    if (status != PLI_STATUS_OK)
        return status;
    // A change wakes a sleeping body and resets the time at rest of an awake one, except a change of velocities alone under `respects_sleep`.
    const pli_rigid_state before = state_of(rigid, world->origin);
    const bool moved = !same(&before.pose, &state->pose, sizeof before.pose) ||
                       !same(&before.acceleration, &state->acceleration, sizeof before.acceleration);
    const bool changed = moved || !same(&before.velocity, &state->velocity, sizeof before.velocity) ||
                         !same(&before.angular_velocity, &state->angular_velocity, sizeof before.angular_velocity);
    if (moved || (changed && (rigid->asleep || !rigid->def.respects_sleep)))
        pli_rigid_wake(rigid);
    pli_transform frame = state_of(rigid, world->origin).pose;
    rigid->approaching = rigid->approaching && world->callbacks.substep_runs;
    if (!same(&frame, &state->pose, sizeof frame)) {
        pli_rigid_pose pose = local_pose_of(world, rigid, state->pose);
        rigid_place(world, rigid, &pose, teleport);
    }
    // Setting a velocity to the value that was read leaves the stored double unchanged, so that rounding does not lose slow
    // motion.
    pli_rigid_state known = state_of(rigid, (pli_dvec3){0, 0, 0});
    if (!same(&known.velocity, &state->velocity, sizeof known.velocity))
        rigid->now.velocity = pli_widened(state->velocity);
    if (!same(&known.angular_velocity, &state->angular_velocity, sizeof known.angular_velocity))
        rigid->now.spin = pli_widened(state->angular_velocity);
    rigid->acceleration = pli_widened(state->acceleration);
    return status;
}

pli_status pli_rigid_body_set_mass(pli_world *world, pli_rigid_body body, float inverse_mass,
                                   const float inverse_inertia[6], pli_error *error)
{
    pli_rigid_body_data *rigid = pli_rigid_get(world, body, error);
    if (!rigid)
        return PLI_STATUS_NOT_FOUND;
    pli_status status = check_mass(inverse_mass, inverse_inertia, error);
    if (status != PLI_STATUS_OK)
        return status;
    rigid->def.inverse_mass = inverse_mass;
    memcpy(rigid->def.inverse_inertia, inverse_inertia, sizeof rigid->def.inverse_inertia);
    pli_rigid_update_inertia(rigid);
    pli_rigid_wake(rigid);
    return status;
}

pli_status pli_rigid_body_take_change(pli_world *world, pli_rigid_body body, pli_rigid_change *change, pli_error *error)
{
    pli_rigid_body_data *rigid = pli_rigid_get(world, body, error);
    if (!rigid)
        return PLI_STATUS_NOT_FOUND;
    pli_rigid_body_motion *now = &rigid->now;
    const pli_rigid_change found = {pli_rounded(now->velocity_change), pli_rounded(now->spin_change),
                                    pli_rounded(now->impulse), pli_rounded(now->angular_impulse)};
    *change = found;
    now->velocity_change = now->spin_change = now->impulse = now->angular_impulse = (pli_dvec3){0, 0, 0};
    return pli_succeed(error);
}

pli_status pli_rigid_body_get_tracking_error(const pli_world *world, pli_rigid_body body, pli_rigid_tracking_error *lag,
                                             pli_error *error)
{
    const pli_rigid_body_data *rigid = pli_rigid_get(world, body, error);
    if (!rigid)
        return PLI_STATUS_NOT_FOUND;
    const double step = (double)world->collision.substep.length * (double)world->substep_count,
                 share = step > 0.0 ? 1.0 / step : 0.0;
    const pli_dvec3 force = pli_dscale(rigid->stopped, share), torque = pli_dscale(rigid->stopped_turn, share);
    const pli_rigid_tracking_error found = {rigid->lost, {force.x, force.y, force.z}, {torque.x, torque.y, torque.z}};
    *lag = found;
    return pli_succeed(error);
}

void pli_world_set_substep_callback(pli_world *world, pli_substep_callback callback, void *user)
{
    if (!pli_world_may_change(world, NULL))
        return;
    world->callbacks.substep = callback;
    world->callbacks.substep_user = user;
}

// The application is not called while a failed step is repeated for the diagnosis: it has already seen these substeps.
void pli_world_call_host(pli_world *world, float step)
{
    if (!world->callbacks.substep || world->tracing.diagnosis)
        return;
    world->callbacks.substep_runs = true;
    world->callbacks.substep(world->callbacks.substep_user, world, step);
    world->callbacks.substep_runs = false;
}

void pli_world_predict_rigids(pli_world *world, float step, float from, float to)
{
    for (int32_t i = 0; i < world->rigids.count; i++)
        if (pli_rigid_at(world, i)->idle)
            pli_rigid_hold(pli_rigid_at(world, i));
        else
            pli_rigid_predict(pli_rigid_at(world, i), (double)step, (double)from, (double)to);
}

void pli_world_derive_rigids(pli_world *world, float step)
{
    for (int32_t i = 0; i < world->rigids.count; i++)
        pli_rigid_derive_velocities(pli_rigid_at(world, i), (double)step);
}

void pli_world_finish_rigids(pli_world *world)
{
    // A body that the guarantee stopped on its way to its target continues from there.
    for (int32_t i = 0; i < world->rigids.count; i++)
        pli_rigid_at(world, i)->approaching = pli_rigid_at(world, i)->approaching && pli_rigid_at(world, i)->lost > 0.0;
}

void pli_world_save_rigids(pli_world *world)
{
    for (int32_t i = 0; i < world->rigids.count; i++) {
        pli_rigid_at(world, i)->good = pli_rigid_at(world, i)->now;
        pli_rigid_at(world, i)->lost = 0.0;
        pli_rigid_at(world, i)->stopped = pli_rigid_at(world, i)->stopped_turn = (pli_dvec3){0, 0, 0};
    }
    world->coupling.support_contacts.good.count = world->coupling.support_contacts.now.count;
    for (int32_t i = 0; i < world->coupling.support_contacts.now.count; i++)
        world->coupling.support_contacts.good.items[i] = world->coupling.support_contacts.now.items[i];
}

void pli_world_restore_rigids(pli_world *world)
{
    for (int32_t i = 0; i < world->rigids.count; i++) {
        pli_rigid_at(world, i)->now = pli_rigid_at(world, i)->good;
        pli_rigid_update_inertia(pli_rigid_at(world, i));
    }
    world->coupling.support_contacts.now.count = world->coupling.support_contacts.good.count;
    for (int32_t i = 0; i < world->coupling.support_contacts.good.count; i++)
        world->coupling.support_contacts.now.items[i] = world->coupling.support_contacts.good.items[i];
}

static bool near_enough(pli_dvec3 v)
{
    return fabs(v.x) < RIGID_FARTHEST && fabs(v.y) < RIGID_FARTHEST && fabs(v.z) < RIGID_FARTHEST;
}

bool pli_world_rigids_are_finite(const pli_world *world)
{
    for (int32_t i = 0; i < world->rigids.count; i++) {
        const pli_rigid_body_motion *now = &pli_rigid_at(world, i)->now;
        if (!near_enough(now->pose.centre) || !near_enough(now->velocity) || !near_enough(now->spin))
            return false;
    }
    return true;
}

/* ---- attachments ----------------------------------------------------------------------------- */

// Attachments to rigid bodies: particle and body both move, in proportion to their inverse masses.
//
//   Mueller et al. 2020, Detailed Rigid Body Simulation with Extended Position Based Dynamics, 3.3.1.

typedef struct attachment_sweep {
    double compliance; // alpha / h^2 [1/kg]; 0 under PBD.
    float share;       // Fraction of the distance that one sweep removes under PBD; 1 under XPBD.
} attachment_sweep;

void pli_world_project_attachments(pli_world *world, float step, bool first)
{
    bool classic = world->settings.method == PLI_METHOD_PBD;
    for (int32_t k = 0; k < world->attachments.count; k++) {
        pli_attachment_data *attachment = pli_attachment_at(world, k);
        if (!attachment->rigid || attachment->deformable->idle)
            continue;
        attachment_sweep s = {classic ? 0.0 : attachment->compliance / ((double)step * (double)step), 1.0f};
        if (classic)
            s.share = (float)pli_stiffness_per_iteration(attachment->stiffness, world->settings.iterations);
        for (int32_t i = 0; i < attachment->count; i++) {
            if (first && !attachment->warm_started)
                attachment->multipliers[i] = (pli_vec3){0, 0, 0};
            pli_transform frame = pli_rigid_frame(attachment->rigid, &attachment->rigid->now.pose);
            pli_particle *p = &attachment->deformable->particles[attachment->particles[i]];
            pli_vec3 target = pli_transform_point(frame, attachment->locals[i]),
                     *multiplier = &attachment->multipliers[i];
            pli_vec3 away = pli_sub(target, (pli_vec3){p->x, p->y, p->z});
            pli_vec3 left = pli_sub(away, pli_scale(*multiplier, (float)s.compliance));
            float length = pli_length(left);
            if (!(length > 0.0f))
                continue;
            pli_vec3 direction = pli_scale(left, 1.0f / length);
            float denominator = p->w + pli_rigid_inverse_mass(attachment->rigid, target, direction) +
                                (float)s.compliance;
            if (!(denominator > 0.0f))
                continue;
            pli_vec3 push = pli_scale(direction, s.share * length / denominator);
            *multiplier = pli_add(*multiplier, push);
            p->x += p->w * push.x, p->y += p->w * push.y, p->z += p->w * push.z;
            pli_rigid_push(attachment->rigid, target, pli_scale(push, -1.0f));
        }
    }
}
