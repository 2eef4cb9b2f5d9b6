// Leaves out contacts that others imply. Contacts of its vertices keep cloth above a flat surface. Where cloth edges
// cross edges of the surface, and above the surface's vertices, further contacts keep weighted means of these vertices
// at the same distance from the same plane:
//
//      n . sum w_i d_i >= sum w_i depth_i   follows from   n . d_i >= depth_i      (d_i: displacements, w_i >= 0)
//
// These contacts are not only superfluous. Projected before the vertices, they push some of them too far, the velocity
// pass removes this, and friction keeps the pushes of both. Only the projection handles fewer contacts: the guarantee
// (ccd) covers all pairs. If both sides move, the contacts of each side's vertices stay, and edge crossings are implied
// if contacts support all four ends.
#include "collision/contacts/contact_cull.h"

#include <string.h>

// Normals count as equal if the cosine of their angle exceeds this: 2 degrees.
#define EQUAL_COSINE 0.99939f
// A contact is left out if the other contacts leave at most this fraction of its rest distance to it.
#define CULL_LEFT_SHARE 0.02f

// For each particle, the contacts that keep it above a triangle, as a list through `next`.
typedef struct supports {
    int32_t *first; // [particle_count]
    int32_t *next;  // [contacts]
} supports;

static const pli_surface_contact *item(const pli_collision *collision, int32_t i)
{
    return &collision->contacts.surface_contacts.items[i];
}

static bool cull_moves(const pli_collision *collision, int32_t i) { return collision->particles[i].w > 0.0f; }

// Is the side at rest or kinematic?
static bool is_fixed(const pli_collision *collision, const pli_surface_contact *t, int32_t side)
{
    int32_t begin = side == 0 ? 0 : t->split, end = side == 0 ? t->split : 4;
    for (int32_t k = begin; k < end; k++)
        if (cull_moves(collision, t->at[k]))
            return false;
    return !collision->surfaces[t->surface[side]]->rigid;
}

// Does the contact keep a vertex above a triangle?
static bool is_support(const pli_surface_contact *t)
{
    return t->split == 1 && t->particles == 4 && (t->inside_triangle || t->plane_side == 1);
}

// Missing part of the rest distance, at the start of the substep and as predicted before any projection [m].
typedef struct missing {
    float start, end;
} missing;

static missing missing_of(const pli_collision *collision, const pli_surface_contact *t)
{
    return (missing){t->depth, t->depth - t->approach * collision->step};
}

// The contact that keeps particle `i` of the other side above `side` of `t`.
static const pli_surface_contact *support_of(const pli_collision *collision, const supports *s,
                                             const pli_surface_contact *t, int32_t side, int32_t i)
{
    float sign = side == 1 ? 1.0f : -1.0f;
    for (int32_t k = s->first[i]; k >= 0; k = s->next[k]) {
        const pli_surface_contact *by = item(collision, k);
        if (by->surface[1] == t->surface[side] && sign * pli_dot(by->normal, t->normal) > EQUAL_COSINE)
            return by;
    }
    return NULL;
}

// Do contacts of the vertices of one side with triangles of `side` imply the contact?
static bool is_implied_above(const pli_collision *collision, const supports *s, const pli_surface_contact *t,
                             int32_t side)
{
    int32_t begin = side == 1 ? 0 : t->split, end = side == 1 ? t->split : 4;
    missing all = missing_of(collision, t);
    for (int32_t k = begin; k < end; k++) {
        if (t->weights[k] == 0.0f)
            continue;
        const pli_surface_contact *by = support_of(collision, s, t, side, t->at[k]);
        if (!by)
            return false;
        missing held = missing_of(collision, by);
        float weight = fabsf(t->weights[k]);
        all.start -= weight * held.start, all.end -= weight * held.end;
    }
    float left = CULL_LEFT_SHARE * t->rest_distance;
    return all.start <= left && all.end <= left;
}

static bool is_implied(const pli_collision *collision, const supports *s, const pli_surface_contact *t)
{
    if (t->plane_side < 0)
        return false;
    if (is_fixed(collision, t, 1))
        return !is_support(t) && is_implied_above(collision, s, t, 1);
    if (is_fixed(collision, t, 0))
        return is_implied_above(collision, s, t, 0);
    return t->split == 2 && is_implied_above(collision, s, t, 1) && is_implied_above(collision, s, t, 0);
}

static bool cull(pli_collision *collision)
{
    const supports s = {PLI_TAKE(&collision->arena, int32_t, collision->particle_count),
                        PLI_TAKE(&collision->arena, int32_t, collision->contacts.surface_contacts.count)};
    if (!s.first || !s.next)
        return false;
    int32_t count = collision->contacts.surface_contacts.count;
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < 4; k++)
            s.first[item(collision, i)->at[k]] = -1;
    for (int32_t i = 0; i < count; i++)
        if (is_support(item(collision, i)) && cull_moves(collision, item(collision, i)->at[0])) {
            int32_t *first = &s.first[item(collision, i)->at[0]];
            s.next[i] = *first;
            *first = i;
        }
    // The lists follow the order of the contacts, so the result does not depend on threads.
    for (int32_t i = 0; i < collision->contacts.surface_contacts.count; i++)
        collision->contacts.surface_contacts.items[i].colour = is_implied(collision, &s, item(collision, i)) ? -1 : 0;
    // Move implied contacts after the others; both keep their order.
    pli_contacts *contacts = &collision->contacts;
    int32_t kept = 0, all = contacts->surface_contacts.count, implied = 0;
    for (int32_t i = 0; i < all; i++)
        implied += item(collision, i)->colour != 0;
    pli_surface_contact *behind = PLI_TAKE(&collision->arena, pli_surface_contact, implied);
    if (!behind)
        return false;
    for (int32_t i = 0; i < all; i++)
        if (item(collision, i)->colour == 0)
            contacts->surface_contacts.items[kept++] = *item(collision, i);
        else
            behind[i - kept] = *item(collision, i);
    memcpy(contacts->surface_contacts.items + kept, behind, (size_t)implied * sizeof *behind);
    contacts->surface_contacts.count = kept;
    contacts->implied = implied;
    return true;
}

bool pli_surface_contacts_cull(pli_collision *collision)
{
    // Only contacts with a plane may be implied.
    bool any_with_plane = false;
    for (int32_t i = 0; i < collision->contacts.surface_contacts.count && !any_with_plane; i++)
        any_with_plane = item(collision, i)->plane_side >= 0;
    if (!any_with_plane)
        return true;
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    bool complete = cull(collision);
    pli_arena_end(&collision->arena, scope);
    return complete;
}
