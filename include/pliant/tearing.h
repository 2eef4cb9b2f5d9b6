/// Pliant, tearing: cloth that tears by itself, cuts by the caller, and what follows from them.
///
///     pli_tearing tearing = {.stretch = 1.3f, .force = INFINITY, .max_tears = 16};
///     pli_deformable_set_tearing(world, cloth, &tearing, &error);        // tears at 130 % of an edge's length
///
///     pli_cut_def cut = pli_cut_def_default();
///     cut.point = (pli_vec3){0, 1, 0}, cut.normal = (pli_vec3){1, 0, 0}, cut.reach = 0.5f;
///     pli_deformable_cut(world, cloth, &cut, NULL, &error);              // between faces along a plane
///
/// A tear duplicates vertices; vertices and faces keep their numbers:
///
///     before        after: vertex 1 stays on one side, its copy 3 is appended
///     0--1--2       0--1  3--2
///     |  |  |       |  |  |  |
///
/// A host that draws the cloth follows with pli_world_set_topology_callback.
#ifndef PLIANT_TEARING_H
#define PLIANT_TEARING_H

#include "handles.h"
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// When edges tear (Mueller et al. 2006, section 5). Checked once at the end of each step.
typedef struct pli_tearing {
    float stretch; ///< Length over rest length beyond which an edge tears, > 1. Default infinite: never.
    /// Tension beyond which an edge tears [N], > 0: the mean of lambda / h^2 over a step, of its constraints (types with
    /// `carries_tension`), independent of the step. XPBD only. Default infinite.
    float force;
    int32_t max_tears;    ///< Most tears per step, >= 1; edges that exceed their threshold most tear first. Default 64.
    uint32_t reserved[5]; ///< Zero.
} pli_tearing;

/// Refuses thresholds that are not numbers or not beyond their least value, and force in a PBD world. A tear for which a step gets no
/// memory waits: the step succeeds without it, pli_hooks.log gets a warning the first time, and edges that are still beyond their
/// threshold at the end of a later step tear then.
PLI_API pli_status pli_deformable_set_tearing(pli_world *world, pli_deformable deformable, const pli_tearing *tearing,
                                              pli_error *error);
PLI_API pli_status pli_deformable_tearing(const pli_world *world, pli_deformable deformable, pli_tearing *tearing,
                                          pli_error *error);

/// Where to cut: along edges, or between faces on two sides of a plane.
typedef struct pli_cut_def {
    uint32_t size;       ///< Bytes of this struct; set by the default function.
    uint32_t cookie;     ///< Set by the default function.
    const int32_t *path; ///< Vertices, each joined to the next by an edge. Null: the plane.
    int32_t path_count;  ///< >= 2
    pli_vec3 point;      ///< Point of the plane, in the world [m].
    pli_vec3 normal;     ///< Not zero; of any length. The side it points to keeps the vertices' numbers where it can.
    float reach;         ///< Only between faces nearer to `point` than this [m], > 0. Default infinite.
} pli_cut_def;

/// Fills `size` bytes of a definition with its defaults; see pli_cut_def_default.
PLI_API void pli_cut_def_init(pli_cut_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_cut_def pli_cut_def_default(void)
{
    pli_cut_def def;
    pli_cut_def_init(&def, sizeof def);
    return def;
}
/// Cuts at once. `copies` (may be NULL) receives the number of added vertices. Path ends inside the surface are not
/// split. Constraints and attachments are updated; none spans the cut, and copies are attached to what their source
/// is. Errors: INVALID_ARGUMENT for vertices that no edge joins, a zero normal; OUT_OF_MEMORY.
PLI_API pli_status pli_deformable_cut(pli_world *world, pli_deformable deformable, const pli_cut_def *cut,
                                      int32_t *copies, pli_error *error);

/// Topology change of one deformable. New vertices are appended; faces keep their numbers and sizes. Arrays are valid
/// during the call.
typedef struct pli_topology_change {
    const pli_vertex_copy *copies; ///< In order of creation: a source may be a copy itself.
    int32_t copy_count;
    const int32_t *faces; ///< Faces whose vertices changed, ascending.
    int32_t face_count;
    int32_t vertex_count; ///< Now.
} pli_topology_change;

/// Called on the thread that steps or cuts, once for each deformable that changed, at the end of the step or cut. It
/// may read the world, not change it.
typedef void (*pli_topology_callback)(void *user, pli_deformable deformable, const pli_topology_change *remap);
/// Sets the callback from now on. Pass NULL to remove it.
PLI_API void pli_world_set_topology_callback(pli_world *world, pli_topology_callback callback, void *user);

/// Vertices of the faces now, face after face; sizes are those of pli_deformable_rest_mesh. Valid until the next step
/// or cut.
PLI_API const int32_t *pli_deformable_face_vertices(const pli_world *world, pli_deformable deformable);
/// The triangles now, 3 vertices each, as many as the mesh has. Valid until the next step or cut.
PLI_API const int32_t *pli_deformable_triangles(const pli_world *world, pli_deformable deformable);
/// The mesh as it is now, at rest: pli_deformable_rest_mesh until something tore, then one made at the first call
/// after that. Borrowed until the next step or cut. Errors: NOT_FOUND, OUT_OF_MEMORY.
PLI_API pli_status pli_deformable_get_mesh(pli_world *world, pli_deformable deformable, const pli_mesh **mesh,
                                           pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
