/// Pliant, contact: the contacts of the last substep, and a contact filter.
///
///     int32_t count;
///     pli_contact_point points[64];
///     pli_world_contacts(world, points, 64, &count, &error);
///     for (int32_t i = 0; i < count && i < 64; i++)
///         sound(points[i].position, points[i].impulse);
///
/// The definitions of deformables and colliders determine which objects collide and how: `layers` and `mask`,
/// `self_collision`, `thickness`, `friction`. pli_settings.ccd selects how intersections are prevented.
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
    int32_t vertices[3];       ///< Vertices of the touching vertex, edge or triangle; colliders: of pli_collider_mesh.
    int32_t vertex_count;      ///< 1, 2 or 3; 0 for shapes without vertices.
    float weights[3];          ///< Barycentric weights of the vertices at the contact point; their sum is 1.
} pli_contact_side;

/// One contact, at the end of the last substep.
typedef struct pli_contact_point {
    pli_contact_side a, b;       ///< Side a is always on a deformable.
    pli_vec3 position;           ///< Contact point on side a [m].
    pli_vec3 normal;             ///< Unit normal, from b to a.
    float impulse;               ///< Impulse along the normal on a in the last substep [N s], >= 0.
    float friction, restitution; ///< Coefficients of the pair.
    uint64_t user_data[2];       ///< User data of the definitions of a and b.
} pli_contact_point;

/// Copies the active contacts (impulse > 0) of the last substep, at most `capacity`, in an order that does not depend on the
/// number of threads. *count receives their total number. `points` may be NULL if `capacity` is 0. There are no contacts before
/// the first step, after a failed step or a restore, and after the destruction of any object. Errors: INVALID_ARGUMENT for a
/// null world or count, a negative capacity, and a null array with a capacity.
PLI_API pli_status pli_world_contacts(const pli_world *world, pli_contact_point *points, int32_t capacity,
                                      int32_t *count, pli_error *error);

/// Copies the bounding boxes that the last contact search used for the surface of a deformable, at most `capacity` boxes. Each
/// box has a lower and an upper corner [m]. It encloses a cluster of neighbouring triangles and their trajectories for as long
/// as the search remains valid. *count receives the total number of boxes: 0 before the first search, and for a deformable that
/// sleeps or is paused. `corners` has room for 2 * `capacity` corners; it may be NULL if `capacity` is 0. Errors: NOT_FOUND.
PLI_API pli_status pli_deformable_boxes(const pli_world *world, pli_deformable deformable, pli_vec3 *corners,
                                        int32_t capacity, int32_t *count, pli_error *error);

/// A contact filter. Return false to ignore a candidate pair: a vertex and a triangle, two edges, a vertex and a smooth shape,
/// or an edge and a triangle that it intersects. Side a is on a deformable; if both sides are, either may be a. `weights` are
/// not set. Called on the thread that steps when pairs are found, not in every substep. It must be deterministic and must not
/// change the world.
typedef bool (*pli_contact_filter)(void *user, const pli_contact_side *a, const pli_contact_side *b);
/// Sets the contact filter from the next step on. NULL accepts every pair. Has no effect during a step.
PLI_API void pli_world_set_contact_filter(pli_world *world, pli_contact_filter filter, void *user);

#ifdef __cplusplus
}
#endif
#endif
