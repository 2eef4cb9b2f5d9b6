// What intersects is found and brought apart: each edge through a triangle is moved so that the curve
// in which the surfaces cross becomes shorter, until it is gone. Contact leaves alone what is part of
// such a crossing, or it would hold it.
//
//   Volino, Magnenat-Thalmann 2006, Resolving Surface Collisions through Intersection Contour
//   Minimization.
#include "collision/tangle.h"

#include "collision/inside.h"

// Of the mean edge, what an edge and its triangle are moved against each other in a substep.
#define SHIFT_SHARE 0.02f

typedef struct search {
    pli_find *find;
    int32_t surface, triangle;
    bool complete;
} search;

static pli_dvec3 at_start(const pli_space *space, int32_t i)
{
    const pli_particle *p = &space->previous[i];
    return (pli_dvec3){(double)p->x, (double)p->y, (double)p->z};
}

static double side_of(pli_dvec3 a, pli_dvec3 b, pli_dvec3 c, pli_dvec3 d)
{
    return pli_ddot(pli_dcross(pli_dsub(b, a), pli_dsub(c, a)), pli_dsub(d, a));
}

// Whether a segment goes through a triangle; `part` of the segment is where.
bool pli_segment_meets_triangle(const pli_dvec3 ends[2], const pli_dvec3 corners[3], double *part)
{
    double first = side_of(corners[0], corners[1], corners[2], ends[0]);
    double second = side_of(corners[0], corners[1], corners[2], ends[1]);
    if ((first > 0.0) == (second > 0.0))
        return false;
    double a = side_of(ends[0], ends[1], corners[0], corners[1]);
    double b = side_of(ends[0], ends[1], corners[1], corners[2]);
    double c = side_of(ends[0], ends[1], corners[2], corners[0]);
    *part = first / (first - second);
    return (a >= 0.0 && b >= 0.0 && c >= 0.0) || (a <= 0.0 && b <= 0.0 && c <= 0.0);
}

static bool joined(const pli_tangle *t)
{
    for (int e = 0; e < 2; e++)
        for (int c = 0; c < 3; c++)
            if (t->edge[e] == t->corners[c])
                return true;
    return false;
}

bool pli_tangle_look(pli_find *find, pli_tangle *t)
{
    const pli_space *space = find->space;
    const pli_surface *se = space->surfaces[t->edge_surface], *st = space->surfaces[t->triangle_surface];
    pli_dvec3 ends[2], corners[3];
    for (int k = 0; k < 2; k++)
        t->edge[k] = se->first + se->edges[2 * t->edge_index + k];
    for (int k = 0; k < 3; k++)
        t->corners[k] = st->first + st->triangles[3 * t->triangle_index + k];
    if (joined(t))
        return false;
    for (int k = 0; k < 2; k++)
        ends[k] = at_start(space, t->edge[k]);
    for (int k = 0; k < 3; k++)
        corners[k] = at_start(space, t->corners[k]);
    return pli_segment_meets_triangle(ends, corners, &t->part);
}

bool pli_tangle_add(pli_space *space, const pli_tangle *t)
{
    const int32_t surfaces[2] = {t->edge_surface, t->triangle_surface};
    const int32_t at[5] = {t->edge[0], t->edge[1], t->corners[0], t->corners[1], t->corners[2]};
    if (!pli_space_allows(space, surfaces, at, 2, 5))
        return true;
    if (!pli_reserve(space->memory, &space->tangles, &space->tangle_capacity, (int64_t)space->tangled_count + 1,
                     sizeof *space->tangles))
        return false;
    space->tangles[space->tangled_count++] = *t;
    for (int k = 0; k < 2; k++)
        space->tangled[t->edge[k]] = 1;
    for (int k = 0; k < 3; k++)
        space->tangled[t->corners[k]] = 1;
    return true;
}

static void found_edge(void *data, int32_t item)
{
    search *s = data;
    const pli_find *f = s->find;
    int32_t surface = pli_find_owner(f->edge_bases, f->surface_count, item);
    if (!pli_space_meet(f->space, surface, s->surface))
        return;
    pli_tangle t = {surface, item - f->edge_bases[surface], s->surface, s->triangle, {0}, {0}, 0.0};
    if (pli_tangle_look(s->find, &t))
        s->complete = pli_tangle_add(f->space, &t) && s->complete;
}

static bool look_among_deformables(pli_find *f)
{
    if (!pli_find_boxes(f))
        return false;
    search s = {.find = f, .complete = true};
    for (s.surface = 0; s.surface < f->surface_count; s.surface++) {
        const pli_surface *surface = f->space->surfaces[s.surface];
        for (s.triangle = 0; s.triangle < surface->triangle_count; s.triangle++)
            pli_grid_query(&f->space->edge_grid, pli_find_triangle_box(f, surface, s.triangle), found_edge, &s);
    }
    return s.complete;
}

static bool look(pli_space *space)
{
    pli_find find;
    if (!pli_find_begin(space, &find) ||
        !pli_reserve(space->memory, &space->tangled, &space->tangled_capacity, space->particle_count, 1))
        return false;
    for (int32_t i = 0; i < space->particle_count; i++)
        space->tangled[i] = 0;
    space->tangled_count = 0;
    return (!space->has_pairs[PLI_LIST_DEFORMABLES] || look_among_deformables(&find)) &&
           (!space->has_pairs[PLI_LIST_COLLIDERS] || pli_tangle_colliders(&find)) && pli_inside_leave(&find);
}

// The direction, within a triangle that has the edge, in which the crossing runs from the edge.
static pli_dvec3 crossing_within(pli_dvec3 along, pli_dvec3 out, pli_dvec3 face_normal)
{
    pli_dvec3 direction = pli_dcross(pli_dcross(along, out), face_normal);
    double length = pli_dlength(direction), sign = pli_ddot(direction, out) < 0.0 ? -1.0 : 1.0;
    return length > 0.0 ? pli_dscale(direction, sign / length) : (pli_dvec3){0, 0, 0};
}

// Third corners of the triangles at an edge.
static int32_t apexes_of(const pli_surface *s, int32_t edge, int32_t apexes[2])
{
    int32_t triangle = s->edge_triangles[edge], count = 0;
    for (int32_t side = 0; side < 3 && triangle >= 0; side++) {
        if (s->side_edges[3 * triangle + side] != edge)
            continue;
        apexes[count++] = s->triangles[3 * triangle + (side + 2) % 3];
        if (s->apexes[3 * triangle + side] >= 0)
            apexes[count++] = s->apexes[3 * triangle + side];
        break;
    }
    return count;
}

// How the edge should move against the triangle for the crossing to become shorter.
static pli_dvec3 direction_of(const pli_space *space, const pli_tangle *t)
{
    const pli_surface *s = space->surfaces[t->edge_surface];
    pli_dvec3 a = at_start(space, t->edge[0]), along = pli_dsub(at_start(space, t->edge[1]), a);
    pli_dvec3 c = at_start(space, t->corners[0]);
    pli_dvec3 normal = pli_dcross(pli_dsub(at_start(space, t->corners[1]), c), pli_dsub(at_start(space, t->corners[2]), c));
    double area = pli_dlength(normal), length = pli_dlength(along);
    if (!(area > 0.0) || !(length > 0.0))
        return (pli_dvec3){0, 0, 0};
    normal = pli_dscale(normal, 1.0 / area);
    along = pli_dscale(along, 1.0 / length);
    int32_t apexes[2], count = apexes_of(s, t->edge_index, apexes);
    pli_dvec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < count; i++) {
        pli_dvec3 out = pli_dsub(at_start(space, s->first + apexes[i]), a);
        out = pli_dsub(out, pli_dscale(along, pli_ddot(out, along)));
        sum = pli_dadd(sum, crossing_within(along, out, normal));
    }
    double slope = pli_ddot(along, normal);
    slope = fabs(slope) < 0.1 ? (slope < 0.0 ? -0.1 : 0.1) : slope;
    pli_dvec3 direction = pli_dsub(sum, pli_dscale(normal, pli_ddot(along, sum) / slope));
    double size = pli_dlength(direction);
    return size > 1.0 ? pli_dscale(direction, 1.0 / size) : direction;
}

// Both ends of the way are moved: it is no motion but a mend, and no velocity comes of it.
static void shift(pli_space *space, int32_t i, pli_vec3 by)
{
    pli_particle *p = &space->particles[i], *q = &space->previous[i];
    p->x += by.x, p->y += by.y, p->z += by.z;
    q->x += by.x, q->y += by.y, q->z += by.z;
}

// What is one-sided has a right side to be on: the direction from its face, as the edge should move.
static bool has_front(const pli_space *space, const pli_tangle *t, pli_dvec3 *direction)
{
    const pli_surface *se = space->surfaces[t->edge_surface], *st = space->surfaces[t->triangle_surface];
    bool of_edge = se->material.one_sided;
    const pli_surface *s = of_edge ? se : st;
    int32_t triangle = of_edge ? se->edge_triangles[t->edge_index] : t->triangle_index;
    if (!s->material.one_sided || triangle < 0)
        return false;
    const int32_t *corners = s->triangles + 3 * triangle;
    pli_dvec3 a = at_start(space, s->first + corners[0]);
    pli_dvec3 normal = pli_dcross(pli_dsub(at_start(space, s->first + corners[1]), a),
                                  pli_dsub(at_start(space, s->first + corners[2]), a));
    double length = pli_dlength(normal);
    if (!(length > 0.0))
        return false;
    *direction = pli_dscale(normal, (of_edge ? -1.0 : 1.0) / length);
    return true;
}

// Whether a part of it is on its way out of the collider that it crosses.
static bool leaves_already(const pli_space *space, const pli_tangle *t)
{
    for (int k = 0; k < 5 && space->within_count > 0; k++) {
        int32_t solid = space->within[k < 2 ? t->edge[k] : t->corners[k - 2]] - 1;
        if (solid >= 0 && (solid == t->edge_surface || solid == t->triangle_surface))
            return true;
    }
    return false;
}

static void pull_apart(pli_space *space, const pli_tangle *t)
{
    pli_dvec3 direction;
    if (leaves_already(space, t))
        return;
    if (!has_front(space, t, &direction))
        direction = direction_of(space, t);
    const double weights[5] = {1.0 - t->part, t->part, -1.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0};
    double yields = 0.0, size = (double)(SHIFT_SHARE * space->surfaces[t->edge_surface]->mean_edge);
    for (int k = 0; k < 5; k++) {
        int32_t i = k < 2 ? t->edge[k] : t->corners[k - 2];
        yields += (double)space->particles[i].w * weights[k] * weights[k];
    }
    for (int k = 0; k < 5 && yields > 0.0; k++) {
        int32_t i = k < 2 ? t->edge[k] : t->corners[k - 2];
        double share = (double)space->particles[i].w * weights[k] * size / yields;
        shift(space, i, (pli_vec3){(float)(direction.x * share), (float)(direction.y * share),
                                   (float)(direction.z * share)});
    }
}

void pli_space_untangle(pli_space *space)
{
    if (!space->unverified && space->tangled_count == 0 && space->within_count == 0)
        return;
    if (!look(space)) {
        space->starved = true;
        return;
    }
    space->unverified = space->tangled_count > 0 || space->within_count > 0;
    for (int32_t i = 0; i < space->tangled_count; i++)
        pull_apart(space, &space->tangles[i]);
}
