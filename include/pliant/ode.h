/// Pliant-ode: two-way coupling with rigid bodies that ODE, the Open Dynamics Engine, simulates.
///
/// A body consists of collider shapes. In the world it is a proxy (pliant/rigid.h) that carries these colliders, so
/// deformables collide with it and attachments can refer to it. In every substep, ODE finds the contacts between bodies
/// and computes new velocities from contacts, joints, motors and gravity. The world moves the bodies with these velocities
/// and adds the impulses of deformables.
///
/// The state of a run is in the poses and velocities of the proxies, which snapshots of the world contain. A restored run
/// is therefore bit-identical. Results do not depend on the number of threads of the world, because ODE runs on the thread
/// that steps. Several worlds with bodies may be stepped on different threads. Gravity comes from the settings of the world.
///
///     pli_ode_def def = pli_ode_def_default();
///     pli_ode *ode;
///     if (pli_ode_create(world, &def, &ode, &error) != PLI_STATUS_OK) ...
///     pli_collider_def box = pli_collider_def_default();
///     box.shape = PLI_SHAPE_BOX;
///     pli_ode_body_def crate = pli_ode_body_def_default();
///     crate.shapes = &box, crate.shape_count = 1, crate.mass = 2.0f;
///     pli_rigid_body body;
///     pli_ode_body_create(ode, &crate, &body, &error);           // then pli_world_step as usual
#ifndef PLIANT_ODE_H
#define PLIANT_ODE_H

#include "rigid.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The ODE adapter of one world. The world owns it; pli_world_destroy destroys it.
typedef struct pli_ode pli_ode;

/// The definition of an adapter.
typedef struct pli_ode_def {
    /// 0: the direct solver, which is exact; its time is cubic in the size of each connected group of bodies. Where
    /// friction has no exact solution, the iterative solver takes over. Otherwise: the number of sweeps of ODE's iterative
    /// solver, for heaps of bodies, at most 10000. Default 0.
    int32_t iterations;
    float error_reduction; ///< Fraction of joint errors and overlaps that a substep removes, 0..1. Default 0.2.
    /// Overlap of bodies that rest on each other [m], >= 0. It keeps their contacts active. Default 1e-4.
    float overlap;
} pli_ode_def;

/// A definition with all its defaults, to be changed field by field.
PLI_API pli_ode_def pli_ode_def_default(void);
/// Creates the adapter of a world. It sets the substep callback of the world, which the application must not replace. Errors:
/// INVALID_ARGUMENT for a value out of range; OUT_OF_MEMORY.
PLI_API pli_status pli_ode_create(pli_world *world, const pli_ode_def *def, pli_ode **ode, pli_error *error);

/* ---- bodies --------------------------------------------------------------------------------- */

/// The definition of a body.
typedef struct pli_ode_body_def {
    const char *name; ///< Copied; may be NULL.
    /// Shapes, which must be solid (pliant/shape.h), with poses in the body's frame. Their friction, restitution, layers
    /// and mask also apply between bodies: a contact uses the larger restitution and the geometric mean of the friction
    /// coefficients.
    const pli_collider_def *shapes;
    int32_t shape_count;       ///< Number of shapes, >= 1.
    float mass;                ///< [kg], >= 0; 0: computed from the density. Default 0.
    float density;             ///< [kg/m3], > 0. Default 1000.
    pli_transform pose;        ///< Initial pose of the body's frame.
    pli_vec3 velocity;         ///< Initial velocity of the centre of mass [m/s].
    pli_vec3 angular_velocity; ///< Initial angular velocity [rad/s].
    bool fixed;                ///< Kinematic: only its own velocities move the body. Default false.
    float mass_scale;          ///< See pli_rigid_body_def. Default 1.
    uint64_t user_data;        ///< For the caller.
} pli_ode_body_def;

/// A definition with all its defaults, to be changed field by field.
PLI_API pli_ode_body_def pli_ode_body_def_default(void);
/// Creates a body, its proxy and the colliders of the proxy. Errors: INVALID_ARGUMENT for a mass, density or size out of
/// range, a shape that is not solid, or a hull without volume; OUT_OF_MEMORY.
PLI_API pli_status pli_ode_body_create(pli_ode *ode, const pli_ode_body_def *def, pli_rigid_body *body,
                                       pli_error *error);
/// Destroys a body with its proxy, colliders and joints. Errors: NOT_FOUND for a body that this adapter did not create.
PLI_API pli_status pli_ode_body_destroy(pli_ode *ode, pli_rigid_body body, pli_error *error);

/// Mass, centre of mass and inertia of a body, in its frame.
typedef pli_mass_properties pli_ode_mass;

/// Writes the mass properties of a body. Errors: NOT_FOUND for a body that this adapter did not create.
PLI_API pli_status pli_ode_body_get_mass(const pli_ode *ode, pli_rigid_body body, pli_ode_mass *mass, pli_error *error);

/// Makes bodies collide with a collider of the world, also after it has moved. Errors: UNSUPPORTED for a shape that is not
/// convex, such as a mesh; INVALID_ARGUMENT for a collider that a body carries; NOT_FOUND; OUT_OF_MEMORY.
PLI_API pli_status pli_ode_collider_add(pli_ode *ode, pli_collider collider, pli_error *error);

/* ---- joints --------------------------------------------------------------------------------- */

/// The type of a joint, by the relative motion that it leaves free.
typedef enum pli_ode_joint_type {
    PLI_ODE_BALL = 0, ///< All rotations about `anchor`.
    PLI_ODE_HINGE,    ///< Rotation about `axis`.
    PLI_ODE_SLIDER,   ///< Translation along `axis`.
    PLI_ODE_FIXED,    ///< None.
    /// Rotation about `axis`, which is fixed to `other_body`, and about `second_axis`, which is fixed to `body`.
    PLI_ODE_UNIVERSAL,
    PLI_ODE_JOINT_COUNT
} pli_ode_joint_type;

/// The handle of a joint.
typedef struct pli_ode_joint {
    uint32_t id;    ///< Counts up in an adapter, from 1.
    uint32_t world; ///< Tag of the world.
} pli_ode_joint;

/// The definition of a joint between two bodies, or between a body and the world.
typedef struct pli_ode_joint_def {
    pli_ode_joint_type type;
    pli_rigid_body body;
    pli_rigid_body other_body; ///< Null for the world. Two bodies with a joint do not collide with each other.
    pli_vec3 anchor;           ///< Initial position of the joint in the world [m].
    pli_vec3 axis;             ///< Initial axis in the world; any length except 0. Default y.
    pli_vec3 second_axis;      ///< Second axis of universal joints, perpendicular to `axis`. Default x.
    float minimum, maximum;    ///< Limits of a hinge angle [rad], -pi..pi, or a slider displacement [m]. Default: none.
    float motor_speed;         ///< Target speed of the motor of a hinge [rad/s] or slider [m/s]. Default 0.
    float motor_force;         ///< Largest torque [N m] or force [N] of the motor, >= 0. Default 0: no motor.
} pli_ode_joint_def;

/// A definition with all its defaults, to be changed field by field.
PLI_API pli_ode_joint_def pli_ode_joint_def_default(void);
/// Creates a joint at the current poses of its bodies. Errors: NOT_FOUND for bodies that this adapter did not create;
/// INVALID_ARGUMENT for a zero axis, parallel axes, a minimum above the maximum, a joint of a body with itself, and a limit
/// or motor on a joint other than a hinge or slider; OUT_OF_MEMORY.
PLI_API pli_status pli_ode_joint_create(pli_ode *ode, const pli_ode_joint_def *def, pli_ode_joint *joint,
                                        pli_error *error);
/// Destroys a joint. Errors: NOT_FOUND.
PLI_API pli_status pli_ode_joint_destroy(pli_ode *ode, pli_ode_joint joint, pli_error *error);
/// Sets the target speed [rad/s or m/s] and the largest torque or force [N m or N] of the motor of a hinge or slider.
/// Snapshots do not contain them. Errors: NOT_FOUND; INVALID_ARGUMENT unless the speed is finite and the force finite and
/// >= 0; UNSUPPORTED for other joints.
PLI_API pli_status pli_ode_joint_set_motor(pli_ode *ode, pli_ode_joint joint, float speed, float force,
                                           pli_error *error);
/// Reads the angle [rad] and rate [rad/s] of a hinge, or the displacement [m] and rate [m/s] of a slider. They are positive
/// for a motion of `body` about or along `axis` relative to `other_body`. Errors: NOT_FOUND; UNSUPPORTED for other joints.
PLI_API pli_status pli_ode_joint_get_state(pli_ode *ode, pli_ode_joint joint, float *value, float *rate,
                                           pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
