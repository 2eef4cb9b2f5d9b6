/// Pliant, check: what is worth knowing about a world before it is stepped for long, each with its cure.
///
///     int32_t count;
///     if (pli_world_check(world, 1.0 / 60.0, &count, &error) == PLI_STATUS_OK)
///         for (int32_t i = 0; i < count; i++)
///             printf("%s\n", pli_world_finding_at(world, i)->text);
///
/// The first step of a world logs the first finding as a warning, with the number of others (pli_world_set_advice). `pliant check`, Blender,
/// the window and the packages for Python and JavaScript show the same list.
#ifndef PLIANT_CHECK_H
#define PLIANT_CHECK_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of findings, in the order of the list.
typedef enum pli_finding_kind {
    PLI_FINDING_TOUCHING =
        0, ///< Surfaces of two objects touch, at `count` vertices of both; `wanted` [m] is what contact keeps between them.
    PLI_FINDING_INSIDE, ///< A deformable begins inside of a collider: `count` vertices, `value` [m] deep where that is known.
    PLI_FINDING_LOAD,   ///< A load would stretch the edges that carry it by `value`; `wanted` is the mass [kg].
    PLI_FINDING_WEIGHT, ///< Its own weight would stretch it by `value`; `wanted` is the stretch that one hardly sees.
    PLI_FINDING_THIN,   ///< A collider of the width `value` [m] slips through edges of `wanted` [m].
    PLI_FINDING_THICKNESS, ///< A thickness, or a distance of particles, of `value` [m] does not suit edges of `wanted` [m].
    PLI_FINDING_BENDING, ///< A flexural rigidity of `wanted` [N m] acts with `value` [N m].
    PLI_FINDING_CREASES, ///< A yield of `wanted` [1/m] lies beyond the curvature `value` [1/m] that the mesh can have.
    PLI_FINDING_LAG,     ///< A pin or a collider was `value` [m] behind its path at the end of the last step.
    PLI_FINDING_COUNT,
    PLI_FINDING_KIND_FORCE_32 = PLI_FORCE_32
} pli_finding_kind;

/// "touching", "inside", "load", "weight", "thin", "thickness", "bending", "creases", "lag"; "unknown" for any other number. A constant.
PLI_API const char *pli_finding_kind_name(pli_finding_kind kind);

/// One finding. It may grow at its end.
typedef struct pli_finding {
    pli_finding_kind kind;
    pli_deformable deformable; ///< The deformable that it is about; null for a collider alone.
    pli_deformable other;      ///< The other deformable, where there are two; null otherwise.
    pli_collider collider;     ///< The collider; null where none takes part.
    pli_rigid_body rigid_body; ///< The body that hangs; null otherwise.
    pli_attachment attachment; ///< The attachment that lags; null otherwise.
    int32_t vertex;            ///< A vertex of `deformable` where it can be seen; -1 for all of it.
    int32_t count;             ///< Vertices that are concerned; 0 where that says nothing.
    double value, wanted;      ///< Numbers, by kind.
    char text[480];            ///< One line of UTF-8: the objects' names, what is wrong, and the cure.
} pli_finding;

/// Looks at the world as it is, for steps of `dt` seconds, and replaces the list of findings; `*count` receives how many there are, 0 for a
/// world against which nothing speaks. States do not change. Cost: a pass over vertices and edges, a search where boxes of objects
/// overlap, and rays for each vertex near a closed mesh collider. Errors: INVALID_ARGUMENT for a dt that is not above 0; OUT_OF_MEMORY,
/// with an empty list.
PLI_API pli_status pli_world_check(pli_world *world, double dt, int32_t *count, pli_error *error);
/// Finding i of the last check; null when out of range. Borrowed until the next check, or until the world is destroyed.
PLI_API const pli_finding *pli_world_finding_at(const pli_world *world, int32_t i);
/// Whether the first step of the world logs what it finds. Default true. No effect later.
PLI_API void pli_world_set_advice(pli_world *world, bool advice);

#ifdef __cplusplus
}
#endif
#endif
