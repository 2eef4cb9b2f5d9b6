// Normals of contacts with edges and vertices inside a flat surface.
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
#include "collision/contacts/contact_plane.h"

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
    for (int32_t k = s->ring_begins[place]; k < s->ring_ends[place]; k++) {
        pli_dvec3 towards = pli_dsub(at_start(collision, s, s->ring[k]), at);
        bend_by(plane, towards);
        plane->least_square = fmin(plane->least_square, pli_ddot(towards, towards));
        if (!(plane->bend < FLAT_SINE_SQUARE))
            return false;
    }
    // Every surrounding vertex must have another one to its left, within half a turn. Otherwise the vertex is on a border,
    // or the surface is folded there.
    for (int32_t k = s->ring_begins[place]; k < s->ring_ends[place]; k++) {
        pli_dvec3 left = pli_dcross(plane->normal, pli_dsub(at_start(collision, s, s->ring[k]), at));
        bool found = false;
        for (int32_t j = s->ring_begins[place]; j < s->ring_ends[place] && !found; j++)
            found = pli_ddot(left, pli_dsub(at_start(collision, s, s->ring[j]), at)) > 0.0;
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
