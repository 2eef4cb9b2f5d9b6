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

// What a step changes, and a failed step brings back.
typedef struct pli_rigid_body_motion {
    pli_rigid_pose pose;                    // During a substep: predicted, and moved by pushes.
    pli_dvec3 velocity, spin;               // [m/s], [rad/s]
    pli_dvec3 velocity_change, spin_change; // By what deformables did, since the change was taken.
    pli_dvec3 impulse, angular_impulse;     // The same [N s], [N m s].
} pli_rigid_body_motion;

typedef struct pli_rigid_body_data {
    uint32_t id;
    char *name;
    int32_t number;                     // During a step: among the world's.
    pli_rigid_body_def def;             // As given; its state is not read after creation.
    pli_rigid_body_motion now, good;    // good: before the step.
    pli_rigid_pose previous;            // At the start of the substep.
    pli_rigid_pose refitted;            // Where its colliders were laid out, before pushes.
    pli_dvec3 acceleration;             // [m/s2]
    pli_dvec3 free_velocity, free_spin; // Of this substep, before pushes [m/s], [rad/s].
    pli_dvec3 pushed, pushed_turn;      // Sums of pushes in this substep [kg m], [kg m2].
    double inverse_mass;                // Scaled by mass_scale [1/kg].
    double inverse_inertia[6];          // In the world at the pose, scaled: xx yy zz xy xz yz.
    pli_rigid_pose target;              // Where the host says it is: approached over the next step.
    bool approaching;
} pli_rigid_body_data;

// Recomputes the inverse masses for the present pose.
void pli_rigid_update_inertia(pli_rigid_body_data *deformable);
// Whether anything moves it but its velocities.
bool pli_rigid_yields(const pli_rigid_body_data *deformable);

// A vector turned by a unit quaternion.
pli_dvec3 pli_rigid_turned(const double turn[4], pli_dvec3 v);
// Turns a pose by a small angle about an axis in the world [rad].
void pli_rigid_turn_by(pli_rigid_pose *pose, pli_dvec3 angle);
// The pose whose body's frame is this.
pli_rigid_pose pli_rigid_pose_of(const pli_rigid_body_data *deformable, pli_transform frame);
// The body's frame at `pose`.
pli_transform pli_rigid_frame(const pli_rigid_body_data *deformable, const pli_rigid_pose *pose);
// Where a point of the body that is at `point` when the body is at `from` is when it is at `to`.
pli_vec3 pli_rigid_carry(const pli_rigid_pose *from, const pli_rigid_pose *to, pli_vec3 point);

// Moves the body over a substep, along its velocities and towards its target: by the part of the way
// to it from `from` to `to`, of the step.
void pli_rigid_predict(pli_rigid_body_data *deformable, double step, double from, double to);
// 1/m + (r x d) . I^-1 (r x d): how much a push of 1 along unit `direction` at `point` (in the world,
// at the present pose) moves that point along it [1/kg].
float pli_rigid_inverse_mass(const pli_rigid_body_data *deformable, pli_vec3 point, pli_vec3 direction);
// Moves and turns the body by a push [kg m] at a point.
void pli_rigid_push(pli_rigid_body_data *deformable, pli_vec3 point, pli_vec3 push);
// Velocities from the pushes of a substep of `step` seconds.
void pli_rigid_derive_velocities(pli_rigid_body_data *deformable, double step);
// Changes the velocities by an impulse [kg m/s] at a point.
void pli_rigid_kick(pli_rigid_body_data *deformable, pli_vec3 point, pli_vec3 impulse);
// Adds a rigid motion about a centre to the velocities.
void pli_rigid_add_motion(pli_rigid_body_data *deformable, pli_dvec3 centre, pli_dvec3 velocity, pli_dvec3 spin);
// Velocity of the body's material at a point [m/s].
pli_vec3 pli_rigid_velocity_at(const pli_rigid_body_data *deformable, pli_vec3 point);

#endif
