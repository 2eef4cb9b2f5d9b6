// Separates surfaces that cross by rounding: collision/untangle/rounding.h.
//
// An edge that crosses a triangle by rounding ends nearly on it, or passes nearly through a side of it. The nearest of these pairs
// counts as touching, for the rule of touching sides:
//
//     edge     ____o  end and triangle          |
//               \  .                          --+--  edge and side
//     ___________\._____ triangle               |
#include "collision/untangle/rounding.h"

#include "collision/untangle/touching.h"

// Error of positions that were rotated and moved in float, as a fraction of the largest coordinate of a deformable; it never counts
// as more than the second fraction, of the distance that the pair keeps.
#define ROUNDING_SHARE 2.5e-7
#define OF_DISTANCE 0.02

enum { PAIRS = 5 };

// Largest coordinate of a surface, or of the particles `at` [m].
static double rounding_size(const pli_collision *collision, const int32_t *at, int32_t first, int32_t count)
{
    double most = 0.0;
    for (int32_t k = 0; k < count; k++) {
        const pli_dvec3 p = pli_start_position(collision, at ? at[k] : first + k);
        const double size = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
        most = size > most ? size : most; // GCC 12 for AArch64 fails with fmax.
    }
    return most;
}

// Pair number k of an intersection: both ends of the edge and the triangle, then the edge and the sides of the triangle.
static pli_candidate_pair pair_of(const pli_collision *collision, const pli_intersection *t, int k)
{
    const pli_contact_mesh *s = collision->surfaces[t->triangle_surface];
    const int side = k - 2;
    pli_candidate_pair pair = {.surface = {t->edge_surface, t->triangle_surface}};
    if (k < 2) {
        pair.kind = PLI_PAIR_VERTEX_TRIANGLE;
        pair.primitive[0] = t->edge[k] - collision->surfaces[t->edge_surface]->first;
        pair.primitive[1] = t->triangle_index;
        pair.at[0] = t->edge[k];
        for (int c = 0; c < 3; c++)
            pair.at[1 + c] = t->corners[c];
        return pair;
    }
    pair.kind = PLI_PAIR_EDGE_EDGE;
    pair.primitive[0] = t->edge_index;
    pair.primitive[1] = s->side_edges[3 * t->triangle_index + side];
    for (int e = 0; e < 2; e++) {
        pair.at[e] = t->edge[e];
        pair.at[2 + e] = s->first + s->edges[2 * pair.primitive[1] + e];
    }
    return pair;
}

static bool shares_a_particle(const pli_candidate_pair *pair)
{
    const int split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    for (int i = 0; i < split; i++)
        for (int k = split; k < 4; k++)
            if (pair->at[i] == pair->at[k])
                return true;
    return false;
}

// Moves the free particles of one side along a direction by `by`, less the distance that earlier pairs moved them along it.
static bool move_side(pli_collision *collision, const int32_t *at, int count, pli_dvec3 direction, double by,
                      pli_dvec3 *shifts)
{
    bool any = false;
    for (int k = 0; k < count; k++) {
        const double left = by - pli_ddot(shifts[at[k]], direction);
        if (!(collision->particles[at[k]].w > 0.0f) || !(left > 0.0))
            continue;
        const pli_dvec3 step = pli_dscale(direction, left);
        shifts[at[k]] = pli_dadd(shifts[at[k]], step);
        pli_collision_shift(collision, at[k], step);
        any = true;
        // Continuous collision detection starts from the separated positions.
        if (collision->untangle.starts)
            collision->untangle.starts[at[k]] = collision->previous[at[k]];
    }
    return any;
}

float pli_rounding_most(const pli_collision *collision, double *sizes)
{
    double size = 0.0;
    for (int32_t i = 0; i < collision->surface_count; i++) {
        const pli_contact_mesh *s = collision->surfaces[i];
        sizes[i] = s->collider ? 0.0 : rounding_size(collision, NULL, s->first, s->vertex_count);
        size = fmax(size, sizes[i]);
    }
    return (float)(ROUNDING_SHARE * size);
}

bool pli_part_rounded(pli_collision *collision, const pli_intersection *t, bool crosses, const double *sizes,
                      pli_dvec3 *shifts)
{
    pli_candidate_pair nearest = {0};
    pli_closest closest = {.square = INFINITY};
    for (int k = 0; k < PAIRS; k++) {
        const pli_candidate_pair pair = pair_of(collision, t, k);
        pli_dvec3 at[4];
        if (shares_a_particle(&pair))
            continue;
        pli_pair_positions(&pair, collision->previous, at);
        const pli_closest c = pli_closest_points((pli_pair_kind)pair.kind, at);
        if (c.square < closest.square)
            nearest = pair, closest = c;
    }
    // Touching sides already have a direction.
    if (!crosses && closest.square <= PLI_TOUCHING * PLI_TOUCHING)
        return false;
    // Rounding of the positions of an edge and a triangle [m].
    const pli_contact_mesh *s[2] = {collision->surfaces[t->edge_surface], collision->surfaces[t->triangle_surface]};
    const int32_t place[5] = {t->edge[0], t->edge[1], t->corners[0], t->corners[1], t->corners[2]};
    double size = rounding_size(collision, place, 0, 5), distance = INFINITY;
    for (int k = 0; k < 2; k++) {
        if (s[k]->collider)
            continue;
        size = fmax(size, sizes[k == 0 ? t->edge_surface : t->triangle_surface]);
        distance = fmin(distance, (double)s[k]->material.least_thickness);
    }
    const double rounding = fmin(ROUNDING_SHARE * size, OF_DISTANCE * distance);
    const int split = nearest.kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    pli_dvec3 direction, at[4];
    if (!(closest.square <= rounding * rounding) ||
        !pli_touching_direction(collision, &nearest, &closest, !crosses, &direction))
        return false;
    pli_pair_positions(&nearest, collision->previous, at);
    if (!crosses && pli_gap_along((pli_pair_kind)nearest.kind, at, direction) >= rounding)
        return false;
    const bool one = move_side(collision, nearest.at, split, direction, rounding, shifts),
               other = move_side(collision, nearest.at + split, 4 - split, pli_dscale(direction, -1.0), rounding,
                                 shifts);
    return one || other;
}
