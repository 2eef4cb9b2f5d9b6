// Directions of sides that touch: collision/untangle/touching.h.
//
// Each side touches with a feature: a vertex, an edge, or the inside of a triangle. The star of a feature holds unit vectors from
// the touching point to the vertices around it: the ring of a vertex, the ends of an edge and the third vertices of its
// triangles, or the corners of a triangle.
#include "collision/untangle/touching.h"

// Sines: up to which edges count as parallel; up to which vectors count as in a plane, since float positions are rounded; and
// above which a vector decides on which side a surface is.
#define PARALLEL 1e-5
#define IN_PLANE 1e-4
#define LEANS 0.1
// Least cosine of two directions that separate the sides in the same way.
#define OF_BOTH 0.5

enum { STAR_MOST = 32, NORMALS_MOST = 3, LINES_MOST = 2 * NORMALS_MOST + 2 };

typedef struct star {
    pli_dvec3 towards[STAR_MOST]; // Unit vectors.
    int count;
    pli_dvec3 mean;
    pli_dvec3 normals[NORMALS_MOST]; // Unit normals of triangles at the feature.
    int normal_count;
} star;

static pli_dvec3 star_unit(pli_dvec3 v)
{
    double length = pli_dlength(v);
    return length > 0.0 ? pli_dscale(v, 1.0 / length) : v;
}

static void add_towards(star *s, pli_dvec3 at, pli_dvec3 vertex)
{
    pli_dvec3 v = pli_dsub(vertex, at);
    if (s->count < STAR_MOST && pli_ddot(v, v) > PLI_ACROSS * PLI_ACROSS)
        s->towards[s->count++] = star_unit(v);
}

static void add_triangle(const pli_collision *collision, const pli_contact_mesh *m, int32_t triangle, star *s)
{
    int32_t corners[3];
    for (int k = 0; k < 3 && triangle >= 0; k++)
        corners[k] = m->first + m->triangles[3 * triangle + k];
    if (triangle >= 0 && s->normal_count < NORMALS_MOST &&
        pli_normal_at_start(collision, corners, &s->normals[s->normal_count]))
        s->normal_count++;
}

static void at_vertex(const pli_collision *collision, const pli_contact_mesh *m, int32_t vertex, pli_dvec3 at, star *s)
{
    for (int32_t k = m->rings.begins[vertex]; k < m->rings.ends[vertex]; k++)
        add_towards(s, at, pli_start_position(collision, m->first + m->rings.places[k]));
    add_triangle(collision, m, m->vertex_triangles[vertex], s);
}

static void at_edge(const pli_collision *collision, const pli_contact_mesh *m, int32_t edge, pli_dvec3 at, star *s)
{
    int32_t triangle = m->edge_triangles[edge], side = 0;
    for (int k = 0; k < 2; k++)
        add_towards(s, at, pli_start_position(collision, m->first + m->edges[2 * edge + k]));
    if (triangle < 0)
        return;
    add_triangle(collision, m, triangle, s);
    while (side < 2 && m->side_edges[3 * triangle + side] != edge)
        side++;
    const int32_t *corners = m->triangles + 3 * (ptrdiff_t)triangle;
    add_towards(s, at, pli_start_position(collision, m->first + corners[(side + 2) % 3]));
    int32_t apex = m->apexes[3 * triangle + side];
    if (apex < 0)
        return;
    add_towards(s, at, pli_start_position(collision, m->first + apex));
    // The neighbour traverses the edge in the opposite direction.
    pli_dvec3 a = pli_start_position(collision, m->first + corners[(side + 1) % 3]),
              b = pli_start_position(collision, m->first + corners[side]),
              c = pli_start_position(collision, m->first + apex);
    pli_dvec3 normal = star_unit(pli_dcross(pli_dsub(b, a), pli_dsub(c, a)));
    if (s->normal_count < NORMALS_MOST && pli_dlength(normal) > 0.5)
        s->normals[s->normal_count++] = normal;
}

static void at_triangle(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *c,
                        pli_dvec3 at, star *s)
{
    const pli_contact_mesh *m = collision->surfaces[pair->surface[1]];
    int32_t triangle = pair->primitive[1], used = 0, last = 0, missing = 0;
    for (int k = 0; k < 3; k++) {
        bool is_used = c->weights[1 + k] < -PLI_NO_WEIGHT;
        used += is_used;
        last = is_used ? k : last;
        missing = is_used ? missing : k;
    }
    if (used == 1) {
        at_vertex(collision, m, pair->at[1 + last] - m->first, at, s);
        return;
    }
    if (used == 2) {
        at_edge(collision, m, m->side_edges[3 * triangle + (missing + 1) % 3], at, s);
        return;
    }
    for (int k = 0; k < 3; k++)
        add_towards(s, at, pli_start_position(collision, pair->at[1 + k]));
    add_triangle(collision, m, triangle, s);
}

static star star_of(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *c, int side,
                    pli_dvec3 at)
{
    const pli_contact_mesh *m = collision->surfaces[pair->surface[side]];
    star s = {.count = 0};
    if (pair->kind == PLI_PAIR_VERTEX_TRIANGLE) {
        if (side == 0)
            at_vertex(collision, m, pair->primitive[0], at, &s);
        else
            at_triangle(collision, pair, c, at, &s);
    } else {
        const int first = 2 * side;
        int end = fabs(c->weights[first]) <= PLI_NO_WEIGHT       ? first + 1
                  : fabs(c->weights[first + 1]) <= PLI_NO_WEIGHT ? first
                                                                 : -1;
        if (end >= 0)
            at_vertex(collision, m, pair->at[end] - m->first, at, &s);
        else
            at_edge(collision, m, pair->primitive[side], at, &s);
    }
    for (int k = 0; k < s.count; k++)
        s.mean = pli_dadd(s.mean, pli_dscale(s.towards[k], 1.0 / s.count));
    return s;
}

/* ---- directions that have one side above and the other below ------------------------------------ */

// Is all of side a above and all of side b below the touching point along the direction?
static bool star_parts(const star *a, const star *b, pli_dvec3 direction)
{
    for (int k = 0; k < a->count; k++)
        if (pli_ddot(direction, a->towards[k]) < -IN_PLANE)
            return false;
    for (int k = 0; k < b->count; k++)
        if (pli_ddot(direction, b->towards[k]) > IN_PLANE)
            return false;
    return true;
}

// The line along which the two primitives alone do not overlap, whatever surrounds them: their common normal.
static bool own_line(const pli_collision *collision, const pli_candidate_pair *pair, pli_dvec3 *line)
{
    pli_dvec3 at[4];
    if (pair->kind == PLI_PAIR_VERTEX_TRIANGLE)
        return pli_normal_at_start(collision, pair->at + 1, line);
    pli_pair_positions(pair, collision->previous, at);
    pli_dvec3 one = pli_dsub(at[1], at[0]), other = pli_dsub(at[3], at[2]), across = pli_dcross(one, other);
    double square = pli_ddot(one, one) * pli_ddot(other, other);
    if (!(pli_ddot(across, across) > PARALLEL * PARALLEL * square))
        return false;
    *line = star_unit(across);
    return true;
}

// Collinear edges can separate along any perpendicular: takes the part of `normal` perpendicular to them.
static bool line_across(const pli_collision *collision, const pli_candidate_pair *pair, pli_dvec3 normal,
                        pli_dvec3 *line)
{
    pli_dvec3 along = star_unit(
        pli_dsub(pli_start_position(collision, pair->at[1]), pli_start_position(collision, pair->at[0])));
    pli_dvec3 across = pli_dsub(normal, pli_dscale(along, pli_ddot(normal, along)));
    *line = star_unit(across);
    return pli_dlength(across) > LEANS;
}

// Sets the separating direction along the line, if there is one. If both directions separate, the surfaces lie on one another.
static bool parts_along(const star *a, const star *b, pli_dvec3 line, pli_dvec3 *direction)
{
    if (!(pli_dlength(line) > 0.5))
        return false;
    bool up = star_parts(a, b, line), down = star_parts(b, a, line);
    *direction = pli_dscale(line, up ? 1.0 : -1.0);
    return up != down;
}

// Tries each line, then the first line without its component along each vector of a star: borders that run along one another.
static bool parting_direction(const star stars[2], const pli_dvec3 *lines, int count, pli_dvec3 *direction)
{
    for (int i = 0; i < count; i++)
        if (parts_along(&stars[0], &stars[1], lines[i], direction))
            return true;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < stars[side].count; k++) {
            pli_dvec3 along = stars[side].towards[k];
            pli_dvec3 line = star_unit(pli_dsub(lines[0], pli_dscale(along, pli_ddot(lines[0], along))));
            if (parts_along(&stars[0], &stars[1], line, direction))
                return true;
        }
    return false;
}

/* ---- surfaces that lie on one another, or cross -------------------------------------------------- */

// Place and normal of a side at rest.
typedef struct rest_side {
    pli_dvec3 at, normal;
} rest_side;

static pli_dvec3 rest_at(const pli_contact_mesh *s, int32_t place)
{
    const float *p = s->rest + 3 * place;
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

static rest_side rest_of(const pli_contact_mesh *s, const pli_candidate_pair *pair, const pli_closest *c, int side)
{
    const int split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    rest_side r = {.at = {0, 0, 0}};
    for (int k = side ? split : 0; k < (side ? 4 : split); k++)
        r.at = pli_dadd(r.at, pli_dscale(rest_at(s, pair->at[k] - s->first), fabs(c->weights[k])));
    int32_t triangle = pair->kind == PLI_PAIR_EDGE_EDGE ? s->edge_triangles[pair->primitive[side]]
                       : side == 0                      ? s->vertex_triangles[pair->primitive[0]]
                                                        : pair->primitive[1];
    if (triangle < 0)
        return r;
    const int32_t *corners = s->triangles + 3 * (ptrdiff_t)triangle;
    pli_dvec3 a = rest_at(s, corners[0]);
    r.normal = star_unit(pli_dcross(pli_dsub(rest_at(s, corners[1]), a), pli_dsub(rest_at(s, corners[2]), a)));
    return r;
}

// Is side a in front of side b of the same surface? The rest shape decides. Where it is flat, layers that face each other separate,
// and other layers keep the order of their rest positions.
static bool is_in_front_of_itself(const pli_contact_mesh *s, const pli_candidate_pair *pair, const pli_closest *c,
                                  pli_dvec3 front_a, pli_dvec3 front_b)
{
    rest_side a = rest_of(s, pair, c, 0), b = rest_of(s, pair, c, 1);
    pli_dvec3 apart = star_unit(pli_dsub(a.at, b.at));
    double height = pli_ddot(apart, b.normal);
    if (fabs(height) > LEANS)
        return height > 0.0;
    if (pli_ddot(front_a, front_b) < 0.0)
        return true;
    const double along[3] = {apart.x, apart.y, apart.z};
    int axis = fabs(along[0]) > LEANS ? 0 : fabs(along[1]) > LEANS ? 1 : 2;
    return along[axis] > 0.0;
}

static pli_dvec3 front_of(const star *s)
{
    pli_dvec3 sum = {0, 0, 0};
    for (int k = 0; k < s->normal_count; k++)
        sum = pli_dadd(sum, s->normals[k]);
    return star_unit(sum);
}

static pli_dvec3 ordered(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *c,
                         const star stars[2], pli_dvec3 line)
{
    const pli_contact_mesh *a = collision->surfaces[pair->surface[0]], *b = collision->surfaces[pair->surface[1]];
    pli_dvec3 fronts[2] = {front_of(&stars[0]), front_of(&stars[1])};
    // Sine by which side a is further along a direction than side b.
    double leans = pli_ddot(line, pli_dsub(stars[0].mean, stars[1].mean)), up;
    if (a == b)
        up = pli_ddot(line, fronts[1]) * (is_in_front_of_itself(a, pair, c, fronts[0], fronts[1]) ? 1.0 : -1.0);
    else if (!a->closed && !b->closed && fabs(leans) > LEANS)
        up = leans;
    else if (b->collider || (!a->collider && pair->surface[1] < pair->surface[0]))
        up = pli_ddot(line, fronts[1]);
    else
        up = -pli_ddot(line, fronts[0]);
    return pli_dscale(line, up < 0.0 ? -1.0 : 1.0);
}

double pli_gap_along(pli_pair_kind kind, const pli_dvec3 at[4], pli_dvec3 direction)
{
    double h[4] = {0.0};
    for (int i = 1; i < 4; i++)
        h[i] = pli_ddot(direction, pli_dsub(at[i], at[0]));
    return kind == PLI_PAIR_EDGE_EDGE ? fmin(h[0], h[1]) - fmax(h[2], h[3]) : h[0] - fmax(fmax(h[1], h[2]), h[3]);
}

// The direction by the rule alone, for sides that touch or are apart by rounding only. With `parts_only`, returns false for surfaces
// that lie on one another or cross.
static bool touching_direction(const pli_collision *collision, const pli_candidate_pair *pair,
                               const pli_closest *closest, bool parts_only, pli_dvec3 *direction)
{
    pli_dvec3 at[4];
    pli_pair_positions(pair, collision->previous, at);
    pli_dvec3 origin = {0, 0, 0}, lines[LINES_MOST], line = {0, 0, 0};
    const int split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    for (int k = 0; k < split; k++)
        origin = pli_dadd(origin, pli_dscale(at[k], closest->weights[k]));
    const star stars[2] = {star_of(collision, pair, closest, 0, origin), star_of(collision, pair, closest, 1, origin)};
    int count = 0;
    bool has_own = own_line(collision, pair, &line);
    lines[count++] = star_unit(pli_dsub(stars[0].mean, stars[1].mean));
    if (has_own)
        lines[count++] = line;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < stars[side].normal_count; k++)
            lines[count++] = stars[side].normals[k];
    if (!parting_direction(stars, lines, count, direction)) {
        bool has_any = has_own && !parts_only;
        for (int k = 1; k < count && !has_any && !parts_only; k++)
            has_any = line_across(collision, pair, lines[k], &line);
        if (has_any)
            *direction = ordered(collision, pair, closest, stars, line);
        return has_any;
    }
    // Vertices around the touch may be rounded; the common normal is exact.
    double along = pli_ddot(*direction, line);
    if (has_own && fabs(along) > OF_BOTH && pli_gap_along((pli_pair_kind)pair->kind, at, *direction) < -PLI_ACROSS)
        *direction = pli_dscale(line, along > 0.0 ? 1.0 : -1.0);
    return true;
}

bool pli_pair_direction(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *closest,
                        pli_dvec3 *direction)
{
    double distance = sqrt(closest->square);
    if (distance > PLI_TOUCHING) {
        *direction = pli_dscale(closest->apart, 1.0 / distance);
        return true;
    }
    pli_dvec3 at[4], last = pli_widened(pair->normal);
    pli_pair_positions(pair, collision->previous, at);
    if (pair->core > 0.0f)
        return false;
    if (pli_dlength(last) > 0.5 && pli_gap_along((pli_pair_kind)pair->kind, at, last) >= -PLI_ACROSS) {
        *direction = last;
        return true;
    }
    return touching_direction(collision, pair, closest, false, direction);
}

/* ---- rounding -------------------------------------------------------------------------------- */

// Separates surfaces that cross by rounding: collision/untangle/touching.h.
//
// An edge that crosses a triangle by rounding ends nearly on it, or passes nearly through a side of it. The nearest of these pairs
// counts as touching, for the rule of touching sides:
//
//     edge     ____o  end and triangle          |
//               \  .                          --+--  edge and side
//     ___________\._____ triangle               |

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
        !touching_direction(collision, &nearest, &closest, !crosses, &direction))
        return false;
    pli_pair_positions(&nearest, collision->previous, at);
    if (!crosses && pli_gap_along((pli_pair_kind)nearest.kind, at, direction) >= rounding)
        return false;
    const bool one = move_side(collision, nearest.at, split, direction, rounding, shifts),
               other = move_side(collision, nearest.at + split, 4 - split, pli_dscale(direction, -1.0), rounding,
                                 shifts);
    return one || other;
}
