#include "rigid/rigid.h"

static pli_dvec3 from_float(pli_vec3 v) { return (pli_dvec3){(double)v.x, (double)v.y, (double)v.z}; }
static pli_vec3 to_float(pli_dvec3 v) { return (pli_vec3){(float)v.x, (float)v.y, (float)v.z}; }

pli_dvec3 pli_rigid_turned(const double turn[4], pli_dvec3 v)
{
    pli_dvec3 u = {turn[0], turn[1], turn[2]}, t = pli_dscale(pli_dcross(u, v), 2.0);
    return pli_dadd(v, pli_dadd(pli_dscale(t, turn[3]), pli_dcross(u, t)));
}

static pli_dvec3 times(const double m[6], pli_dvec3 v)
{
    return (pli_dvec3){m[0] * v.x + m[3] * v.y + m[4] * v.z, m[3] * v.x + m[1] * v.y + m[5] * v.z,
                       m[4] * v.x + m[5] * v.y + m[2] * v.z};
}

// R M R^T of a symmetric matrix.
static void turn_matrix(const double turn[4], const double m[6], double out[6])
{
    const pli_dvec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double back[4] = {-turn[0], -turn[1], -turn[2], turn[3]};
    pli_dvec3 columns[3];
    for (int k = 0; k < 3; k++)
        columns[k] = pli_rigid_turned(turn, times(m, pli_rigid_turned(back, axes[k])));
    out[0] = columns[0].x, out[1] = columns[1].y, out[2] = columns[2].z;
    out[3] = 0.5 * (columns[1].x + columns[0].y);
    out[4] = 0.5 * (columns[2].x + columns[0].z);
    out[5] = 0.5 * (columns[2].y + columns[1].z);
}

void pli_rigid_update_inertia(pli_rigid *body)
{
    double inverse[6];
    for (int k = 0; k < 6; k++)
        inverse[k] = (double)body->def.inverse_inertia[k] * (double)body->def.mass_scale;
    turn_matrix(body->pose.turn, inverse, body->inverse_inertia);
    body->inverse_mass = (double)body->def.inverse_mass * (double)body->def.mass_scale;
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

pli_transform pli_rigid_frame(const pli_rigid *body, const pli_rigid_pose *pose)
{
    pli_dvec3 arm = pli_rigid_turned(pose->turn, from_float(body->def.centre_of_mass));
    const double *q = pose->turn;
    return (pli_transform){to_float(pli_dsub(pose->centre, arm)), {(float)q[0], (float)q[1], (float)q[2], (float)q[3]}};
}

pli_vec3 pli_rigid_point(const pli_rigid *body, const pli_rigid_pose *pose, pli_vec3 local)
{
    pli_dvec3 arm = pli_dsub(from_float(local), from_float(body->def.centre_of_mass));
    return to_float(pli_dadd(pose->centre, pli_rigid_turned(pose->turn, arm)));
}

float pli_rigid_inverse_mass(const pli_rigid *body, pli_vec3 point, pli_vec3 direction)
{
    pli_dvec3 arm = pli_dsub(from_float(point), body->pose.centre), lever = pli_dcross(arm, from_float(direction));
    return (float)(body->inverse_mass + pli_ddot(lever, times(body->inverse_inertia, lever)));
}

void pli_rigid_push(pli_rigid *body, pli_vec3 point, pli_vec3 push)
{
    pli_dvec3 arm = pli_dsub(from_float(point), body->pose.centre), p = from_float(push);
    body->pose.centre = pli_dadd(body->pose.centre, pli_dscale(p, body->inverse_mass));
    pli_rigid_turn_by(&body->pose, times(body->inverse_inertia, pli_dcross(arm, p)));
}

void pli_rigid_kick(pli_rigid *body, pli_vec3 point, pli_vec3 impulse)
{
    pli_dvec3 arm = pli_dsub(from_float(point), body->pose.centre), p = from_float(impulse);
    body->velocity = pli_dadd(body->velocity, pli_dscale(p, body->inverse_mass));
    body->spin = pli_dadd(body->spin, times(body->inverse_inertia, pli_dcross(arm, p)));
}

pli_vec3 pli_rigid_velocity_at(const pli_rigid *body, pli_vec3 point)
{
    pli_dvec3 arm = pli_dsub(from_float(point), body->pose.centre);
    return to_float(pli_dadd(body->velocity, pli_dcross(body->spin, arm)));
}
