/// Pliant, world: settings, the step, and statistics.
///
/// A world contains deformables with their constraint sets and attachments, colliders, and proxies of rigid bodies. It
/// advances all of them together:
///
///     pli_world_def def = pli_world_def_default();
///     def.settings.substeps = 20;
///     def.thread_count = 4;
///     pli_world *world;
///     if (pli_world_create(&def, &world, &error) != PLI_STATUS_OK) ...
///     // create its objects: deformable.h, constraints.h, attachment.h, collider.h
///     for (int frame = 0; frame < 300; frame++)
///         if (pli_world_step(world, 1.0f / 60.0f, &error) != PLI_STATUS_OK) ...
///     pli_world_destroy(world);
///
/// Creation and destruction allocate memory. A step allocates none once its buffers have grown to the size of the scene.
/// States depend neither on the number of threads nor on the SIMD back end. This header includes the headers of the
/// objects in a world, except rigid.h.
#ifndef PLIANT_WORLD_H
#define PLIANT_WORLD_H

#include "attachment.h"
#include "collider.h"
#include "constraint_type.h"
#include "generator.h"
#include "constraints.h"
#include "deformable.h"
#include "handles.h"
#include "state.h"
#include "tearing.h"
#include "descriptor.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The solver method. It determines the meaning of a constraint's stiffness parameter.
typedef enum pli_method {
    /// The parameter is a compliance (m/N for a distance constraint). The converged result does not depend on the numbers of substeps
    /// and iterations (Macklin et al. 2016, 2019). The default.
    PLI_METHOD_XPBD = 0,
    /// The parameter is a stiffness 0..1. Its effect depends on the number of substeps (Mueller et al. 2006, Algorithm 1).
    PLI_METHOD_PBD
} pli_method;

/// The order in which constraints are projected.
typedef enum pli_order {
    /// Coloured Gauss-Seidel: constraints of one colour share no particle, so SIMD and threads project them in parallel.
    /// The default.
    PLI_ORDER_COLOURED = 0,
    /// Strict Gauss-Seidel in order of creation, as in the papers. It is vectorised only where the results stay
    /// bit-identical.
    PLI_ORDER_SEQUENTIAL
} pli_order;

/// The instruction set that coloured sweeps use. States are bit-identical for all of them.
typedef enum pli_simd {
    PLI_SIMD_AUTO = 0, ///< The widest available back end. The default.
    PLI_SIMD_SCALAR,   ///< One float at a time.
    PLI_SIMD_SSE2,     ///< 4 wide, x86-64.
    PLI_SIMD_AVX2,     ///< 8 wide, x86-64.
    PLI_SIMD_AVX512,   ///< 16 wide, x86-64.
    PLI_SIMD_NEON,     ///< 4 wide, 64-bit ARM.
    PLI_SIMD_WASM,     ///< 4 wide, WebAssembly.
    PLI_SIMD_COUNT
} pli_simd;

/// Whether both this build and this processor support the back end.
PLI_API bool pli_simd_available(pli_simd simd);

/// The kind of continuous collision detection. It provides the non-penetration guarantee: surfaces that are free of
/// intersections at the start of a substep are free of them at its end (docs/contact.md, The guarantee).
typedef enum pli_ccd {
    /// The motion of each candidate pair is proved free of intersections, or shortened. The default.
    PLI_CCD_ADVANCEMENT = 0,
    PLI_CCD_OFF, ///< No guarantee: contacts are projected, and fast objects may pass through surfaces.
    PLI_CCD_COUNT
} pli_ccd;

/// The direction in which the sweeps of a substep traverse the constraints.
typedef enum pli_sweeps {
    /// The first half of the sweeps runs backward, from the last constraint to the first; the second half runs forward.
    /// The sequence is symmetric, so small motions do not grow. For an odd number of iterations there is one additional
    /// sweep: one iteration runs two sweeps. The default.
    PLI_SWEEPS_BACK_AND_FORTH = 0,
    /// Every sweep runs forward, as in the papers. Modes of a sweep with complex eigenvalues then grow from rounding errors
    /// (docs/errata.md E21).
    PLI_SWEEPS_FORWARD
} pli_sweeps;

/// Where the world puts its origin, the point that internal positions are relative to. Floats are densest near it, so a
/// scene far from 0 behaves like the same scene near 0 (docs/concepts.md, Far from the origin).
typedef enum pli_origin_kind {
    /// The origin follows the deformables. At the start of a step, each axis on which the mean position of the deformables
    /// is more than 16 m from the origin gets a new coordinate: 0 where the mean is within 16 m of 0, and otherwise the
    /// nearest whole metre. The default.
    PLI_ORIGIN_AUTO = 0,
    PLI_ORIGIN_FIXED, ///< The origin stays where it is: at 0, or where pli_world_set_origin has put it.
    PLI_ORIGIN_COUNT
} pli_origin_kind;

/// The time integration of a substep.
typedef enum pli_integrator {
    /// Implicit Euler, first order. A pendulum loses 15 % of its energy in 10 s, at 10 substeps in each step of 1/60 s.
    /// The default.
    PLI_INTEGRATOR_EULER = 0,
    /// Backward differences of second order (BDF2). They use the positions and velocities of the previous substep, which
    /// take 64 bytes a vertex. Motion without external disturbances keeps its energy. The history is discarded after each
    /// substep in which a contact, the guarantee or a rigid body moves the deformable, and when you set its state: the
    /// next substep is then implicit Euler. A deformable in permanent contact therefore uses implicit Euler. The bending of
    /// a plate is of first order over its interval.
    PLI_INTEGRATOR_BDF2,
    PLI_INTEGRATOR_COUNT
} pli_integrator;

/// Solver settings. They may change between steps. Start from pli_world_settings or from a default definition.
typedef struct pli_settings {
    pli_method method;
    int32_t substeps;   ///< Per step, 1..1000. Default 10.
    int32_t iterations; ///< Sweeps per substep, 1..1000; see pli_sweeps for odd numbers. Default 1.
    pli_vec3 gravity;   ///< [m/s2], default {0, -9.81, 0}.
    /// Rate at which non-rigid motion decays [1/s], >= 0: as exp(-damping t), for any step and number of substeps (Mueller
    /// et al. 2006, section 3.5). A loss of the fraction s in each step of 1/60 s is the rate -60 ln(1 - s). Default 0.
    float damping;
    pli_vec3 wind; ///< Velocity of the air [m/s]. Default 0.
    /// Air density rho [kg/m3], >= 0. 0 disables wind and drag; air has 1.2. The air exerts the pressure rho u^2 on a
    /// face, where u is the normal component of the velocity of the face relative to the air (docs/concepts.md). Default 0.
    float air_density;
    /// Constraints of a deformable apply no net force and no net torque to it: after the sweeps of a substep, every
    /// connected piece has the linear and angular momentum that it had before, plus the momentum from contacts and from
    /// attachments to rigid bodies. Pins absorb momentum. A piece with one particle that is fixed or attached to the world
    /// keeps only its angular momentum about that particle; a piece whose pins lie on a line keeps only its angular
    /// momentum about the line; other pinned pieces keep none. With false, the solver is Algorithm 1 as printed, in which
    /// a body under stress begins to spin. Default true.
    bool keep_momentum;
    float speed_limit;      ///< Upper bound of the speed of particles [m/s], > 0. Default infinite.
    pli_ccd ccd;            ///< Continuous collision detection. Default PLI_CCD_ADVANCEMENT.
    pli_sweeps sweeps;      ///< Direction of the sweeps. Default PLI_SWEEPS_BACK_AND_FORTH.
    pli_origin_kind origin; ///< Where internal positions have their origin. Default PLI_ORIGIN_AUTO.
    /// Skin friction coefficient c of the air, 0..10. The air exerts the traction rho c u^2 along a face, both sides
    /// together, where u is the tangential speed of the face relative to the air (docs/concepts.md). Default 0.02, which
    /// suits cloth. With 0, the edges of pinned cloth whip.
    float air_friction;
    /// Speed below which a deformable counts as at rest [m/s]. A deformable falls asleep when all of its particles have
    /// been slower for half a second. Its velocities become 0, and steps skip it. It wakes when the bounding box of a moving
    /// object or of an object that wakes meets its own, when the frames of its attachments move, and when you change
    /// anything except poses. Rigid bodies sleep and wake together with the objects that they touch, by the speed of their
    /// fastest point (pli_rigid_body_def.respects_sleep). States differ from those of a world without sleep. 0.01 suits cloth.
    /// Default 0: nothing sleeps.
    float sleep_speed;
    /// Limit of the work for contact in a step, 1 to 1000, in multiples of a usual step. A usual step tests, in each
    /// substep, 32 pairs of vertices, edges and faces for each vertex that may be in contact. The budget counts pairs and
    /// not time, so states do not depend on the machine. If a step needs more, the motion of its substeps is shortened, to
    /// zero if necessary, to a motion that can be proved free of intersections with less work. The first such step is
    /// logged, and pli_statistics counts the substeps. At 1000 a step of some hundred vertices may take seconds. Default 16.
    float work_budget;
    pli_integrator integrator; ///< Time integration. Default PLI_INTEGRATOR_EULER.
    /// Root mean square speed of the gusts, the turbulence in addition to the wind [m/s], >= 0. Eddies of
    /// pli_world_def.gust_length and smaller drift with the wind and turn over, identically on every machine. Default 0.
    float gust_strength;
} pli_settings;

/// How a world is created. Order, back end, threads and hooks cannot change afterwards.
typedef struct pli_world_def {
    pli_settings settings;
    pli_order order;
    pli_simd simd;
    int32_t thread_count; ///< Threads in the pool of the world, including the calling thread, 1..64. Default 1.
    pli_hooks hooks;
    pli_task_hooks tasks; ///< If `run` is set, thread_count is ignored.
    float gust_length;    ///< Size of the largest eddies of gusts [m], 0.001..1e6. Default 2.
    int32_t gust_seed;    ///< Seed of the gusts, 0..1e6. Default 0.
} pli_world_def;

/// Returns a definition with all fields at their defaults. Change single fields after that.
PLI_API pli_world_def pli_world_def_default(void);
/// For bindings: pli_world_create with the version of the headers that the caller was compiled with, PLI_VERSION_NUMBER. A version
/// other than the version of the library is rejected with UNSUPPORTED.
PLI_API pli_status pli_world_create_version(int32_t version, const pli_world_def *def, pli_world **world,
                                            pli_error *error);
/// Creates an empty world, which the caller owns. Errors: INVALID_ARGUMENT for settings out of range; UNSUPPORTED for a
/// SIMD back end that the processor lacks; OUT_OF_MEMORY.
static inline pli_status pli_world_create(const pli_world_def *def, pli_world **world, pli_error *error)
{
    return pli_world_create_version(PLI_VERSION_NUMBER, def, world, error);
}
/// Destroys a world and everything in it. Null is allowed.
PLI_API void pli_world_destroy(pli_world *world);
/// Binds the lifetime of an application object to the world: pli_world_destroy calls destroy(thing) before it frees its
/// own objects, in reverse order of registration. Errors: OUT_OF_MEMORY.
PLI_API pli_status pli_world_own(pli_world *world, void *thing, void (*destroy)(void *thing), pli_error *error);

/// The settings in effect.
PLI_API pli_settings pli_world_settings(const pli_world *world);
/// Changes the settings. Values out of range are rejected with INVALID_ARGUMENT, and the world is unchanged.
PLI_API pli_status pli_world_set_settings(pli_world *world, const pli_settings *settings, pli_error *error);
/// Registers a user-defined constraint type. The row is copied; its strings and its parameter table are not copied and
/// must outlive the world. User-defined types are projected one at a time, without SIMD. Errors: INVALID_ARGUMENT for a
/// row without its size, without a required function, or with a name that is taken.
PLI_API pli_status pli_world_register_type(pli_world *world, const pli_constraint_type *type, pli_error *error);
/// Registers a user-defined generator in this world (pliant/generator.h). Constraint sets may then name it, and
/// constraint types may use it as their generator. The row is not copied and must outlive the world. Errors:
/// INVALID_ARGUMENT for a row without a name or function, of variable cardinality, or with a name that is taken;
/// OUT_OF_MEMORY.
PLI_API pli_status pli_world_register_generator(pli_world *world, const pli_generator *generator, pli_error *error);

/// An air velocity field that the application computes. It writes one velocity for each point to `velocities` [m/s],
/// which initially contains the wind of the world; gusts are added afterwards. `points` has the positions in the
/// coordinates of the application [m], three floats each. `time` is the world's time in the middle of the step [s].
/// Returns true on success; false fails the step.
typedef bool (*pli_air_field)(void *user, double time, const float *points, float *velocities, int32_t count);
/// Sets the air velocity field, which is called for the vertices of each deformable once before each step; NULL for wind
/// alone. It is not called while the air density is 0, nor for deformables that sleep or are paused. It must not call
/// functions that change the world. A velocity that is not finite or above 1e6 m/s fails the step with INVALID_ARGUMENT,
/// and a field that returns false fails it with CANCELLED; the world is then as it was before the step.
PLI_API void pli_world_set_air_field(pli_world *world, pli_air_field field, void *user);

/// Advances by dt [s] > 0. Attachments and colliders given a new pose move there linearly. If a position or velocity
/// becomes NaN, infinite or above 1e15, the step restores the state before it, and returns NON_FINITE with the constraint
/// type and the particle. OUT_OF_MEMORY and CANCELLED also restore that state. A tear that gets no memory does not fail
/// the step; it is postponed (pli_deformable_set_tearing). dt may differ between steps; the state then depends on the
/// sequence. The world's time grows by the float value of dt. 1/60 as a float is 8.7e-10 s too long, which is 4.5 ms in a
/// day: an application that must agree with a clock counts its own steps.
PLI_API pli_status pli_world_step(pli_world *world, float dt, pli_error *error);
/// Steps `count` worlds by dt [s] in parallel, for many small worlds such as those of a parameter study or of machine
/// learning. Up to `thread_count` >= 1 threads, including the caller's, step one world each at a time. The loops within a
/// world run serially on its thread, whatever threads or job system the world has. Each state is bit-identical to the one
/// after pli_world_step. A world that fails does not prevent the steps of the others: it is as pli_world_step leaves it,
/// and its status is in `statuses` ([count], or null). `error` has the first failure, with its index in the list.
/// Callbacks and allocations of a world come from the thread that steps it; hooks and callbacks that several worlds share
/// must be thread-safe. The threads are created in each call; their memory comes from the hooks of the first world, on
/// the caller's thread. Nothing else may use the worlds during the call, except pli_world_cancel, which ends the step of
/// one world. Errors before any world is stepped: INVALID_ARGUMENT for a world that is null or twice in the list, and for
/// counts out of range; OUT_OF_MEMORY.
PLI_API pli_status pli_worlds_step(pli_world *const *worlds, int32_t count, float dt, int32_t thread_count,
                                   pli_status *statuses, pli_error *error);

/// Whether your code runs within a call of the world: true in each of its callbacks and hooks. A callback may read the
/// world with every function that takes it as const. Functions that would change the world, including those that destroy
/// its objects, return INVALID_ARGUMENT there and leave it as it was; pli_world_destroy and the functions that set a
/// callback do nothing. Exception: the substep callback may set the states and masses of rigid bodies.
PLI_API bool pli_world_is_in_call(const pli_world *world);

/// Ends the running step early. That step returns CANCELLED and leaves the world as it was before: positions, velocities,
/// time, and the poses that attachments and colliders must reach in the next step. Forces for the next step are dropped.
/// Your application must undo the effects of its own substep callback. If no step is running, the next step returns
/// CANCELLED. May be called from any thread and from a signal handler. A step reacts within some milliseconds; with
/// thousands of vertices it takes longer.
PLI_API void pli_world_cancel(pli_world *world);
/// Cancels steps that take longer than `seconds` of wall time, > 0; INFINITY, the default, sets no limit. The machine
/// determines whether a step is cancelled, but not the state after it. Errors: INVALID_ARGUMENT.
PLI_API pli_status pli_world_set_time_limit(pli_world *world, double seconds, pli_error *error);

/// Simulated time [s] and number of completed steps. Restoring a snapshot restores both.
PLI_API double pli_world_time(const pli_world *world);
PLI_API int64_t pli_world_step_count(const pli_world *world);

/// Gets the world's origin [m]: the point, in your coordinates, that internal positions are relative to. It moves only
/// when the first deformable is created, in a step, in pli_world_set_origin and pli_world_shift, and when a snapshot is
/// restored.
PLI_API void pli_world_get_origin(const pli_world *world, double origin[3]);
/// Moves the origin to this point, rounded to whole metres. No object moves. With PLI_ORIGIN_AUTO the next step may move
/// it again. Errors: INVALID_ARGUMENT beyond 1e12 m; OUT_OF_MEMORY.
PLI_API pli_status pli_world_set_origin(pli_world *world, const double origin[3], pli_error *error);
/// Moves all deformables, bodies, colliders and attachments by `offset` [m], for an application that moves its own
/// origin. The world's origin moves by the same offset, so positions relative to it stay bit-identical. Poses are rounded
/// to float at their new place. Targets in absolute coordinates that a user-defined constraint type keeps are not
/// updated. Errors: INVALID_ARGUMENT for an offset or a new origin beyond 1e12 m; OUT_OF_MEMORY.
PLI_API pli_status pli_world_shift(pli_world *world, const double offset[3], pli_error *error);

/// Number of threads that share the work of a step, including the caller's; 0 if the application's job system runs the
/// loops.
PLI_API int32_t pli_world_thread_count(const pli_world *world);
/// The back end in use, never PLI_SIMD_AUTO.
PLI_API pli_simd pli_world_simd(const pli_world *world);
/// The order of projection, as the definition set it.
PLI_API pli_order pli_world_order(const pli_world *world);

/// Stages of a step, in order; line numbers refer to Algorithm 1 of Mueller et al. 2006. Where no other stage comes between, gravity is
/// part of the prediction, and its time is reported as PLI_STAGE_PREDICT.
typedef enum pli_stage {
    PLI_STAGE_FORCES = 0, ///< Line 5: gravity, wind, user forces.
    PLI_STAGE_DAMPING,    ///< Line 6.
    PLI_STAGE_PREDICT,    ///< Line 7, with attachments.
    PLI_STAGE_CONTACTS,   ///< Line 8.
    PLI_STAGE_PROJECT,    ///< Lines 9 to 11.
    PLI_STAGE_VELOCITIES, ///< Lines 12 to 15.
    PLI_STAGE_FRICTION,   ///< Line 16.
    PLI_STAGE_CCD,        ///< Continuous collision detection of surfaces.
    PLI_STAGE_PUBLISH,    ///< Test that the state is finite; copy to the order of the mesh's vertices.
    PLI_STAGE_COUNT
} pli_stage;

/// Capacity of pli_statistics.stage_seconds. It exceeds PLI_STAGE_COUNT, so a new stage does not change the layout.
#define PLI_STAGE_ROOM 16

/// Measures of a world's state and of its last step.
typedef struct pli_statistics {
    int64_t step;
    double time;                          ///< [s]
    double stage_seconds[PLI_STAGE_ROOM]; ///< Wall time of the last step by stage [s].
    double step_seconds;                  ///< Wall time of the last step [s].
    double kinetic_energy;                ///< [J]
    double momentum[3];                   ///< Linear momentum of the particles that are not fixed [kg m/s].
    double angular_momentum[3];           ///< About the origin of the application's coordinates [kg m2/s].
    double stretch_rms, stretch_max;      ///< |l - l0| / l0 over all mesh edges.
    int32_t particle_count, fixed_count;
    int32_t contact_count;         ///< Contacts in the last substep.
    int32_t surface_contact_count; ///< Contacts between surfaces; contact_count includes them.
    int32_t candidate_count;       ///< Candidate pairs tested in the last substep.
    int32_t limited_count; ///< Particles whose motion continuous collision detection shortened in the last step.
    /// Intersections at the end of the last step: edges through triangles, particles inside a closed collider, and pairs of
    /// cloth and a sphere or capsule of a rigid body that overlap by more than a ten-thousandth of its radius.
    int32_t intersection_count;
    int32_t failed_pair_count; ///< Pairs that could not be separated in the last step.
    int64_t projection_count;  ///< Constraint projections of the last step.
    uint64_t memory;           ///< Bytes allocated by the world.
    /// Number of objects that were not at their prescribed position at the end of the last step, because edges would have
    /// been stretched or surfaces would have crossed: particles fixed by attachments, colliders, and vertices of animated
    /// colliders. Rigid bodies that were stopped in that step for the same reason are included.
    int32_t off_target_count;
    /// The largest distance of one of these objects from its prescribed position, or the largest distance by which the motion of a
    /// body was cut [m].
    double tracking_error;
    double work; ///< Work for contact in the last step, in multiples of a usual step (pli_settings.work_budget).
    int32_t shortened_count; ///< Substeps of the last step whose motion was shortened because of that budget.
    int32_t substep_count;   ///< Substeps of the last step.
    /// Work absorbed by plastic bending, since creation or the last reset of each deformable [J].
    double plastic_work;
    /// Potential energy in gravity of the particles that are not fixed; 0 at the origin of the application's coordinates [J].
    double potential_energy;
    /// Fraction of all particles, pinned ones included, that have been held back for more than 0.5 s of simulated time
    /// without interruption, 0 to 1. A particle is held back in a step if continuous collision detection and work_budget
    /// cut more from its trajectories than the distance by which it moved, and more than half of the distance by which
    /// gravity moves a particle that starts each substep at rest.
    double stuck;
} pli_statistics;

/// Measures the current state. Cost: one pass over particles and edges.
PLI_API void pli_world_get_statistics(const pli_world *world, pli_statistics *statistics);

/// A point in a step: the end of one of its parts.
typedef struct pli_trace_point {
    pli_stage stage;
    int32_t substep; ///< 1 to pli_statistics.substep_count.
    /// The part that ended: the name of the stage, or "a constraint", "a contact" and the like. A static string.
    const char *part;
    pli_deformable deformable; ///< The deformable that the part changed; null if it may have changed all.
    pli_constraints set;       ///< The set that was projected; null for other parts.
} pli_trace_point;
/// Called after each part of a step. It may read the world with pli_trace_read, pli_world_hash and the functions that
/// return names, and must not change it. `point` is borrowed until the callback returns.
typedef void (*pli_trace)(void *user, const pli_world *world, const pli_trace_point *point);
/// Requests calls of `trace` after each stage of a substep, each sweep of a set, each solve of a membrane and each round
/// of contacts, on the thread that steps; null, the default, disables them. States are bit-identical with and without.
/// Steps are slower: parts that otherwise run concurrently, such as deformables on different threads and sets in
/// wavefronts, run one after the other. Gravity is then part of PLI_STAGE_FORCES. A step that is repeated to find the
/// cause of a non-finite state is not traced. Call this function between steps only.
PLI_API void pli_world_set_trace(pli_world *world, pli_trace trace, void *user);
/// Reads the state of a deformable. In a trace callback: the positions relative to pli_world_get_origin [m] and the velocities
/// [m/s] at that point, 3 floats a vertex each; either may be null. Elsewhere: the state at the end of the last step.
/// Returns the number of vertices; 0 for a stale handle.
PLI_API int32_t pli_trace_read(const pli_world *world, pli_deformable deformable, float *positions, float *velocities);

#ifdef __cplusplus
}
#endif

#endif
