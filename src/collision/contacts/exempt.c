// Exemptions from contact: intersecting primitives, particles inside a collider, and the back of one-sided colliders.
#include "collision/contacts/exempt.h"

#include "collision/untangle/regions.h"

// Returns a triangle at the collider's primitive.
static int32_t exempt_triangle(const pli_contact_mesh *s, const pli_candidate_pair *pair, int32_t side)
{
    int32_t primitive = pair->primitive[side];
    if (pair->kind == PLI_PAIR_EDGE_EDGE)
        return s->edge_triangles[primitive];
    return side == 1 ? primitive : s->vertex_triangles[primitive];
}

// Is the triangle too degenerate for a reliable normal?
static bool is_degenerate(const pli_dvec3 corners[3], pli_dvec3 normal)
{
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        pli_dvec3 side = pli_dsub(corners[(k + 1) % 3], corners[k]);
        longest = fmax(longest, pli_ddot(side, side));
    }
    return pli_dlength(normal) <= 2e-7 * longest;
}

// Primitives behind a one-sided collider pass through it.
static bool from_behind(const pli_collision *collision, const pli_candidate_pair *pair)
{
    int32_t side = pli_pair_collider(collision, pair);
    const pli_contact_mesh *s = side < 0 ? NULL : collision->surfaces[pair->surface[side]];
    if (!s || !s->material.one_sided)
        return false;
    int32_t triangle = exempt_triangle(s, pair, side);
    pli_dvec3 corners[3], at[4];
    for (int k = 0; k < 3; k++)
        corners[k] = pli_start_position(collision, s->first + s->triangles[3 * triangle + k]);
    pli_dvec3 normal = pli_dcross(pli_dsub(corners[1], corners[0]), pli_dsub(corners[2], corners[0]));
    if (is_degenerate(corners, normal))
        return false;
    pli_pair_positions(pair, collision->previous, at);
    double apart = pli_ddot(normal, pli_closest_points((pli_pair_kind)pair->kind, at).apart);
    return (side == 1 ? apart : -apart) <= 0.0;
}

static bool is_intersecting(const pli_collision *collision, const pli_candidate_pair *pair)
{
    if (collision->untangle.intersections.count == 0)
        return false;
    int split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    bool a = false, b = false;
    for (int i = 0; i < 4; i++)
        *(i < split ? &a : &b) |= collision->untangle.intersecting.items[pair->at[i]] != 0;
    return (a && b) || pli_pair_is_intersecting(collision, pair);
}

static bool is_inside(const pli_collision *collision, const pli_candidate_pair *pair)
{
    int32_t side = collision->untangle.inside_count > 0 ? pli_pair_collider(collision, pair) : -1;
    // Contact also moves a ball of a body out, and the body with it: the direction from its centre is valid at any depth.
    if (side >= 0 && collision->surfaces[pair->surface[side]]->radius > 0.0f &&
        collision->surfaces[pair->surface[side]]->edge_count == 0)
        return false;
    for (int i = 0; side >= 0 && i < 4; i++)
        if (collision->untangle.inside_of.items[pair->at[i]] == pair->surface[side] + 1)
            return true;
    return false;
}

bool pli_pair_exempt(const pli_collision *collision, const pli_candidate_pair *pair)
{
    bool crosses = !collision->ccd.frozen && (is_intersecting(collision, pair) || is_inside(collision, pair));
    return crosses || from_behind(collision, pair);
}
