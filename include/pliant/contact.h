/// Pliant, contact. Contacts of the last substep, and a contact filter.
///
///     int32_t count;
///     pli_contact_point points[64];
///     pli_world_contacts(world, points, 64, &count, &error);
///     for (int32_t i = 0; i < count && i < 64; i++)
///         sound(points[i].position, points[i].impulse);
///
/// The definitions of deformables and colliders decide which objects collide: layers and mask, self_collision,
/// thickness, friction. pli_settings.guarantee selects how intersections are prevented.
#ifndef PLIANT_CONTACT_H
#define PLIANT_CONTACT_H

#include "query.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One side of a contact: a point on a deformable, or on a collider.
typedef struct pli_contact_side {
    pli_deformable deformable; ///< Null for a collider.
    pli_collider collider;     ///< Null for a deformable.
    int32_t vertices[3];       ///< Vertices of its mesh (pli_collider_mesh): the touching vertex, edge or triangle.
    int32_t vertex_count;      ///< 1, 2, 3; 0 for shapes without vertices.
    float weights[3];          ///< Weights of the vertices at the touching point; sum 1.
} pli_contact_side;

/// One contact, as of the end of the last substep.
typedef struct pli_contact_point {
    pli_contact_side a, b; ///< a is always of a deformable.
    pli_vec3 position;     ///< On side a [m].
    pli_vec3 normal;       ///< Unit, from b to a.
    float impulse;         ///< Along the normal, on a, in the last substep [N s]; >= 0.
    float friction, restitution;
    uint64_t user_data[2]; ///< User data of the definitions of a and b.
} pli_contact_point;

/// Copies the active contacts (impulse > 0) of the last substep, at most `capacity`, in an order that does not depend
/// on threads; *count receives how many there are. `points` may be NULL when capacity is 0. Empty before the first
/// step, after a failed step or a restore, and after any destruction.
PLI_API pli_status pli_world_contacts_sized(const pli_world *world, pli_contact_point *points, size_t size,
                                            int32_t capacity, int32_t *count, pli_error *error);
static inline pli_status pli_world_contacts(const pli_world *world, pli_contact_point *points, int32_t capacity,
                                            int32_t *count, pli_error *error)
{
    return pli_world_contacts_sized(world, points, sizeof *points, capacity, count, error);
}

/// Copies the boxes in which the last search for contacts looked for the surface of a deformable, at most `capacity`: a lower and an
/// upper corner [m] about some neighbouring triangles and their way over the time for which the search holds. *count receives how many there are,
/// 0 before a search and for what sleeps or is paused. `corners` may be NULL when capacity is 0. Errors: NOT_FOUND.
PLI_API pli_status pli_deformable_boxes(const pli_world *world, pli_deformable deformable, pli_vec3 *corners,
                                        int32_t capacity, int32_t *count, pli_error *error);

/// Return false to ignore a candidate pair: a vertex and a triangle, two edges, a vertex and a smooth shape, or an
/// edge and a triangle that it intersects. a is of a deformable; of two deformables either may be a. Called on the
/// stepping thread when pairs are found, not in every substep; must be deterministic and must not change the world.
/// `weights` are not set.
typedef bool (*pli_contact_filter)(void *user, const pli_contact_side *a, const pli_contact_side *b);
/// In effect from the next step on. NULL accepts every pair.
PLI_API void pli_world_set_contact_filter(pli_world *world, pli_contact_filter filter, void *user);

#ifdef __cplusplus
}
#endif
#endif
