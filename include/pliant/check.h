/// Pliant, check: finds likely problems of a world before it is stepped for long. Each finding says how to fix it.
///
///     int32_t count;
///     if (pli_world_check(world, 1.0 / 60.0, &count, &error) == PLI_STATUS_OK)
///         for (int32_t i = 0; i < count; i++)
///             printf("%s\n", pli_world_finding_at(world, i)->text);
///
/// The first step of a world logs the first finding as a warning, with the number of other findings (pli_world_set_advice).
/// `pliant check`, Blender, the window and the packages for Python and JavaScript show the same list.
#ifndef PLIANT_CHECK_H
#define PLIANT_CHECK_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of findings, in the order of the list.
typedef enum pli_finding_kind {
    /// The surfaces of two objects touch, at `count` vertices of the two together; `wanted` is the gap that contact keeps
    /// between them [m].
    PLI_FINDING_TOUCHING = 0,
    /// A deformable starts inside a collider: `count` vertices, up to `value` [m] deep if the depth is known, otherwise 0.
    PLI_FINDING_INSIDE,
    PLI_FINDING_LOAD, ///< A load would stretch the edges that carry it by the strain `value`; `wanted` is its mass [kg].
    PLI_FINDING_WEIGHT, ///< A deformable's own weight would stretch it by `value`; `wanted` is a barely visible strain.
    PLI_FINDING_THIN,   ///< A collider of width `value` [m] can slip through edges of mean length `wanted` [m].
    PLI_FINDING_THICKNESS, ///< A thickness or particle distance of `value` [m] does not suit edges of `wanted` [m].
    PLI_FINDING_BENDING,   ///< The effective flexural rigidity is `value` [N m]; the requested one is `wanted` [N m].
    /// The yield curvature `wanted` [1/m] exceeds `value` [1/m], the largest curvature that the mesh can represent.
    PLI_FINDING_CREASES,
    /// At the end of the last step, a pin or a collider was `value` [m] behind its prescribed trajectory.
    PLI_FINDING_TRACKING,
    PLI_FINDING_COUNT
} pli_finding_kind;

/// One finding. Future versions may add fields at the end of this struct.
typedef struct pli_finding {
    pli_finding_kind kind;
    pli_deformable deformable; ///< The deformable concerned; null if the finding is about a collider alone.
    pli_deformable other;      ///< The other deformable, if there are two; otherwise null.
    pli_collider collider;     ///< The collider, if one is involved; otherwise null.
    pli_rigid_body rigid_body; ///< The rigid body that hangs from the deformable; otherwise null.
    pli_attachment attachment; ///< The attachment that is behind its trajectory; otherwise null.
    int32_t vertex;            ///< A vertex of `deformable` that shows the problem; -1 if all of it does.
    int32_t count;             ///< Number of vertices concerned; 0 where a number has no meaning.
    double value, wanted;      ///< Their meaning depends on the kind; see pli_finding_kind.
    char text[480];            ///< One line of UTF-8: the names of the objects, the problem and how to fix it.
} pli_finding;

/// Checks the world in its current state for steps of `dt` seconds and replaces the list of findings. `*count` receives their
/// number, 0 if there are none. The check does not change states. Cost: one pass over vertices and edges, a search where the
/// bounding boxes of objects overlap, and ray casts from vertices to closed mesh colliders. Errors: INVALID_ARGUMENT if dt is
/// not above 0; OUT_OF_MEMORY, which leaves the list empty.
PLI_API pli_status pli_world_check(pli_world *world, double dt, int32_t *count, pli_error *error);
/// Returns finding i of the last check, or null if i is out of range. The finding is borrowed until the next check or until the
/// world is destroyed.
PLI_API const pli_finding *pli_world_finding_at(const pli_world *world, int32_t i);
/// Sets whether the first step of the world logs its findings. Default true. Has no effect after the first step.
PLI_API void pli_world_set_advice(pli_world *world, bool advice);

#ifdef __cplusplus
}
#endif
#endif
