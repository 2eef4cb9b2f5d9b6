/// Pliant, contact: what touches what, and what may touch.
///
/// Which surfaces collide is said by the definitions of deformables and colliders (layers, mask,
/// self_collision, thickness, friction) and by pli_settings.guarantee.
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
    int32_t vertices[3];       ///< Of its mesh (pli_collider_mesh); the touching vertex, edge or triangle.
    int32_t vertex_count;      ///< 1, 2, 3; 0 for shapes without vertices.
    float weights[3];          ///< Of the vertices at the touching point; sum 1.
} pli_contact_side;

typedef struct pli_contact_point {
    pli_contact_side a, b; ///< a is always of a deformable.
    pli_vec3 position;     ///< On side a [m].
    pli_vec3 normal;       ///< Unit, from b to a.
    float impulse;         ///< Along the normal, on a, in the last substep [N s]; >= 0.
    float friction, restitution;
    uint64_t user_data[2]; ///< Of the definitions of a and b.
} pli_contact_point;

/// Copies the contacts that pushed in the last substep of the last step, in a fixed order; at most
/// `capacity`. *count is how many there are. `points` may be null when capacity is 0. There are none
/// before a step, after one that failed or a restored snapshot, and once anything was destroyed.
PLI_API pli_status pli_world_contacts_sized(const pli_world *world, pli_contact_point *points, size_t size,
                                            int32_t capacity, int32_t *count, pli_error *error);
static inline pli_status pli_world_contacts(const pli_world *world, pli_contact_point *points, int32_t capacity,
                                            int32_t *count, pli_error *error)
{
    return pli_world_contacts_sized(world, points, sizeof *points, capacity, count, error);
}

/// Whether two sides may touch: a vertex and a triangle, two edges, or a vertex and a smooth shape; also
/// an edge and a triangle that it goes through, which are brought apart if they may. a is of a
/// deformable; of two deformables either may be a. Asked on the thread that steps, when pairs are
/// found: before the contacts of a pair, not in every substep. `weights` are not filled. Must not
/// change the world, and must answer the same for the same question, or runs differ.
typedef bool (*pli_contact_filter)(void *user, const pli_contact_side *a, const pli_contact_side *b);
/// Counts from the next step on. Null lets all touch.
PLI_API void pli_world_set_contact_filter(pli_world *world, pli_contact_filter filter, void *user);

#ifdef __cplusplus
}
#endif
#endif
