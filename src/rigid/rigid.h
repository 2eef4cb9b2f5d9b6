// A rigid body as the solver sees it: positional impulses move and rotate its pose, by generalised inverse masses.
//
//   Mueller et al. 2020, Detailed Rigid Body Simulation with Extended Position Based Dynamics.
//
//         centre +------ r ------> point       An impulse p at the point moves the centre by p / m and rotates the body
//                |                 | p         by I^-1 (r x p). The generalised inverse mass along the unit vector d is
//              body                v           1/m + (r x d) . I^-1 (r x d), eqs. (2), (3).
#ifndef PLI_RIGID_RIGID_H
#define PLI_RIGID_RIGID_H

#include "base/vector.h"
#include "pliant/rigid.h"

// The pose of the centre of mass, in double so that light and heavy bodies conserve momentum.
typedef struct pli_rigid_pose {
    pli_dvec3 centre; // Position [m].
    double turn[4];   // Unit quaternion x y z w, body to world.
} pli_rigid_pose;

// The state that a step changes and a failed step restores.
typedef struct pli_rigid_body_motion {
    pli_rigid_pose pose;                    // During a substep: predicted, then moved by the projections.
    pli_dvec3 velocity, spin;               // Velocity [m/s] and angular velocity [rad/s].
    pli_dvec3 velocity_change, spin_change; // Changes caused by deformables since the application read them.
    pli_dvec3 impulse, angular_impulse;     // The same as impulses [N s], [N m s].
} pli_rigid_body_motion;

typedef struct pli_rigid_body_data {
    uint32_t id;
    char *name;
    int32_t number;                     // Index among the world's rigid bodies, during a step.
    pli_rigid_body_def def;             // The definition as given; its state is not read after creation.
    pli_rigid_body_motion now, good;    // The present state, and the one before the step.
    pli_rigid_pose previous;            // Pose at the start of the substep.
    pli_rigid_pose placed_pose;         // Pose at which its colliders' vertices were placed, before projections.
    pli_dvec3 acceleration;             // Set by the application [m/s2].
    pli_dvec3 free_velocity, free_spin; // Velocities of this substep before projections [m/s], [rad/s].
    pli_dvec3 pushed, pushed_turn;      // Sums of positional impulses in this substep [kg m], [kg m2].
    double inverse_mass;                // Multiplied by mass_scale [1/kg].
    double inverse_inertia[6];          // In world axes at the pose, scaled [1/(kg m2)]: xx yy zz xy xz yz.
    pli_rigid_pose target;              // Pose set by the application, reached by the end of the next step.
    bool approaching;
    int32_t leader; // First of the collision surfaces that it carries, during a step.
    // It sleeps through this step; it sleeps. Time at rest [s]; distance of the farthest point from the centre, computed on demand [m].
    bool idle, asleep;
    double still_time, reach;
    pli_dvec3 stopped, stopped_turn; // Momenta that the guarantee removed in the last step [N s], [N m s].
    double lost; // Displacement of the farthest vertex that the guarantee removed in the last step [m].
} pli_rigid_body_data;

// Recomputes the inverse inertia in world axes at the present pose.
void pli_rigid_update_inertia(pli_rigid_body_data *body);
// Whether impulses can move the body: its inverse mass or inertia is not zero.
bool pli_rigid_is_movable(const pli_rigid_body_data *body);

// The quaternion of the rotation by b, then by a; `out` may be either of them.
void pli_rigid_turn_product(const double a[4], const double b[4], double out[4]);
// Rotates a vector by a unit quaternion.
pli_dvec3 pli_rigid_rotate(const double turn[4], pli_dvec3 v);
// The pose of the centre of mass for a frame of the body.
pli_rigid_pose pli_rigid_pose_of(const pli_rigid_body_data *body, pli_transform frame);
// The frame of the body for a pose of the centre of mass.
pli_transform pli_rigid_frame(const pli_rigid_body_data *body, const pli_rigid_pose *pose);
// The position of a material point when the body is at `to`, given its position when the body is at `from`.
pli_vec3 pli_rigid_carry(const pli_rigid_pose *from, const pli_rigid_pose *to, pli_vec3 point);

// Moves the body over a substep of `step` seconds, by its velocities and by the fraction from..to (0..1) of the
// displacement to its target.
void pli_rigid_predict(pli_rigid_body_data *body, double step, double from, double to);
// Wakes a body and resets its time at rest.
static inline void pli_rigid_wake(pli_rigid_body_data *body)
{
    body->asleep = false;
    body->still_time = 0.0;
}
// Keeps a sleeping body in place for a substep, with infinite mass.
void pli_rigid_hold(pli_rigid_body_data *body);
// Stops a body: its momentum is removed as an impulse.
void pli_rigid_rest(pli_rigid_body_data *body);
// The generalised inverse mass 1/m + (r x d) . I^-1 (r x d) at `point` (in the world, at the present pose) along unit
// `direction` [1/kg].
float pli_rigid_inverse_mass(const pli_rigid_body_data *body, pli_vec3 point, pli_vec3 direction);
// Moves and rotates the body by a positional impulse [kg m] at a point.
void pli_rigid_push(pli_rigid_body_data *body, pli_vec3 point, pli_vec3 push);
// Moves the body back to a fraction (0..1) of its displacement in this substep and scales its velocities by the same fraction,
// as an impulse; velocities of a body that impulses cannot move stay as the application set them.
void pli_rigid_stop_at(pli_rigid_body_data *body, double share);
// Derives velocities from the positional impulses of a substep of `step` seconds.
void pli_rigid_derive_velocities(pli_rigid_body_data *body, double step);
// Changes the velocities by an impulse [kg m/s] at a point.
void pli_rigid_apply_impulse(pli_rigid_body_data *body, pli_vec3 point, pli_vec3 impulse);
// Adds a rigid motion about a centre to the velocities.
void pli_rigid_add_motion(pli_rigid_body_data *body, pli_dvec3 centre, pli_dvec3 velocity, pli_dvec3 spin);
// The velocity of the body's material at a point [m/s].
pli_vec3 pli_rigid_velocity_at(const pli_rigid_body_data *body, pli_vec3 point);

#endif
