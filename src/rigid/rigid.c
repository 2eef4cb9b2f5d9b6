// Motion of a rigid body in double: prediction, positional impulses, and velocities derived from them.
#include "rigid/rigid.h"

static pli_dvec3 from_float(pli_vec3 v) { return (pli_dvec3){(double)v.x, (double)v.y, (double)v.z}; }
static pli_vec3 to_float(pli_dvec3 v) { return (pli_vec3){(float)v.x, (float)v.y, (float)v.z}; }

pli_dvec3 pli_rigid_rotate(const double turn[4], pli_dvec3 v)
{
    pli_dvec3 u = {turn[0], turn[1], turn[2]}, t = pli_dscale(pli_dcross(u, v), 2.0);
    return pli_dadd(v, pli_dadd(pli_dscale(t, turn[3]), pli_dcross(u, t)));
}

void pli_rigid_update_inertia(pli_rigid_body_data *body)
{
    double inverse[6];
    for (int k = 0; k < 6; k++)
        inverse[k] = (double)body->def.inverse_inertia[k] * (double)body->def.mass_scale;
    // Compute R M R^T of a symmetric matrix.
    const double *turn = body->now.pose.turn;
    double *out = body->inverse_inertia;
    const pli_dvec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double back[4] = {-turn[0], -turn[1], -turn[2], turn[3]};
    pli_dvec3 columns[3];
    for (int k = 0; k < 3; k++)
        columns[k] = pli_rigid_rotate(turn, pli_symmetric_times(inverse, pli_rigid_rotate(back, axes[k])));
    out[0] = columns[0].x, out[1] = columns[1].y, out[2] = columns[2].z;
    out[3] = 0.5 * (columns[1].x + columns[0].y);
    out[4] = 0.5 * (columns[2].x + columns[0].z);
    out[5] = 0.5 * (columns[2].y + columns[1].z);
    body->inverse_mass = (double)body->def.inverse_mass * (double)body->def.mass_scale;
}

bool pli_rigid_is_movable(const pli_rigid_body_data *body)
{
    const float *inverse = body->def.inverse_inertia;
    return body->def.mass_scale > 0.0f && body->def.inverse_mass + inverse[0] + inverse[1] + inverse[2] > 0.0f;
}

void pli_rigid_turn_by(pli_rigid_pose *pose, pli_dvec3 angle)
{
    const double *q = pose->turn;
    double out[4] = {q[0] + 0.5 * (angle.x * q[3] + angle.y * q[2] - angle.z * q[1]),
                     q[1] + 0.5 * (angle.y * q[3] + angle.z * q[0] - angle.x * q[2]),
                     q[2] + 0.5 * (angle.z * q[3] + angle.x * q[1] - angle.y * q[0]),
                     q[3] - 0.5 * (angle.x * q[0] + angle.y * q[1] + angle.z * q[2])};
    double length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
    for (int k = 0; k < 4; k++)
        pose->turn[k] = out[k] / length;
}

pli_rigid_pose pli_rigid_pose_of(const pli_rigid_body_data *body, pli_transform frame)
{
    pli_rigid_pose pose = {.turn = {(double)frame.rotation.x, (double)frame.rotation.y, (double)frame.rotation.z,
                                    (double)frame.rotation.w}};
    const double *q = pose.turn;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++)
        pose.turn[k] /= length;
    pose.centre = pli_dadd(from_float(frame.position),
                           pli_rigid_rotate(pose.turn, from_float(body->def.centre_of_mass)));
    return pose;
}

pli_transform pli_rigid_frame(const pli_rigid_body_data *body, const pli_rigid_pose *pose)
{
    pli_dvec3 arm = pli_rigid_rotate(pose->turn, from_float(body->def.centre_of_mass));
    const double *q = pose->turn;
    return (pli_transform){to_float(pli_dsub(pose->centre, arm)), {(float)q[0], (float)q[1], (float)q[2], (float)q[3]}};
}

pli_vec3 pli_rigid_carry(const pli_rigid_pose *from, const pli_rigid_pose *to, pli_vec3 point)
{
    const double back[4] = {-from->turn[0], -from->turn[1], -from->turn[2], from->turn[3]};
    pli_dvec3 arm = pli_rigid_rotate(back, pli_dsub(from_float(point), from->centre));
    return to_float(pli_dadd(to->centre, pli_rigid_rotate(to->turn, arm)));
}

// Interpolates between two rotations along the shorter arc: linear, then normalised.
static void turn_between(const double a[4], const double b[4], double part, double out[4])
{
    double sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0.0 ? -1.0 : 1.0, square = 0.0;
    for (int k = 0; k < 4; k++) {
        out[k] = a[k] + part * (sign * b[k] - a[k]);
        square += out[k] * out[k];
    }
    for (int k = 0; k < 4; k++)
        out[k] /= sqrt(square);
}

void pli_rigid_turn_product(const double a[4], const double b[4], double out[4])
{
    const double product[4] = {
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
        a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    for (int k = 0; k < 4; k++)
        out[k] = product[k];
}

void pli_rigid_predict(pli_rigid_body_data *body, double step, double from, double to)
{
    pli_rigid_body_motion *now = &body->now;
    body->previous = now->pose;
    now->velocity = pli_dadd(now->velocity, pli_dscale(body->acceleration, step));
    now->pose.centre = pli_dadd(now->pose.centre, pli_dscale(now->velocity, step));
    pli_rigid_turn_by(&now->pose, pli_dscale(now->spin, step));
    if (body->approaching) {
        // Add the fraction from..to of the displacement from the pose before the step to the target.
        const pli_rigid_pose *start = &body->good.pose, *end = &body->target;
        double before[4], after[4], turn[4];
        turn_between(start->turn, end->turn, from, before);
        turn_between(start->turn, end->turn, to, after);
        const double back[4] = {-before[0], -before[1], -before[2], before[3]};
        pli_rigid_turn_product(after, back, turn);
        pli_rigid_turn_product(turn, body->now.pose.turn, body->now.pose.turn);
        pli_dvec3 displacement = pli_dsub(end->centre, start->centre);
        body->now.pose.centre = pli_dadd(body->now.pose.centre, pli_dscale(displacement, to - from));
    }
    body->placed_pose = now->pose;
    body->free_velocity = now->velocity;
    body->free_spin = now->spin;
    body->pushed = body->pushed_turn = (pli_dvec3){0, 0, 0};
    pli_rigid_update_inertia(body);
}

float pli_rigid_inverse_mass(const pli_rigid_body_data *body, pli_vec3 point, pli_vec3 direction)
{
    pli_dvec3 arm = pli_dsub(from_float(point), body->now.pose.centre), lever = pli_dcross(arm, from_float(direction));
    return (float)(body->inverse_mass + pli_ddot(lever, pli_symmetric_times(body->inverse_inertia, lever)));
}

void pli_rigid_push(pli_rigid_body_data *body, pli_vec3 point, pli_vec3 push)
{
    pli_dvec3 p = from_float(push), turn = pli_dcross(pli_dsub(from_float(point), body->now.pose.centre), p);
    body->now.pose.centre = pli_dadd(body->now.pose.centre, pli_dscale(p, body->inverse_mass));
    pli_rigid_turn_by(&body->now.pose, pli_symmetric_times(body->inverse_inertia, turn));
    body->pushed = pli_dadd(body->pushed, p);
    body->pushed_turn = pli_dadd(body->pushed_turn, turn);
}

static void add_change(pli_rigid_body_motion *now, pli_dvec3 velocity, pli_dvec3 spin, pli_dvec3 impulse,
                       pli_dvec3 angular_impulse)
{
    now->velocity = pli_dadd(now->velocity, velocity);
    now->spin = pli_dadd(now->spin, spin);
    now->velocity_change = pli_dadd(now->velocity_change, velocity);
    now->spin_change = pli_dadd(now->spin_change, spin);
    now->impulse = pli_dadd(now->impulse, impulse);
    now->angular_impulse = pli_dadd(now->angular_impulse, angular_impulse);
}

static void change(pli_rigid_body_data *body, pli_dvec3 impulse, pli_dvec3 angular_impulse)
{
    add_change(&body->now, pli_dscale(impulse, body->inverse_mass),
               pli_symmetric_times(body->inverse_inertia, angular_impulse), impulse, angular_impulse);
}

void pli_rigid_add_motion(pli_rigid_body_data *body, pli_dvec3 centre, pli_dvec3 velocity, pli_dvec3 spin)
{
    pli_dvec3 here = pli_dadd(velocity, pli_dcross(spin, pli_dsub(body->now.pose.centre, centre)));
    add_change(&body->now, here, spin, pli_dscale(here, 1.0 / body->inverse_mass),
               pli_solve_symmetric(body->inverse_inertia, spin));
}

// Scales the velocities by `share`, as an impulse; velocities of a body that impulses cannot move stay.
static void slow_to(pli_rigid_body_data *body, double share)
{
    pli_rigid_body_motion *now = &body->now;
    if (body->inverse_mass > 0.0) {
        pli_dvec3 lost = pli_dscale(now->velocity, share - 1.0);
        add_change(now, lost, (pli_dvec3){0, 0, 0}, pli_dscale(lost, 1.0 / body->inverse_mass), (pli_dvec3){0, 0, 0});
    }
    if (body->inverse_inertia[0] + body->inverse_inertia[1] + body->inverse_inertia[2] > 0.0) {
        pli_dvec3 lost = pli_dscale(now->spin, share - 1.0);
        add_change(now, (pli_dvec3){0, 0, 0}, lost, (pli_dvec3){0, 0, 0},
                   pli_solve_symmetric(body->inverse_inertia, lost));
    }
}

void pli_rigid_stop_at(pli_rigid_body_data *body, double share)
{
    pli_rigid_body_motion *now = &body->now;
    const pli_rigid_pose end = now->pose;
    now->pose = body->previous;
    if (share > 0.0) {
        turn_between(body->previous.turn, end.turn, share, now->pose.turn);
        now->pose.centre = pli_dadd(body->previous.centre,
                                    pli_dscale(pli_dsub(end.centre, body->previous.centre), share));
    }
    pli_rigid_update_inertia(body);
    const pli_dvec3 before = now->impulse, turn = now->angular_impulse;
    slow_to(body, share);
    body->stopped = pli_dadd(body->stopped, pli_dsub(before, now->impulse));
    body->stopped_turn = pli_dadd(body->stopped_turn, pli_dsub(turn, now->angular_impulse));
}

void pli_rigid_rest(pli_rigid_body_data *body)
{
    pli_rigid_update_inertia(body);
    slow_to(body, 0.0);
    body->now.velocity = body->now.spin = (pli_dvec3){0, 0, 0};
}

void pli_rigid_hold(pli_rigid_body_data *body)
{
    body->previous = body->placed_pose = body->now.pose;
    body->free_velocity = body->free_spin = body->pushed = body->pushed_turn = (pli_dvec3){0, 0, 0};
    body->inverse_mass = 0.0;
    for (int k = 0; k < 6; k++)
        body->inverse_inertia[k] = 0.0;
}

void pli_rigid_derive_velocities(pli_rigid_body_data *body, double step)
{
    change(body, pli_dscale(body->pushed, 1.0 / step), pli_dscale(body->pushed_turn, 1.0 / step));
}

void pli_rigid_apply_impulse(pli_rigid_body_data *body, pli_vec3 point, pli_vec3 impulse)
{
    pli_dvec3 p = from_float(impulse);
    change(body, p, pli_dcross(pli_dsub(from_float(point), body->now.pose.centre), p));
}

pli_vec3 pli_rigid_velocity_at(const pli_rigid_body_data *body, pli_vec3 point)
{
    pli_dvec3 arm = pli_dsub(from_float(point), body->now.pose.centre);
    return to_float(pli_dadd(body->now.velocity, pli_dcross(body->now.spin, arm)));
}
