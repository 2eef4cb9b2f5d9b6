// Normals of contacts with edges and vertices inside a flat surface, and contacts that others imply.
//
// Weights and normal of a contact are fixed at the start of a substep, during which sliding cloth moves further than
// its thickness. The direction between the closest points is then a bad normal if one of them is on an edge or a
// vertex: it tilts backwards or forwards along the sliding direction, and the sliding cloth presses against it. On a
// flat surface, edges and vertices are points like any other, and the plane determines where the other side may be:
//
//        o--------o  cloth, slides to the right             n: normal of the plane, taken for the contact
//              n  ^    .                                    c: direction between the closest points, which would stop
//                 |  . c                                       the cloth and lift it
//    -----*-------+-*-----------*-----  flat surface
//
// Contacts of vertices with faces would suffice there; the others now agree with them, and act where the flat part ends.
#include "collision/contacts/contact.h"

#include <string.h>

// A side is flat if the vertices around the edge, vertex or triangle are at most this far off its plane [squared sine
// of the angle]: 2 degrees.
#define FLAT_SINE_SQUARE 1.218e-3
// The plane is used for points above the triangles around an edge or vertex: at most this fraction of their least size
// away from it, along the plane.
#define WITHIN_SHARE 1.0

// Sides with a smaller difference in bend are equally flat. Side 1 is then used: the triangle, for a vertex and a triangle.
#define EQUAL_BEND 1e-6

// The plane of one side at the contact.
typedef struct side_plane {
    pli_dvec3 normal;
    double bend;         // Squared sine of the largest angle between a nearby vertex and the plane.
    double least_square; // Squared least size of the surrounding triangles [m^2].
} side_plane;

// Includes a nearby vertex in the plane's bend.
static void bend_by(side_plane *plane, pli_dvec3 towards)
{
    double off = pli_ddot(plane->normal, towards), square = pli_ddot(towards, towards);
    if (off * off > plane->bend * square)
        plane->bend = off * off / square;
}

static pli_dvec3 at_start(const pli_collision *collision, const pli_contact_mesh *s, int32_t place)
{
    return pli_start_position(collision, s->first + place);
}

// The triangles of an edge: flat if the second triangle is across the edge from the first, and in its plane.
static bool plane_at_edge(const pli_collision *collision, const pli_contact_mesh *s, int32_t edge, side_plane *plane)
{
    int32_t triangle = s->edge_triangles[edge], side = 0;
    while (triangle >= 0 && side < 2 && s->side_edges[3 * triangle + side] != edge)
        side++;
    int32_t apex = triangle < 0 ? -1 : s->apexes[3 * triangle + side];
    if (apex < 0)
        return false;
    pli_dvec3 a = at_start(collision, s, s->triangles[3 * triangle + side]),
              along = pli_dsub(at_start(collision, s, s->triangles[3 * triangle + (side + 1) % 3]), a),
              own = pli_dsub(at_start(collision, s, s->triangles[3 * triangle + (side + 2) % 3]), a),
              other = pli_dsub(at_start(collision, s, apex), a), across = pli_dcross(along, own);
    double doubled = pli_dlength(across), square = pli_ddot(along, along);
    if (!(doubled > 0.0))
        return false;
    plane->normal = pli_dscale(across, 1.0 / doubled);
    pli_dvec3 inward = pli_dscale(pli_dcross(plane->normal, along), 1.0 / sqrt(square));
    double inside = pli_ddot(inward, own), outside = -pli_ddot(inward, other), off = pli_ddot(plane->normal, other);
    if (!(outside > 0.0))
        return false;
    plane->bend = off * off / (outside * outside);
    plane->least_square = fmin(inside, outside) * fmin(inside, outside);
    return plane->bend < FLAT_SINE_SQUARE;
}

// The triangles of a vertex: flat if all surrounding vertices are in the plane of one triangle.
static bool plane_at_vertex(const pli_collision *collision, const pli_contact_mesh *s, int32_t place, side_plane *plane)
{
    int32_t triangle = s->vertex_triangles[place], corners[3];
    if (triangle < 0)
        return false;
    for (int k = 0; k < 3; k++)
        corners[k] = s->first + s->triangles[3 * triangle + k];
    if (!pli_normal_at_start(collision, corners, &plane->normal))
        return false;
    pli_dvec3 at = at_start(collision, s, place);
    plane->bend = 0.0;
    plane->least_square = INFINITY;
    for (int32_t k = s->rings.begins[place]; k < s->rings.ends[place]; k++) {
        pli_dvec3 towards = pli_dsub(at_start(collision, s, s->rings.places[k]), at);
        bend_by(plane, towards);
        plane->least_square = fmin(plane->least_square, pli_ddot(towards, towards));
        if (!(plane->bend < FLAT_SINE_SQUARE))
            return false;
    }
    // Every surrounding vertex must have another one to its left, within half a turn. Otherwise the vertex is on a border,
    // or the surface is folded there.
    for (int32_t k = s->rings.begins[place]; k < s->rings.ends[place]; k++) {
        pli_dvec3 left = pli_dcross(plane->normal, pli_dsub(at_start(collision, s, s->rings.places[k]), at));
        bool found = false;
        for (int32_t j = s->rings.begins[place]; j < s->rings.ends[place] && !found; j++)
            found = pli_ddot(left, pli_dsub(at_start(collision, s, s->rings.places[j]), at)) > 0.0;
        if (!found)
            return false;
    }
    return true;
}

// A triangle: flat if its three neighbours are in its plane.
static bool plane_at_triangle(const pli_collision *collision, const pli_contact_mesh *s, int32_t triangle,
                              side_plane *plane)
{
    int32_t corners[3];
    for (int k = 0; k < 3; k++)
        corners[k] = s->first + s->triangles[3 * triangle + k];
    if (!pli_normal_at_start(collision, corners, &plane->normal))
        return false;
    plane->bend = 0.0;
    plane->least_square = INFINITY;
    for (int k = 0; k < 3; k++) {
        int32_t apex = s->apexes[3 * triangle + k];
        if (apex < 0)
            return false;
        bend_by(plane, pli_dsub(at_start(collision, s, apex), pli_start_position(collision, corners[k])));
    }
    return plane->bend < FLAT_SINE_SQUARE;
}

static bool contact_side_plane(const pli_collision *collision, const pli_candidate_pair *pair, int32_t side,
                               side_plane *plane)
{
    const pli_contact_mesh *s = collision->surfaces[pair->surface[side]];
    if (pair->kind == PLI_PAIR_EDGE_EDGE)
        return plane_at_edge(collision, s, pair->primitive[side], plane);
    return side == 0 ? plane_at_vertex(collision, s, pair->primitive[0], plane)
                     : plane_at_triangle(collision, s, pair->primitive[1], plane);
}

// Is the other side above the triangles of this one?
static bool contact_plane_is_above(const side_plane *plane, const pli_closest *closest)
{
    double height = pli_ddot(plane->normal, closest->apart);
    return closest->square - height * height < WITHIN_SHARE * WITHIN_SHARE * plane->least_square;
}

int32_t pli_plane_at_contact(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *closest,
                             pli_dvec3 *normal)
{
    // Inside a triangle the direction between the closest points is its normal, which holds for vertices that move over it.
    if (pair->kind == PLI_PAIR_VERTEX_TRIANGLE && collision->particles[pair->at[0]].w > 0.0f &&
        closest->weights[1] < 0.0 && closest->weights[2] < 0.0 && closest->weights[3] < 0.0)
        return -1;
    side_plane planes[2];
    bool flat[2];
    for (int32_t side = 0; side < 2; side++)
        flat[side] = contact_side_plane(collision, pair, side, &planes[side]) &&
                     contact_plane_is_above(&planes[side], closest);
    if (!flat[0] && !flat[1])
        return -1;
    int32_t side = flat[0] && (!flat[1] || planes[0].bend < planes[1].bend - EQUAL_BEND) ? 0 : 1;
    pli_dvec3 along = planes[side].normal;
    double height = pli_ddot(along, closest->apart);
    if (height == 0.0)
        return -1;
    *normal = pli_dscale(along, height > 0.0 ? 1.0 : -1.0);
    return side;
}

/* ---- implied contacts ------------------------------------------------------------------------ */

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
typedef struct missing_depth {
    float start, end;
} missing_depth;

static missing_depth missing_of(const pli_collision *collision, const pli_surface_contact *t)
{
    return (missing_depth){t->depth, t->depth - t->approach * collision->substep.length};
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
    missing_depth all = missing_of(collision, t);
    for (int32_t k = begin; k < end; k++) {
        if (t->weights[k] == 0.0f)
            continue;
        const pli_surface_contact *by = support_of(collision, s, t, side, t->at[k]);
        if (!by)
            return false;
        missing_depth held = missing_of(collision, by);
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
