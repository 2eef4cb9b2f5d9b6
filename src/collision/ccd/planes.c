// Position of the plane of a pair: it crosses the shortest line between the sides at the start, at a fraction that
// depends on the approach speed of each side, so that only a moving side is cut.
#include "collision/ccd/planes.h"

#include "collision/contacts/contact.h"
#include "collision/pair_cache/trajectories.h"
#include "collision/untangle/touching.h"

// A side that approaches much more slowly than the other still gets this fraction of the gap.
#define PLANE_LEAST_SHARE 0.05
// Fractions of its distance from the plane that a particle leaves: in a wide gap, so that advancement can prove the
// pair clear as well (ccd.c); and in a gap that is already narrower.
#define PLANE_LEFT_SHARE 0.3
#define NARROW_SHARE 0.9

static double height(const pli_plane *plane, pli_dvec3 at)
{
    return pli_ddot(plane->normal, pli_dsub(at, plane->origin));
}

// Positions of the sides along the normal: the lowest point of side a, the highest of side b; and how far each side approaches [m].
typedef struct extents {
    double edge[2], comes[2];
} extents;

static extents extents_of(const pli_plane_pair *pair, const pli_plane *plane)
{
    extents e = {{INFINITY, -INFINITY}, {0.0, 0.0}};
    for (int k = 0; k < 4; k++) {
        int side = pli_pair_side(pair->kind, k);
        double start = height(plane, pair->from[k]), end = height(plane, pair->to[k]);
        double comes = side == 0 ? start - end : end - start;
        if (pair->firm[side])
            start = side == 0 ? fmin(start, end) : fmax(start, end);
        else
            e.comes[side] = fmax(e.comes[side], comes);
        e.edge[side] = side == 0 ? fmin(e.edge[0], start) : fmax(e.edge[1], start);
    }
    return e;
}

static double gap_of(const pli_plane_pair *pair, const extents *e) { return e->edge[0] - e->edge[1] - pair->least; }

// If sides nearly touch, the rounding error of their shortest line exceeds the gap that it leaves between sides of this size. The common
// normal, of the triangle or of both edges, has no such error. Such sides come no closer, so they stay further apart than touching sides.
static bool turn_to_common_normal(const pli_plane_pair *pair, pli_dvec3 apart, pli_plane *plane)
{
    const pli_dvec3 *at = pair->from;
    pli_dvec3 normal = pair->kind == PLI_PAIR_EDGE_EDGE ? pli_dcross(pli_dsub(at[1], at[0]), pli_dsub(at[3], at[2]))
                                                        : pli_dcross(pli_dsub(at[2], at[1]), pli_dsub(at[3], at[1]));
    double length = pli_dlength(normal);
    if (!(length > 0.0))
        return false;
    plane->normal = pli_dscale(normal, (pli_ddot(normal, apart) < 0.0 ? -1.0 : 1.0) / length);
    return true;
}

bool pli_plane_between(const pli_plane_pair *pair, pli_plane *plane)
{
    pli_closest c = pli_closest_points(pair->kind, pair->from);
    double distance = sqrt(c.square);
    const bool apart = distance > PLI_TOUCHING;
    plane->origin = pair->from[0];
    plane->normal = apart ? pli_dscale(c.apart, 1.0 / distance) : pair->normal;
    plane->gap_left = pair->gap_left;
    extents e = extents_of(pair, plane);
    plane->across = apart ? 0.0 : PLI_ACROSS;
    plane->narrow_share = NARROW_SHARE;
    if (apart && gap_of(pair, &e) < 0.0 && turn_to_common_normal(pair, c.apart, plane)) {
        e = extents_of(pair, plane);
        plane->narrow_share = 1.0;
    }
    double gap = gap_of(pair, &e), both = e.comes[0] + e.comes[1];
    if (!(gap >= -plane->across) || !(pli_dlength(plane->normal) > 0.5))
        return false;
    double share = both > 0.0 && both < INFINITY ? e.comes[1] / both : 0.5;
    share = fmin(fmax(share, PLANE_LEAST_SHARE), 1.0 - PLANE_LEAST_SHARE);
    plane->level[1] = e.edge[1] + share * gap;
    plane->level[0] = plane->level[1] + pair->least;
    return true;
}

// Distance of a point from the side's level, positive on the side's own side.
static double clearance(const pli_plane *plane, int side, pli_dvec3 at)
{
    double up = height(plane, at) - plane->level[side];
    return side == 0 ? up : -up;
}

double pli_plane_share(const pli_plane *plane, int side, pli_dvec3 from, pli_dvec3 to)
{
    double start = clearance(plane, side, from), end = clearance(plane, side, to);
    double left = fmin(plane->narrow_share * start, fmax(0.5 * plane->gap_left, PLANE_LEFT_SHARE * start));
    if (end >= left)
        return 1.0;
    double share = (start - left) / (start - end);
    return share > 0.0 ? fmin(share, 1.0) : 0.0;
}

bool pli_plane_keeps(const pli_plane *plane, int side, pli_dvec3 at)
{
    return clearance(plane, side, at) >= -plane->across;
}

/* ---- planes of all failing pairs ------------------------------------------------------------- */

// Planes as the last stage. Each concerned pair gets a plane between its sides at their positions at the start of the
// substep, where nothing intersects, and each particle's trajectory is cut where it first meets one of its planes. A
// plane holds for every fraction of the trajectories, so one pair cannot undo another, the order of pairs does not
// matter, and nothing needs iteration:
//
//     concerned pairs = failing pairs
//     repeat: if planes cut a particle, all of its pairs become concerned
//     x' = x + share (y - x), each particle by the least fraction of its planes; 0 leaves it in place, bit-identical
//
// Pinned particles are cut like others: they trail their target and continue in the next substep. A collider that
// yields moves rigidly, by the least fraction of its particles. Rounding of x' may move a particle of a narrow gap
// across its plane. The particle then stays at its start, which is on its side of every plane.

// A particle that is cut at the surface of an analytic shape keeps this fraction of its distance from the surface.
#define WALL_SHARE 0.1f

typedef struct plane_placing {
    pli_collision *collision;
    float *shares;   // [particle_count] fraction of its trajectory that a particle may move.
    float *led;      // [surface_count] the same for rigidly moving colliders that yield; 1 for all others.
    uint8_t **taken; // [PLI_LIST_COUNT][pairs] 1 for pairs that were already taken.
    int32_t list;    // The list that is searched.
    int32_t done;    // Concerned pairs before this index have their planes.
} plane_placing;

/* ---- a plane for each pair ------------------------------------------------------------------- */

// Does a firm side move? Next to a firm side at rest, the other one can rest even if they touch.
static bool comes_firmly(const pli_plane_pair *pair)
{
    for (int k = 0; k < 4; k++) {
        pli_dvec3 d = pli_dsub(pair->to[k], pair->from[k]);
        if (pair->firm[pli_pair_side(pair->kind, k)] && (d.x != 0.0 || d.y != 0.0 || d.z != 0.0))
            return true;
    }
    return false;
}

static void place_plane(const pli_collision *collision, const pli_candidate_pair *pair, pli_placed_plane *placed)
{
    pli_plane_pair p = {
        .kind = (pli_pair_kind)pair->kind,
        .gap_left = (double)(PLI_GAP_SHARE * (pair->rest_distance - pair->core)),
    };
    for (int side = 0; side < 2; side++)
        p.firm[side] = pli_contact_mesh_is_firm(collision->surfaces[pair->surface[side]]);
    pli_pair_positions(pair, collision->previous, p.from);
    pli_pair_positions(pair, collision->particles, p.to);
    const pli_closest closest = pli_closest_points(p.kind, p.from);
    if (pair->core > 0.0f)
        p.least = pli_pair_level(pair, sqrt(closest.square));
    if (!pli_pair_direction(collision, pair, &closest, &p.normal))
        p.normal = (pli_dvec3){0, 0, 0};
    placed->is_placed = pli_plane_between(&p, &placed->plane);
    bool leaves = !placed->is_placed && comes_firmly(&p);
    for (int k = 0; k < 4; k++) {
        int side = pli_pair_side(p.kind, k);
        placed->shares[k] = p.firm[side] || leaves ? 1.0f
                            : placed->is_placed    ? (float)pli_plane_share(&placed->plane, side, p.from[k], p.to[k])
                                                   : 0.0f;
    }
}

static void place_chunk(void *data, int32_t chunk)
{
    const plane_placing *w = data;
    pli_ccd_state *ccd = &w->collision->ccd;
    int32_t begin = w->done + chunk * PLI_CLUSTER_PAIR_GRAIN, end = begin + PLI_CLUSTER_PAIR_GRAIN;
    for (int32_t i = begin; i < end && i < ccd->concerned.count; i++) {
        const pli_candidate_pair pair = pli_failing_pair(w->collision, &ccd->concerned.items[i]);
        place_plane(w->collision, &pair, &ccd->planes.items[i]);
    }
}

// Returns the fraction that particle k (0..3) of a pair may move. A collider moves rigidly, together with all colliders
// of its body, unless it bends.
static float *planes_share(const plane_placing *w, const pli_candidate_pair *pair, int k)
{
    int32_t surface = pair->surface[pli_pair_side((pli_pair_kind)pair->kind, k)];
    const pli_contact_mesh *s = w->collision->surfaces[surface];
    return s->collider && !s->path.bends ? &w->led[s->rigid ? s->rigid->leader : surface] : &w->shares[pair->at[k]];
}

// Places the planes of newly concerned pairs. Returns whether they cut any particle for the first time.
static bool planes_place(plane_placing *w)
{
    pli_ccd_state *ccd = &w->collision->ccd;
    int32_t added = ccd->concerned.count - w->done;
    bool cut = false;
    pli_tasks_run(w->collision->tasks, (added + PLI_CLUSTER_PAIR_GRAIN - 1) / PLI_CLUSTER_PAIR_GRAIN, place_chunk, w);
    for (int32_t i = w->done; i < ccd->concerned.count; i++) {
        const pli_candidate_pair pair = pli_failing_pair(w->collision, &ccd->concerned.items[i]);
        for (int k = 0; k < 4; k++) {
            float *share = planes_share(w, &pair, k);
            cut = cut || (*share == 1.0f && ccd->planes.items[i].shares[k] < 1.0f);
            *share = fminf(*share, ccd->planes.items[i].shares[k]);
        }
    }
    w->done = ccd->concerned.count;
    return cut;
}

/* ---- the pairs concerned --------------------------------------------------------------------- */

// Most pairs are not cut, so only the particles of a pair are read.
static bool planes_cut_pair(const plane_placing *w, const pli_listed_pair *listed)
{
    pli_candidate_pair pair = {.kind = pli_listed_are_edges(listed) ? PLI_PAIR_EDGE_EDGE : PLI_PAIR_VERTEX_TRIANGLE,
                               .surface = {listed->surface[0], listed->surface[1]}};
    pli_listed_particles(w->collision, listed, pair.at);
    for (int k = 0; k < 4; k++)
        if (*planes_share(w, &pair, k) < 1.0f)
            return true;
    return false;
}

// Lists the pairs of cut particles that were not yet taken.
static void concern_chunk(void *data, int32_t chunk, void *out, int32_t capacity, int32_t *count)
{
    const plane_placing *w = data;
    const pli_candidate_list *list = &w->collision->cache.lists[w->list];
    pli_failing *found = out;
    *count = 0;
    for (int32_t m = chunk * PLI_CLUSTER_PAIR_GRAIN;
         m < (chunk + 1) * PLI_CLUSTER_PAIR_GRAIN && m < list->cluster_pairs.count; m++) {
        const pli_cluster_pair *of = &list->cluster_pairs.items[m];
        for (int32_t i = of->begin; i < of->begin + of->count; i++) {
            if (w->taken[w->list][i] || !planes_cut_pair(w, &list->pairs.items[i]))
                continue;
            const pli_candidate_pair pair = pli_pair_read(w->collision, &list->pairs.items[i]);
            if (pli_pair_exempt(w->collision, &pair))
                continue;
            if (*count < capacity)
                found[*count] = (pli_failing){w->list, i};
            (*count)++;
        }
    }
}

// Marks the newly concerned pairs as taken, and makes room for their planes.
static bool take_concerned(plane_placing *w)
{
    pli_ccd_state *ccd = &w->collision->ccd;
    for (int32_t i = w->done; i < ccd->concerned.count; i++)
        w->taken[ccd->concerned.items[i].list][ccd->concerned.items[i].pair] = 1;
    return pli_array_reserve_unset(w->collision->memory, &ccd->planes, ccd->concerned.count);
}

static bool concern_pairs(plane_placing *w)
{
    pli_collision *collision = w->collision;
    pli_ccd_state *ccd = &collision->ccd;
    const pli_append_tools tools = pli_collision_tools(collision);
    for (w->list = 0; w->list < PLI_LIST_COUNT; w->list++) {
        const pli_appending what = {
            .size = sizeof(pli_failing),
            .chunks = w->taken[w->list] ? pli_cluster_pair_chunks(&collision->cache.lists[w->list]) : 0,
            .capacity = &ccd->failing_capacity,
            .append = concern_chunk,
            .data = w,
        };
        if (!pli_append_to(&tools, &what, &ccd->concerned))
            return false;
    }
    return take_concerned(w);
}

static bool planes_begin(plane_placing *w)
{
    pli_collision *collision = w->collision;
    pli_ccd_state *ccd = &collision->ccd;
    w->shares = PLI_TAKE(&collision->arena, float, collision->particle_count);
    w->led = PLI_TAKE(&collision->arena, float, collision->surface_count);
    bool complete = w->shares && w->led &&
                    pli_array_reserve_unset(collision->memory, &ccd->concerned, ccd->failing.count);
    for (int32_t i = 0; complete && i < collision->particle_count; i++)
        w->shares[i] = 1.0f;
    for (int32_t i = 0; complete && i < collision->surface_count; i++)
        w->led[i] = 1.0f;
    for (int32_t list = 0; list < PLI_LIST_COUNT && complete; list++) {
        w->taken[list] = NULL;
        if (collision->cache.has_pairs[list]) {
            w->taken[list] = PLI_TAKE_ZEROED(&collision->arena, uint8_t, collision->cache.lists[list].pairs.count);
            complete = w->taken[list] != NULL;
        }
    }
    if (!complete)
        return false;
    for (int32_t i = 0; i < ccd->failing.count; i++)
        ccd->concerned.items[i] = ccd->failing.items[i];
    ccd->concerned.count = ccd->failing.count;
    // Cut particles where they reach the surfaces of analytic shapes. A kinematic shape that would move through particles
    // stays in place, and so do all particles that touch it.
    for (int32_t i = 0; i < collision->ccd.walls.count; i++) {
        const pli_wall *wall = &collision->ccd.walls.items[i];
        const pli_vec3 from = pli_position_of(&collision->previous[wall->at]),
                       to = pli_position_of(&collision->particles[wall->at]);
        float start = pli_dot(wall->normal, from) - wall->level, end = pli_dot(wall->normal, to) - wall->level;
        float share = start > 0.0f && wall->shape < 0 ? (1.0f - WALL_SHARE) * start / (start - end) : 0.0f;
        w->shares[wall->at] = fminf(w->shares[wall->at], end < start || wall->shape >= 0 ? share : 1.0f);
        if (wall->shape >= 0) {
            collision->hooks.yield(collision->hooks.leader, wall->shape, 0.0f);
            collision->ccd.yielded = true;
        }
    }
    return take_concerned(w) && (ccd->walls.count == 0 || concern_pairs(w));
}

/* ---- the cuts -------------------------------------------------------------------------------- */

// Moves a particle back to a fraction of its trajectory; this includes pinned particles and vertices of colliders that bend.
static void planes_cut_particle(pli_collision *collision, pli_contact_mesh *s, int32_t i, float share)
{
    pli_collision_cut(collision, i, share);
    s->path.lagged = s->collider;
    collision->ccd.limited_count += !(collision->ccd.changed[i] & PLI_CCD_MOVED);
    collision->ccd.changed[i] |= PLI_CCD_MOVED;
}

// Moves a collider along only a fraction of its path, with all colliders of its body.
static void planes_cut_collider(pli_collision *collision, int32_t surface, float share)
{
    const pli_contact_mesh *led = collision->surfaces[surface];
    pli_collision_lead(collision, surface, share);
    for (int32_t k = 0; k < collision->surface_count; k++) {
        const pli_contact_mesh *s = collision->surfaces[k];
        bool goes_along = s == led || (led->rigid && s->rigid == led->rigid);
        for (int32_t i = s->first; goes_along && i < s->first + s->vertex_count; i++)
            collision->ccd.changed[i] |= PLI_CCD_MOVED;
    }
}

// Moves a particle that rounding put across a plane back to its start. A collider moves back rigidly, since its
// vertices follow curves.
static void keep_side(const plane_placing *w, const pli_candidate_pair *pair, const pli_plane *plane, int k)
{
    pli_collision *collision = w->collision;
    int side = pli_pair_side((pli_pair_kind)pair->kind, k);
    int32_t surface = pair->surface[side];
    if (!(*planes_share(w, pair, k) < 1.0f) ||
        pli_plane_keeps(plane, side, pli_widened_position(&collision->particles[pair->at[k]])))
        return;
    pli_contact_mesh *s = collision->surfaces[surface];
    if (s->collider && !s->path.bends)
        planes_cut_collider(collision, surface, 0.0f);
    else
        planes_cut_particle(collision, s, pair->at[k], 0.0f);
}

bool pli_ccd_cut_at_planes(pli_collision *collision)
{
    uint8_t *taken[PLI_LIST_COUNT];
    plane_placing w = {.collision = collision, .taken = taken};
    if (!planes_begin(&w))
        return false;
    while (planes_place(&w))
        if (!concern_pairs(&w))
            return false;
    for (int32_t k = 0; k < w.collision->surface_count; k++) {
        pli_contact_mesh *s = w.collision->surfaces[k];
        for (int32_t i = s->first; i < s->first + s->vertex_count; i++)
            if (w.shares[i] < 1.0f)
                planes_cut_particle(w.collision, s, i, w.shares[i]);
        if (w.led[k] < 1.0f)
            planes_cut_collider(w.collision, k, w.led[k]);
    }
    for (int32_t i = 0; i < collision->ccd.concerned.count; i++) {
        const pli_candidate_pair pair = pli_failing_pair(collision, &collision->ccd.concerned.items[i]);
        const pli_placed_plane *placed = &collision->ccd.planes.items[i];
        collision->ccd.has_plane[collision->ccd.concerned.items[i].list][collision->ccd.concerned.items[i].pair] =
            placed->is_placed;
        for (int k = 0; k < 4 && placed->is_placed; k++)
            keep_side(&w, &pair, &placed->plane, k);
        pli_collision_link(collision, pair.surface[0], pair.surface[1]);
    }
    return true;
}

void pli_ccd_stop_all(pli_collision *collision)
{
    pli_collision_let_rigids_yield(collision);
    for (int32_t k = 0; k < collision->surface_count; k++) {
        pli_contact_mesh *s = collision->surfaces[k];
        if (s->collider && s->path.yields)
            planes_cut_collider(collision, k, 0.0f);
        for (int32_t i = s->first; (!s->collider || s->path.bends) && i < s->first + s->vertex_count; i++)
            planes_cut_particle(collision, s, i, 0.0f);
    }
    pli_collision_stop_shapes(collision);
}
