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
    for (int32_t k = m->ring_begins[vertex]; k < m->ring_ends[vertex]; k++)
        add_towards(s, at, pli_start_position(collision, m->first + m->ring[k]));
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

bool pli_touching_direction(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *closest,
                            bool parts_only, pli_dvec3 *direction)
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
    return pli_touching_direction(collision, pair, closest, false, direction);
}
