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
    /// The parameter is a compliance (m/N for a distance constraint). Once the sweeps have converged, more iterations do
    /// not change the result (Macklin et al. 2016, 2019). The default.
    PLI_METHOD_XPBD = 0,
    /// The parameter is a stiffness 0..1. Its effect depends on iterations, substeps and time step (Mueller et al. 2006).
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

/// The instruction set of the solver. States are bit-identical for all of them.
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

/// Continuous collision detection. It provides the non-penetration guarantee: of the pairs that docs/contact.md (The
/// guarantee) lists as covered, those that do not intersect at the start of a substep do not intersect at its end.
typedef enum pli_ccd {
    /// The motion of each candidate pair is proved free of intersections, or shortened. The default.
    PLI_CCD_ADVANCEMENT = 0,
    PLI_CCD_OFF, ///< No guarantee: contacts are projected, and fast objects may pass through surfaces.
    PLI_CCD_COUNT
} pli_ccd;

/// The direction in which the sweeps of a substep traverse the constraints.
typedef enum pli_sweeps {
    /// The first half of the sweeps runs from the last constraint to the first, the second half from the first to the
    /// last. Odd numbers of iterations are rounded up, so 1 iteration runs 2 sweeps. The default.
    PLI_SWEEPS_BACK_AND_FORTH = 0,
    /// Every sweep runs forward, as in the papers. Rounding errors can then grow into visible motion (docs/errata.md E21).
    PLI_SWEEPS_FORWARD
} pli_sweeps;

/// Where the world puts its origin, the point that internal positions are relative to. Floats are densest near it, so a
/// scene far from 0 behaves like the same scene near 0 (docs/concepts.md, Far from the origin).
typedef enum pli_origin_kind {
    /// The origin follows the moving particles. At the start of a step, on each axis separately: if their mean position is
    /// more than 16 m from the origin, the origin moves to the nearest whole metre, or to 0 if the mean is within 16 m of
    /// 0. The default.
    PLI_ORIGIN_AUTO = 0,
    PLI_ORIGIN_FIXED, ///< The origin stays where it is: at 0, or where pli_world_set_origin has put it.
    PLI_ORIGIN_COUNT
} pli_origin_kind;

/// The time integration of a substep.
typedef enum pli_integrator {
    /// Implicit Euler, first order: it damps oscillations, by the fraction omega^2 h t of their energy in the time t for
    /// angular frequency omega and substep h. The default.
    PLI_INTEGRATOR_EULER = 0,
    /// Backward differences of second order (BDF2), with far less damping (docs/concepts.md, Time integration and damping).
    /// Takes 64 bytes more for each vertex. After a substep in which a contact, the guarantee or a rigid body moves the
    /// deformable, and after you set its state, the next substep is implicit Euler; so is all motion in permanent contact.
    /// Plates remain of first order.
    PLI_INTEGRATOR_BDF2,
    PLI_INTEGRATOR_COUNT
} pli_integrator;

/// Solver settings. They may change between steps. Start from pli_world_settings or from a default definition. Fields are
/// in order of their addition; by subject: solver (method, substeps, iterations, sweeps, integrator, keep_momentum, origin),
/// forces (gravity, damping, speed_limit), air (air_density, wind, air_friction, gust_strength), contact (ccd,
/// work_budget), and sleep (sleep_speed).
typedef struct pli_settings {
    pli_method method; ///< Default PLI_METHOD_XPBD.
    int32_t substeps;  ///< Per step, 1..1000. Default 10.
    int32_t
        iterations;   ///< Sweeps per substep, 1..1000. By default rounded up to an even number (pli_sweeps). Default 1.
    pli_vec3 gravity; ///< [m/s2], default {0, -9.81, 0}.
    /// Rate at which non-rigid motion decays [1/s], >= 0: as exp(-damping t), for any step and number of substeps (Mueller
    /// et al. 2006, section 3.5). To remove the fraction s in each step of 1/60 s, set -60 ln(1 - s). Default 0.
    float damping;
    pli_vec3 wind; ///< Velocity of the air [m/s]. No effect while air_density is 0. Default 0.
    /// Air density rho [kg/m3], >= 0. 0 disables wind and drag; air has 1.2. The air exerts the pressure rho u^2 on a face
    /// (a drag coefficient of 2), where u is the normal component of the velocity of the face relative to the air
    /// (docs/concepts.md, Air). Default 0.
    float air_density;
    /// Removes the net linear and angular momentum that the sweeps of a substep add to each connected piece of a
    /// deformable. Pins absorb momentum: a piece with pins keeps only its rotation about a single pin, or about the line
    /// through its pins. With false, the solver is Algorithm 1 of Mueller et al. 2006, and stressed bodies start to spin
    /// (docs/decisions/momentum-and-integration.md). Default true.
    bool keep_momentum;
    /// Particles are slowed to this speed before constraints and contacts move them, so they can end a step faster [m/s],
    /// > 0. Default infinite.
    float speed_limit;
    pli_ccd ccd;            ///< Continuous collision detection. Default PLI_CCD_ADVANCEMENT.
    pli_sweeps sweeps;      ///< Direction of the sweeps. Default PLI_SWEEPS_BACK_AND_FORTH.
    pli_origin_kind origin; ///< Where internal positions have their origin. Default PLI_ORIGIN_AUTO.
    /// Skin friction coefficient c of the air, 0..10. The air exerts the traction rho c u^2 along a face, both sides
    /// together, where u is the tangential speed of the face relative to the air (docs/concepts.md, Air). Default 0.02,
    /// which suits cloth. With 0, free edges of pinned cloth can move several times as fast as the wind.
    float air_friction;
    /// A deformable falls asleep when all of its particles have been slower than this speed for 0.5 s [m/s], >= 0. Its
    /// velocities become 0, and steps skip it. It wakes when the bounding box of a moving or waking object touches its own,
    /// when the frames of its attachments move, and when you call a function that changes it; a new pose of a collider
    /// wakes it only once the collider moves near it. Rigid bodies sleep and wake together with the objects that they
    /// touch (pli_rigid_body_def.respects_sleep). 0.01 suits cloth. Default 0: nothing sleeps.
    float sleep_speed;
    /// Target for the contact work of a step, 1..1000, in multiples of a usual step, which tests 32 pairs for each vertex
    /// and substep. It counts pairs and not time, so states do not depend on the machine. A step that would need more
    /// searches less, stops pairs instead of pushing them apart, and shortens motion, to zero if necessary
    /// (docs/contact.md, Work that is bounded). Default 16.
    float work_budget;
    pli_integrator integrator; ///< Time integration. Default PLI_INTEGRATOR_EULER.
    /// Root mean square speed of the turbulence that is added to the wind [m/s], >= 0: eddies of pli_world_def.gust_length
    /// and smaller, which the wind carries along, bit-identical on every machine. Default 0.
    float gust_strength;
} pli_settings;

/// How a world is created. Order, back end, threads and hooks cannot change afterwards.
typedef struct pli_world_def {
    pli_settings settings;
    pli_order order;      ///< Default PLI_ORDER_COLOURED.
    pli_simd simd;        ///< Default PLI_SIMD_AUTO.
    int32_t thread_count; ///< Threads in the pool of the world, including the calling thread, 1..64. Default 1.
    pli_hooks hooks;
    pli_task_hooks tasks; ///< If `tasks.run` is set, your job system runs the loops, and thread_count is ignored.
    float gust_length;    ///< Size of the largest eddies of gusts [m], 0.001..1e6. Default 2.
    int32_t gust_seed;    ///< Seed of the gusts, 0..1e6. Default 0.
} pli_world_def;

/// Returns a definition with all fields at their defaults. Change single fields after that.
PLI_API pli_world_def pli_world_def_default(void);
/// Bindings call this function instead of pli_world_create, with the PLI_VERSION_NUMBER of the headers that they were
/// compiled with. UNSUPPORTED if the library has another version.
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
/// Binds the lifetime of an object of your application to the world: pli_world_destroy calls destroy(thing) before it
/// frees its own objects, in reverse order of registration. Errors: OUT_OF_MEMORY.
PLI_API pli_status pli_world_own(pli_world *world, void *thing, void (*destroy)(void *thing), pli_error *error);

/// The settings in effect.
PLI_API pli_settings pli_world_settings(const pli_world *world);
/// Changes the settings. Values out of range are rejected with INVALID_ARGUMENT, and the world is unchanged.
PLI_API pli_status pli_world_set_settings(pli_world *world, const pli_settings *settings, pli_error *error);
/// Registers a user-defined constraint type. `type` is copied; the strings and the parameter table that it points to are
/// not copied and must outlive the world. User-defined types are projected one at a time, without SIMD. Errors:
/// INVALID_ARGUMENT if its `size` field or a required function is not set, or its name is taken.
PLI_API pli_status pli_world_register_type(pli_world *world, const pli_constraint_type *type, pli_error *error);
/// Registers a user-defined generator in this world (pliant/generator.h). Constraint sets may then name it, and
/// constraint types may use it as their generator. `generator` is not copied and must outlive the world. Errors:
/// INVALID_ARGUMENT if its name or function is not set, its name is taken, or its cardinality is 0 (constraints with
/// different numbers of particles); OUT_OF_MEMORY.
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

/// Advances by dt [s] > 0. Attachments and colliders that were given a new pose move to it at constant velocity. If a
/// position or velocity becomes NaN, infinite or above 1e15, the step restores the state before it, and returns NON_FINITE
/// with the constraint type and the particle. OUT_OF_MEMORY and CANCELLED also restore that state. If there is no memory
/// for a tear, the tear is postponed and the step succeeds (pli_deformable_set_tearing). dt may vary; results then differ
/// from results with a constant dt. Time accumulates the float value of dt, so count steps if you must agree with a clock.
PLI_API pli_status pli_world_step(pli_world *world, float dt, pli_error *error);
/// Steps `count` worlds by dt [s] in parallel, for many small worlds, as in a parameter study or in machine learning. Up
/// to `thread_count` >= 1 threads, including the caller's, step one world at a time each; they are created in each call,
/// with memory from the hooks of the first world. Each state is bit-identical to the state after pli_world_step. A world
/// that fails does not stop the others; its status is in `statuses` ([count], or null), and `error` has the first failure
/// with its index. Callbacks and hooks of a world are called on the thread that steps it: those that several worlds share
/// must be thread-safe. During the call only pli_world_cancel may use the worlds. Errors before any world is stepped:
/// INVALID_ARGUMENT for a world that is null or twice in the list, and for counts out of range; OUT_OF_MEMORY.
PLI_API pli_status pli_worlds_step(pli_world *const *worlds, int32_t count, float dt, int32_t thread_count,
                                   pli_status *statuses, pli_error *error);

/// Returns true while a function of this world is running, that is, in its callbacks and hooks. A callback may call every
/// function that takes the world as const. Functions that would change the world or destroy its objects return
/// INVALID_ARGUMENT there and do nothing; pli_world_destroy and the functions that set a callback also do nothing.
/// Exception: the substep callback may set the states and masses of rigid bodies.
PLI_API bool pli_world_is_in_call(const pli_world *world);

/// Ends the running step early. That step returns CANCELLED and leaves the world as it was before: positions, velocities,
/// time, and the poses that attachments and colliders must reach in the next step. Forces for the next step are dropped.
/// Your application must undo the effects of its own substep callback. If no step is running, the next step returns
/// CANCELLED. May be called from any thread and from a signal handler. A step reacts at the end of its current stage
/// (pli_stage), and within a search for pairs.
PLI_API void pli_world_cancel(pli_world *world);
/// Cancels steps that take longer than `seconds` of wall time, > 0; INFINITY, the default, sets no limit. Whether a step is
/// cancelled depends on the speed of the machine; a cancelled step leaves the state before it. Errors: INVALID_ARGUMENT.
PLI_API pli_status pli_world_set_time_limit(pli_world *world, double seconds, pli_error *error);

/// Simulated time [s] and number of completed steps. Restoring a snapshot restores both.
PLI_API double pli_world_time(const pli_world *world);
PLI_API int64_t pli_world_step_count(const pli_world *world);

/// Gets the world's origin [m]: the point, in your coordinates, that internal positions are relative to. It moves when the
/// first deformable is created, in a step, in pli_world_set_origin and pli_world_shift, and when a snapshot is restored.
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

/// Stages of a step, in order; line numbers refer to Algorithm 1 of Mueller et al. 2006. Gravity is applied, and timed, in
/// PLI_STAGE_PREDICT unless air, damping, keep_momentum, BDF2 or a plate needs it in PLI_STAGE_FORCES.
typedef enum pli_stage {
    PLI_STAGE_FORCES = 0, ///< Line 5: gravity, wind, user forces.
    PLI_STAGE_DAMPING,    ///< Line 6.
    PLI_STAGE_PREDICT,    ///< Line 7: positions move by their velocities, and attachments with their frames.
    PLI_STAGE_CONTACTS,   ///< Line 8: the search for contacts.
    PLI_STAGE_PROJECT,    ///< Lines 9 to 11: constraints and contacts are projected.
    PLI_STAGE_VELOCITIES, ///< Lines 12 to 15: velocities from displacements.
    PLI_STAGE_FRICTION,   ///< Line 16: friction and restitution.
    PLI_STAGE_CCD,        ///< Continuous collision detection of surfaces.
    PLI_STAGE_PUBLISH,    ///< Checks for NaN, and copies the state to the views, in the order of the mesh's vertices.
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
    int32_t particle_count, fixed_count;  ///< All particles, and those of inverse mass 0, of all deformables.
    int32_t contact_count;                ///< Contacts in the last substep.
    int32_t surface_contact_count;        ///< Contacts between surfaces; contact_count includes them.
    int32_t candidate_count;              ///< Candidate pairs tested in the last substep.
    int32_t limited_count; ///< Particles whose motion continuous collision detection shortened in the last step.
    /// Intersections at the end of the last step: edges through triangles, particles inside a closed collider, and pairs of
    /// cloth and a sphere or capsule of a rigid body that overlap by more than a ten-thousandth of its radius.
    int32_t intersection_count;
    int32_t failed_pair_count; ///< Pairs that could not be separated in the last step.
    int64_t projection_count;  ///< Constraint projections of the last step.
    uint64_t memory;           ///< Bytes allocated by the world.
    /// Number of attached particles, colliders and vertices of animated colliders that did not reach their targets in the
    /// last step, plus the number of rigid bodies that were stopped in it (docs/contact.md, Order of yielding).
    int32_t off_target_count;
    /// The largest distance of these objects from their targets; for a body, the distance by which its motion was cut [m].
    double tracking_error;
    double work; ///< Contact work of the last step, in multiples of a usual step (pli_settings.work_budget).
    int32_t shortened_count; ///< Substeps of the last step whose motion was shortened because of that budget.
    int32_t substep_count;   ///< Substeps of the last step.
    /// Work absorbed by plastic bending, since creation or the last reset of each deformable [J].
    double plastic_work;
    /// Potential energy in gravity of the particles that are not fixed; 0 at the origin of the application's coordinates [J].
    double potential_energy;
    /// Fraction 0..1 of all particles, pinned ones included, that have been held back in each step for more than 0.5 s of
    /// simulated time. In a step, a particle is held back if the distance that continuous collision detection and
    /// work_budget removed from its motion exceeds the distance that it moved, and a limit near rest: half the sum of the
    /// falls from rest in each substep, or dt times 0.1 mm/s if that is more.
    double stuck;
} pli_statistics;

/// Measures the current state. Cost: one pass over particles and edges. With PLI_SELF_CONTACT_PARTICLES, the first call
/// after a step also counts the crossings of cloth with itself, which can take as long as a large part of the step; two
/// threads must not make this call simultaneously.
PLI_API void pli_world_get_statistics(const pli_world *world, pli_statistics *statistics);

/// The argument of pli_trace, which is called after each part of a step.
typedef struct pli_trace_point {
    pli_stage stage;
    int32_t substep; ///< 1 to pli_statistics.substep_count.
    /// The part that ended, a static string: the name of a stage ("forces" to "publish"), "a constraint" (a sweep of a
    /// set), "an attachment", "a contact" (a round of contacts), "the solve of the membrane" (of one deformable) or "the
    /// solve of the membranes" (of several).
    const char *part;
    pli_deformable deformable; ///< The deformable that the part changed; null if it may have changed all.
    pli_constraints set;       ///< The set that was projected; null for other parts.
} pli_trace_point;
/// Called after each part of a step. It may read the world with pli_trace_read, pli_world_hash and the functions that
/// return names, and must not change it. `point` is borrowed until the callback returns.
typedef void (*pli_trace)(void *user, const pli_world *world, const pli_trace_point *point);
/// Requests calls of `trace` after each stage of a substep, each sweep of a set, each solve of a membrane and each round
/// of contacts, on the thread that steps; null, the default, disables them. States are bit-identical with and without.
/// Steps are slower, since all parts run one after the other; gravity is then part of PLI_STAGE_FORCES. A step that is
/// repeated to find the cause of a non-finite state is not traced. Call this function between steps only.
PLI_API void pli_world_set_trace(pli_world *world, pli_trace trace, void *user);
/// Reads the state of a deformable: in a trace callback at that point of the step, elsewhere at the end of the last step.
/// Positions are relative to pli_world_get_origin [m], velocities in [m/s], 3 floats for each vertex; either may be null.
/// Returns the number of vertices; 0 for a handle that is not found.
PLI_API int32_t pli_trace_read(const pli_world *world, pli_deformable deformable, float *positions, float *velocities);

#ifdef __cplusplus
}
#endif

#endif
