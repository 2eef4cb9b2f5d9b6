/// Pliant-ode. Two-way coupling with rigid bodies simulated by ODE, the Open Dynamics Engine.
///
/// Bodies are made of the shapes of colliders. Each is a proxy of the world (pliant/rigid.h) that
/// carries its colliders, so that deformables touch it and attachments may name it. In every
/// substep ODE finds the contacts between bodies and solves them with joints, motors and gravity
/// for new velocities; the world moves the bodies with these and adds what deformables do to them.
///
/// ODE holds no state of a run beyond the poses and velocities of the proxies, which the world's
/// snapshots keep: a run that is restored goes on to the same bits. The same bits come from any
/// number of threads of the world, since ODE runs on the thread that steps. Worlds with bodies may
/// be stepped on different threads. The world's settings give gravity.
///
///     pli_ode_def def = pli_ode_def_default();
///     pli_ode *ode;
///     if (pli_ode_create(world, &def, &ode, &error) != PLI_STATUS_OK) ...
///     pli_collider_def box = pli_collider_def_default();
///     box.shape = PLI_SHAPE_BOX;
///     pli_ode_body_def crate = pli_ode_body_def_default();
///     crate.shapes = &box, crate.shape_count = 1, crate.mass = 2.0f;
///     pli_rigid_body body;
///     pli_ode_body_create(ode, &crate, &body, &error);           // then pli_world_step as ever
#ifndef PLIANT_ODE_H
#define PLIANT_ODE_H

#include "rigid.h"

#ifdef __cplusplus
extern "C" {
#endif

/// ODE beside one world. It lives as long as the world and is destroyed with it.
typedef struct pli_ode pli_ode;

typedef struct pli_ode_def {
    uint32_t size;   ///< Bytes of this struct; set by the default function.
    uint32_t cookie; ///< Set by the default function.
    /// 0: direct solver, exact, cubic in the size of each connected group (with sweeps where friction has no exact
    /// solution). Otherwise the number of sweeps of ODE's iterative solver, for heaps of bodies. Default 0.
    int32_t iterations;
    float error_reduction; ///< Fraction of the errors of joints and overlaps removed per substep, 0..1. Default 0.2.
    float overlap; ///< Overlap of bodies at rest on each other, which keeps their contacts alive [m]. Default 1e-4.
} pli_ode_def;

/// Fills `size` bytes of a definition with its defaults; see pli_ode_def_default.
PLI_API void pli_ode_def_init(pli_ode_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_ode_def pli_ode_def_default(void)
{
    pli_ode_def def;
    pli_ode_def_init(&def, sizeof def);
    return def;
}
/// Takes the world's substep callback for itself.
PLI_API pli_status pli_ode_create(pli_world *world, const pli_ode_def *def, pli_ode **ode, pli_error *error);

/* ---- bodies --------------------------------------------------------------------------------- */

typedef struct pli_ode_body_def {
    uint32_t size;    ///< Bytes of this struct; set by the default function.
    uint32_t cookie;  ///< Set by the default function.
    const char *name; ///< Copied; may be NULL.
    /// The shapes must be solid (pliant/shape.h). Their poses are in the body's frame; friction, restitution,
    /// layers and mask hold between bodies too. The larger restitution of two counts, and the
    /// geometric mean of their frictions.
    const pli_collider_def *shapes;
    int32_t shape_count;       ///< >= 1
    float mass;                ///< [kg]; 0: from the density. Default 0.
    float density;             ///< [kg/m3], > 0. Default 1000.
    pli_transform pose;        ///< Pose of the body's frame at the start.
    pli_vec3 velocity;         ///< Velocity of the centre of mass at the start [m/s].
    pli_vec3 angular_velocity; ///< [rad/s]
    bool fixed;                ///< Nothing moves it but its velocities. Default false.
    float mass_scale;          ///< As of pli_rigid_body_def. Default 1.
    uint64_t user_data;
} pli_ode_body_def;

/// Fills `size` bytes of a definition with its defaults; see pli_ode_body_def_default.
PLI_API void pli_ode_body_def_init(pli_ode_body_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_ode_body_def pli_ode_body_def_default(void)
{
    pli_ode_body_def def;
    pli_ode_body_def_init(&def, sizeof def);
    return def;
}
/// Makes the body, its proxy and the proxy's colliders. Errors: INVALID_ARGUMENT for a mass, density
/// or size out of range, a shape that is not solid, or a hull without volume.
PLI_API pli_status pli_ode_body_create(pli_ode *ode, const pli_ode_body_def *def, pli_rigid_body *body,
                                       pli_error *error);
/// Destroys a body with its proxy, colliders and joints.
PLI_API pli_status pli_ode_body_destroy(pli_ode *ode, pli_rigid_body body, pli_error *error);

/// Mass properties of a body, in its frame.
typedef pli_mass_properties pli_ode_mass;

PLI_API pli_status pli_ode_body_mass_sized(const pli_ode *ode, pli_rigid_body body, pli_ode_mass *mass, size_t size,
                                           pli_error *error);
static inline pli_status pli_ode_body_mass(const pli_ode *ode, pli_rigid_body body, pli_ode_mass *mass,
                                           pli_error *error)
{
    return pli_ode_body_mass_sized(ode, body, mass, sizeof *mass, error);
}

/// Bodies collide with this collider of the world too, wherever it is moved. UNSUPPORTED for what is not convex: meshes.
PLI_API pli_status pli_ode_collider_add(pli_ode *ode, pli_collider collider, pli_error *error);

/* ---- joints --------------------------------------------------------------------------------- */

typedef enum pli_ode_joint_type {
    PLI_ODE_BALL = 0,  ///< Keeps a point.
    PLI_ODE_HINGE,     ///< Turns about `axis`.
    PLI_ODE_SLIDER,    ///< Moves along `axis`.
    PLI_ODE_FIXED,     ///< Keeps everything.
    PLI_ODE_UNIVERSAL, ///< Turns about `axis`, which goes with `other_body`, and `second_axis`, which goes with `body`.
    PLI_ODE_JOINT_COUNT,
    PLI_ODE_JOINT_TYPE_FORCE_32 = PLI_FORCE_32
} pli_ode_joint_type;

/// "ball", "hinge", "slider", "fixed", "universal".
PLI_API const char *pli_ode_joint_name(pli_ode_joint_type type);

typedef struct pli_ode_joint {
    uint32_t id;
    uint32_t world;
} pli_ode_joint;

typedef struct pli_ode_joint_def {
    uint32_t size;   ///< Bytes of this struct; set by the default function.
    uint32_t cookie; ///< Set by the default function.
    pli_ode_joint_type type;
    pli_rigid_body body;
    pli_rigid_body other_body; ///< Null for the world. Two that a joint holds do not collide with each other.
    pli_vec3 anchor;           ///< In the world, at the start [m].
    pli_vec3 axis;             ///< In the world, at the start; of any length but 0. Default y.
    pli_vec3 second_axis;      ///< Second axis of universal joints, perpendicular to `axis`. Default x.
    float minimum, maximum;    ///< Limits of a hinge angle [rad], -pi..pi, or a slider displacement [m]. Default: none.
    float motor_speed;         ///< That the motor of a hinge [rad/s] or slider [m/s] strives for.
    float motor_force;         ///< Its largest torque [N m] or force [N], >= 0. Default 0: no motor.
} pli_ode_joint_def;

/// Fills `size` bytes of a definition with its defaults; see pli_ode_joint_def_default.
PLI_API void pli_ode_joint_def_init(pli_ode_joint_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_ode_joint_def pli_ode_joint_def_default(void)
{
    pli_ode_joint_def def;
    pli_ode_joint_def_init(&def, sizeof def);
    return def;
}
/// Errors: NOT_FOUND for bodies that this adapter did not make; INVALID_ARGUMENT for a zero axis, axes
/// that are parallel, limits the wrong way round, or a limit or motor on a joint that has none.
PLI_API pli_status pli_ode_joint_create(pli_ode *ode, const pli_ode_joint_def *def, pli_ode_joint *joint,
                                        pli_error *error);
PLI_API pli_status pli_ode_joint_destroy(pli_ode *ode, pli_ode_joint joint, pli_error *error);
/// Sets the motor of a hinge or slider: target speed [rad/s or m/s] and largest force [N m or N]. Not part of a
/// snapshot. INVALID_ARGUMENT unless the speed is finite and the force finite and >= 0; UNSUPPORTED for other joints.
PLI_API pli_status pli_ode_joint_set_motor(pli_ode *ode, pli_ode_joint joint, float speed, float force,
                                           pli_error *error);
/// Angle [rad] and rate [rad/s] of a hinge, displacement [m] and rate [m/s] of a slider; positive is the motion of
/// `body` about or along `axis` relative to `other_body`. UNSUPPORTED for other joints.
PLI_API pli_status pli_ode_joint_state(pli_ode *ode, pli_ode_joint joint, float *value, float *rate, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
