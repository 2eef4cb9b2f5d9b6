/// Pliant, world: deformables, constraint sets, attachments, colliders, and the step.
///
/// A world owns everything made in it. Handles are small values; zero is null; a handle of a
/// destroyed thing is recognised and answered with NOT_FOUND. Making and destroying things
/// allocates; a steady step does not.
#ifndef PLIANT_WORLD_H
#define PLIANT_WORLD_H

#include "constraint.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_world pli_world;

typedef struct pli_deformable {
    uint32_t id;
} pli_deformable;
typedef struct pli_constraint_set {
    uint32_t id;
} pli_constraint_set;
typedef struct pli_attachment {
    uint32_t id;
} pli_attachment;
typedef struct pli_collider {
    uint32_t id;
} pli_collider;
typedef struct pli_rigid_body {
    uint32_t id;
} pli_rigid_body; ///< See pliant/rigid.h.

/// How constraints are projected.
typedef enum pli_method {
    PLI_METHOD_XPBD = 0, ///< Compliance; Macklin 2016 and small steps, Macklin 2019. The default.
    PLI_METHOD_PBD       ///< Stiffness 0..1; Mueller 2006, Algorithm 1.
} pli_method;

/// In which order.
typedef enum pli_order {
    PLI_ORDER_COLOURED = 0, ///< Graph colours, wide and threaded. The default.
    PLI_ORDER_SEQUENTIAL    ///< Order of creation: the papers' algorithm. Wide where bits stay the same.
} pli_order;

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
typedef enum pli_guarantee {
    PLI_GUARANTEE_ADVANCEMENT = 0, ///< Paths of every pair are proved clear, or shortened. The default.
    PLI_GUARANTEE_BOUNDS,          ///< No particle moves further than a share of its distance (Chen 2025).
    PLI_GUARANTEE_OFF,             ///< Contacts are projected and nothing else.
    PLI_GUARANTEE_COUNT
} pli_guarantee;

/// "advancement", "bounds", "off".
PLI_API const char *pli_guarantee_name(pli_guarantee guarantee);

/// What may change while a world runs.
typedef struct pli_settings {
    pli_method method;
    int32_t substeps;        ///< Per step, 1..1000. Default 10.
    int32_t iterations;      ///< Sweeps per substep, 1..1000. Default 1.
    pli_vec3 gravity;        ///< [m/s2], default {0, -9.81, 0}.
    float damping;           ///< Of motion other than rigid, 0..1 per step (Mueller 2006, 3.5). Default 0.
    pli_vec3 wind;           ///< Velocity of the air [m/s]. Default 0.
    float air_density;       ///< [kg/m3], >= 0. 0 is no air at all (no drag either). Default 0.
    bool keep_momentum;      ///< Give what flies free back the momenta that line 12 of Algorithm 1 loses.
                             ///< Default false; with rigid bodies in the world it is always done.
    float speed_limit;       ///< Particles are slowed to this [m/s], > 0. Default infinite.
    pli_guarantee guarantee; ///< Of contacts between surfaces. Default PLI_GUARANTEE_ADVANCEMENT.
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
PLI_API pli_status pli_world_keep(pli_world *world, void *thing, void (*destroy)(void *thing), pli_error *error);

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

/* ---- deformables ---------------------------------------------------------------------------- */

/// When edges tear (Mueller et al. 2006, section 5). Looked at once after each step.
typedef struct pli_tearing {
    float stretch; ///< Length over rest length beyond which an edge tears, > 1. Default infinite: never.
    float force;   ///< Pull beyond which an edge tears [N], > 0: lambda / h^2 of its constraints (types with `pulls`),
                   ///< which does not depend on the step. XPBD only. Default infinite.
    int32_t most;  ///< Tears in a step, >= 1; the edges furthest beyond go first. Default 64.
} pli_tearing;

/// What keeps fine meshes from stretching: sweeps over edges alone carry a pull by an edge each.
typedef enum pli_stretch_kind {
    PLI_STRETCH_AUTO = 0, ///< What suits: attachments where something holds it, else the hierarchy; none for
                          ///< meshes below PLI_STRETCH_AUTO_VERTICES, in sequential order, under PBD, where it
                          ///< tears by itself, and where its stretch is not rigid (a compliance above 0, no set
                          ///< that pulls).
    PLI_STRETCH_NONE,
    PLI_STRETCH_ATTACHMENTS, ///< No particle goes further from what holds it than the way along the surface at rest
                             ///< (Kim, Chentanez, Mueller 2012, Long Range Attachments).
    PLI_STRETCH_HIERARCHY,   ///< Coarser levels of the mesh keep their lengths too (after Mueller 2008, Hierarchical
                             ///< Position Based Dynamics).
    PLI_STRETCH_COUNT
} pli_stretch_kind;

#define PLI_STRETCH_AUTO_VERTICES 500

/// "auto", "none", "attachments", "hierarchy".
PLI_API const char *pli_stretch_kind_name(pli_stretch_kind kind);

typedef struct pli_stretch_limit {
    pli_stretch_kind kind; ///< Default PLI_STRETCH_AUTO.
    float slack;           ///< Length over rest length that is let be, 1..1000. Default 1.
    int32_t anchors; ///< Attachments: nearest anchors of a particle, 1..16, of a group of joined ones one. Default 4.
    int32_t levels;  ///< Hierarchy: at most, 1..16. Default 16: as many as there are.
} pli_stretch_limit;

/// How a deformable keeps clear of itself.
typedef enum pli_self_contact {
    /// Vertices from triangles and edges from edges, by pli_deformable_def.thickness; under the guarantee nothing gets
    /// through.
    PLI_SELF_CONTACT_SURFACES = 0,
    /// Particles from particles, as balls of one size would (after Mueller 2022, Ten Minute Physics 15): a small part of
    /// the cost, for meshes of even edges. What lies between particles is not looked at and the guarantee does not cover
    /// it, so that fast or strongly stretched cloth can get through itself.
    PLI_SELF_CONTACT_PARTICLES,
    PLI_SELF_CONTACT_COUNT
} pli_self_contact;

/// Of the mean edge: what particles keep apart unless told. A particle over the middle of a square or of a triangle of equal
/// edges is further than that from none of its corners.
#define PLI_PARTICLE_DISTANCE_SHARE 0.75f

/// "surfaces", "particles".
PLI_API const char *pli_self_contact_name(pli_self_contact contact);

typedef struct pli_deformable_def {
    uint32_t cookie;
    const char *name;              ///< Copied; may be null.
    const pli_mesh *mesh;          ///< Rest shape. The world keeps a reference.
    pli_transform pose;            ///< Applied to the rest positions to start from.
    const float *positions;        ///< [3 * vertices] start positions in world space instead; may be null.
    pli_vec3 velocity;             ///< At the start [m/s].
    float density;                 ///< Of the surface [kg/m2], > 0. Default 0.2.
    float thickness;               ///< Distance kept from colliders and other surfaces [m], >= 0. Default 0.005.
    bool self_collision;           ///< Its surface keeps clear of itself. Default false.
    pli_self_contact self_contact; ///< How, if it does. Default PLI_SELF_CONTACT_SURFACES.
    float particle_distance; ///< By particles: distance kept [m], >= 0, of those nearer at rest 0.9 of that. Default 0:
                             ///< PLI_PARTICLE_DISTANCE_SHARE of the mean edge.
    float friction;      ///< On deformables: Coulomb's coefficient, >= 0; a pair has the geometric mean. Default 0.3.
    uint32_t layers;     ///< Bits of the layers it is in. Default 1.
    uint32_t mask;       ///< Of the layers it collides with; both sides must agree. Default all.
    uint64_t user_data;  ///< For the caller's contact lists and filters. Default 0.
    pli_tearing tearing; ///< Default never.
    pli_stretch_limit stretch_limit; ///< Default PLI_STRETCH_AUTO.
} pli_deformable_def;

PLI_API pli_deformable_def pli_deformable_def_default(void);
/// Particle i is the mesh's vertex i. Vertices without area become held particles.
PLI_API pli_status pli_deformable_create(pli_world *world, const pli_deformable_def *def, pli_deformable *deformable,
                                         pli_error *error);
/// Destroys a deformable, its constraint sets and its attachments.
PLI_API pli_status pli_deformable_destroy(pli_world *world, pli_deformable deformable, pli_error *error);
/// The i-th deformable in order of creation, null handle when out of range.
PLI_API pli_deformable pli_world_deformable(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_deformable_count(const pli_world *world);
PLI_API const char *pli_deformable_name(const pli_world *world, pli_deformable deformable);
/// As given; pli_deformable_current_mesh says what became of it.
PLI_API const pli_mesh *pli_deformable_mesh(const pli_world *world, pli_deformable deformable);

/// Borrowed views in the order of the mesh's vertices, valid until the world changes.
PLI_API pli_view pli_deformable_positions(const pli_world *world, pli_deformable deformable);  ///< [m]
PLI_API pli_view pli_deformable_velocities(const pli_world *world, pli_deformable deformable); ///< [m/s]
/// Unit vertex normals, computed on the first call after a step (so not from two threads at once).
PLI_API pli_view pli_deformable_normals(pli_world *world, pli_deformable deformable);
/// Inverse masses [1/kg], by vertex; `stride` bytes apart.
PLI_API const float *pli_deformable_inverse_masses(const pli_world *world, pli_deformable deformable, int32_t *stride);

/// Overwrite `count` particles from `first` on, 3 floats each (1 for masses), packed. Values must be finite.
PLI_API pli_status pli_deformable_set_positions(pli_world *world, pli_deformable deformable, int32_t first,
                                                int32_t count, const float *positions, pli_error *error);
PLI_API pli_status pli_deformable_set_velocities(pli_world *world, pli_deformable deformable, int32_t first,
                                                 int32_t count, const float *velocities, pli_error *error);
/// Inverse masses >= 0 [1/kg]; 0 holds. What an attachment holds stays held until it is destroyed.
PLI_API pli_status pli_deformable_set_inverse_masses(pli_world *world, pli_deformable deformable, int32_t first,
                                                     int32_t count, const float *inverse_masses, pli_error *error);
/// Adds an external force [N] on one particle, acting during the next step only, also if that fails.
PLI_API pli_status pli_deformable_add_force(pli_world *world, pli_deformable deformable, int32_t particle,
                                            pli_vec3 force, pli_error *error);

/// Per-vertex measures for pictures and analysis.
typedef enum pli_measure {
    PLI_MEASURE_STRETCH = 0, ///< Largest |strain| of the vertex's edges, (l - l0) / l0 with its sign.
    PLI_MEASURE_BENDING,     ///< Largest residual of the bending constraints on the vertex, in their own unit.
    PLI_MEASURE_SPEED,       ///< [m/s]
    PLI_MEASURE_CURVATURE,   ///< Discrete mean curvature [1/m].
    PLI_MEASURE_COUNT
} pli_measure;

PLI_API const char *pli_measure_name(pli_measure measure);
/// Writes one value per vertex. `capacity` must be at least the vertex count.
PLI_API pli_status pli_deformable_measure(const pli_world *world, pli_deformable deformable, pli_measure measure,
                                          float *values, int32_t capacity, pli_error *error);

/* ---- limits of stretch ----------------------------------------------------------------------- */

/// Takes effect at the next step. Refuses values out of range.
PLI_API pli_status pli_deformable_set_stretch_limit(pli_world *world, pli_deformable deformable,
                                                    const pli_stretch_limit *limit, pli_error *error);

/// What limits the stretch of a deformable now.
typedef struct pli_stretch_limit_info {
    pli_stretch_limit limit; ///< As given.
    pli_stretch_kind kind;   ///< In effect: never PLI_STRETCH_AUTO.
    int32_t tether_count;    ///< Of particles to anchors.
    int32_t level_count;     ///< Of the hierarchy.
    size_t memory;           ///< Bytes.
} pli_stretch_limit_info;

/// Makes what the next step would make. Errors: NOT_FOUND, OUT_OF_MEMORY.
PLI_API pli_status pli_deformable_stretch_limit(pli_world *world, pli_deformable deformable,
                                                pli_stretch_limit_info *info, pli_error *error);
/// Tether `index` as of the last step or pli_deformable_stretch_limit: its particle, its anchor, and the way between
/// them along the surface at rest [m], without slack. Any out pointer may be null.
PLI_API pli_status pli_deformable_tether_at(const pli_world *world, pli_deformable deformable, int32_t index,
                                            int32_t *particle, int32_t *anchor, float *length, pli_error *error);

/* ---- tearing and cutting --------------------------------------------------------------------- */

/// Refuses thresholds that are not numbers or not beyond their least value, and force in a PBD world.
PLI_API pli_status pli_deformable_set_tearing(pli_world *world, pli_deformable deformable, const pli_tearing *tearing,
                                              pli_error *error);
PLI_API pli_status pli_deformable_tearing(const pli_world *world, pli_deformable deformable, pli_tearing *tearing,
                                          pli_error *error);

/// Where to cut: along edges, or between faces on two sides of a plane.
typedef struct pli_cut_def {
    uint32_t cookie;
    const int32_t *path; ///< Vertices, each joined to the next by an edge. Null: the plane.
    int32_t path_count;  ///< >= 2
    pli_vec3 point;      ///< Of the plane, in the world [m].
    pli_vec3 normal;     ///< Not zero; of any length. The side it points to keeps the vertices' numbers where it can.
    float reach;         ///< Only between faces nearer to `point` than this [m], > 0. Default infinite.
} pli_cut_def;

PLI_API pli_cut_def pli_cut_def_default(void);
/// Cuts a deformable now, whether it tears by itself or not, and says how many vertices were added
/// (`copies` may be null). Both ends of a path inside the surface stay whole. Constraints and
/// attachments follow: none spans the cut, and what a copy was tied to ties it too. Errors:
/// INVALID_ARGUMENT for vertices that no edge joins, a zero normal; OUT_OF_MEMORY.
PLI_API pli_status pli_deformable_cut(pli_world *world, pli_deformable deformable, const pli_cut_def *cut,
                                      int32_t *copies, pli_error *error);

/// What tears and cuts changed. Vertices are only ever added, behind those there are; faces keep their
/// numbers and sizes. The arrays are borrowed for the call.
typedef struct pli_remap {
    const pli_vertex_copy *copies; ///< In the order of their making: a source may be a copy itself.
    int32_t copy_count;
    const int32_t *faces; ///< Faces whose vertices changed, ascending.
    int32_t face_count;
    int32_t vertex_count; ///< Now.
} pli_remap;

/// Called once for each deformable that tore, at the end of the step or cut. It may read the world, not change it.
typedef void (*pli_remap_callback)(void *user, pli_deformable deformable, const pli_remap *remap);
/// Null ends it.
PLI_API void pli_world_set_remap(pli_world *world, pli_remap_callback callback, void *user);

/// Vertices of the faces now, face after face; sizes are those of pli_deformable_mesh. Valid until the next step or
/// cut.
PLI_API const int32_t *pli_deformable_face_vertices(const pli_world *world, pli_deformable deformable);
/// The triangles now, 3 vertices each, as many as the mesh has. Valid until the next step or cut.
PLI_API const int32_t *pli_deformable_triangles(const pli_world *world, pli_deformable deformable);
/// The mesh as it is now, at rest: pli_deformable_mesh until something tore, then one made at the first call
/// after that. Borrowed until the next step or cut. Errors: NOT_FOUND, OUT_OF_MEMORY.
PLI_API pli_status pli_deformable_current_mesh(pli_world *world, pli_deformable deformable, const pli_mesh **mesh,
                                               pli_error *error);

/* ---- constraint sets ------------------------------------------------------------------------ */

typedef struct pli_parameter_value {
    const char *name;
    double value;
} pli_parameter_value;

/// Constraints of one type on one deformable, from a generator or from a list.
typedef struct pli_constraint_set_def {
    uint32_t cookie;
    pli_deformable deformable;
    const char *name;                      ///< For messages and live edits; null means the type's name. Copied.
    const char *type;                      ///< Of pli_constraint_type_at or registered.
    const char *generator;                 ///< Null means the type's own.
    const pli_parameter_value *parameters; ///< Others keep their defaults.
    int32_t parameter_count;
    const int32_t *particles; ///< Explicit list instead of a generator: cardinality indices each. Copied.
    int32_t constraint_count; ///< Of the explicit list.
    bool keep_lambda;         ///< Has the multipliers ready for pli_constraint_set_at also with one iteration a
                              ///< substep, which needs none: 4 bytes for each value of C. Default false.
} pli_constraint_set_def;

PLI_API pli_constraint_set_def pli_constraint_set_def_default(void);
/// Generates, measures rest values on the mesh's rest shape, and schedules. Sets are projected in
/// the order they were made. Errors: NOT_FOUND (type, generator, parameter; the message names the
/// nearest one), INVALID_ARGUMENT, INVALID_MESH, OUT_OF_MEMORY.
PLI_API pli_status pli_constraint_set_create(pli_world *world, const pli_constraint_set_def *def,
                                             pli_constraint_set *set, pli_error *error);
PLI_API pli_status pli_constraint_set_destroy(pli_world *world, pli_constraint_set set, pli_error *error);
/// The i-th set in order of creation over the whole world.
PLI_API pli_constraint_set pli_world_constraint_set(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_constraint_set_count(const pli_world *world);

typedef struct pli_constraint_set_info {
    const char *name;
    const pli_constraint_type *type;
    const char *generator; ///< Null for explicit lists.
    pli_deformable deformable;
    int32_t constraint_count;
    int32_t degenerate_count; ///< Left out because their rest state is degenerate.
    int32_t colour_count;     ///< 0 in sequential order.
    size_t memory;            ///< Bytes.
} pli_constraint_set_info;

PLI_API pli_status pli_constraint_set_info_get(const pli_world *world, pli_constraint_set set,
                                               pli_constraint_set_info *info, pli_error *error);
/// Reads and changes a parameter by name while the world runs.
PLI_API pli_status pli_constraint_set_parameter(const pli_world *world, pli_constraint_set set, const char *name,
                                                double *value, pli_error *error);
PLI_API pli_status pli_constraint_set_set_parameter(pli_world *world, pli_constraint_set set, const char *name,
                                                    double value, pli_error *error);

/// How far constraints are from being satisfied now, in the unit of C; inequalities count when violated.
typedef struct pli_residual {
    double rms, max;
    int32_t count;
    int32_t worst; ///< Index of the constraint with the largest, in order of creation; -1 if none.
} pli_residual;
PLI_API pli_status pli_constraint_set_residual(const pli_world *world, pli_constraint_set set, pli_residual *residual,
                                               pli_error *error);
/// Particles and rest values of constraint `index`, in order of creation. Any out pointer may be null.
/// `particles` and `rest` need room for the cardinality and the rest count (variable types: the vertex count + 6).
/// `lambda` is of the last substep (XPBD; zeros before the first step and under PBD). INVALID_ARGUMENT when it is
/// asked for and not kept: one iteration a substep, and a set made without `keep_lambda`.
PLI_API pli_status pli_constraint_set_at(const pli_world *world, pli_constraint_set set, int32_t index,
                                         int32_t *particles, int32_t *particle_count, float *rest, float *lambda,
                                         pli_error *error);

/* ---- attachments ---------------------------------------------------------------------------- */

/// Ties particles to a moving frame, which starts at `pose`; each keeps its place in it.
typedef struct pli_attachment_def {
    uint32_t cookie;
    pli_deformable deformable;
    const int32_t *particles; ///< Each at most once. Copied.
    int32_t particle_count;   ///< >= 1
    pli_transform pose;
    bool held;           ///< Exactly: inverse mass 0 (Mueller 2006, 3.6). Default true.
    double compliance;   ///< Otherwise: [m/N], >= 0, under XPBD,
    double stiffness;    ///< 0..1, under PBD.
    pli_rigid_body body; ///< Ties to this body instead, which feels it; `pose` and `held` are then not used.
} pli_attachment_def;

PLI_API pli_attachment_def pli_attachment_def_default(void);
/// Errors: INVALID_ARGUMENT for a particle out of range, given twice or held by another attachment.
PLI_API pli_status pli_attachment_create(pli_world *world, const pli_attachment_def *def, pli_attachment *attachment,
                                         pli_error *error);
/// Lets the particles go; their mass returns.
PLI_API pli_status pli_attachment_destroy(pli_world *world, pli_attachment attachment, pli_error *error);
/// The frame moves evenly from where it is to `pose` during the next step, and rests after it.
PLI_API pli_status pli_attachment_set_pose(pli_world *world, pli_attachment attachment, pli_transform pose,
                                           pli_error *error);

/// The i-th attachment in order of creation, among those that are left.
PLI_API pli_attachment pli_world_attachment(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_attachment_count(const pli_world *world);

/* ---- colliders ------------------------------------------------------------------------------ */

typedef struct pli_collider_def {
    uint32_t cookie;
    pli_shape shape;       ///< pliant/shape.h has what each is and which of the sizes it takes.
    float radius;          ///< [m], > 0.
    float half_height;     ///< [m], >= 0.
    pli_vec3 half_extents; ///< [m], > 0.
    /// Meshes and hulls are made of it. The world keeps a reference. The triangles of a mesh are a sheet when it is open;
    /// solid when it is closed and faces outwards, so that particles placed inside are moved out; a container when it is
    /// closed and faces inwards. One with holes, with neighbours that face opposite ways, or with vertices that are
    /// doubled along seams has no inside: it stops from both sides, but moves nothing out. Faces without area stop as
    /// edges do.
    const pli_mesh *mesh;
    bool one_sided;      ///< Meshes: what comes from behind a face passes; each face for itself, but those
                         ///< without area stop from everywhere. Default false.
    float thickness;     ///< Distance kept beyond that of deformables [m], >= 0. Default 0.
    pli_transform pose;  ///< In the world, or in the frame of `body`.
    float friction;      ///< Coulomb's coefficient, >= 0. Default 0.3.
    float restitution;   ///< 0..1. Default 0.
    uint32_t layers;     ///< Bits of the layers it is in. Default 1.
    uint32_t mask;       ///< Of the layers it collides with; both sides must agree. Default all.
    pli_rigid_body body; ///< That carries it and feels its contacts; null for none. Not for planes.
    uint64_t user_data;  ///< For the caller's contact lists and filters. Default 0.
    float top_radius;    ///< [m], > 0. Default 0.25.
} pli_collider_def;

PLI_API pli_collider_def pli_collider_def_default(void);
/// Errors: INVALID_ARGUMENT for values out of range, and a mesh that is missing or has no faces;
/// INVALID_MESH for a hull without volume; NOT_FOUND for a body that is gone; UNSUPPORTED for a plane on one.
PLI_API pli_status pli_collider_create(pli_world *world, const pli_collider_def *def, pli_collider *collider,
                                       pli_error *error);
PLI_API pli_status pli_collider_destroy(pli_world *world, pli_collider collider, pli_error *error);
/// Moves evenly to `pose` during the next step, carrying what touches it, and rests after it.
PLI_API pli_status pli_collider_set_pose(pli_world *world, pli_collider collider, pli_transform pose, pli_error *error);
/// The vertices of a mesh collider move evenly to `positions` (3 floats a vertex, in the collider's
/// frame) during the next step, and rest after it: an animated character. Errors: INVALID_ARGUMENT
/// unless `count` is the mesh's vertex count and all values are finite; UNSUPPORTED for other shapes.
PLI_API pli_status pli_collider_set_vertices(pli_world *world, pli_collider collider, const float *positions,
                                             int32_t count, pli_error *error);
/// Writes the vertices at `time` [s] to `positions`, packed. False stops the animation there.
typedef bool (*pli_vertex_source)(void *user, double time, float *positions);
/// Asks `source` at the start of each step for the vertices at its end. Null ends it. The step fails with
/// INVALID_ARGUMENT, and changes nothing, when one of them is not finite.
PLI_API pli_status pli_collider_set_source(pli_world *world, pli_collider collider, pli_vertex_source source,
                                           void *user, pli_error *error);
/// Vertices of a mesh or hull now, in the collider's frame; empty for other shapes.
PLI_API pli_view pli_collider_vertices(const pli_world *world, pli_collider collider);
/// The faces that collide: of meshes, of hulls, and of what a body carries that is not round all over; null for others.
/// Borrowed.
PLI_API const pli_mesh *pli_collider_mesh(const pli_world *world, pli_collider collider);
/// Where it is in the world now: also of one that a body carries.
PLI_API pli_status pli_collider_pose(const pli_world *world, pli_collider collider, pli_transform *pose,
                                     pli_error *error);
/// The definition with the current pose; in the frame of `body`, of one that it carries.
PLI_API pli_status pli_collider_get(const pli_world *world, pli_collider collider, pli_collider_def *def,
                                    pli_error *error);
/// The i-th collider in order of creation, among those that are left.
PLI_API pli_collider pli_world_collider(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_collider_count(const pli_world *world);

/* ---- statistics, hash, snapshots ------------------------------------------------------------ */

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
    int32_t particle_count, held_count;
    int32_t contact_count;         ///< In the last substep.
    int32_t surface_contact_count; ///< Of them, between surfaces.
    int32_t candidate_count;       ///< Pairs of primitives looked at in the last substep.
    int32_t held_back_count;       ///< Particles whose way the guarantee shortened, over the last step.
    int32_t tangled_count;         ///< Edges found through a triangle, and particles inside a closed collider.
    int32_t breach_count;          ///< Pairs that the guarantee had to give up in the last step.
    int64_t projection_count;      ///< Constraint projections of the last step.
    size_t memory;                 ///< Bytes held by the world.
} pli_statistics;

/// Measures the current state. Cost: one pass over particles and edges.
PLI_API void pli_world_statistics(const pli_world *world, pli_statistics *statistics);

/// Bytes that pli_world_cooked_write needs.
PLI_API size_t pli_world_cooked_size(const pli_world *world);
/// Writes the cooked form of all constraint sets (schedule, order, rest values), portable, with a checksum, so that a
/// world made the same way later need not cook. UNSUPPORTED when a deformable tears or was cut.
PLI_API pli_status pli_world_cooked_write(const pli_world *world, void *buffer, size_t size, pli_error *error);
/// Constraint sets made from now on (those of soft attachments too) are taken from `buffer`, one after the other in
/// the order they were written, instead of being cooked: the same to the bit. A set that was cooked from another
/// mesh, type, generator, list or order, or by another version, is refused with CORRUPT when it is made; indices
/// are checked, so bytes from anywhere are safe. `buffer` is borrowed until the last set is made, or until this is
/// called with null, after which sets are cooked again. CORRUPT or UNSUPPORTED when the buffer as a whole is not
/// usable; sets are then cooked.
PLI_API pli_status pli_world_use_cooked(pli_world *world, const void *buffer, size_t size, pli_error *error);

/// 64-bit hash of all positions and velocities, bit by bit, in the user's order.
PLI_API uint64_t pli_world_hash(const pli_world *world);

/// Bytes that pli_world_snapshot_write needs.
PLI_API size_t pli_world_snapshot_size(const pli_world *world);
/// Writes everything that a run depends on (state, parameters, poses, time) in a portable form.
PLI_API pli_status pli_world_snapshot_write(const pli_world *world, void *buffer, size_t size, pli_error *error);
/// Restores it into a world made the same way (same meshes, sets and colliders in the same order);
/// the run then goes on to the same bits. CORRUPT when it belongs elsewhere; the world is unchanged.
PLI_API pli_status pli_world_snapshot_read(pli_world *world, const void *buffer, size_t size, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
