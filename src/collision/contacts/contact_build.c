// Near pairs become contacts, each with a normal, weights and the distance to keep, found from where
// the particles were at the start of the substep: there nothing intersects, so that the side on which
// each lies is known without a memory (Mueller et al. 2006, section 4.3, needs one).
#include "collision/contacts/contact_build.h"

#include "collision/contacts/exempt.h"
#include "base/parallel_append.h"
#include "collision/particle_contact/particle_contact.h"
#include "collision/contacts/contact_solve.h"

// Edges at a smaller angle than this (its sine squared) are nearly parallel; where lines are nearest is known to this
// part of an edge in float for others.
#define LINE_ANGLE 1e-3f
#define LINE_MARGIN 0.02f

typedef struct toucher {
    pli_collision *collision;
    int32_t list;
} toucher;

static pli_dvec3 double_at(const pli_collision *collision, int32_t i)
{
    const pli_particle *p = &collision->previous[i];
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

static bool nearest_is_side(const pli_collision *collision, const pli_candidate_pair *pair, const pli_contact_mesh *s,
                            int32_t side, pli_dvec3 apart)
{
    int32_t triangle = pair->primitive[1], apex = s->apexes[3 * triangle + side];
    if (!(s->owned[triangle] & 8 << side))
        return false;
    return apex < 0 ||
           !leans_over(apart, double_at(collision, pair->at[1 + side]),
                       double_at(collision, pair->at[1 + (side + 1) % 3]), double_at(collision, s->first + apex));
}

static bool nearest_is_corner(const pli_collision *collision, const pli_candidate_pair *pair, const pli_contact_mesh *s,
                              int32_t corner, pli_dvec3 apart)
{
    if (!(s->owned[pair->primitive[1]] & 1 << corner))
        return false;
    int32_t place = pair->at[1 + corner] - s->first;
    pli_dvec3 at = double_at(collision, pair->at[1 + corner]);
    for (int32_t k = s->ring_begins[place]; k < s->ring_ends[place]; k++)
        if (pli_ddot(apart, pli_dsub(double_at(collision, s->first + s->ring[k]), at)) > 0.0)
            return false;
    return true;
}

// Against an edge without triangles an end of the other edge answers too: for its vertex, if it is the
// first edge there.
static bool end_answers(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *c,
                        int32_t side)
{
    const pli_contact_mesh *thin = collision->surfaces[pair->surface[1 - side]],
                           *s = collision->surfaces[pair->surface[side]];
    int32_t end = 2 * side + (c->weights[2 * side] == 0.0);
    if (thin->triangle_count > 0 || thin->edge_count == 0)
        return false;
    int32_t place = pair->at[end] - s->first, other = pair->at[end ^ 1] - s->first;
    return s->ring[s->ring_begins[place]] == other;
}

static bool edges_are_nearest(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *c)
{
    bool within[2] = {c->weights[0] > 0.0 && c->weights[1] > 0.0, c->weights[2] < 0.0 && c->weights[3] < 0.0};
    return (within[0] || end_answers(collision, pair, c, 0)) && (within[1] || end_answers(collision, pair, c, 1));
}

// Each part of a surface answers for what lies in its own region, so that a point over a sheet has one
// contact and not one with every triangle around: Chen et al. 2025, Offset Geometric Contact, section 3.
static bool is_nearest(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *c)
{
    if (pair->kind == PLI_PAIR_EDGE_EDGE)
        return edges_are_nearest(collision, pair, c);
    const pli_contact_mesh *s = collision->surfaces[pair->surface[1]];
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
        return nearest_is_side(collision, pair, s, (missing + 1) % 3, c->apart);
    return nearest_is_corner(collision, pair, s, last, c->apart);
}

static float friction_of(const pli_contact_mesh *a, const pli_contact_mesh *b)
{
    if (a->collider || b->collider)
        return (a->collider ? a : b)->material.friction;
    return sqrtf(a->material.friction * b->material.friction);
}

static float sum_along(const pli_surface_contact *t, const pli_particle *particles, pli_vec3 normal)
{
    float sum = 0.0f;
    pli_vec3 origin = pli_place_of(&particles[t->at[0]]);
    for (int i = 1; i < 4; i++)
        sum += t->weights[i] * pli_dot(normal, pli_sub(pli_place_of(&particles[t->at[i]]), origin));
    return sum;
}

static void fill(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *c,
                 pli_surface_contact *t)
{
    const pli_contact_mesh *a = collision->surfaces[pair->surface[0]], *b = collision->surfaces[pair->surface[1]];
    for (int i = 0; i < 4; i++) {
        t->at[i] = pair->at[i];
        t->weights[i] = (float)c->weights[i];
    }
    t->surface[0] = pair->surface[0];
    t->surface[1] = pair->surface[1];
    t->split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    t->particles = 4;
    float distance = (float)sqrt(c->square),
          recovered = distance + PLI_RECOVERY * (pair->rest_distance - pair->core) * collision->step;
    t->normal = pair->normal;
    t->rest_distance = fminf(pair->rest_distance, recovered);
    t->friction = friction_of(a, b);
    t->restitution = fmaxf(a->material.restitution, b->material.restitution);
    t->push = 0.0f;
    t->rubbed = 0.0f;
    t->kick = 0.0f;
    t->approach = (sum_along(t, collision->particles, t->normal) - sum_along(t, collision->previous, t->normal)) /
                  collision->step;
}

// Whether two edges are surely nearest at an end of one of them, as most are: where their lines are nearest, one is beyond
// its ends by more than rounding can make of it. The exact answer to the same is_nearest gives.
static bool are_nearest_at_ends(const pli_collision *collision, const pli_candidate_pair *pair)
{
    if (pair->kind != PLI_PAIR_EDGE_EDGE || collision->surfaces[pair->surface[0]]->triangle_count == 0 ||
        collision->surfaces[pair->surface[1]]->triangle_count == 0)
        return false;
    pli_vec3 at[4];
    for (int i = 0; i < 4; i++)
        at[i] = pli_place_of(&collision->previous[pair->at[i]]);
    pli_vec3 d1 = pli_sub(at[1], at[0]), d2 = pli_sub(at[3], at[2]), r = pli_sub(at[0], at[2]);
    float a = pli_dot(d1, d1), e = pli_dot(d2, d2), b = pli_dot(d1, d2), c = pli_dot(d1, r), f = pli_dot(d2, r);
    float whole = a * e - b * b, s = b * f - c * e, t = a * f - b * c, margin = LINE_MARGIN * whole;
    return whole > LINE_ANGLE * a * e && (s < -margin || s > whole + margin || t < -margin || t > whole + margin);
}

static bool surface_contact_of(const pli_collision *collision, pli_candidate_pair *pair, float nearer,
                               pli_surface_contact *t)
{
    float near = pli_pair_near(pair);
    if (pair->gap - nearer > near)
        return false;
    if (pli_pair_gap(pair, collision->previous, pair->normal) > near &&
        pli_pair_gap(pair, collision->particles, pair->normal) > near)
        return false;
    if (are_nearest_at_ends(collision, pair))
        return false;
    pli_dvec3 at[4];
    pli_pair_positions(pair, collision->previous, at);
    pli_closest c = pli_closest_points((pli_pair_kind)pair->kind, at);
    double distance = sqrt(c.square);
    if (!(distance > 0.0))
        return false;
    pair->normal = (pli_vec3){(float)(c.apart.x / distance), (float)(c.apart.y / distance),
                              (float)(c.apart.z / distance)};
    if (!is_nearest(collision, pair, &c) || pli_pair_exempt(collision, pair))
        return false;
    fill(collision, pair, &c, t);
    return sum_along(t, collision->particles, t->normal) < near;
}

static void look_at_cluster_pairs(void *data, int32_t chunk, void *out, int32_t room, int32_t *count)
{
    const toucher *u = data;
    pli_candidate_list *list = &u->collision->cache.lists[u->list];
    pli_surface_contact *surface_contacts = out;
    int32_t end = (chunk + 1) * PLI_CLUSTER_PAIR_GRAIN < list->cluster_pairs.count
                      ? (chunk + 1) * PLI_CLUSTER_PAIR_GRAIN
                      : list->cluster_pairs.count;
    float nearer = pli_collision_nearer(u->collision);
    *count = 0;
    for (int32_t m = chunk * PLI_CLUSTER_PAIR_GRAIN; m < end; m++) {
        const pli_cluster_pair *cluster_pair = &list->cluster_pairs.items[m];
        for (int32_t i = cluster_pair->begin; i < cluster_pair->begin + cluster_pair->count; i++) {
            pli_surface_contact t;
            if (!surface_contact_of(u->collision, &list->pairs.items[i], nearer, &t))
                continue;
            if (*count < room)
                surface_contacts[*count] = t;
            ++*count;
        }
    }
}

static bool surface_contact_list(pli_collision *collision, int32_t which)
{
    toucher u = {collision, which};
    const pli_appending what = {
        .size = sizeof(pli_surface_contact),
        .chunks = pli_cluster_pair_chunks(&collision->cache.lists[which]),
        .capacity = &collision->contacts.room,
        .append = look_at_cluster_pairs,
        .data = &u,
    };
    const pli_append_tools tools = pli_collision_tools(collision);
    return pli_append_to_array(&tools, &what, &collision->contacts.surface_contacts);
}

static bool add_holds(pli_collision *collision)
{
    int64_t all = (int64_t)collision->contacts.surface_contacts.count + collision->contacts.holds.count;
    if (!pli_array_reserve(collision->memory, &collision->contacts.surface_contacts, all))
        return false;
    for (int32_t i = 0; i < collision->contacts.holds.count; i++)
        collision->contacts.surface_contacts.items[collision->contacts.surface_contacts.count++] =
            collision->contacts.holds.items[i];
    return true;
}

void pli_collision_build_contacts(pli_collision *collision)
{
    collision->contacts.surface_contacts.count = 0;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        if (collision->cache.has_pairs[list] && !surface_contact_list(collision, list))
            collision->out_of_memory = true;
    if (collision->has_particle_lists && !pli_collision_build_particle_contacts(collision))
        collision->out_of_memory = true;
    if (!add_holds(collision))
        collision->out_of_memory = true;
    if (!pli_surface_contacts_colour(collision))
        collision->out_of_memory = true;
}
