// Support contacts: positional impulses on the bodies alone keep them at the distance from their support that the cloth in between
// needs. The cloth carries no load, so that the mass ratio does not matter.
//
//   Mueller et al. 2020, Detailed Rigid Body Simulation with Extended Position Based Dynamics, sections 3.3 and 3.6.
#include "rigid/coupling/support_contact_project.h"

#include "model/handles.h"
#include "model/origin.h"

static pli_rigid_body_data *body_of(const pli_world *world, int32_t collider)
{
    return pli_collider_at(world, collider)->rigid;
}

static pli_dvec3 point_at(const pli_rigid_pose *pose, pli_dvec3 arm)
{
    return pli_dadd(pose->centre, pli_rigid_rotate(pose->turn, arm));
}

// How far the body's point has moved along the normal in this substep [m]; 0 without a body.
static double support_moved(const pli_rigid_body_data *body, pli_dvec3 arm, pli_dvec3 normal)
{
    if (!body)
        return 0.0;
    return pli_ddot(normal, pli_dsub(point_at(&body->now.pose, arm), point_at(&body->previous, arm)));
}

// Distance of body and support at their present poses, after the motion of a support that is not a body [m].
static double distance_now(const pli_world *world, const pli_support_contact_data *b)
{
    return b->start + support_moved(body_of(world, b->collider), b->arm, b->normal) -
           support_moved(body_of(world, b->support), b->support_arm, b->normal);
}

void pli_support_contact_begin(const pli_world *world, const pli_support_contact_data *found,
                               pli_support_contact_data *support_contact)
{
    double step = (double)world->collision.step;
    *support_contact = *found;
    // `start` includes the motion of a support that is not a body; `before` excludes it.
    double before = found->start + found->support_speed * step;
    support_contact->wanted = fmin(found->keep, before + (double)PLI_RECOVERY * found->keep * step);
    support_contact->approach = (distance_now(world, support_contact) - before) / step;
}

static pli_vec3 support_place(const pli_rigid_body_data *body, pli_dvec3 arm)
{
    return pli_rounded(point_at(&body->now.pose, arm));
}

static double inverse_mass(const pli_rigid_body_data *body, pli_dvec3 arm, pli_vec3 normal)
{
    return body ? (double)pli_rigid_inverse_mass(body, support_place(body, arm), normal) : 0.0;
}

static double both_inverse_masses(const pli_world *world, const pli_support_contact_data *b)
{
    pli_vec3 normal = pli_rounded(b->normal);
    return inverse_mass(body_of(world, b->collider), b->arm, normal) +
           inverse_mass(body_of(world, b->support), b->support_arm, normal);
}

// Applies an impulse along the normal to the body, and the opposite one to a support that is a body, at the same point.
static void give(const pli_world *world, const pli_support_contact_data *b, double size,
                 void (*to)(pli_rigid_body_data *body, pli_vec3 point, pli_vec3 impulse))
{
    pli_rigid_body_data *body = body_of(world, b->collider), *support = body_of(world, b->support);
    pli_vec3 point = support_place(body, b->arm), impulse = pli_rounded(pli_dscale(b->normal, size));
    to(body, point, impulse);
    if (support)
        to(support, point, pli_scale(impulse, -1.0f));
}

void pli_world_project_support_contacts(pli_world *world)
{
    for (int32_t i = 0; i < world->support_contacts.now.count; i++) {
        pli_support_contact_data *b = &world->support_contacts.now.items[i];
        double inverse = both_inverse_masses(world, b);
        if (!(inverse > 0.0))
            continue;
        double push = fmax((b->wanted - distance_now(world, b)) / inverse, -b->sum);
        if (push == 0.0)
            continue;
        b->sum += push;
        give(world, b, push, pli_rigid_push);
    }
}

static double speed_of(const pli_rigid_body_data *body, pli_dvec3 arm, pli_dvec3 normal)
{
    return body ? pli_ddot(normal, pli_widened(pli_rigid_velocity_at(body, support_place(body, arm)))) : 0.0;
}

void pli_world_rebound_support_contacts(pli_world *world, float bounce)
{
    for (int32_t i = 0; i < world->support_contacts.now.count; i++) {
        const pli_support_contact_data *b = &world->support_contacts.now.items[i];
        double inverse = both_inverse_masses(world, b);
        if (!(b->sum > 0.0) || !(inverse > 0.0))
            continue;
        bool reflects = b->approach < -(double)bounce && b->restitution > 0.0f;
        double wanted = b->approach < -(double)bounce ? -(double)b->restitution * b->approach : fmax(b->approach, 0.0);
        double speed = speed_of(body_of(world, b->collider), b->arm, b->normal) -
                       speed_of(body_of(world, b->support), b->support_arm, b->normal) - b->support_speed;
        if (speed > wanted || reflects)
            give(world, b, (wanted - speed) / inverse, pli_rigid_apply_impulse);
    }
}

void pli_world_measure_support_contacts(pli_world *world)
{
    for (int32_t i = 0; i < world->support_contacts.now.count; i++) {
        pli_support_contact_data *b = &world->support_contacts.now.items[i];
        const double *q = body_of(world, b->collider)->now.pose.turn, back[4] = {-q[0], -q[1], -q[2], q[3]};
        b->distance = distance_now(world, b);
        b->local_normal = pli_rigid_rotate(back, b->normal);
    }
}

pli_status pli_world_support_contacts(const pli_world *world, pli_support_contact *support_contacts, int32_t capacity,
                                      int32_t *count, pli_error *error)
{
    if (!world || !count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the %s of the support contacts is null",
                        world ? "count" : "world");
    if (capacity < 0 || (!support_contacts && capacity > 0))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "there is room for %d support contacts%s; give an array, or null and 0 for the count alone",
                        (int)capacity, support_contacts ? "" : " at null");
    *count = world->support_contacts.now.count;
    for (int32_t i = 0; i < *count && i < capacity; i++) {
        const pli_support_contact_data *b = &world->support_contacts.now.items[i];
        const pli_rigid_pose *pose = &body_of(world, b->collider)->now.pose;
        support_contacts[i] = (pli_support_contact){
            .collider = {pli_collider_at(world, b->collider)->id, world->tag},
            .support = {pli_collider_at(world, b->support)->id, world->tag},
            .position = pli_rounded(pli_dadd(point_at(pose, b->arm), world->origin)),
            .normal = pli_rounded(pli_rigid_rotate(pose->turn, b->local_normal)),
            .distance = (float)b->distance,
            .thickness = (float)b->keep,
            .friction = b->friction,
            .layers = b->layers,
        };
    }
    return pli_succeed(error);
}
