// Finds intersections, edges that cross triangles, at the start of the substep. After a possible teleport all
// clusters are tested, later only clusters near known intersections.
#include "collision/untangle/intersections.h"

#include "base/stop_request.h"
#include "collision/narrowphase/closest_points.h"
#include "collision/pair_search/cluster_pairs.h"
#include "collision/untangle/push_out.h"
#include "collision/untangle/separate.h"
#include "collision/untangle/touching.h"

#include <stdlib.h>
#include <string.h>

// During separation, the number of intersections may grow by 1/MORE_PART of those found, plus MORE_LEAST.
enum { MORE_PART = 2, MORE_LEAST = 8 };

// Most rounds that separate surfaces that cross by rounding.
enum { ROUNDING_ROUNDS = 8 };

typedef struct intersection_search {
    pli_find *find;
    pli_cluster_overlap pair;
    bool complete;
    int64_t left;     // Number of cluster pairs that may still be tested.
    bool only_counts; // Intersections are counted, but not listed for untangling.
    int32_t counted;
    float reach;         // Distance up to which edges and triangles are tested [m].
    const double *sizes; // With `shifts`: largest coordinates by surface (untangle/rounding.h) [m].
    pli_dvec3 *shifts;   // Not null: the search only separates pairs that cross or are near by rounding.
    bool parted;         // The search separated a pair.
} intersection_search;

// An edge that ends in a corner of the triangle, or at the position of one, does not cross it.
static bool share_a_corner(const pli_intersection *t)
{
    for (int e = 0; e < 2; e++)
        for (int c = 0; c < 3; c++)
            if (t->edge[e] == t->corners[c])
                return true;
    return false;
}

static bool intersection_shares_place(const pli_collision *collision, const pli_intersection *t)
{
    for (int e = 0; e < 2; e++)
        for (int c = 0; c < 3; c++)
            if (pli_is_same_place(&collision->previous[t->edge[e]], &collision->previous[t->corners[c]]))
                return true;
    return false;
}

static bool test_pair(const pli_find *find, pli_intersection *t)
{
    const pli_collision *collision = find->collision;
    const pli_contact_mesh *se = collision->surfaces[t->edge_surface], *st = collision->surfaces[t->triangle_surface];
    pli_dvec3 ends[2], corners[3];
    for (int k = 0; k < 2; k++)
        t->edge[k] = se->first + se->edges[2 * t->edge_index + k];
    for (int k = 0; k < 3; k++)
        t->corners[k] = st->first + st->triangles[3 * t->triangle_index + k];
    if (share_a_corner(t))
        return false;
    for (int k = 0; k < 2; k++)
        ends[k] = pli_start_position(collision, t->edge[k]);
    for (int k = 0; k < 3; k++)
        corners[k] = pli_start_position(collision, t->corners[k]);
    return pli_segment_meets_triangle(ends, corners, &t->part) && !intersection_shares_place(collision, t);
}

static bool add_intersection(pli_collision *collision, const pli_intersection *t)
{
    const int32_t surfaces[2] = {t->edge_surface, t->triangle_surface};
    const int32_t at[5] = {t->edge[0], t->edge[1], t->corners[0], t->corners[1], t->corners[2]};
    if (!pli_collision_allows(collision, surfaces, at, 2, 5))
        return true;
    if (!pli_array_reserve(collision->memory, &collision->untangle.intersections,
                           (int64_t)collision->untangle.intersections.count + 1))
        return false;
    collision->untangle.intersections.items[collision->untangle.intersections.count++] = *t;
    for (int k = 0; k < 2; k++)
        collision->untangle.intersecting.items[t->edge[k]] = 1;
    for (int k = 0; k < 3; k++)
        collision->untangle.intersecting.items[t->corners[k]] = 1;
    return true;
}

// Separates an edge and a triangle that cross or come near by rounding alone; within one surface, only if they cross.
static void part_pair(intersection_search *s, pli_intersection *t)
{
    pli_collision *collision = s->find->collision;
    const bool crosses = test_pair(s->find, t);
    const int32_t surfaces[2] = {t->edge_surface, t->triangle_surface};
    const int32_t at[5] = {t->edge[0], t->edge[1], t->corners[0], t->corners[1], t->corners[2]};
    if (crosses || (surfaces[0] != surfaces[1] && !intersection_shares_place(collision, t)))
        s->parted = (pli_collision_allows(collision, surfaces, at, 2, 5) &&
                     pli_part_rounded(collision, t, crosses, s->sizes, s->shifts)) ||
                    s->parted;
}

// Tests the edges of one cluster against the triangles of the other.
static void test_clusters(intersection_search *s, const int32_t surface[2], const int32_t cluster[2])
{
    const pli_collision *collision = s->find->collision;
    const pli_clusters *edges = &collision->surfaces[surface[0]]->clusters,
                       *triangles = &collision->surfaces[surface[1]]->clusters;
    for (int32_t k = 0; k < 2; k++)
        pli_find_refit_items_of(s->find, surface[k], cluster[k]);
    pli_near_items items = pli_clusters_items(edges, PLI_PRIMITIVE_EDGE, cluster[0]);
    pli_near_items others = pli_clusters_items(triangles, PLI_PRIMITIVE_TRIANGLE, cluster[1]);
    pli_near_box other = pli_find_box_of(collision->surfaces[surface[1]], cluster[1], s->reach);
    uint32_t found[PLI_NEAR_CAPACITY];
    for (uint32_t left = collision->kernels.near->meet(&items, &other, &others, s->reach, found); left;
         left &= left - 1) {
        int32_t i = __builtin_ctz(left), edge = edges->starts[PLI_PRIMITIVE_EDGE][cluster[0]] + i;
        for (uint32_t near = found[i]; near; near &= near - 1) {
            int32_t triangle = triangles->starts[PLI_PRIMITIVE_TRIANGLE][cluster[1]] + __builtin_ctz(near);
            pli_intersection t = {.edge_surface = surface[0],
                                  .edge_index = edges->items[PLI_PRIMITIVE_EDGE][edge],
                                  .triangle_surface = surface[1],
                                  .triangle_index = triangles->items[PLI_PRIMITIVE_TRIANGLE][triangle]};
            if (s->shifts) {
                part_pair(s, &t);
                continue;
            }
            if (!test_pair(s->find, &t))
                continue;
            if (s->only_counts)
                s->counted++;
            else
                s->complete = add_intersection(s->find->collision, &t) && s->complete;
        }
    }
}

// Are more intersections known than the work limit lets one substep separate?
static bool is_full(const pli_collision *collision)
{
    return collision->work.most_pairs > 0 &&
           collision->untangle.intersections.count > collision->work.most_pairs / PLI_INTERSECTION_WORK;
}

static intersection_search begin_search(pli_find *find)
{
    const pli_work *work = &find->collision->work;
    return (intersection_search){.find = find,
                                 .complete = true,
                                 .left = work->most_pairs > 0 ? work->most_pairs / PLI_CLUSTER_PAIR_WORK : INT64_MAX};
}

static void visit_clusters(void *data, const pli_cluster_overlap *p)
{
    intersection_search *s = data;
    if (!s->complete || s->left-- <= 0 || is_full(s->find->collision)) {
        s->find->collision->work.is_over = s->find->collision->work.is_over || s->complete;
        return;
    }
    const int32_t surface[2] = {p->surface[1], p->surface[0]}, cluster[2] = {p->cluster[1], p->cluster[0]};
    test_clusters(s, p->surface, p->cluster);
    if (surface[0] != surface[1] || cluster[0] != cluster[1])
        test_clusters(s, surface, cluster);
}

static void visit_all(intersection_search *s, int32_t list)
{
    for (int32_t i = 0; i < s->find->cluster_bases[s->find->surface_count] && s->complete; i++) {
        pli_find_clusters(s->find, i, list, visit_clusters, s);
        s->complete = s->complete && !pli_tasks_must_stop(s->find->collision->tasks);
    }
}

static bool search_all(pli_find *f, int32_t list)
{
    intersection_search s = begin_search(f);
    visit_all(&s, list);
    return s.complete;
}

static bool in_doubt(const pli_collision *collision, int32_t i)
{
    return (collision->untangle.intersections.count > 0 &&
            (collision->untangle.intersecting.items[i] || collision->untangle.regions.items[i].beyond)) ||
           (collision->untangle.inside_count > 0 && collision->untangle.inside_of.items[i] > 0);
}

// Whether a cluster must be tested against all others.
typedef bool (*cluster_test)(const pli_collision *collision, const pli_contact_mesh *s, int32_t cluster);

// Pairs of fixed primitives are no candidates, since nothing could separate them.
static bool has_fixed_edge(const pli_collision *collision, const pli_contact_mesh *s, int32_t cluster)
{
    const pli_clusters *p = &s->clusters;
    const pli_particle *particles = collision->particles + s->first;
    for (int32_t i = p->starts[PLI_PRIMITIVE_EDGE][cluster]; i < p->ends[PLI_PRIMITIVE_EDGE][cluster]; i++) {
        const int32_t *ends = s->edges + 2 * p->items[PLI_PRIMITIVE_EDGE][i];
        if (!s->collider && particles[ends[0]].w == 0.0f && particles[ends[1]].w == 0.0f)
            return true;
    }
    return false;
}

static bool cluster_in_doubt(const pli_collision *collision, const pli_contact_mesh *s, int32_t cluster)
{
    const pli_clusters *p = &s->clusters;
    for (int32_t i = p->starts[PLI_PRIMITIVE_TRIANGLE][cluster]; i < p->ends[PLI_PRIMITIVE_TRIANGLE][cluster]; i++)
        for (int k = 0; k < 3; k++)
            if (in_doubt(collision, s->first + s->triangles[3 * p->items[PLI_PRIMITIVE_TRIANGLE][i] + k]))
                return true;
    return false;
}

// Marks the clusters that are in doubt. Returns false when out of memory.
static bool mark_doubt(const pli_find *f, cluster_test is_doubtful)
{
    pli_collision *collision = f->collision;
    collision->untangle.doubtful = PLI_TAKE(&collision->arena, uint8_t, f->cluster_bases[f->surface_count]);
    if (!collision->untangle.doubtful)
        return false;
    for (int32_t a = 0; a < f->surface_count; a++)
        for (int32_t cluster = 0; cluster < collision->surfaces[a]->clusters.count; cluster++)
            collision->untangle.doubtful[f->cluster_bases[a] + cluster] = is_doubtful(collision, collision->surfaces[a],
                                                                                      cluster);
    return true;
}

static bool found_for_doubtful(void *data, int32_t cluster)
{
    intersection_search *s = data;
    int32_t a = s->pair.surface[0], b = s->pair.surface[1];
    s->pair.cluster[1] = cluster;
    bool searches_too = b < s->find->surface_count &&
                        s->find->collision->untangle.doubtful[s->find->cluster_bases[b] + cluster];
    if (!searches_too || a < b || (a == b && s->pair.cluster[0] <= cluster))
        visit_clusters(s, &s->pair);
    return true;
}

static bool intersection_found_surface(void *data, int32_t surface)
{
    intersection_search *s = data;
    const pli_collision *collision = s->find->collision;
    int32_t querying = s->pair.surface[0], cluster = s->pair.cluster[0];
    s->pair.surface[1] = surface;
    if (pli_collision_surfaces_collide(collision, querying, surface))
        pli_bvh16_query(&collision->surfaces[surface]->clusters.tree, collision->kernels.near,
                        &collision->surfaces[querying]->clusters.tree.swept_boxes[cluster], 0, found_for_doubtful, s);
    return true;
}

static bool find_intersections(pli_find *f, cluster_test is_doubtful)
{
    const pli_collision *collision = f->collision;
    if (is_doubtful) {
        // Test doubtful clusters against all others: elsewhere, contact and CCD have kept surfaces apart.
        intersection_search s = begin_search(f);
        for (int32_t a = 0; a < f->surface_count; a++) {
            const pli_clusters *clusters = &collision->surfaces[a]->clusters;
            for (int32_t cluster = 0; cluster < clusters->count && s.complete; cluster++) {
                s.complete = !pli_tasks_must_stop(collision->tasks);
                s.pair = (pli_cluster_overlap){{a, 0}, {cluster, 0}};
                if (collision->untangle.doubtful[f->cluster_bases[a] + cluster])
                    pli_bvh16_query(&collision->broadphase.tree, collision->kernels.near,
                                    &clusters->tree.swept_boxes[cluster], 0, intersection_found_surface, &s);
            }
        }
        return s.complete;
    }
    return (!collision->cache.has_pairs[PLI_LIST_DEFORMABLES] || search_all(f, PLI_LIST_DEFORMABLES)) &&
           (!collision->cache.has_pairs[PLI_LIST_COLLIDERS] || search_all(f, PLI_LIST_COLLIDERS));
}

static bool begin_find(pli_collision *collision, pli_find *find, cluster_test is_doubtful)
{
    return pli_find_begin(collision, find) && (!is_doubtful || mark_doubt(find, is_doubtful));
}

// Finds the intersections at `previous`, everywhere or at the marked clusters.
static bool find_begun(pli_collision *collision, pli_find *find, cluster_test is_doubtful)
{
    if (!pli_array_reserve(collision->memory, &collision->untangle.intersecting, collision->particle_count))
        return false;
    for (int32_t i = 0; i < collision->particle_count; i++)
        collision->untangle.intersecting.items[i] = 0;
    collision->untangle.intersections.count = 0;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        find->reach[list] = 0.0f;
    find->starts = collision->previous;
    collision->work.is_over = false;
    return pli_find_refit(find) && (is_doubtful || pli_find_refit_items(find)) && find_intersections(find, is_doubtful);
}

static bool find_all(pli_collision *collision, pli_find *find, cluster_test is_doubtful)
{
    return begin_find(collision, find, is_doubtful) && find_begun(collision, find, is_doubtful);
}

// Separates surfaces that cross or are near by rounding. A separated pair may make its neighbours cross. Returns false when out of memory.
static bool part_rounded(pli_collision *collision)
{
    pli_find find;
    pli_dvec3 *shifts = PLI_TAKE_ZEROED(&collision->arena, pli_dvec3, collision->particle_count);
    double *sizes = PLI_TAKE(&collision->arena, double, collision->surface_count);
    bool parted = true, complete = shifts && sizes && begin_find(collision, &find, NULL);
    const float reach = sizes ? pli_rounding_most(collision, sizes) : 0.0f;
    for (int32_t round = 0; round < ROUNDING_ROUNDS && parted && complete; round++) {
        find.starts = collision->previous;
        find.reach[PLI_LIST_DEFORMABLES] = find.reach[PLI_LIST_COLLIDERS] = reach;
        complete = pli_find_refit(&find) && pli_find_refit_items(&find);
        intersection_search s = begin_search(&find);
        s.reach = reach, s.sizes = sizes, s.shifts = shifts;
        for (int32_t list = 0; list < PLI_LIST_COUNT && complete; list++)
            if (collision->cache.has_pairs[list])
                visit_all(&s, list);
        parted = s.parted;
    }
    return complete;
}

// Copies of the particles that the separation of rounded sides moves.
typedef struct copied_positions {
    pli_particle *particles, *previous;
} copied_positions;

static bool keep_positions(pli_collision *collision, copied_positions *p)
{
    const size_t size = (size_t)collision->particle_count * sizeof *p->particles;
    p->particles = PLI_TAKE(&collision->arena, pli_particle, collision->particle_count);
    p->previous = PLI_TAKE(&collision->arena, pli_particle, collision->particle_count);
    if (!p->particles || !p->previous)
        return false;
    memcpy(p->particles, collision->particles, size);
    memcpy(p->previous, collision->previous, size);
    return true;
}

// Exchanges the particles with the copies. The starts of the guarantee are the previous positions until intersections are separated.
static void exchange_positions(const pli_collision *collision, const copied_positions *p)
{
    for (int32_t i = 0; i < collision->particle_count; i++) {
        const pli_particle particle = collision->particles[i], previous = collision->previous[i];
        collision->particles[i] = p->particles[i], p->particles[i] = particle;
        collision->untangle.starts[i] = collision->previous[i] = p->previous[i], p->previous[i] = previous;
    }
}

// Finds all intersections after a separation of rounded sides, which is undone if there are fewer without it: cloth between two surfaces
// that leave it no room would be moved through one of them.
static bool find_after_parting(pli_collision *collision, pli_find *find, const copied_positions *p)
{
    const pli_untangling *u = &collision->untangle;
    if (!find_all(collision, find, NULL))
        return false;
    const int32_t parted = u->intersections.count;
    if (parted == 0)
        return true;
    exchange_positions(collision, p);
    if (!find_all(collision, find, NULL))
        return false;
    if (u->intersections.count < parted)
        return true;
    exchange_positions(collision, p);
    return find_all(collision, find, NULL);
}

// Did sides touch in this step?
static bool intersection_is_touching(const pli_collision *collision)
{
    return collision->untangle.touching && collision->cache.slack.age >= 0;
}

// Stores the particles' positions, so that the guarantee covers the separation as well.
static bool note_starts(pli_collision *collision)
{
    const pli_untangling *known = &collision->untangle;
    collision->untangle.starts = NULL;
    if (!known->unverified && !intersection_is_touching(collision) && known->intersections.count == 0 &&
        known->inside_count == 0)
        return true;
    collision->untangle.starts = PLI_TAKE(&collision->arena, pli_particle, collision->particle_count);
    for (int32_t i = 0; known->starts && i < collision->particle_count; i++)
        collision->untangle.starts[i] = collision->previous[i];
    return collision->untangle.starts != NULL;
}

static void untangle(pli_collision *collision)
{
    bool first = collision->cache.slack.age < 0;
    bool any = collision->untangle.intersections.count > 0 || collision->untangle.inside_count > 0;
    const bool touching = intersection_is_touching(collision);
    collision->contacts.one_sided.count = 0;
    if (!collision->untangle.unverified && !any && !touching)
        return;
    pli_find find;
    const bool everywhere = collision->untangle.unverified || first || touching;
    collision->untangle.raises = collision->untangle.raises || touching;
    // Rounding is removed only after placement or where sides touch. A snapshot stores this, and a running separation is not disturbed.
    const bool parts = collision->untangle.raises;
    copied_positions before;
    if ((parts && (!keep_positions(collision, &before) || !part_rounded(collision))) ||
        !(parts && everywhere ? find_after_parting(collision, &find, &before)
                              : find_all(collision, &find, everywhere ? NULL : cluster_in_doubt)) ||
        !pli_push_out(&find) || !(collision->untangle.intersections.count == 0 || pli_intersection_regions(&find))) {
        collision->out_of_memory = true;
        return;
    }
    collision->untangle.unverified = collision->work.is_over;
    // Surfaces may intersect slightly more during their separation, since contours must pass over edges, and particles inside of a
    // collider must leave it through its surface.
    pli_untangling *u = &collision->untangle;
    int32_t found = u->intersections.count + u->inside_count, most = found + found / MORE_PART + MORE_LEAST;
    if (u->raises && most > u->allowed)
        u->allowed = most;
    if (found == 0)
        u->allowed = 0;
    u->raises = false;
    collision->out_of_memory = !pli_separate_intersections(collision);
}

void pli_collision_untangle(pli_collision *collision)
{
    if (!note_starts(collision)) {
        collision->out_of_memory = true;
        return;
    }
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    untangle(collision);
    pli_arena_end(&collision->arena, scope);
}

/* ---- intersections that would be new ------------------------------------------------------------ */

// The primitives of an intersection.
typedef struct intersection_place {
    int32_t of[4];
} intersection_place;

static intersection_place intersection_place_of(const pli_intersection *t)
{
    return (intersection_place){{t->edge_surface, t->edge_index, t->triangle_surface, t->triangle_index}};
}

static int intersection_compare(const void *a, const void *b)
{
    const intersection_place *p = a, *q = b;
    for (int k = 0; k < 4; k++)
        if (p->of[k] != q->of[k])
            return p->of[k] < q->of[k] ? -1 : 1;
    return 0;
}

// Swaps the intersections with `others`.
static void exchange(pli_untangling *u)
{
    pli_untangling was = *u;
    memcpy(&u->intersections, &was.others, sizeof u->intersections);
    memcpy(&u->others, &was.intersections, sizeof u->others);
    memcpy(&u->intersecting, &was.others_intersecting, sizeof u->intersecting);
    memcpy(&u->others_intersecting, &was.intersecting, sizeof u->others_intersecting);
}

// Marks the particles of intersections that are not in `others`. Returns false when out of memory.
static bool mark_grown(pli_collision *collision)
{
    pli_untangling *u = &collision->untangle;
    intersection_place *known = PLI_TAKE(&collision->arena, intersection_place, u->others.count);
    if (!known)
        return false;
    for (int32_t i = 0; i < u->others.count; i++)
        known[i] = intersection_place_of(&u->others.items[i]);
    qsort(known, (size_t)u->others.count, sizeof *known, intersection_compare);
    for (int32_t i = 0; i < u->intersections.count; i++) {
        const pli_intersection *t = &u->intersections.items[i];
        const intersection_place wanted = intersection_place_of(t);
        if (bsearch(&wanted, known, (size_t)u->others.count, sizeof *known, intersection_compare))
            continue;
        for (int k = 0; k < 2; k++)
            u->grown[t->edge[k]] |= PLI_GROWN_EDGE;
        for (int k = 0; k < 3; k++)
            u->grown[t->corners[k]] |= PLI_GROWN_TRIANGLE;
    }
    return true;
}

// Searches for intersections at the end of the substep. Returns whether the search was complete.
static bool find_at_end(pli_collision *collision)
{
    pli_find find;
    pli_particle *previous = collision->previous;
    collision->previous = collision->particles;
    bool complete = begin_find(collision, &find, cluster_in_doubt);
    exchange(&collision->untangle);
    complete = complete && find_begun(collision, &find, cluster_in_doubt);
    collision->previous = previous;
    collision->out_of_memory = collision->out_of_memory || !complete;
    return complete && !collision->work.is_over;
}

bool pli_collision_find_growth(pli_collision *collision)
{
    pli_untangling *u = &collision->untangle;
    if (!u->starts || (u->intersections.count == 0 && u->inside_count == 0) || collision->out_of_memory)
        return false;
    u->grown = PLI_TAKE_ZEROED(&collision->arena, uint8_t, collision->particle_count);
    collision->out_of_memory = !u->grown;
    if (!u->grown)
        return false;
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    bool was_over = collision->work.is_over;
    bool grows = find_at_end(collision) && u->intersections.count > u->others.count &&
                 u->intersections.count > u->allowed;
    if (grows && !mark_grown(collision))
        collision->out_of_memory = true;
    exchange(u);
    collision->work.is_over = was_over;
    pli_arena_end(&collision->arena, scope);
    return grows && !collision->out_of_memory;
}

/* ---- counts ------------------------------------------------------------------------------------- */

static bool any_fixed_edge(const pli_collision *collision)
{
    for (int32_t a = 0; a < collision->surface_count; a++)
        for (int32_t cluster = 0; cluster < collision->surfaces[a]->clusters.count; cluster++)
            if (has_fixed_edge(collision, collision->surfaces[a], cluster))
                return true;
    return false;
}

void pli_collision_count_intersections(pli_collision *collision, bool everywhere)
{
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    pli_find find;
    if (everywhere || any_fixed_edge(collision))
        collision->untangle.unverified = !find_all(collision, &find, everywhere ? NULL : has_fixed_edge) ||
                                         !pli_find_inside(&find) || collision->work.is_over;
    pli_arena_end(&collision->arena, scope);
}

// Surfaces with self-contact by particles have no candidate pairs with themselves, so all of their clusters are tested.
typedef struct intersection_counts {
    const pli_find *find;
    int32_t surface;
    int32_t *counts; // [chunks]
} intersection_counts;

static void refit_own_chunk(void *data, int32_t chunk)
{
    const intersection_counts *w = data;
    int32_t count = w->find->collision->surfaces[w->surface]->clusters.count, begin = chunk * PLI_FIND_GRAIN;
    for (int32_t i = begin; i < begin + PLI_FIND_GRAIN && i < count; i++)
        pli_find_refit_items_of(w->find, w->surface, i);
}

static bool meets_own(void *data, int32_t cluster)
{
    intersection_search *s = data;
    const int32_t other[2] = {cluster, s->pair.cluster[0]};
    s->pair.cluster[1] = cluster;
    if (cluster <= s->pair.cluster[0])
        test_clusters(s, s->pair.surface, s->pair.cluster);
    if (cluster < s->pair.cluster[0])
        test_clusters(s, s->pair.surface, other);
    return true;
}

static void count_own_chunk(void *data, int32_t chunk)
{
    const intersection_counts *w = data;
    const pli_collision *collision = w->find->collision;
    const pli_clusters *clusters = &collision->surfaces[w->surface]->clusters;
    pli_find find = *w->find;
    intersection_search s = {
        .find = &find, .complete = true, .only_counts = true, .pair = {.surface = {w->surface, w->surface}}};
    for (int32_t i = chunk * PLI_FIND_GRAIN; i < (chunk + 1) * PLI_FIND_GRAIN && i < clusters->count; i++) {
        s.pair.cluster[0] = i;
        pli_bvh16_query(&clusters->tree, collision->kernels.near, &clusters->tree.swept_boxes[i], 0, meets_own, &s);
    }
    w->counts[chunk] = s.counted;
}

static bool count_own(pli_collision *collision)
{
    pli_find find;
    if (!pli_find_begin(collision, &find))
        return false;
    find.reach[PLI_LIST_DEFORMABLES] = find.reach[PLI_LIST_COLLIDERS] = 0.0f;
    find.starts = collision->previous;
    if (!pli_find_refit(&find))
        return false;
    for (int32_t i = 0; i < collision->surface_count; i++) {
        pli_contact_mesh *s = collision->surfaces[i];
        int32_t chunks = (s->clusters.count + PLI_FIND_GRAIN - 1) / PLI_FIND_GRAIN;
        if (!s->own.particle_list)
            continue;
        intersection_counts w = {&find, i, PLI_TAKE(&collision->arena, int32_t, chunks)};
        if (!w.counts)
            return false;
        pli_tasks_run(collision->tasks, chunks, refit_own_chunk, &w);
        pli_tasks_run(collision->tasks, chunks, count_own_chunk, &w);
        s->own.crossings = 0;
        for (int32_t chunk = 0; chunk < chunks; chunk++)
            s->own.crossings += w.counts[chunk];
    }
    return true;
}

void pli_collision_count_own(pli_collision *collision)
{
    const pli_arena_scope scope = pli_arena_begin(&collision->arena);
    collision->out_of_memory = !count_own(collision);
    pli_arena_end(&collision->arena, scope);
}

// Does any particle of the pair move in this substep? Sides that rest where the application placed them are listed only by chance.
static bool any_moves(const pli_collision *collision, const pli_candidate_pair *pair)
{
    for (int k = 0; k < 4; k++) {
        const pli_particle *p = &collision->particles[pair->at[k]], *q = &collision->previous[pair->at[k]];
        if (p->w > 0.0f || p->x != q->x || p->y != q->y || p->z != q->z)
            return true;
    }
    return false;
}

void pli_collision_count_deep(pli_collision *collision)
{
    collision->untangle.deep_count = 0;
    bool any = false;
    for (int32_t i = 0; i < collision->surface_count; i++)
        any = any || collision->surfaces[i]->radius > 0.0f;
    for (int32_t k = 0; k < PLI_LIST_COUNT && any; k++) {
        const pli_candidate_list *list = &collision->cache.lists[k];
        for (int32_t m = 0; collision->cache.has_pairs[k] && m < list->cluster_pairs.count; m++)
            if (collision->surfaces[list->cluster_pairs.items[m].surface[0]]->radius > 0.0f ||
                collision->surfaces[list->cluster_pairs.items[m].surface[1]]->radius > 0.0f) {
                const pli_cluster_pair *of = &list->cluster_pairs.items[m];
                int32_t count = 0;
                for (int32_t i = of->begin; i < of->begin + of->count; i++) {
                    const pli_candidate_pair listed = pli_pair_read(collision, &list->pairs.items[i]), *pair = &listed;
                    double deep = PLI_DEEP_SHARE * (double)pair->core;
                    pli_dvec3 at[4];
                    // The direction that last separated the pair usually proves it immediately.
                    if (!(pair->core > 0.0f) || pli_pair_gap(pair, collision->particles, pair->normal) > pair->core)
                        continue;
                    pli_pair_positions(pair, collision->particles, at);
                    count += pli_closest_points((pli_pair_kind)pair->kind, at).square < deep * deep &&
                             any_moves(collision, pair);
                }
                collision->untangle.deep_count += count;
            }
    }
}
