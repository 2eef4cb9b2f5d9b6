/// Pliant, world: settings, the step, and statistics.
///
/// A world owns everything made in it. Making and destroying things allocates; a steady step does not.
/// What is in a world has headers of its own, which this one includes.
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

/// How constraints are projected.
typedef enum pli_method {
    PLI_METHOD_XPBD = 0, ///< Compliance; Macklin 2016 and small steps, Macklin 2019. The default.
    PLI_METHOD_PBD       ///< Stiffness 0..1; Mueller 2006, Algorithm 1.
} pli_method;

/// "xpbd", "pbd".
PLI_API const char *pli_method_name(pli_method method);

/// In which order.
typedef enum pli_order {
    PLI_ORDER_COLOURED = 0, ///< Graph colours, wide and threaded. The default.
    PLI_ORDER_SEQUENTIAL    ///< Order of creation: the papers' algorithm. Wide where bits stay the same.
} pli_order;

/// "coloured", "sequential".
PLI_API const char *pli_order_name(pli_order order);

/// Instructions used by coloured sweeps. The states are the same to the bit for all of them.
typedef enum pli_simd {
    PLI_SIMD_AUTO = 0, ///< What measured fastest of those the processor has. The default.
    PLI_SIMD_SCALAR,   ///< One float at a time.
    PLI_SIMD_SSE2,     ///< 4 wide, x86-64.
    PLI_SIMD_AVX2,     ///< 8 wide, x86-64.
    PLI_SIMD_AVX512,   ///< 16 wide, x86-64.
    PLI_SIMD_NEON,     ///< 4 wide, 64-bit ARM.
    PLI_SIMD_WASM,     ///< 4 wide, WebAssembly.
    PLI_SIMD_COUNT
} pli_simd;

/// Whether this build and processor have it.
PLI_API bool pli_simd_available(pli_simd simd);
/// "auto", "scalar", "sse2", "avx2", "avx512", "neon", "wasm".
PLI_API const char *pli_simd_name(pli_simd simd);

/// How surfaces that do not intersect are kept from it (docs/decisions/0007).
typedef enum pli_ccd {
    PLI_CCD_ADVANCEMENT = 0, ///< Paths of every pair are proved clear, or shortened. The default.
    PLI_CCD_BOUNDS,          ///< No particle moves further than a share of its distance (Chen 2025).
    PLI_CCD_OFF,             ///< Contacts are projected and nothing else.
    PLI_CCD_COUNT
} pli_ccd;

/// "advancement", "bounds", "off".
PLI_API const char *pli_ccd_name(pli_ccd guarantee);

/// What may change while a world runs.
typedef struct pli_settings {
    pli_method method;
    int32_t substeps;   ///< Per step, 1..1000. Default 10.
    int32_t iterations; ///< Sweeps per substep, 1..1000. Default 1.
    pli_vec3 gravity;   ///< [m/s2], default {0, -9.81, 0}.
    float damping;      ///< Of motion other than rigid, 0..1 per step (Mueller 2006, 3.5). Default 0.
    pli_vec3 wind;      ///< Velocity of the air [m/s]. Default 0.
    float air_density;  ///< [kg/m3], >= 0. 0 is no air at all (no drag either). Default 0.
    bool keep_momentum; ///< Give what flies free back the momenta that line 12 of Algorithm 1 loses.
                        ///< Default false; with rigid bodies in the world it is always done.
    float speed_limit;  ///< Particles are slowed to this [m/s], > 0. Default infinite.
    pli_ccd guarantee;  ///< Of contacts between surfaces. Default PLI_CCD_ADVANCEMENT.
} pli_settings;

typedef struct pli_world_def {
    uint32_t cookie;
    pli_settings settings;
    pli_order order;
    pli_simd simd;
    int32_t thread_count; ///< Threads of the engine's own pool with the caller's, 1..64. Default 1.
    pli_hooks hooks;
    pli_task_hooks tasks; ///< When `run` is set, thread_count is ignored.
} pli_world_def;

PLI_API pli_world_def pli_world_def_default(void);
/// Makes an empty world; the caller owns it.
PLI_API pli_status pli_world_create(const pli_world_def *def, pli_world **world, pli_error *error);
/// Destroys a world and everything in it. Null is allowed.
PLI_API void pli_world_destroy(pli_world *world);
/// Has `thing` destroyed with the world, before what is in the world; the last kept goes first. For what
/// lives as long as a world, such as an engine coupled to it.
PLI_API pli_status pli_world_attach_lifetime(pli_world *world, void *thing, void (*destroy)(void *thing),
                                             pli_error *error);

PLI_API pli_settings pli_world_settings(const pli_world *world);
/// Refuses values out of range and leaves the world as it was.
PLI_API pli_status pli_world_set_settings(pli_world *world, const pli_settings *settings, pli_error *error);
/// Makes a constraint type of the user's own known by its name. The row and its strings are not
/// copied and must outlive the world. Such types are projected one at a time by a plain kernel.
PLI_API pli_status pli_world_register_type(pli_world *world, const pli_constraint_type *type, pli_error *error);

/// Advances by dt [s], > 0 and finite. Attachments and colliders with a new pose move there over
/// the step. If the state becomes non-finite the world goes back to where it was before the step,
/// and NON_FINITE is returned with the constraint type and particle in the message (places and
/// speeds beyond 1e15 count as such). OUT_OF_MEMORY likewise undoes the step.
PLI_API pli_status pli_world_step(pli_world *world, float dt, pli_error *error);

/// Time simulated [s] and steps done since creation or the last restore.
PLI_API double pli_world_time(const pli_world *world);
PLI_API int64_t pli_world_step_count(const pli_world *world);

/// Stages of a step, in their order. Where nothing but constraint sets, gravity, forces and attachments acts on the
/// deformables of a world, each goes through the whole step by itself, and all up to the finite check is
/// PLI_STAGE_PROJECT.
typedef enum pli_stage {
    PLI_STAGE_FORCES = 0, ///< Gravity, wind, user forces (Algorithm 1, line 5); at times in line 7's pass.
    PLI_STAGE_DAMPING,    ///< Line 6.
    PLI_STAGE_PREDICT,    ///< Line 7, with attachments.
    PLI_STAGE_CONTACTS,   ///< Line 8.
    PLI_STAGE_PROJECT,    ///< Lines 9 to 11.
    PLI_STAGE_VELOCITIES, ///< Lines 12 to 15.
    PLI_STAGE_FRICTION,   ///< Line 16.
    PLI_STAGE_GUARANTEE,  ///< Of contacts between surfaces.
    PLI_STAGE_PUBLISH,    ///< Finite check, user's order.
    PLI_STAGE_COUNT
} pli_stage;

PLI_API const char *pli_stage_name(pli_stage stage);

typedef struct pli_statistics {
    int64_t step;
    double time;                           ///< [s]
    double stage_seconds[PLI_STAGE_COUNT]; ///< Wall time of the last step by stage.
    double step_seconds;                   ///< Wall time of the last step.
    double kinetic_energy;                 ///< [J]
    double momentum[3];                    ///< Linear, of particles that are not held [kg m/s].
    double angular_momentum[3];            ///< About the origin [kg m2/s].
    double stretch_rms, stretch_max;       ///< |l - l0| / l0 over all mesh edges.
    int32_t particle_count, fixed_count;
    int32_t contact_count;         ///< In the last substep.
    int32_t surface_contact_count; ///< Of them, between surfaces.
    int32_t candidate_count;       ///< Pairs of primitives looked at in the last substep.
    int32_t limited_count;         ///< Particles whose way the guarantee shortened, over the last step.
    int32_t intersection_count;    ///< Edges found through a triangle, and particles inside a closed collider.
    int32_t failed_pair_count;     ///< Pairs that the guarantee had to give up in the last step.
    int64_t projection_count;      ///< Constraint projections of the last step.
    size_t memory;                 ///< Bytes held by the world.
} pli_statistics;

/// Measures the current state. Cost: one pass over particles and edges.
PLI_API void pli_world_statistics(const pli_world *world, pli_statistics *statistics);

#ifdef __cplusplus
}
#endif
#endif
