// A rigid body as the solver sees it: a pose that pushes turn and move, by generalised inverse masses.
//
//   Mueller et al. 2020, Detailed Rigid Body Simulation with Extended Position Based Dynamics.
#ifndef PLI_RIGID_RIGID_H
#define PLI_RIGID_RIGID_H

#include "base/vector.h"
#include "pliant/rigid.h"

// Pose of the centre of mass. Double, so that momenta are kept by light and by heavy bodies.
typedef struct pli_rigid_pose {
    pli_dvec3 centre; // [m]
    double turn[4];   // Unit quaternion x y z w, body to world.
} pli_rigid_pose;

typedef struct pli_rigid {
    uint32_t id;
    char *name;
    pli_rigid_body_def def;      // As given; state is not read after creation.
    pli_rigid_pose pose;         // During a substep: predicted, and moved by pushes.
    pli_rigid_pose previous;     // At the start of the substep.
    pli_rigid_pose predicted;    // Where colliders of vertices were laid out, before pushes.
    pli_rigid_pose good;         // Before the step.
    pli_dvec3 velocity, spin;    // [m/s], [rad/s]
    pli_dvec3 good_velocity, good_spin;
    pli_dvec3 acceleration;      // [m/s2]
    pli_dvec3 impulse, angular_impulse; // Since the change was taken [N s], [N m s].
    pli_dvec3 good_impulse, good_angular_impulse;
    double inverse_mass;         // Scaled by mass_scale [1/kg].
    double inverse_inertia[6];   // In the world at `pose`, scaled: xx yy zz xy xz yz.
    pli_rigid_pose target;       // Where the host says it is: approached over the next step.
    bool approaching;
} pli_rigid;

// Recomputes the inverse masses for body->pose.
void pli_rigid_update_inertia(pli_rigid *body);
// A vector turned by a unit quaternion.
pli_dvec3 pli_rigid_turned(const double turn[4], pli_dvec3 v);
// Turns a pose by a small angle about an axis in the world [rad].
void pli_rigid_turn_by(pli_rigid_pose *pose, pli_dvec3 angle);

// A point of the body at `pose`, from the body's frame to the world.
pli_vec3 pli_rigid_point(const pli_rigid *body, const pli_rigid_pose *pose, pli_vec3 local);
// The body's frame at `pose`.
pli_transform pli_rigid_frame(const pli_rigid *body, const pli_rigid_pose *pose);
// 1/m + (r x d) . I^-1 (r x d): how much a push of 1 along unit `direction` at `point` (in the world,
// at body->pose) moves that point along it [1/kg].
float pli_rigid_inverse_mass(const pli_rigid *body, pli_vec3 point, pli_vec3 direction);
// Moves and turns the body by a push [kg m] at a point.
void pli_rigid_push(pli_rigid *body, pli_vec3 point, pli_vec3 push);
// Changes the velocities by an impulse [kg m/s] at a point.
void pli_rigid_kick(pli_rigid *body, pli_vec3 point, pli_vec3 impulse);
// Velocity of the body's material at a point [m/s].
pli_vec3 pli_rigid_velocity_at(const pli_rigid *body, pli_vec3 point);

#endif
