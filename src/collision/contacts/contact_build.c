// Builds the contacts of a substep, except exempt pairs: intersecting primitives, particles inside a collider, and the back of
// one-sided colliders.
#include "collision/contacts/contact.h"

#include "base/parallel_append.h"
#include "collision/contacts/pair_window.h"
#include "collision/particle_contact/particle_contact.h"
#include "collision/untangle/separate.h"
#include "collision/untangle/touching.h"

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

/* ---- contacts -------------------------------------------------------------------------------- */

// Contacts of a substep from candidate pairs: normal, weights and rest distance. The normal is taken at the start of
// the substep, where nothing intersects, so the side of each primitive is known without a history (Mueller et al. 2006,
// Position Based Dynamics, section 4.3, needs one).
//
//           o vertex (start of the substep)
//           |
//         n ^     C = n . (x_a - x_b) - rest distance >= 0
//           |     x_a, x_b: weighted sums of the particles of a side
//    -------*------------- triangle

// Cloth slides on cloth if, in a substep, it moves along it by more than this fraction of the distance that they keep.
#define SLIDE_SHARE 0.02

typedef struct contact_search {
    pli_collision *collision;
    int32_t list;
} contact_search;

// Does the point project onto the neighbouring triangle beyond side a b? Then that triangle is closer.
static bool projects_onto_neighbour(pli_dvec3 apart, pli_dvec3 a, pli_dvec3 b, pli_dvec3 apex)
{
    pli_dvec3 side = pli_dsub(b, a), out = pli_dsub(apex, a);
    double square = pli_ddot(side, side);
    if (square > 0.0)
        out = pli_dsub(out, pli_dscale(side, pli_ddot(out, side) / square));
    return pli_ddot(apart, out) > 0.0;
}

// An edge without triangles (a capsule) also takes contacts at an end of the other edge, once for each vertex: only the
// first edge of the vertex's ring makes this contact.
static bool end_takes_contact(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *c,
                              int32_t side)
{
    const pli_contact_mesh *thin = collision->surfaces[pair->surface[1 - side]],
                           *s = collision->surfaces[pair->surface[side]];
    int32_t end = 2 * side + (c->weights[2 * side] == 0.0);
    if (thin->triangle_count > 0 || thin->edge_count == 0)
        return false;
    int32_t place = pair->at[end] - s->first, other = pair->at[end ^ 1] - s->first;
    return s->rings.places[s->rings.begins[place]] == other;
}

// Each primitive takes the contacts in its own Voronoi region, so that a point over cloth has one contact rather than
// one for each nearby triangle: Chen et al. 2025, Offset Geometric Contact, section 3.
static bool contact_is_nearest(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *c)
{
    if (pair->kind == PLI_PAIR_EDGE_EDGE) {
        bool within[2] = {c->weights[0] > 0.0 && c->weights[1] > 0.0, c->weights[2] < 0.0 && c->weights[3] < 0.0};
        return (within[0] || end_takes_contact(collision, pair, c, 0)) &&
               (within[1] || end_takes_contact(collision, pair, c, 1));
    }
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
    if (corners == 2) {
        int32_t side = (missing + 1) % 3;
        int32_t triangle = pair->primitive[1], apex = s->apexes[3 * triangle + side];
        if (!(s->owned[triangle] & 8 << side))
            return false;
        return apex < 0 || !projects_onto_neighbour(c->apart, pli_start_position(collision, pair->at[1 + side]),
                                                    pli_start_position(collision, pair->at[1 + (side + 1) % 3]),
                                                    pli_start_position(collision, s->first + apex));
    }
    if (!(s->owned[pair->primitive[1]] & 1 << last))
        return false;
    int32_t place = pair->at[1 + last] - s->first;
    pli_dvec3 at = pli_start_position(collision, pair->at[1 + last]);
    for (int32_t k = s->rings.begins[place]; k < s->rings.ends[place]; k++)
        if (pli_ddot(c->apart, pli_dsub(pli_start_position(collision, s->first + s->rings.places[k]), at)) > 0.0)
            return false;
    return true;
}

// Friction coefficient of one side at the contact; its particles are begin..end-1 of the pair.
static float friction_at(const pli_contact_mesh *surface, const pli_candidate_pair *pair, const pli_closest *c,
                         int begin, int end)
{
    const pli_contact_mesh_material *material = &surface->material;
    if (!material->frictions)
        return material->friction;
    float sum = 0.0f;
    for (int i = begin; i < end; i++) {
        sum += fabsf((float)c->weights[i]) * material->frictions[pair->at[i] - surface->first];
    }
    return sum;
}

static float friction_of(const pli_contact_mesh *a, const pli_contact_mesh *b, const pli_candidate_pair *pair,
                         const pli_closest *c)
{
    // Cloth that a pocket pulls along the collider presses on it; friction would keep the pocket inside.
    if ((a->contains && b->moves_out) || (b->contains && a->moves_out))
        return 0.0f;
    if (a->collider || b->collider)
        return (a->collider ? a : b)->material.friction;
    int split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    return sqrtf(friction_at(a, pair, c, 0, split) * friction_at(b, pair, c, split, 4));
}

static void contact_fill(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *c,
                         pli_dvec3 normal, pli_dvec3 displacement, pli_surface_contact *t)
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
    float distance = (float)sqrt(c->square);
    t->normal = (pli_vec3){(float)normal.x, (float)normal.y, (float)normal.z};
    t->rest_distance = pair->rest_distance;
    t->recovery = PLI_RECOVERY * (pair->rest_distance - pair->core) * collision->substep.length;
    t->depth = fminf(pair->rest_distance - distance, t->recovery);
    t->lift = t->plane_side < 0 ? 0.0f : distance - (float)pli_ddot(normal, c->apart);
    t->friction = friction_of(a, b, pair, c);
    t->restitution = fmaxf(a->material.restitution, b->material.restitution);
    t->warm = 0;
    t->normal_sum = 0.0f;
    t->drag = (pli_vec3){0.0f, 0.0f, 0.0f};
    t->friction_sum = 0.0f;
    t->slips = 0.0f;
    t->restitution_impulse = 0.0f;
    t->approach = (float)pli_ddot(normal, displacement) / collision->substep.length;
}

// Does the other side slide along this one in the substep, so that planes matter? Cloth that rests on cloth keeps the
// directions between closest points, which change steadily; fixed surfaces always use their planes.
static bool slides(const pli_collision *collision, const pli_candidate_pair *pair, pli_dvec3 normal,
                   pli_dvec3 displacement)
{
    int split = pair->kind == PLI_PAIR_EDGE_EDGE ? 2 : 1;
    bool moves[2] = {false, false};
    for (int i = 0; i < 4; i++)
        moves[i >= split] |= collision->particles[pair->at[i]].w > 0.0f;
    double along = pli_ddot(normal, displacement), least = SLIDE_SHARE * (double)pair->rest_distance;
    return !moves[0] || !moves[1] || pli_ddot(displacement, displacement) - along * along > least * least;
}

// Would a contact fling its particles? If the only free particles are at a point that the contact hardly touches, next to pinned ones,
// they would move by this multiple of the depth. CCD handles such pairs, and pairs of pinned particles only.
#define CONTACT_FARTHEST 30.0
static bool throws(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *c)
{
    double inverse_mass = 0.0, most = 0.0;
    for (int i = 0; i < 4; i++) {
        double share = (double)collision->particles[pair->at[i]].w * fabs(c->weights[i]);
        inverse_mass += share * fabs(c->weights[i]);
        most = fmax(most, share);
    }
    bool is_carried = collision->surfaces[pair->surface[0]]->rigid || collision->surfaces[pair->surface[1]]->rigid;
    return !is_carried && !(most < CONTACT_FARTHEST * inverse_mass);
}

static bool contact_make(const pli_collision *collision, pli_candidate_pair *pair, const pli_closest *c,
                         pli_surface_contact *t)
{
    double distance = sqrt(c->square);
    pli_dvec3 normal;
    if (!pli_pair_direction(collision, pair, c, &normal))
        return false;
    pair->normal = (pli_vec3){(float)normal.x, (float)normal.y, (float)normal.z};
    if (!contact_is_nearest(collision, pair, c) || pli_pair_exempt(collision, pair))
        return false;
    // Every sufficiently long list of pairs must yield the same contacts, so their choice depends only on the direction
    // between the closest points, not on planes.
    //
    // Displacement of side a relative to side b in this substep before any projection [m].
    pli_dvec3 displacement = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        const pli_particle *p = &collision->particles[pair->at[i]], *q = &collision->previous[pair->at[i]];
        const pli_dvec3 moved = {(double)p->x - (double)q->x, (double)p->y - (double)q->y, (double)p->z - (double)q->z};
        displacement = pli_dadd(displacement, pli_dscale(moved, c->weights[i]));
    }
    if (!(distance + pli_ddot(normal, displacement) < (double)pair->near) || throws(collision, pair, c))
        return false;
    t->plane_side = (int8_t)(distance > PLI_TOUCHING && slides(collision, pair, normal, displacement)
                                 ? pli_plane_at_contact(collision, pair, c, &normal)
                                 : -1);
    t->inside_triangle = pair->kind == PLI_PAIR_VERTEX_TRIANGLE && c->weights[1] < 0.0 && c->weights[2] < 0.0 &&
                         c->weights[3] < 0.0;
    contact_fill(collision, pair, c, normal, displacement, t);
    return true;
}

/* ---- the pairs of a chunk ----------------------------------------------------------------------- */

// Near pairs of one kind, with their closest points.
typedef struct near_pairs {
    int32_t at[PLI_WINDOW_BLOCKS][4][PLI_NEAR_LANES];
    pli_closest_block closest[PLI_WINDOW_BLOCKS];
    int32_t count;
} near_pairs;

typedef struct contact_building {
    const contact_search *search;
    pli_pair_window window;
    near_pairs near[2];
    pli_window_place left[PLI_WINDOW_PAIRS + 1]; // Near pairs in the order of the list, with slots in `near`.
    int32_t left_count;
    int32_t owners[PLI_WINDOW_PAIRS + 1],
        left_owners[PLI_WINDOW_PAIRS + 1]; // Owners of the pairs in the window, and of those in `left`.
    pli_surface_contact *out;
    int32_t capacity, count;
} contact_building;

// Does the pair need a closer look? It does not if the last separating direction still keeps its sides apart by more
// than `near`, nor if the lines of its edges come closest outside one of the edges, as for most edge pairs: is_nearest
// would reject these too, after more work. Edges without triangles take contacts at their ends.
static bool is_close(const contact_building *b, const pli_window_place *place)
{
    if (pli_pair_window_found(&b->window, place))
        return false;
    return !pli_pair_window_misses(&b->window, place) ||
           !(b->search->collision->surfaces[b->window.pairs[place->pair].surface[0]]->triangle_count > 0 &&
             b->search->collision->surfaces[b->window.pairs[place->pair].surface[1]]->triangle_count > 0);
}

static void make_contacts(contact_building *b)
{
    for (int32_t i = 0; i < b->left_count; i++) {
        const pli_window_place *at = &b->left[i];
        pli_surface_contact t;
        const pli_closest c = pli_closest_in(&b->near[at->kind].closest[at->slot / PLI_NEAR_LANES],
                                             at->slot % PLI_NEAR_LANES);
        pli_listed_pair *listed = &b->window.pairs[at->pair];
        pli_candidate_pair pair = pli_pair_read(b->search->collision, listed);
        bool is_contact = contact_make(b->search->collision, &pair, &c, &t);
        listed->normal = pair.normal;
        if (!is_contact)
            continue;
        t.owner = b->left_owners[i];
        if (b->count < b->capacity)
            b->out[b->count] = t;
        b->count++;
    }
}

// Makes the contacts of the pairs in the window, and empties it.
static void contact_flush(contact_building *b)
{
    b->left_count = b->near[0].count = b->near[1].count = 0;
    pli_pair_window_find_apart(&b->window);
    for (int32_t i = 0; i < b->window.count; i++) {
        b->left[b->left_count] = b->window.places[i];
        b->left_owners[b->left_count] = b->owners[i];
        b->left_count += is_close(b, &b->window.places[i]);
    }
    for (int32_t i = 0; i < b->left_count; i++) {
        near_pairs *to = &b->near[b->left[i].kind];
        int32_t slot = to->count++, lane = b->left[i].slot % PLI_NEAR_LANES;
        const pli_pair_block *from = &b->window.blocks[b->left[i].kind][b->left[i].slot / PLI_NEAR_LANES];
        for (int32_t k = 0; k < 4; k++)
            to->at[slot / PLI_NEAR_LANES][k][slot % PLI_NEAR_LANES] = from->at[k][lane];
        b->left[i].slot = slot;
    }
    const pli_collision *collision = b->search->collision;
    for (int32_t kind = 0; kind < 2; kind++)
        for (int32_t i = 0; i * PLI_NEAR_LANES < b->near[kind].count; i++) {
            pli_pair_block_fill(b->near[kind].at[i], b->near[kind].count - i * PLI_NEAR_LANES);
            collision->kernels.closest->closest[kind](
                collision->previous, (const int32_t(*)[PLI_NEAR_LANES])b->near[kind].at[i], &b->near[kind].closest[i]);
        }
    make_contacts(b);
    pli_pair_window_begin(&b->window, b->window.collision, b->window.pairs);
}

static void contact_build_chunk(void *data, int32_t chunk, void *out, int32_t capacity, int32_t *count)
{
    const contact_search *u = data;
    const pli_candidate_list *list = &u->collision->cache.lists[u->list];
    int32_t end = (chunk + 1) * PLI_CLUSTER_PAIR_GRAIN < list->cluster_pairs.count
                      ? (chunk + 1) * PLI_CLUSTER_PAIR_GRAIN
                      : list->cluster_pairs.count;
    float deviation = pli_collision_pair_deviation(u->collision);
    contact_building b; // It is large, so only the used part is initialised.
    b.search = u, b.out = out, b.capacity = capacity, b.count = 0;
    pli_pair_window_begin(&b.window, u->collision, list->pairs.items);
    for (int32_t m = chunk * PLI_CLUSTER_PAIR_GRAIN; m < end; m++) {
        const pli_cluster_pair *cluster_pair = &list->cluster_pairs.items[m];
        if (cluster_pair->made || cluster_pair->least.contact > deviation)
            continue;
        int32_t owner = pli_contact_owner(u->list, m);
        for (int32_t i = cluster_pair->begin; i < cluster_pair->begin + cluster_pair->count; i++) {
            b.owners[b.window.count] = owner;
            pli_pair_window_offer(&b.window, i, !(list->spares.items[i].contact > deviation));
            if (pli_pair_window_is_full(&b.window))
                contact_flush(&b);
        }
    }
    contact_flush(&b);
    *count = b.count;
}

static bool build_list(pli_collision *collision, int32_t which)
{
    contact_search u = {collision, which};
    const pli_appending what = {
        .size = sizeof(pli_surface_contact),
        .chunks = pli_cluster_pair_chunks(&collision->cache.lists[which]),
        .capacity = &collision->contacts.chunk_capacity,
        .append = contact_build_chunk,
        .data = &u,
    };
    const pli_append_tools tools = pli_collision_tools(collision);
    return pli_append_to(&tools, &what, &collision->contacts.surface_contacts);
}

static bool add_one_sided(pli_collision *collision)
{
    int64_t all = (int64_t)collision->contacts.surface_contacts.count + collision->contacts.one_sided.count;
    if (!pli_array_reserve(collision->memory, &collision->contacts.surface_contacts, all))
        return false;
    for (int32_t i = 0; i < collision->contacts.one_sided.count; i++)
        collision->contacts.surface_contacts.items[collision->contacts.surface_contacts.count++] =
            collision->contacts.one_sided.items[i];
    return true;
}

void pli_collision_build_contacts(pli_collision *collision)
{
    if (!pli_contacts_keep(collision))
        collision->out_of_memory = true;
    int32_t kept = collision->contacts.surface_contacts.count;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        if (collision->cache.has_pairs[list] && !build_list(collision, list))
            collision->out_of_memory = true;
    if (kept > 0 && !pli_contacts_order(collision))
        collision->out_of_memory = true;
    if (collision->particle_lists.has_any && !pli_collision_build_particle_contacts(collision))
        collision->out_of_memory = true;
    if (!pli_contacts_note_made(collision))
        collision->out_of_memory = true;
    if (!add_one_sided(collision))
        collision->out_of_memory = true;
    if (!pli_surface_contacts_cull(collision) || !pli_surface_contacts_colour(collision))
        collision->out_of_memory = true;
}
