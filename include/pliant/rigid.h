/// Pliant, rigid bodies: proxies of the rigid bodies of another engine, for two-way coupling.
///
/// Pliant does not simulate rigid bodies. A proxy has the pose, velocities and inverse masses of a body of the application's
/// engine, and moves with its velocities through the substeps. Its attachments and the contacts of its colliders act on both sides with
/// generalised inverse masses (Mueller 2020). The application reads the resulting change of velocity back:
///
///     each frame, or each substep from the substep callback:
///         application: joints, motors, gravity, contacts between bodies -> new velocities
///         pli_rigid_body_set_state(world, body, {pose, velocity, angular_velocity, ...})
///         pli_world_step(world, dt)
///         pli_rigid_body_take_change(world, body, &change)  -> add to the application's velocities
///
/// A body reaches a pose that differs from its current one at constant velocity over the next step, unless `teleport` is set.
/// docs/embedding.md couples an engine by hand.
#ifndef PLIANT_RIGID_H
#define PLIANT_RIGID_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Motion of a body, in the frame of the world.
typedef struct pli_rigid_state {
    pli_transform pose;        ///< Pose of the body's frame [m].
    pli_vec3 velocity;         ///< Velocity of the centre of mass [m/s].
    pli_vec3 angular_velocity; ///< Angular velocity [rad/s].
    /// External acceleration [m/s2], such as gravity, that the application also integrates itself. The reported change excludes it.
    pli_vec3 acceleration;
} pli_rigid_state;

/// The definition of a proxy.
typedef struct pli_rigid_body_def {
    const char *name; ///< Copied; may be NULL.
    pli_rigid_state state;
    pli_vec3 centre_of_mass; ///< Centre of mass in the body's frame [m].
    float inverse_mass;      ///< [1/kg], >= 0; 0: only its own velocities move the body. Default 1.
    /// Inverse inertia about the centre of mass, in the body's frame: xx yy zz xy xz yz [1/(kg m2)]; symmetric, no negative eigenvalue;
    /// 0: only its own velocities turn the body. Default identity.
    float inverse_inertia[6];
    /// Scales inverse mass and inertia in contacts with deformables, >= 0. Below 1, deformables move the body less than its mass
    /// implies, and momentum is not conserved. Default 1.
    float mass_scale;
    uint64_t user_data;
    /// true: the application calls pli_rigid_body_is_asleep and does not move a sleeping body. Velocities that it sets for its own
    /// forces, such as gravity in each substep, then do not keep the body awake. Default false: the body sleeps only when its state has
    /// not been changed for half a second.
    bool respects_sleep;
} pli_rigid_body_def;

/// A definition with all its defaults, to be changed field by field.
PLI_API pli_rigid_body_def pli_rigid_body_def_default(void);
/// Creates a proxy. Errors: INVALID_ARGUMENT for values that are not finite, a negative inverse mass or mass scale, and an inverse inertia
/// with a negative eigenvalue; OUT_OF_MEMORY.
PLI_API pli_status pli_rigid_body_create(pli_world *world, const pli_rigid_body_def *def, pli_rigid_body *body,
                                         pli_error *error);
/// Destroys the proxy with its colliders and attachments.
PLI_API pli_status pli_rigid_body_destroy(pli_world *world, pli_rigid_body body, pli_error *error);
/// The i-th body in order of creation; the null handle when out of range.
PLI_API pli_rigid_body pli_world_rigid_body_at(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_rigid_body_count(const pli_world *world);
/// The name of a body; empty if it has none or does not exist.
PLI_API const char *pli_rigid_body_name(const pli_world *world, pli_rigid_body body);
/// The first body with this name, or the null handle.
PLI_API pli_rigid_body pli_world_rigid_body_find(const pli_world *world, const char *name);
/// The current definition: the one given at creation with all later changes. Pointers are borrowed.
PLI_API pli_status pli_rigid_body_get_def(const pli_world *world, pli_rigid_body body, pli_rigid_body_def *def,
                                          pli_error *error);

/// The current pose and velocities of the proxy.
PLI_API pli_status pli_rigid_body_get_state(const pli_world *world, pli_rigid_body body, pli_rigid_state *state,
                                            pli_error *error);
/// As pli_rigid_body_get_state, with the position relative to pli_world_get_origin, which rounds less far from the origin.
PLI_API pli_status pli_rigid_body_get_local_state(const pli_world *world, pli_rigid_body body, pli_rigid_state *state,
                                                  pli_error *error);
/// Sets the state of the proxy to the state of the application's body. Velocities take effect immediately. The body moves to the pose
/// over the next step, and immediately with `teleport` or in the substep callback. Errors: NOT_FOUND; INVALID_ARGUMENT for values that
/// are not finite and a rotation that is not unit.
PLI_API pli_status pli_rigid_body_set_state(pli_world *world, pli_rigid_body body, const pli_rigid_state *state,
                                            bool teleport, pli_error *error);
/// Changes the masses of the definition, for bodies that gain or lose mass. Errors: NOT_FOUND, and as pli_rigid_body_create.
PLI_API pli_status pli_rigid_body_set_mass(pli_world *world, pli_rigid_body body, float inverse_mass,
                                           const float inverse_inertia[6], pli_error *error);

/// Whether a body sleeps (pli_settings.sleep_speed). A sleeping body stays where it is and has no velocities; its acceleration does not
/// act. Until it wakes, it acts like a body of infinite mass. False for the null handle. May be called in the substep callback.
PLI_API bool pli_rigid_body_is_asleep(const pli_world *world, pli_rigid_body body);
/// Wakes a body and everything near it from the next step on, and restarts its rest timer. Call it for events that only the application
/// knows: a motor that starts, or a support that is removed. A state or mass that differs from the current one wakes the body
/// automatically. May be called in the substep callback. Errors: NOT_FOUND.
PLI_API pli_status pli_rigid_body_wake(pli_world *world, pli_rigid_body body, pli_error *error);

/// The change of a body since the last call of pli_rigid_body_take_change: the effect of deformables, and of stops where surfaces would have
/// crossed.
typedef struct pli_rigid_change {
    pli_vec3 velocity;         ///< Change of the velocity of the centre of mass [m/s].
    pli_vec3 angular_velocity; ///< Change of the angular velocity [rad/s].
    pli_vec3 impulse;          ///< Impulse on the body [N s].
    pli_vec3 angular_impulse;  ///< Angular impulse about the centre of mass [N m s].
} pli_rigid_change;

/// Returns the change and resets it to zero. Add it to the velocities of the application's body. Errors: NOT_FOUND.
PLI_API pli_status pli_rigid_body_take_change(pli_world *world, pli_rigid_body body, pli_rigid_change *change,
                                              pli_error *error);

/// Motion and momentum that the non-penetration guarantee removed from a body in the last step, because surfaces would have crossed.
typedef struct pli_rigid_tracking_error {
    /// Distance by which the farthest vertex of the body stopped short [m], summed over the stops of the step.
    double distance;
    /// Mean force over the step that would have kept the velocity of the body [N]: the removed momentum over the length of the step.
    double force[3];
    double torque[3]; ///< Mean torque that would have kept the angular velocity, about the centre of mass [N m].
} pli_rigid_tracking_error;

/// Reports the motion and momentum that a body lost. All values are 0 for a body that was not stopped, and after a restore. The force on a
/// body with infinite mass is 0 too, because the body keeps its velocity; pli_collider_get_tracking_error of its colliders has the contact force on
/// it. Errors: NOT_FOUND.
PLI_API pli_status pli_rigid_body_get_tracking_error(const pli_world *world, pli_rigid_body body,
                                                     pli_rigid_tracking_error *tracking, pli_error *error);

/// A support contact through cloth: a place where a body rests on another collider, with cloth between them. The colliders do not
/// touch there, because the cloth needs `thickness` [m] between them. An engine that resolves contacts between its bodies itself
/// adds a contact there with the depth `thickness - distance`. A negative depth is the distance by which the bodies may still come
/// closer. docs/embedding.md does this by hand.
typedef struct pli_support_contact {
    pli_collider collider; ///< Collider of the supported body; between two bodies, the collider created first.
    pli_collider support;  ///< The supporting collider: without a body, or of another body.
    pli_vec3 position;     ///< Point where `collider` touches the cloth [m].
    pli_vec3 normal;       ///< Unit normal from the support to the body.
    float distance;        ///< Distance between collider and support along the normal [m].
    float thickness;       ///< Sum of the distances kept by the contacts between them [m]; see docs/contact.md.
    float friction;        ///< Smallest friction coefficient of these contacts.
    int32_t layers;        ///< Number of cloth layers between them, >= 1.
} pli_support_contact;

/// Copies the support contacts at the end of the last substep, at most `capacity`, in an order that does not depend on threads. *count receives their
/// total number, at most 8 per pair of colliders. `support_contacts` may be NULL when `capacity` is 0. Snapshots include the support contacts, because
/// the next substep of the application depends on them. There are none before the first step, and after any destruction or teleport.
PLI_API pli_status pli_world_support_contacts(const pli_world *world, pli_support_contact *support_contacts,
                                              int32_t capacity, int32_t *count, pli_error *error);

/// Called on the thread that steps, at the start of each substep of `step` seconds, for an application that runs its own substeps inside the
/// step. It may take changes, read support contacts and set states, and must do nothing else with the world. A pose that it sets takes effect
/// immediately.
typedef void (*pli_substep_callback)(void *user, pli_world *world, float step);
/// Sets the substep callback from the next substep on; NULL removes it. A world has one callback. pliant-ode uses it.
PLI_API void pli_world_set_substep_callback(pli_world *world, pli_substep_callback callback, void *user);

#ifdef __cplusplus
}
#endif

#endif
