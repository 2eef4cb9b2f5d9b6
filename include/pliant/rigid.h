/// Pliant, rigid bodies. Proxies of another engine's rigid bodies, for two-way coupling.
///
/// Pliant does not simulate rigid bodies. A proxy has the pose, velocities and inverse masses of a
/// body of the host's engine. It moves with its velocities through the substeps, colliders and
/// attachments that name it act on both sides with generalised inverse masses (Mueller 2020), and
/// what contacts and attachments changed goes back to the host:
///
///     each frame, or each substep from the substep callback:
///         host: joints, motors, gravity, contacts between bodies -> new velocities
///         pli_rigid_body_set_state(world, body, {pose, velocity, angular_velocity, ...})
///         pli_world_step(world, dt)
///         pli_rigid_body_take_change(world, body, &change)  -> add to the host's velocities
///
/// A pose that differs from the current one is reached at constant velocity over the next step, unless `teleport` is
/// set. docs/embedding.md couples an engine by hand.
#ifndef PLIANT_RIGID_H
#define PLIANT_RIGID_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Motion of a body, in the world's frame.
typedef struct pli_rigid_state {
    pli_transform pose;        ///< Pose of the body's frame [m].
    pli_vec3 velocity;         ///< Velocity of the centre of mass [m/s].
    pli_vec3 angular_velocity; ///< [rad/s]
    /// External acceleration [m/s2] the host integrates itself, such as gravity; excluded from the reported
    /// change.
    pli_vec3 acceleration;
} pli_rigid_state;

/// How a proxy is created.
typedef struct pli_rigid_body_def {
    uint32_t size;    ///< Bytes of this struct; set by the default function.
    uint32_t cookie;  ///< Set by the default function.
    const char *name; ///< Copied; may be NULL.
    pli_rigid_state state;
    pli_vec3 centre_of_mass;  ///< In the body's frame [m].
    float inverse_mass;       ///< [1/kg], >= 0; 0: nothing moves it but its velocities. Default 1.
    float inverse_inertia[6]; ///< About the centre of mass, in the body's frame: xx yy zz xy xz yz [1/(kg m2)];
                              ///< symmetric, no negative eigenvalue; 0: nothing turns it. Default identity.
    /// Scales inverse mass and inertia in contacts with deformables, >= 0; below 1 the body is moved less than
    /// its mass implies (momentum is then not conserved). Default 1.
    float mass_scale;
    uint64_t user_data;
    /// The host asks pli_rigid_body_is_asleep, and leaves a body alone while it sleeps. Velocities that it sets for forces of its own,
    /// such as gravity in each substep, do not keep the body awake then. Default false: it sleeps only when its state has not
    /// been changed for half a second.
    bool asks_sleep;
} pli_rigid_body_def;

/// Fills `size` bytes of a definition with its defaults; see pli_rigid_body_def_default.
PLI_API void pli_rigid_body_def_init(pli_rigid_body_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_rigid_body_def pli_rigid_body_def_default(void)
{
    pli_rigid_body_def def;
    pli_rigid_body_def_init(&def, sizeof def);
    return def;
}
/// Errors: INVALID_ARGUMENT for values that are not finite, a negative inverse mass, or an inverse
/// inertia with a negative eigenvalue.
PLI_API pli_status pli_rigid_body_create(pli_world *world, const pli_rigid_body_def *def, pli_rigid_body *body,
                                         pli_error *error);
/// Destroys the proxy, and its colliders and attachments with it.
PLI_API pli_status pli_rigid_body_destroy(pli_world *world, pli_rigid_body body, pli_error *error);
/// The i-th body in order of creation, null handle when out of range.
PLI_API pli_rigid_body pli_world_rigid_body_at(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_rigid_body_count(const pli_world *world);
/// Empty when it has none, or is gone.
PLI_API const char *pli_rigid_body_name(const pli_world *world, pli_rigid_body body);
/// The first body of that name, or the null handle.
PLI_API pli_rigid_body pli_world_rigid_body_find(const pli_world *world, const char *name);
/// The definition as it stands: what it was created with and what was set since. Pointers are borrowed.
PLI_API pli_status pli_rigid_body_get_def_sized(const pli_world *world, pli_rigid_body body, pli_rigid_body_def *def,
                                                size_t size, pli_error *error);
static inline pli_status pli_rigid_body_get_def(const pli_world *world, pli_rigid_body body, pli_rigid_body_def *def,
                                                pli_error *error)
{
    return pli_rigid_body_get_def_sized(world, body, def, sizeof *def, error);
}

/// Where the proxy is now, with its velocities.
PLI_API pli_status pli_rigid_body_state(const pli_world *world, pli_rigid_body body, pli_rigid_state *state,
                                        pli_error *error);
/// The same with the position of the pose relative to pli_world_origin, which rounds less far out.
PLI_API pli_status pli_rigid_body_local_state(const pli_world *world, pli_rigid_body body, pli_rigid_state *state,
                                              pli_error *error);
/// Tells the proxy what the host's body does now. Velocities count at once; the pose as said above.
PLI_API pli_status pli_rigid_body_set_state(pli_world *world, pli_rigid_body body, const pli_rigid_state *state,
                                            bool teleport, pli_error *error);
/// As of the definition; for bodies that gain or lose weight. Same errors as create.
PLI_API pli_status pli_rigid_body_set_mass(pli_world *world, pli_rigid_body body, float inverse_mass,
                                           const float inverse_inertia[6], pli_error *error);

/// Whether it sleeps (pli_settings.sleep_speed): it stays where it is, without velocities, and is as heavy as if nothing could push it
/// until it wakes. Its acceleration does not act. False for the null handle. May be called in the substep callback.
PLI_API bool pli_rigid_body_is_asleep(const pli_world *world, pli_rigid_body body);
/// Wakes it, and with it all that lies near, from the next step on; how long it has been at rest begins anew. For what the host
/// knows alone: a motor that starts, a support that goes away. A state or mass that differs from the present one wakes by itself. May be
/// called in the substep callback. Errors: NOT_FOUND.
PLI_API pli_status pli_rigid_body_wake(pli_world *world, pli_rigid_body body, pli_error *error);

/// The effect of deformables on a body since it was last taken, and of stops where surfaces would have crossed.
typedef struct pli_rigid_change {
    pli_vec3 velocity;         ///< To add to the velocity of the centre of mass [m/s].
    pli_vec3 angular_velocity; ///< To add to the angular velocity [rad/s].
    pli_vec3 impulse;          ///< [N s]
    pli_vec3 angular_impulse;  ///< About the centre of mass [N m s].
} pli_rigid_change;

/// Returns the change and starts a new one.
PLI_API pli_status pli_rigid_body_take_change_sized(pli_world *world, pli_rigid_body body, pli_rigid_change *change,
                                                    size_t size, pli_error *error);
static inline pli_status pli_rigid_body_take_change(pli_world *world, pli_rigid_body body, pli_rigid_change *change,
                                                    pli_error *error)
{
    return pli_rigid_body_take_change_sized(world, body, change, sizeof *change, error);
}

/// Way and momentum that the guarantee has taken from a body in the last step, since surfaces would have crossed.
typedef struct pli_rigid_lag {
    double distance; ///< Way that its farthest vertex has lost [m].
    double force
        [3]; ///< Mean force over the step that would have kept its velocity [N]: the momentum taken over the step's length.
    double torque[3]; ///< The same for its angular velocity, about the centre of mass [N m].
} pli_rigid_lag;

/// All 0 for a body that came where it flew, after a restore, and the force of one that nothing can push, which keeps its velocity: what
/// presses on it is told by pli_collider_get_lag of its colliders. Errors: NOT_FOUND.
PLI_API pli_status pli_rigid_body_get_lag_sized(const pli_world *world, pli_rigid_body body, pli_rigid_lag *lag,
                                                size_t size, pli_error *error);
static inline pli_status pli_rigid_body_get_lag(const pli_world *world, pli_rigid_body body, pli_rigid_lag *lag,
                                                pli_error *error)
{
    return pli_rigid_body_get_lag_sized(world, body, lag, sizeof *lag, error);
}

/// A place where a body bears on another collider through cloth that lies between them. The body's colliders and the
/// other one do not touch there: cloth needs `thickness` [m] between them. An engine that resolves contacts between its bodies
/// itself adds a contact there, of depth `thickness - distance`; where that is negative the bodies may still come closer
/// by that much. docs/embedding.md does it by hand.
typedef struct pli_bearing {
    pli_collider collider; ///< Collider of the body that is carried.
    pli_collider support;  ///< The collider that carries it: one of the world, or of another body.
    pli_vec3 position;     ///< Where the collider touches the cloth [m].
    pli_vec3 normal;       ///< Unit, from the support to the body.
    float distance;        ///< Distance of collider and support along the normal [m].
    float thickness;       ///< The sum of the distances that contacts of the layers keep [m]; see docs/contact.md.
    float friction;        ///< The least coefficient on the way.
    int32_t layers;        ///< Layers of cloth between them, >= 1.
} pli_bearing;

/// Copies the bearings as of the end of the last substep, at most `capacity`, in an order that does not depend on
/// threads; *count receives how many there are, at most 8 for two colliders. `bearings` may be NULL when capacity is 0. Snapshots
/// hold them, since a host's next substep depends on them. None before the first step, and after any destruction or
/// teleport.
PLI_API pli_status pli_world_bearings_sized(const pli_world *world, pli_bearing *bearings, size_t size,
                                            int32_t capacity, int32_t *count, pli_error *error);
static inline pli_status pli_world_bearings(const pli_world *world, pli_bearing *bearings, int32_t capacity,
                                            int32_t *count, pli_error *error)
{
    return pli_world_bearings_sized(world, bearings, sizeof *bearings, capacity, count, error);
}

/// Called on the thread that steps at the start of each substep of `step` seconds, for a host that
/// wants its own substeps inside: it may take changes, read bearings and set states (whose pose is then where the
/// body is, and is taken at once), and nothing else of the world. Null for none.
typedef void (*pli_substep_callback)(void *user, pli_world *world, float step);
/// In effect from the next substep on; NULL removes it. A world has one callback; pliant-ode takes it for itself.
PLI_API void pli_world_set_substep_callback(pli_world *world, pli_substep_callback callback, void *user);

#ifdef __cplusplus
}
#endif

#define PLIANT_OLD_NAMES_OF_RIGID // For one version.
#include "deprecated.h"

#endif
