// Near pairs become contacts, each with a normal, weights and the distance to keep, found from where
// the particles were at the start of the substep: there nothing intersects, so that the side on which
// each lies is known without a memory (Mueller et al. 2006, section 4.3, needs one).
#include "collision/touch.h"

#include "collision/exempt.h"
#include "collision/gather.h"
#include "collision/particles.h"
#include "collision/push.h"

// Edges at a smaller angle than this (its sine squared) are nearly parallel; where lines are nearest is known to this
// part of an edge in float for others.
#define LINE_ANGLE 1e-3f
#define LINE_MARGIN 0.02f

typedef struct toucher {
    pli_space *space;
    int32_t list;
} toucher;

static pli_dvec3 double_at(const pli_space *space, int32_t i)
{
    const pli_particle *p = &space->previous[i];
    return (pli_dvec3){(double)p->x, (double)p->y, (double)p->z};
}

// Whether a point beyond the side `a b` leans over the triangle on its other side, which is nearer then.
static bool leans_over(pli_dvec3 apart, pli_dvec3 a, pli_dvec3 b, pli_dvec3 apex)
{
    pli_dvec3 side = pli_dsub(b, a), out = pli_dsub(apex, a);
    double square = pli_ddot(side, side);
    if (square > 0.0)
        out = pli_dsub(out, pli_dscale(side, pli_ddot(out, side) / square));
    return pli_ddot(apart, out) > 0.0;
}

static bool nearest_is_side(const pli_space *space, const pli_pair *pair, const pli_surface *s, int32_t side,
                            pli_dvec3 apart)
{
    int32_t triangle = pair->primitive[1], apex = s->apexes[3 * triangle + side];
    if (!(s->owned[triangle] & 8 << side))
        return false;
    return apex < 0 || !leans_over(apart, double_at(space, pair->at[1 + side]),
                                   double_at(space, pair->at[1 + (side + 1) % 3]), double_at(space, s->first + apex));
}

static bool nearest_is_corner(const pli_space *space, const pli_pair *pair, const pli_surface *s, int32_t corner,
                              pli_dvec3 apart)
{
    if (!(s->owned[pair->primitive[1]] & 1 << corner))
        return false;
    int32_t place = pair->at[1 + corner] - s->first;
    pli_dvec3 at = double_at(space, pair->at[1 + corner]);
    for (int32_t k = s->ring_begins[place]; k < s->ring_ends[place]; k++)
        if (pli_ddot(apart, pli_dsub(double_at(space, s->first + s->ring[k]), at)) > 0.0)
            return false;
    return true;
}

// Against an edge without triangles an end of the other edge answers too: for its vertex, if it is the
// first edge there.
static bool end_answers(const pli_space *space, const pli_pair *pair, const pli_closest *c, int32_t side)
{
    const pli_surface *thin = space->surfaces[pair->surface[1 - side]], *s = space->surfaces[pair->surface[side]];
    int32_t end = 2 * side + (c->weights[2 * side] == 0.0);
    if (thin->triangle_count > 0 || thin->edge_count == 0)
        return false;
    int32_t place = pair->at[end] - s->first, other = pair->at[end ^ 1] - s->first;
    return s->ring[s->ring_begins[place]] == other;
}

static bool edges_are_nearest(const pli_space *space, const pli_pair *pair, const pli_closest *c)
{
    bool within[2] = {c->weights[0] > 0.0 && c->weights[1] > 0.0, c->weights[2] < 0.0 && c->weights[3] < 0.0};
    return (within[0] || end_answers(space, pair, c, 0)) && (within[1] || end_answers(space, pair, c, 1));
}

// Each part of a surface answers for what lies in its own region, so that a point over a sheet has one
// contact and not one with every triangle around: Chen et al. 2025, Offset Geometric Contact, section 3.
static bool is_nearest(const pli_space *space, const pli_pair *pair, const pli_closest *c)
{
    if (pair->kind == PLI_PAIR_EDGE_EDGE)
        return edges_are_nearest(space, pair, c);
    const pli_surface *s = space->surfaces[pair->surface[1]];
    int32_t corners = 0, last = 0, missing = 0;
    for (int32_t k = 0; k < 3; k++) {
        bool used = c->weights[1 + k] < 0.0;
        corners += used;
        last = used ? k : last;
        missing = used ? missing : k;
    }
    if (corners == 3)
        return true;
    if (corners == 2)
        return nearest_is_side(space, pair, s, (missing + 1) % 3, c->apart);
    return nearest_is_corner(space, pair, s, last, c->apart);
}

static float friction_of(const pli_surface *a, const pli_surface *b)
{
    if (a->collider || b->collider)
        return (a->collider ? a : b)->material.friction;
    return sqrtf(a->material.friction * b->material.friction);
}

static float sum_along(const pli_touch *t, const pli_particle *particles, pli_vec3 normal)
{
    float sum = 0.0f;
    pli_vec3 origin = pli_place_of(&particles[t->at[0]]);
    for (int i = 1; i < 4; i++)
        sum += t->weights[i] * pli_dot(normal, pli_sub(pli_place_of(&particles[t->at[i]]), origin));
    return sum;
}

static void fill(const pli_space *space, const pli_pair *pair, const pli_closest *c, pli_touch *t)
{
    const pli_surface *a = space->surfaces[pair->surface[0]], *b = space->surfaces[pair->surface[1]];
    for (int i = 0; i < 4; i++) {
        t->at[i] = pair->at[i];
        t->weights[i] = (float)c->weights[i];
    }
    t->surface[0] = pair->surface[0];
    t->surface[1] = pair->surface[1];
    t->split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    t->particles = 4;
    float distance = (float)sqrt(c->square),
          recovered = distance + PLI_RECOVERY * (pair->keep - pair->core) * space->step;
    t->normal = pair->normal;
    t->keep = fminf(pair->keep, recovered);
    t->friction = friction_of(a, b);
    t->restitution = fmaxf(a->material.restitution, b->material.restitution);
    t->push = 0.0f;
    t->rubbed = 0.0f;
    t->kick = 0.0f;
    t->approach = (sum_along(t, space->particles, t->normal) - sum_along(t, space->previous, t->normal)) / space->step;
}

// Whether two edges are surely nearest at an end of one of them, as most are: where their lines are nearest, one is beyond
// its ends by more than rounding can make of it. The exact answer to the same is_nearest gives.
static bool are_nearest_at_ends(const pli_space *space, const pli_pair *pair)
{
    if (pair->kind != PLI_PAIR_EDGE_EDGE || space->surfaces[pair->surface[0]]->triangle_count == 0 ||
        space->surfaces[pair->surface[1]]->triangle_count == 0)
        return false;
    pli_vec3 at[4];
    for (int i = 0; i < 4; i++)
        at[i] = pli_place_of(&space->previous[pair->at[i]]);
    pli_vec3 d1 = pli_sub(at[1], at[0]), d2 = pli_sub(at[3], at[2]), r = pli_sub(at[0], at[2]);
    float a = pli_dot(d1, d1), e = pli_dot(d2, d2), b = pli_dot(d1, d2), c = pli_dot(d1, r), f = pli_dot(d2, r);
    float whole = a * e - b * b, s = b * f - c * e, t = a * f - b * c, margin = LINE_MARGIN * whole;
    return whole > LINE_ANGLE * a * e && (s < -margin || s > whole + margin || t < -margin || t > whole + margin);
}

static bool touch_of(const pli_space *space, pli_pair *pair, float nearer, pli_touch *t)
{
    float near = pli_pair_near(pair);
    if (pair->gap - nearer > near)
        return false;
    if (pli_pair_gap(pair, space->previous, pair->normal) > near &&
        pli_pair_gap(pair, space->particles, pair->normal) > near)
        return false;
    if (are_nearest_at_ends(space, pair))
        return false;
    pli_dvec3 at[4];
    pli_pair_positions(pair, space->previous, at);
    pli_closest c = pli_closest_points((pli_pair_kind)pair->kind, at);
    double distance = sqrt(c.square);
    if (!(distance > 0.0))
        return false;
    pair->normal = (pli_vec3){(float)(c.apart.x / distance), (float)(c.apart.y / distance),
                              (float)(c.apart.z / distance)};
    if (!is_nearest(space, pair, &c) || pli_pair_exempt(space, pair))
        return false;
    fill(space, pair, &c, t);
    return sum_along(t, space->particles, t->normal) < near;
}

static void look_at_meetings(void *data, int32_t chunk, void *out, int32_t room, int32_t *count)
{
    const toucher *u = data;
    pli_pair_list *list = &u->space->cache.lists[u->list];
    pli_touch *touches = out;
    int32_t end = (chunk + 1) * PLI_MEETING_GRAIN < list->meetings.count ? (chunk + 1) * PLI_MEETING_GRAIN
                                                                         : list->meetings.count;
    float nearer = pli_space_nearer(u->space);
    *count = 0;
    for (int32_t m = chunk * PLI_MEETING_GRAIN; m < end; m++) {
        const pli_meeting *meeting = &list->meetings.items[m];
        for (int32_t i = meeting->begin; i < meeting->begin + meeting->count; i++) {
            pli_touch t;
            if (!touch_of(u->space, &list->pairs.items[i], nearer, &t))
                continue;
            if (*count < room)
                touches[*count] = t;
            ++*count;
        }
    }
}

static bool touch_list(pli_space *space, int32_t which)
{
    toucher u = {space, which};
    const pli_gathering what = {
        .size = sizeof(pli_touch),
        .chunks = pli_meeting_chunks(&space->cache.lists[which]),
        .room = &space->contacts.room,
        .ask = look_at_meetings,
        .data = &u,
    };
    const pli_gather_tools tools = pli_space_tools(space);
    return pli_gather_to(&tools, &what, &space->contacts.touches);
}

static bool add_holds(pli_space *space)
{
    int64_t all = (int64_t)space->contacts.touches.count + space->contacts.holds.count;
    if (!pli_array_reserve(space->memory, &space->contacts.touches, all))
        return false;
    for (int32_t i = 0; i < space->contacts.holds.count; i++)
        space->contacts.touches.items[space->contacts.touches.count++] = space->contacts.holds.items[i];
    return true;
}

void pli_space_touch(pli_space *space)
{
    space->contacts.touches.count = 0;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        if (space->cache.has_pairs[list] && !touch_list(space, list))
            space->starved = true;
    if (space->has_particle_lists && !pli_space_touch_particles(space))
        space->starved = true;
    if (!add_holds(space))
        space->starved = true;
    if (!pli_touches_colour(space))
        space->starved = true;
}
