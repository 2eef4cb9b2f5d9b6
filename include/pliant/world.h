/// Pliant, world: settings, the step, and statistics.
///
/// A world holds deformables, their constraint sets and attachments, colliders and proxies of rigid bodies, and
/// advances them together:
///
///     pli_world_def def = pli_world_def_default();
///     def.settings.substeps = 20;
///     def.thread_count = 4;
///     pli_world *world;
///     if (pli_world_create(&def, &world, &error) != PLI_STATUS_OK) ...
///     // deformable.h, constraint_set.h, attachment.h, collider.h: what is in it
///     for (int frame = 0; frame < 300; frame++)
///         if (pli_world_step(world, 1.0f / 60.0f, &error) != PLI_STATUS_OK) ...
///     pli_world_destroy(world);
///
/// Creation and destruction allocate. A step does not, once its buffers have grown to the scene. States depend
/// neither on the number of threads nor on the SIMD back end. This header includes those of all that a world holds.
#ifndef PLIANT_WORLD_H
#define PLIANT_WORLD_H

#include "attachment.h"
#include "collider.h"
#include "constraint.h"
#include "constraint_set.h"
#include "deformable.h"
#include "handles.h"
#include "state.h"
#include "tearing.h"
#include "descriptor.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How constraints are projected: what a parameter means, and what it depends on.
typedef enum pli_method {
    /// Compliance [m/N and the like]; the converged result is independent of substeps and iterations (Macklin et al.
    /// 2016, 2019). The default.
    PLI_METHOD_XPBD = 0,
    PLI_METHOD_PBD, ///< Stiffness 0..1, whose effect depends on substeps (Mueller et al. 2006, Algorithm 1).
    PLI_METHOD_FORCE_32 = PLI_FORCE_32
} pli_method;

/// "xpbd", "pbd".
PLI_API const char *pli_method_name(pli_method method);
PLI_API bool pli_method_from_name(const char *name, pli_method *method);

/// Order of projection.
typedef enum pli_order {
    /// Coloured Gauss-Seidel: constraints of one colour share no particle; SIMD and threads. The default.
    PLI_ORDER_COLOURED = 0,
    /// Strict Gauss-Seidel in order of creation, as in the papers; vectorised only where results stay bit-identical.
    PLI_ORDER_SEQUENTIAL,
    PLI_ORDER_FORCE_32 = PLI_FORCE_32
} pli_order;

/// "coloured", "sequential".
PLI_API const char *pli_order_name(pli_order order);
PLI_API bool pli_order_from_name(const char *name, pli_order *order);

/// Instructions used by coloured sweeps. The states are the same to the bit for all of them.
typedef enum pli_simd {
    PLI_SIMD_AUTO = 0, ///< The back end that measured fastest of those the processor has. The default.
    PLI_SIMD_SCALAR,   ///< One float at a time.
    PLI_SIMD_SSE2,     ///< 4 wide, x86-64.
    PLI_SIMD_AVX2,     ///< 8 wide, x86-64.
    PLI_SIMD_AVX512,   ///< 16 wide, x86-64.
    PLI_SIMD_NEON,     ///< 4 wide, 64-bit ARM.
    PLI_SIMD_WASM,     ///< 4 wide, WebAssembly.
    PLI_SIMD_COUNT,
    PLI_SIMD_FORCE_32 = PLI_FORCE_32
} pli_simd;

/// Whether this build and processor have it.
PLI_API bool pli_simd_available(pli_simd simd);
/// "auto", "scalar", "sse2", "avx2", "avx512", "neon", "wasm".
PLI_API const char *pli_simd_name(pli_simd simd);
PLI_API bool pli_simd_from_name(const char *name, pli_simd *simd);

/// How surfaces are kept free of intersections (docs/contact.md, The guarantee): the kind of continuous collision
/// detection.
typedef enum pli_ccd {
    /// The motion of each candidate pair is proved free of intersection, or shortened. The default.
    PLI_CCD_ADVANCEMENT = 0,
    /// A particle moves at most 0.45 of its distance to the nearest surface per substep (Chen et al. 2025).
    PLI_CCD_BOUNDS,
    PLI_CCD_OFF, ///< Contacts are projected; fast motion may pass through surfaces.
    PLI_CCD_COUNT,
    PLI_CCD_FORCE_32 = PLI_FORCE_32
} pli_ccd;

/// "advancement", "bounds", "off".
PLI_API const char *pli_ccd_name(pli_ccd guarantee);
PLI_API bool pli_ccd_from_name(const char *name, pli_ccd *ccd);

/// Direction in which the sweeps of a substep go through the constraints.
typedef enum pli_sweeps {
    /// Half of the sweeps back, then half forth, so that a substep reads the same from both ends: small motions do not
    /// grow. An odd number of iterations has one sweep more, so that one iteration has two. The default.
    PLI_SWEEPS_BACK_AND_FORTH = 0,
    /// Each sweep forth, as in the papers: waves with a phase grow from rounding errors (docs/errata.md E21).
    PLI_SWEEPS_FORWARD,
    PLI_SWEEPS_FORCE_32 = PLI_FORCE_32
} pli_sweeps;

/// "back_and_forth", "forward".
PLI_API const char *pli_sweeps_name(pli_sweeps sweeps);
PLI_API bool pli_sweeps_from_name(const char *name, pli_sweeps *sweeps);

/// Where the origin is that positions are relative to inside of the world: floats are dense near it, so that what is there
/// behaves like the same near 0 (docs/concepts.md, Far from the origin).
typedef enum pli_origin_kind {
    /// It follows the middle of the deformables from the start of a step on: 0 while that is within 16 m of 0 on each
    /// axis, and otherwise whole metres within 16 m of it. The default.
    PLI_ORIGIN_AUTO = 0,
    PLI_ORIGIN_FIXED, ///< It stays where it is: at 0, or where pli_world_set_origin has put it.
    PLI_ORIGIN_COUNT,
    PLI_ORIGIN_KIND_FORCE_32 = PLI_FORCE_32
} pli_origin_kind;

/// "auto", "fixed".
PLI_API const char *pli_origin_kind_name(pli_origin_kind kind);
PLI_API bool pli_origin_kind_from_name(const char *name, pli_origin_kind *kind);

/// How a substep goes on in time.
typedef enum pli_integrator {
    /// Implicit Euler: of the first order, so that a pendulum loses 15 % of its energy in 10 s at 10 substeps of 1/60 s. The
    /// default.
    PLI_INTEGRATOR_EULER = 0,
    /// Backward differences of the second order (BDF2), which keep the last substep's positions and velocities: 64 bytes a
    /// vertex. Motion that nothing outside of a deformable disturbs keeps its energy. From a substep on in which contact, the guarantee
    /// or a body moves a deformable, and where you place something, it goes by implicit Euler for a substep, and so as
    /// long as it is touched. Bending by a plate is of the first order over its interval.
    PLI_INTEGRATOR_BDF2,
    PLI_INTEGRATOR_COUNT,
    PLI_INTEGRATOR_FORCE_32 = PLI_FORCE_32
} pli_integrator;

/// "euler", "bdf2".
PLI_API const char *pli_integrator_name(pli_integrator integrator);
PLI_API bool pli_integrator_from_name(const char *name, pli_integrator *integrator);

/// Solver settings; may be changed between steps. Start from pli_world_settings or a default definition.
typedef struct pli_settings {
    pli_method method;
    int32_t substeps;   ///< Per step, 1..1000. Default 10.
    int32_t iterations; ///< Sweeps per substep, 1..1000; see pli_sweeps for odd numbers. Default 1.
    pli_vec3 gravity;   ///< [m/s2], default {0, -9.81, 0}.
    /// Rate at which motion other than rigid dies away [1/s], >= 0 (Mueller et al. 2006, section 3.5): by exp(-damping t), with any
    /// step and number of substeps. A share s of each step of 1/60 s is -60 ln(1 - s). Default 0.
    float damping;
    pli_vec3 wind; ///< Velocity of the air [m/s]. Default 0.
    /// Air density rho [kg/m3], >= 0; 0 switches off wind and drag. Air is 1.2. A face meets the pressure rho u^2 along its
    /// normal, where u is the normal part of its speed in the air (docs/concepts.md). Default 0.
    float air_density;
    /// The constraints of a deformable neither push nor turn it as a whole: after their sweeps in a substep, the linear
    /// and angular momentum of every connected piece is what it was before, plus what came from outside (contacts,
    /// attachments to rigid bodies). What is held takes up momentum: all of it but the rotations about a single
    /// particle that is fixed or tied to the world, and but the rotation about a line of such particles. False leaves
    /// Algorithm 1 as printed, in which a body under stress spins itself up. Default true.
    bool keep_momentum;
    float speed_limit;      ///< Particles are slowed to this [m/s], > 0. Default infinite.
    pli_ccd guarantee;      ///< Guarantee on contacts between surfaces. Default PLI_CCD_ADVANCEMENT.
    pli_sweeps sweeps;      ///< Direction of the sweeps. Default PLI_SWEEPS_BACK_AND_FORTH.
    pli_origin_kind origin; ///< Where positions are exact. Default PLI_ORIGIN_AUTO.
    /// Skin friction of the air, c in 0..10: a face meets the traction rho c u^2 along itself, both sides together, where
    /// u is its speed along itself in the air (docs/concepts.md). Default 0.02, of cloth. With 0, edges whip.
    float air_friction;
    /// Speed below which a deformable counts as at rest [m/s]: when all of its particles have been slower for half a second,
    /// it sleeps, at rest, and takes no part in steps. It wakes when something that moves comes as near as to meet the box
    /// about it, when its frames move, and when you change anything but poses; so do those whose boxes meet the box of one
    /// that wakes. Rigid bodies sleep and wake with what they touch, by the speed of their fastest point (pli_rigid_body_def.asks_sleep). States
    /// differ from those of a world without sleep. 0.01 suits cloth.
    /// Default 0: nothing sleeps.
    float sleep_speed;
    /// Work that contact may take in a step, 1 to 1000, in multiples of a usual step, which looks at 32 pairs of vertices, edges
    /// and faces for each vertex that may touch something, in each substep. It counts pairs and no time, so states do not
    /// depend on the machine. Beyond it the motion of a substep is shortened to what can be proved with less, down to none;
    /// the first such step is logged, and pli_statistics counts the substeps. At 1000 a step of some hundred vertices may last seconds. Default 16.
    float work_budget;
    pli_integrator integrator; ///< Order in time. Default PLI_INTEGRATOR_EULER.
    /// Gusts: root mean square of the speed of the turbulence that the air carries beside the wind [m/s], >= 0. Eddies of
    /// pli_world_def.gust_length and smaller drift with the wind and turn over, the same on every machine. Default 0.
    float gust_strength;
    uint32_t reserved[2]; ///< Zero; keeps the size of what holds settings.
} pli_settings;

/// How a world is created. Order, back end, threads and hooks stay for its life.
typedef struct pli_world_def {
    uint32_t size;   ///< Bytes of this struct; set by the default function.
    uint32_t cookie; ///< Set by the default function.
    pli_settings settings;
    pli_order order;
    pli_simd simd;
    int32_t thread_count; ///< Threads of the engine's own pool with the caller's, 1..64. Default 1.
    pli_hooks hooks;
    pli_task_hooks tasks; ///< When `run` is set, thread_count is ignored.
    float gust_length;    ///< Size of the largest eddies of gusts [m], 0.001..1e6. Default 2.
    int32_t gust_seed;    ///< Which gusts, 0..1e6. Default 0.
} pli_world_def;

/// Fills `size` bytes of a definition with its defaults; see pli_world_def_default.
PLI_API void pli_world_def_init(pli_world_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_world_def pli_world_def_default(void)
{
    pli_world_def def;
    pli_world_def_init(&def, sizeof def);
    return def;
}
/// Creates an empty world; the caller owns it. Errors: INVALID_ARGUMENT for settings out of range; UNSUPPORTED for a
/// SIMD back end that the processor lacks; OUT_OF_MEMORY.
PLI_API pli_status pli_world_create(const pli_world_def *def, pli_world **world, pli_error *error);
/// Destroys a world and everything in it. Null is allowed.
PLI_API void pli_world_destroy(pli_world *world);
/// Binds a host object to the world's lifetime: pli_world_destroy calls destroy(thing) before it frees its own objects,
/// last registered first.
PLI_API pli_status pli_world_attach_lifetime(pli_world *world, void *thing, void (*destroy)(void *thing),
                                             pli_error *error);

/// The settings in effect.
PLI_API void pli_world_get_settings(const pli_world *world, pli_settings *settings);
static inline pli_settings pli_world_settings(const pli_world *world)
{
    pli_settings settings;
    pli_world_get_settings(world, &settings);
    return settings;
}
/// Refuses values out of range and leaves the world as it was.
PLI_API pli_status pli_world_set_settings(pli_world *world, const pli_settings *settings, pli_error *error);
/// Registers a user-defined type. The row is copied; its strings and parameter table are not and must outlive the
/// world. User types are projected one at a time, without SIMD. Errors: INVALID_ARGUMENT for a row without its size,
/// without a function it needs, or with a name that is taken.
PLI_API pli_status pli_world_register_type(pli_world *world, const pli_constraint_type *type, pli_error *error);
/// Makes a generator of yours known to this world (pliant/generator.h), for sets that name it and types that have it as theirs. The row is
/// not copied and must outlive the world. Errors: INVALID_ARGUMENT for a row without a name or function, of variable
/// cardinality, or with a name that is taken; OUT_OF_MEMORY.
PLI_API pli_status pli_world_register_generator(pli_world *world, const pli_generator *generator, pli_error *error);

/// Velocities of the air where the host knows them: writes one for each point into `velocities` [m/s], which comes filled with the
/// world's wind; what gusts add comes on top. Points are in the host's coordinates [m], three floats each, `time` is that of
/// the world in the middle of the step [s]. True if all went well; false fails the step.
typedef bool (*pli_air_field)(void *user, double time, const float *points, float *velocities, int32_t count);
/// Asks for the air at the vertices of each deformable once before each step; NULL for wind alone. Nothing is asked while
/// the density of the air is 0, nor for what sleeps or is paused. It must not call functions that change the world. A velocity that is
/// not finite or above 1e6 m/s fails the step with INVALID_ARGUMENT, and a field that returns false with CANCELLED; the world is then as it was.
PLI_API void pli_world_set_air_field(pli_world *world, pli_air_field field, void *user);

/// Advances by dt [s] > 0. Attachments and colliders given a new pose move there linearly. If a position or velocity
/// becomes NaN, infinite or above 1e15, the state before the step is restored and NON_FINITE names the constraint
/// type and particle. OUT_OF_MEMORY and CANCELLED also restore it. A tear that gets no memory does not fail the step: it waits
/// (pli_deformable_set_tearing). dt may differ from step to step; the state then depends on the
/// sequence. The world's time grows by dt as the float that it is: 1/60 as a float is 8.7e-10 s too long, which is 4.5 ms in a day; a
/// host that must agree with a clock counts its own steps.
PLI_API pli_status pli_world_step(pli_world *world, float dt, pli_error *error);
/// Steps `count` worlds by dt [s] side by side, each on one of up to `thread_count` >= 1 threads with the caller's, and whatever threads or
/// job system it has of its own, one after the other inside: for many small worlds, as of a study or of learning. The state of each is
/// that after pli_world_step alone, to the bit. One that fails does not keep the others from their step: it is as pli_world_step leaves
/// it, its status is in `statuses` ([count], or null), and the error is that of the first, with its place in the list. Callbacks and
/// allocations of a world come from the thread that steps it, so those that several worlds share must bear that. The threads are made anew
/// in each call; their memory comes from the hooks of the first world, on the caller's thread. Each world is used
/// by nobody else meanwhile; pli_world_cancel ends the step of one. Errors, before any world is stepped: INVALID_ARGUMENT for
/// a world that is null or in the list twice, and for counts out of range; OUT_OF_MEMORY.
PLI_API pli_status pli_worlds_step(pli_world *const *worlds, int32_t count, float dt, int32_t thread_count,
                                   pli_status *statuses, pli_error *error);

/// Whether code of yours runs within a call of the world: true in each of its callbacks and hooks. A callback may look at the world with every
/// function that takes it const. Functions that would change it, those that destroy its objects among them, return INVALID_ARGUMENT there
/// and leave it as it was; pli_world_destroy and the functions that set a callback do nothing. In the substep callback the states and
/// masses of rigid bodies may be set.
PLI_API bool pli_world_is_in_call(const pli_world *world);

/// Ends the running step early, which then returns CANCELLED and leaves the world as it was before: positions, velocities,
/// time, and poses that attachments and colliders are to reach in the next step; forces of the next step are dropped. What
/// a substep callback of yours has done is yours to take back. Where no step is running the next one returns CANCELLED.
/// May be called from any thread and from a signal handler. A step notices within some milliseconds, more with thousands
/// of vertices.
PLI_API void pli_world_cancel(pli_world *world);
/// Cancels steps that take longer than this [s of wall time], > 0; INFINITY, the default, for none. Whether a step is
/// cancelled depends on the machine, what it leaves does not.
PLI_API pli_status pli_world_set_time_limit(pli_world *world, double seconds, pli_error *error);

/// Time simulated [s] and steps done; restoring a snapshot takes over those of the snapshot.
PLI_API double pli_world_time(const pli_world *world);
PLI_API int64_t pli_world_step_count(const pli_world *world);

/// The point of your coordinates that positions are relative to inside of the world [m]. It moves only when a deformable
/// is the first to be created, in a step, in pli_world_set_origin and pli_world_shift, and with a snapshot.
PLI_API void pli_world_origin(const pli_world *world, double origin[3]);
/// Puts the origin at the whole metres nearest to this point; nothing else moves. With PLI_ORIGIN_AUTO the next step
/// may take it elsewhere. Errors: INVALID_ARGUMENT beyond 1e12 m; OUT_OF_MEMORY.
PLI_API pli_status pli_world_set_origin(pli_world *world, const double origin[3], pli_error *error);
/// Moves everything by `offset` [m], for a host that moves its own origin: deformables, bodies, colliders and attachments.
/// Positions relative to the origin stay to the bit, since that moves along; poses are rounded to float where they go,
/// and what has a target of its own coordinates (a constraint type of yours) is not told. Errors: as above.
PLI_API pli_status pli_world_shift(pli_world *world, const double offset[3], pli_error *error);

/// Threads that share the work of a step, the caller's included; 0 when the host's job system runs the loops.
PLI_API int32_t pli_world_thread_count(const pli_world *world);
/// The back end in use, never PLI_SIMD_AUTO.
PLI_API pli_simd pli_world_simd(const pli_world *world);
/// The order of projection, as of the definition.
PLI_API pli_order pli_world_order(const pli_world *world);

/// Stages of a step, in their order. Where nothing comes between, gravity is taken in the pass of the prediction, and its
/// time is reported as PLI_STAGE_PREDICT.
typedef enum pli_stage {
    PLI_STAGE_FORCES = 0, ///< Gravity, wind, user forces (Algorithm 1, line 5).
    PLI_STAGE_DAMPING,    ///< Line 6.
    PLI_STAGE_PREDICT,    ///< Line 7, with attachments.
    PLI_STAGE_CONTACTS,   ///< Line 8.
    PLI_STAGE_PROJECT,    ///< Lines 9 to 11.
    PLI_STAGE_VELOCITIES, ///< Lines 12 to 15.
    PLI_STAGE_FRICTION,   ///< Line 16.
    PLI_STAGE_GUARANTEE,  ///< Continuous collision detection of surfaces.
    PLI_STAGE_PUBLISH,    ///< Finite check, user's order.
    PLI_STAGE_COUNT,
    PLI_STAGE_FORCE_32 = PLI_FORCE_32
} pli_stage;

/// Room for stages in pli_statistics, so that a new one moves nothing.
#define PLI_STAGE_ROOM 16

/// "forces", "damping" and so on, as in reports.
PLI_API const char *pli_stage_name(pli_stage stage);
PLI_API bool pli_stage_from_name(const char *name, pli_stage *stage);

/// Measures of a world's state and of its last step.
typedef struct pli_statistics {
    int64_t step;
    double time;                          ///< [s]
    double stage_seconds[PLI_STAGE_ROOM]; ///< Wall time of the last step by stage.
    double step_seconds;                  ///< Wall time of the last step.
    double kinetic_energy;                ///< [J]
    double momentum[3];                   ///< Linear, of particles that are not fixed [kg m/s].
    double angular_momentum[3];           ///< About the origin [kg m2/s].
    double stretch_rms, stretch_max;      ///< |l - l0| / l0 over all mesh edges.
    int32_t particle_count, fixed_count;
    int32_t contact_count;         ///< In the last substep.
    int32_t surface_contact_count; ///< Contacts between surfaces, among them.
    int32_t candidate_count;       ///< Candidate pairs tested in the last substep.
    int32_t limited_count; ///< Particles whose motion continuous collision detection shortened in the last step.
    /// Intersections at the end of the last step: edges through triangles, particles inside a closed collider, and pairs of
    /// cloth and a sphere or capsule of a rigid body that reach deeper than a hundredth of its radius.
    int32_t intersection_count;
    int32_t failed_pair_count; ///< Pairs that could not be kept apart in the last step.
    int64_t projection_count;  ///< Constraint projections of the last step.
    uint64_t memory;           ///< Bytes held by the world.
    /// Held particles, colliders, and vertices of animated ones that were behind where they are led at the end of the last step, since edges would have been
    /// stretched or surfaces would have crossed, and bodies that were stopped in it for that; and the largest distance of one from there, or way that a body has lost [m].
    int32_t lagging_count;
    double lag;
    double work; ///< Work of contact in the last step, in multiples of a usual step (pli_settings.work_budget).
    int32_t shortened_count; ///< Substeps of the last step whose motion was shortened to keep to that budget.
    int32_t substep_count;   ///< Substeps of the last step.
    double
        plastic_work; ///< Work that bends which stayed have taken up, since the start or the last reset of each deformable [J].
    double potential_energy; ///< In gravity, of particles that are not fixed; 0 at the host's origin [J].
    /// Fraction of all particles, pinned ones included, that have been held back for more than 0.5 s of simulated time without
    /// interruption, 0 to 1. A particle is held back in a step in which continuous collision detection and work_budget cut more from
    /// its trajectories than the distance by which it moved, and more than half of what gravity moves a particle that starts each
    /// substep at rest.
    double stuck;
} pli_statistics;

/// Measures the current state. Cost: one pass over particles and edges.
PLI_API void pli_world_statistics_sized(const pli_world *world, pli_statistics *statistics, size_t size);
static inline void pli_world_statistics(const pli_world *world, pli_statistics *statistics)
{
    pli_world_statistics_sized(world, statistics, sizeof *statistics);
}

/// A moment of a step, behind one of its parts.
typedef struct pli_trace_point {
    uint32_t size; ///< Bytes of this struct.
    pli_stage stage;
    int32_t substep; ///< 1 to pli_statistics.substep_count.
    const char
        *part; ///< The part that ended: the name of the stage, or "a constraint", "a contact" and the like. Static.
    pli_deformable deformable; ///< The one that it acted on; null where it may be all.
    pli_constraint_set set;    ///< The one that was projected; null for anything else.
} pli_trace_point;
/// Called behind each part of a step. It may read the world with pli_trace_read, pli_world_hash and what asks for names,
/// and must not change it. `point` is borrowed until it returns.
typedef void (*pli_trace)(void *user, const pli_world *world, const pli_trace_point *point);
/// Calls `trace` behind each stage of a substep, each set's sweep, solve of a membrane and round of contacts, on the thread that
/// steps; null, the default, for nothing. The states are the same to the bit. Steps are slower: parts that run together
/// otherwise, such as deformables on different threads and sets in wavefronts, run one after the other. Gravity is then
/// in PLI_STAGE_FORCES. A step that is run again to find what made it non-finite is not traced. Between steps only.
PLI_API void pli_world_set_trace(pli_world *world, pli_trace trace, void *user);
/// From a trace: positions [m], relative to pli_world_origin, and velocities [m/s] of a deformable at this moment, 3 floats
/// a vertex each; either may be null. Elsewhere: those at the end of the last step. Returns the number of vertices; 0 for a stale handle.
PLI_API int32_t pli_trace_read(const pli_world *world, pli_deformable deformable, float *positions, float *velocities);

#ifdef __cplusplus
}
#endif

#define PLIANT_OLD_NAMES_OF_WORLD // For one version.
#include "deprecated.h"

#endif
