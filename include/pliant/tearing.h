/// Pliant, tearing: automatic tearing of cloth, cuts by the caller, and the resulting topology changes.
///
///     pli_tearing tearing = {.stretch = 1.3f, .force = INFINITY, .max_tears = 16};
///     pli_deformable_set_tearing(world, cloth, &tearing, &error);        // edges tear at 130 % of their rest length
///
///     pli_cut_def cut = pli_cut_def_default();
///     cut.point = (pli_vec3){0, 1, 0}, cut.normal = (pli_vec3){1, 0, 0}, cut.reach = 0.5f;
///     pli_deformable_cut(world, cloth, &cut, NULL, &error);              // between faces along a plane
///
/// A tear duplicates vertices. Existing vertices and faces keep their numbers:
///
///     before        after: vertex 1 stays on one side, its copy 3 is appended
///     0--1--2       0--1  3--2
///     |  |  |       |  |  |  |
///
/// An application that draws the cloth receives the changes through pli_world_set_topology_callback.
#ifndef PLIANT_TEARING_H
#define PLIANT_TEARING_H

#include "handles.h"
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The thresholds at which edges tear (Mueller et al. 2006, section 5). They are checked once at the end of each step.
typedef struct pli_tearing {
    float stretch; ///< Ratio of length to rest length beyond which an edge tears, > 1. Default infinite: never.
    /// Tension beyond which an edge tears [N], > 0. The tension is the mean of lambda / h^2 over the step, from constraints on the edge of a
    /// type with `carries_tension`. It does not depend on the length of the step. XPBD only. Default infinite: never.
    float force;
    /// Maximum number of tears per step, >= 1. The edges furthest beyond their threshold tear first. Default 64.
    int32_t max_tears;
} pli_tearing;

/// Sets the thresholds of a deformable. Errors: NOT_FOUND; INVALID_ARGUMENT for thresholds that are not numbers or out of range, and for a force
/// in a PBD world; OUT_OF_MEMORY. If a step cannot allocate the memory for a tear, the step succeeds without it, and pli_hooks.log
/// receives a warning the first time. Edges that are still beyond their threshold at the end of a later step tear then.
PLI_API pli_status pli_deformable_set_tearing(pli_world *world, pli_deformable deformable, const pli_tearing *tearing,
                                              pli_error *error);
/// The current thresholds. Errors: NOT_FOUND.
PLI_API pli_status pli_deformable_get_tearing(const pli_world *world, pli_deformable deformable, pli_tearing *tearing,
                                              pli_error *error);

/// The definition of a cut: along a path of edges, or between the faces on the two sides of a plane.
typedef struct pli_cut_def {
    const int32_t *path; ///< Vertices, each joined to the next by an edge. Null: cut along the plane.
    int32_t path_count;  ///< Number of vertices in `path`, >= 2.
    pli_vec3 point;      ///< A point of the plane, in the world [m].
    pli_vec3 normal;     ///< Not zero, of any length. The side that it points to keeps the vertex numbers if possible.
    float reach;         ///< Cuts only between faces nearer to `point` than this [m], > 0. Default infinite.
} pli_cut_def;

/// A definition with all its defaults, to be changed field by field.
PLI_API pli_cut_def pli_cut_def_default(void);
/// Cuts a deformable immediately. `copies` (may be NULL) receives the number of added vertices. Ends of the path inside the surface are not
/// split. Constraints and attachments are updated: none spans the cut, and copies of an attached vertex are attached as well. Errors:
/// NOT_FOUND; INVALID_ARGUMENT for path vertices that no edge joins, and for a zero normal; OUT_OF_MEMORY.
PLI_API pli_status pli_deformable_cut(pli_world *world, pli_deformable deformable, const pli_cut_def *cut,
                                      int32_t *copies, pli_error *error);

/// Topology change of one deformable. New vertices are appended; faces keep their numbers and sizes. The arrays are valid during the
/// call of the callback.
typedef struct pli_topology_change {
    const pli_vertex_copy *copies; ///< New vertices in order of creation. A source may itself be a copy.
    int32_t copy_count;
    const int32_t *faces; ///< Faces with changed vertices, in ascending order.
    int32_t face_count;
    int32_t vertex_count; ///< Number of vertices after the change.
} pli_topology_change;

/// Called once for each deformable that changed, at the end of the step or cut, on the thread that steps or cuts. It may read the
/// world but must not change it.
typedef void (*pli_topology_callback)(void *user, pli_deformable deformable, const pli_topology_change *remap);
/// Sets the topology callback. It takes effect immediately. Pass NULL to remove it.
PLI_API void pli_world_set_topology_callback(pli_world *world, pli_topology_callback callback, void *user);

/// The current vertices of the faces, face after face. The faces have the sizes of pli_deformable_rest_mesh. Valid until the next step or
/// cut.
PLI_API const int32_t *pli_deformable_face_vertices(const pli_world *world, pli_deformable deformable);
/// The current triangles, 3 vertices each, as many as in the mesh. Valid until the next step or cut.
PLI_API const int32_t *pli_deformable_triangles(const pli_world *world, pli_deformable deformable);
/// The current mesh in its rest shape: pli_deformable_rest_mesh before the first tear or cut, and afterwards a mesh that the first call
/// after a change creates. Borrowed until the next step or cut. Errors: NOT_FOUND, OUT_OF_MEMORY.
PLI_API pli_status pli_deformable_get_mesh(pli_world *world, pli_deformable deformable, const pli_mesh **mesh,
                                           pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
