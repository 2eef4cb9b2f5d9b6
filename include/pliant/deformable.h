/// Pliant, deformables: surfaces of particles, their state, measures and limits of stretch.
#ifndef PLIANT_DEFORMABLE_H
#define PLIANT_DEFORMABLE_H

#include "handles.h"
#include "mesh.h"
#include "tearing.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What keeps fine meshes from stretching: sweeps over edges alone carry a pull by an edge each.
typedef enum pli_stretch_kind {
    PLI_STRETCH_AUTO = 0, ///< What suits: attachments where something holds it, else the hierarchy; none for
                          ///< meshes below PLI_STRETCH_AUTO_VERTICES, in sequential order, under PBD, where it
                          ///< tears by itself, and where its stretch is not rigid (a compliance above 0, no set
                          ///< that pulls).
    PLI_STRETCH_NONE,
    /// No particle goes further from what holds it than the way along the surface at rest (Kim, Chentanez, Mueller
    /// 2012, Long Range Attachments).
    PLI_STRETCH_LONG_RANGE_ATTACHMENTS,
    PLI_STRETCH_HIERARCHY, ///< Coarser levels of the mesh keep their lengths too (after Mueller 2008, Hierarchical
                           ///< Position Based Dynamics).
    PLI_STRETCH_COUNT,
    PLI_STRETCH_KIND_FORCE_32 = PLI_FORCE_32
} pli_stretch_kind;

#define PLI_STRETCH_AUTO_VERTICES 500

/// "auto", "none", "attachments", "hierarchy".
PLI_API const char *pli_stretch_kind_name(pli_stretch_kind kind);
PLI_API bool pli_stretch_kind_from_name(const char *name, pli_stretch_kind *kind);

typedef struct pli_stretch_limit {
    pli_stretch_kind kind; ///< Default PLI_STRETCH_AUTO.
    float slack;           ///< Length over rest length that is let be, 1..1000. Default 1.
    int32_t anchors; ///< Attachments: nearest anchors of a particle, 1..16, of a group of joined ones one. Default 4.
    int32_t levels;  ///< Hierarchy: at most, 1..16. Default 16: as many as there are.
    uint32_t reserved[4]; ///< Zero.
} pli_stretch_limit;

/// How a deformable keeps clear of itself.
typedef enum pli_self_contact {
    /// Vertices from triangles and edges from edges, by pli_deformable_def.thickness; under the guarantee nothing
    /// gets through.
    PLI_SELF_CONTACT_SURFACES = 0,
    /// Particles from particles, as balls of one size would (after Mueller 2022, Ten Minute Physics 15): a small part
    /// of the cost, for meshes of even edges. What lies between particles is not looked at and the guarantee does not
    /// cover it, so that fast or strongly stretched cloth can get through itself.
    PLI_SELF_CONTACT_PARTICLES,
    PLI_SELF_CONTACT_COUNT,
    PLI_SELF_CONTACT_FORCE_32 = PLI_FORCE_32
} pli_self_contact;

/// Of the mean edge: what particles keep apart unless told. A particle over the middle of a square or of a triangle
/// of equal edges is further than that from none of its corners.
#define PLI_PARTICLE_DISTANCE_SHARE 0.75f

/// "surfaces", "particles".
PLI_API const char *pli_self_contact_name(pli_self_contact contact);
PLI_API bool pli_self_contact_from_name(const char *name, pli_self_contact *contact);

typedef struct pli_deformable_def {
    uint32_t size;                 ///< Set by the default function: bytes of this struct as the caller knows it.
    uint32_t cookie;               ///< Set by the default function.
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

/// Fills `size` bytes of a definition with its defaults; see pli_deformable_def_default.
PLI_API void pli_deformable_def_init(pli_deformable_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_deformable_def pli_deformable_def_default(void)
{
    pli_deformable_def def;
    pli_deformable_def_init(&def, sizeof def);
    return def;
}
/// Particle i is the mesh's vertex i. Vertices without area become held particles.
PLI_API pli_status pli_deformable_create(pli_world *world, const pli_deformable_def *def, pli_deformable *deformable,
                                         pli_error *error);
/// Destroys a deformable, its constraint sets and its attachments.
PLI_API pli_status pli_deformable_destroy(pli_world *world, pli_deformable deformable, pli_error *error);
/// The i-th deformable in order of creation, null handle when out of range.
PLI_API pli_deformable pli_world_deformable_at(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_deformable_count(const pli_world *world);
PLI_API const char *pli_deformable_name(const pli_world *world, pli_deformable deformable);
/// The first deformable of that name, or the null handle.
PLI_API pli_deformable pli_world_deformable_find(const pli_world *world, const char *name);
/// Number of vertices, those that tears have added included; 0 for a handle that is not found.
PLI_API int32_t pli_deformable_vertex_count(const pli_world *world, pli_deformable deformable);
/// Mass of the particles that are not fixed [kg].
PLI_API pli_status pli_deformable_mass(const pli_world *world, pli_deformable deformable, double *mass,
                                       pli_error *error);
/// Axis-aligned box around all particles [m]; without particles both corners are 0.
PLI_API pli_status pli_deformable_bounds(const pli_world *world, pli_deformable deformable, pli_vec3 *minimum,
                                         pli_vec3 *maximum, pli_error *error);

/// The definition as it stands; see the comments there. Pointers are borrowed from the world.
PLI_API pli_status pli_deformable_get_def_sized(const pli_world *world, pli_deformable deformable,
                                                pli_deformable_def *def, size_t size, pli_error *error);
static inline pli_status pli_deformable_get_def(const pli_world *world, pli_deformable deformable,
                                                pli_deformable_def *def, pli_error *error)
{
    return pli_deformable_get_def_sized(world, deformable, def, sizeof *def, error);
}

/// As given; pli_deformable_get_mesh says what became of it.
PLI_API const pli_mesh *pli_deformable_rest_mesh(const pli_world *world, pli_deformable deformable);

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
    PLI_MEASURE_COUNT,
    PLI_MEASURE_FORCE_32 = PLI_FORCE_32
} pli_measure;

PLI_API const char *pli_measure_name(pli_measure measure);
PLI_API bool pli_measure_from_name(const char *name, pli_measure *measure);
/// Writes one value per vertex. `capacity` must be at least the vertex count.
PLI_API pli_status pli_deformable_measure(const pli_world *world, pli_deformable deformable, pli_measure measure,
                                          float *values, int32_t capacity, pli_error *error);

/* ---- limits of stretch ----------------------------------------------------------------------- */

/// Takes effect at the next step. Refuses values out of range.
PLI_API pli_status pli_deformable_set_stretch_limit(pli_world *world, pli_deformable deformable,
                                                    const pli_stretch_limit *limit, pli_error *error);

/// The stretch limit as it was set; pli_deformable_build_stretch_limit says what came of it.
PLI_API pli_status pli_deformable_get_stretch_limit(const pli_world *world, pli_deformable deformable,
                                                    pli_stretch_limit *limit, pli_error *error);

/// What limits the stretch of a deformable now.
typedef struct pli_stretch_limit_info {
    pli_stretch_limit limit; ///< As given.
    pli_stretch_kind kind;   ///< In effect: never PLI_STRETCH_AUTO.
    int32_t tether_count;    ///< Of particles to anchors.
    int32_t level_count;     ///< Of the hierarchy.
    uint64_t memory;         ///< Bytes.
} pli_stretch_limit_info;

/// Makes what the next step would make. Errors: NOT_FOUND, OUT_OF_MEMORY.
PLI_API pli_status pli_deformable_build_stretch_limit_sized(pli_world *world, pli_deformable deformable,
                                                            pli_stretch_limit_info *info, size_t size,
                                                            pli_error *error);
static inline pli_status pli_deformable_build_stretch_limit(pli_world *world, pli_deformable deformable,
                                                            pli_stretch_limit_info *info, pli_error *error)
{
    return pli_deformable_build_stretch_limit_sized(world, deformable, info, sizeof *info, error);
}
/// Tether `index` as of the last step or pli_deformable_build_stretch_limit: its particle, its anchor, and the way
/// between them along the surface at rest [m], without slack. Any out pointer may be null.
PLI_API pli_status pli_deformable_tether_at(const pli_world *world, pli_deformable deformable, int32_t index,
                                            int32_t *particle, int32_t *anchor, float *length, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
