// Collision of surfaces: the state that its stages share. A substep runs them in this order:
//
//   untangle         finds and resolves the intersections at the start of the substep
//   pair_cache       checks whether the candidate pairs of an earlier search are still valid. If not, it searches:
//     pair_search      broad phase: overlapping pairs of triangle clusters (swept boxes under the 16-wide BVH of
//                      broadphase), except pairs in flat cloth that provably do not touch (certificate); narrow
//                      phase: pairs of primitives, vertex against triangle, edge against edge (narrowphase)
//   contacts         makes contacts from the pairs, colours them, projects them in each sweep, with friction and restitution
//   ccd              ensures that no pair crosses during the substep
//
// particle_contact (self-contact by particles) and shape_contact (analytic colliders) run next to this pipeline.
#ifndef PLI_COLLISION_STATE_COLLISION_STATE_H
#define PLI_COLLISION_STATE_COLLISION_STATE_H

#include "base/arena.h"
#include "base/parallel_append.h"
#include "base/simd/wide.h"
#include "base/tasks.h"
#include "collision/narrowphase/closest_points.h"
#include "collision/state/ccd_state.h"
#include "collision/state/contact_mesh.h"
#include "collision/state/contact_state.h"
#include "collision/state/pair_cache.h"
#include "collision/state/untangle_state.h"
#include "collision/state/work.h"
#include "rigid/rigid.h"

#include <stddef.h>

// Vertices of one surface that form one side of a pair, as passed to the user's contact filter.
typedef struct pli_side {
    const pli_contact_mesh *surface;
    const int32_t *at; // [count] indices into the particle store.
    int32_t count;
} pli_side;

// Number of items per parallel task: clusters or particles of a search, cluster pairs, candidate pairs.
enum { PLI_FIND_GRAIN = 32, PLI_CLUSTER_PAIR_GRAIN = 64, PLI_PAIR_GRAIN = 1024 };

// A pair makes no contact if its sides end further apart than this multiple of its rest distance. In calm cloth, the sides that projection
// pushes are closer than 1.06 rest distances, and sides that it pushes further become a contact in the next substep. Bodies that press on
// layers of cloth move them further in a substep, so worlds with bodies use a larger value.
#define PLI_NEAR_SHARE 1.1f
#define PLI_RIGID_NEAR_SHARE 1.25f
// Two primitives of one surface keep at most PLI_REST_SHARE of their distance in the rest shape. Pairs that are closer
// at rest than PLI_SEAM_SHARE of the mean edge coincide there: the two sides of a tear keep PLI_LIP_SHARE of the mean
// edge, the two sides of a seam make no contact.
#define PLI_REST_SHARE 0.9
#define PLI_SEAM_SHARE 1e-4f
#define PLI_LIP_SHARE 0.05f
// Unlisted pairs keep at least this fraction of their rest distance in self-contact.
#define PLI_APART_SHARE 0.5f
// A separating direction must leave a gap of this fraction of the pair's rest distance at the end of the substep.
#define PLI_GAP_SHARE 0.02f
// The guarantee keeps the surface of a round shape clear by this fraction of its radius, which exceeds rounding errors.
// Points that start deeper get no deeper, except for PLI_CORE_LOSS of their distance.
#define PLI_CORE_MARGIN 1e-4
#define PLI_CORE_LOSS 1e-6
// A point counts as inside a round shape within this fraction of its radius, so that points on the surface do not count.
#define PLI_DEEP_SHARE 0.9999
// Contacts closer than their rest distance recover at this rate, as a multiple of the thickness [1/s], so that no pair
// is flung apart.
#define PLI_RECOVERY 60.0f
// Cloth thinner than this fraction of its edges recovers from a start inside a shape as if it were that thick.
#define PLI_LEAST_RECOVERED 0.1f

// Largest number of intersections that an abandoned pair causes, including follow-up intersections, until it is separated.
enum { PLI_GIVEN_UP_SHARE = 4 };

// Steps after which unneeded memory is released (collision_state.h), and the number of arrays that this covers.
enum { PLI_TRIM_STEPS = 60, PLI_TRIMMED_ARRAYS = 12 };

typedef struct pli_trim {
    int32_t most[PLI_TRIMMED_ARRAYS]; // Largest count of each array since the last trim.
    int32_t steps;                    // Steps since the last trim.
} pli_trim;

typedef struct pli_collision_kernels {
    const pli_near_kernels *near;
    const struct pli_closest_kernels *closest;
    const pli_gradient_kernels *gradients;
    const struct pli_contact_batch_kernels *contact_batches;
    const struct pli_particle_contact_kernels *particle_contacts;
} pli_collision_kernels;

// The user's contact filter. It is called on the stepping thread. Null accepts every pair.
typedef struct pli_collision_filter {
    bool (*allows)(void *user, const pli_side *a, const pli_side *b);
    void *user;
} pli_collision_filter;

// Functions of the world, with their first argument.
typedef struct pli_collision_hooks {
    // Moves collider `number` along a fraction of its path in this substep only; 0 leaves it unchanged, bit-identical.
    void (*yield)(void *leader, int32_t number, float share);
    // Lists the surfaces of analytic shapes that have particles behind them. Returns false when out of memory.
    bool (*find_walls)(void *leader);
    // Keeps particles out of analytic shapes, which have no surface mesh. CCD calls this after each round in which it
    // moved particles. It may move the particles that ccd.changed marks as moved (pli_ccd_move).
    void (*keep_outside)(void *leader);
    void *leader;
} pli_collision_hooks;

typedef struct pli_collision {
    pli_memory *memory;
    pli_tasks *tasks;
    pli_collision_kernels kernels;
    pli_collision_filter filter;
    pli_collision_hooks hooks;

    // The world sets these for each step, in the step arena.
    pli_arena step_arena;
    pli_contact_mesh **surfaces;
    // [particle_count] id of the rigid body that an attachment fixes the particle to, else 0; null without such
    // attachments.
    uint32_t *attached_to;
    int32_t *links; // [surface_count] parents of a union-find over surfaces in contact.
    int32_t surface_count;
    struct {
        bool has_any;       // Any surface has self-contact by particles.
        int32_t pair_count; // Pairs in the lists of these surfaces, which may be destroyed after the step.
    } particle_lists;

    // The world sets these for each substep.
    pli_arena arena; // Scratch memory of the running stage.
    // The particle store: predicted and previous positions [m], velocities [m/s].
    pli_particle *particles, *previous, *velocities;
    int32_t particle_count, dummy; // The dummy particle has inverse mass 0 and fills unused lanes.
    struct {
        float length;  // [s]
        int32_t left;  // Substeps until the end of the step, including this one.
        float reached; // Fraction of the step that has passed at the end of the substep.
    } substep;

    struct {
        pli_bvh16 tree;       // One leaf for each surface: the swept box around all of its clusters.
        bool on_trajectories; // Boxes cover cached trajectories; otherwise they cover a single instant.
    } broadphase;
    PLI_ARRAY(float) partial; // [chunks] sums or maxima of a parallel reduction.
    pli_pair_cache cache;
    pli_repair repair;
    pli_contacts contacts;
    pli_ccd_state ccd;
    pli_untangling untangle;
    pli_work work;
    pli_trim trim;
    bool stirred;       // The application placed or changed something since the last step, so nothing stays asleep.
    bool out_of_memory; // An allocation failed; contacts and pairs are invalid.
} pli_collision;

void pli_collision_release(pli_collision *collision);

// Sets the work budget of a step for the participating surfaces: `most_work` usual substeps per substep; INFINITY for no limit.
void pli_collision_begin_work(pli_collision *collision, float most_work, int32_t substeps);
// Gives the next substep its fraction of the remaining work.
void pli_collision_share_work(pli_collision *collision, int32_t substeps_left);

static inline pli_append_tools pli_collision_tools(pli_collision *collision)
{
    return (pli_append_tools){&collision->arena, collision->tasks};
}

// Requests a test of all edges against all triangles in the next substep. Must be called after anything that may place
// one surface into another: new objects, teleports, loaded states.
static inline void pli_collision_expect_intersections(pli_collision *collision)
{
    collision->untangle.unverified = collision->untangle.placed = collision->untangle.raises = true;
    collision->stirred = true;
}

// Requests the same test after pairs were abandoned: these pairs may intersect, and a few others.
static inline void pli_collision_expect_given_up(pli_collision *collision, int32_t pairs)
{
    collision->untangle.unverified = collision->untangle.placed = collision->stirred = true;
    collision->untangle.allowed += PLI_GIVEN_UP_SHARE * pairs;
}

// Do the collision layers allow contact between these surfaces?
static inline bool pli_collision_surfaces_collide(const pli_collision *collision, int32_t a, int32_t b)
{
    return pli_surfaces_collide(collision->surfaces[a], collision->surfaces[b]);
}

static inline pli_vec3 pli_position_of(const pli_particle *p) { return (pli_vec3){p->x, p->y, p->z}; }
// The displacement of a particle in this substep, as currently predicted [m].
static inline pli_vec3 pli_displacement_of(const pli_collision *collision, int32_t i)
{
    return pli_sub(pli_position_of(&collision->particles[i]), pli_position_of(&collision->previous[i]));
}
static inline pli_dvec3 pli_widened_position(const pli_particle *p) { return pli_widened(pli_position_of(p)); }

static inline bool pli_is_same_place(const pli_particle *a, const pli_particle *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

// Position of a particle at the start of the substep [m].
static inline pli_dvec3 pli_start_position(const pli_collision *collision, int32_t i)
{
    const pli_particle *p = &collision->previous[i];
    return (pli_dvec3){(double)p->x, (double)p->y, (double)p->z};
}

// The unit normal of a triangle at the start of the substep. Returns false for a degenerate triangle.
static inline bool pli_normal_at_start(const pli_collision *collision, const int32_t corners[3], pli_dvec3 *normal)
{
    pli_dvec3 a = pli_start_position(collision, corners[0]);
    pli_dvec3 sides[2] = {pli_dsub(pli_start_position(collision, corners[1]), a),
                          pli_dsub(pli_start_position(collision, corners[2]), a)};
    pli_dvec3 across = pli_dcross(sides[0], sides[1]);
    double length = pli_dlength(across);
    if (!(length > 0.0))
        return false;
    *normal = pli_dscale(across, 1.0 / length);
    return true;
}

// Moves a particle without changing its velocity: shifts the previous and the predicted position equally.
static inline void pli_collision_shift(pli_collision *collision, int32_t i, pli_dvec3 by)
{
    pli_particle *p = &collision->particles[i], *q = &collision->previous[i];
    p->x += (float)by.x, p->y += (float)by.y, p->z += (float)by.z;
    q->x += (float)by.x, q->y += (float)by.y, q->z += (float)by.z;
}

// Distance beyond which a pair makes no contact [m]. The radii of round shapes (`core`) are not scaled.
static inline float pli_near_of(const pli_collision *collision, float rest_distance, float core)
{
    return core + collision->cache.near_share * (rest_distance - core);
}

// Largest gap at which a pair stays in the candidate list, without the radii of round shapes [m]. The pair must be found before its
// particles, each deviating by the allowed amount, can make it a contact at `near` or bring its sides together. CCD lets particles deviate
// further, by a fraction of the least rest distance; PLI_APART_SHARE of the pair's rest distance then remains.
static inline float pli_collision_reach(const pli_collision *collision, float rest_distance)
{
    const pli_pair_cache *cache = &collision->cache;
    if (cache->reach_share < 1.0f)
        return cache->reach_share * rest_distance + 2.0f * cache->slack.allowed_deviation;
    float apart = pli_higher(PLI_APART_SHARE * rest_distance, cache->least_rest_distance);
    return pli_higher(apart + 2.0f * cache->slack.allowed_deviation,
                      cache->near_share * rest_distance + 2.0f * cache->contact_allowed_deviation);
}

// Upper bound of how much closer two sides are than their trajectories predict [m].
static inline float pli_collision_pair_deviation(const pli_collision *collision)
{
    return pli_slack_pair_deviation(&collision->cache.slack);
}

static inline void pli_candidate_list_empty(pli_candidate_list *list)
{
    list->pairs.count = list->cluster_pairs.count = list->count = 0;
}

static inline int32_t pli_cluster_pair_chunks(const pli_candidate_list *list)
{
    return (list->cluster_pairs.count + PLI_CLUSTER_PAIR_GRAIN - 1) / PLI_CLUSTER_PAIR_GRAIN;
}

static inline bool pli_listed_are_edges(const pli_listed_pair *p) { return p->primitive[1] < 0; }

// The particles of a listed pair in the store, side a first.
static inline void pli_listed_particles(const pli_collision *collision, const pli_listed_pair *p, int32_t at[4])
{
    const pli_contact_mesh *a = collision->surfaces[p->surface[0]], *b = collision->surfaces[p->surface[1]];
    if (pli_listed_are_edges(p)) {
        const int32_t *one = a->edges + 2 * (ptrdiff_t)p->primitive[0],
                      *other = b->edges + 2 * (ptrdiff_t)~p->primitive[1];
        at[0] = a->first + one[0], at[1] = a->first + one[1];
        at[2] = b->first + other[0], at[3] = b->first + other[1];
        return;
    }
    const int32_t *corners = b->triangles + 3 * (ptrdiff_t)p->primitive[1];
    at[0] = a->first + p->primitive[0];
    for (int k = 0; k < 3; k++)
        at[1 + k] = b->first + corners[k];
}

// The part of a listed pair's rest distance that is the radius of a sphere or capsule [m].
static inline float pli_listed_core(const pli_collision *collision, const pli_listed_pair *p)
{
    return collision->surfaces[p->surface[0]]->radius + collision->surfaces[p->surface[1]]->radius;
}

// Unpacks a listed pair. A stage that changes the copy must write the change back to the list.
static inline pli_candidate_pair pli_pair_read(const pli_collision *collision, const pli_listed_pair *p)
{
    bool edges = pli_listed_are_edges(p);
    pli_candidate_pair pair = {
        .normal = p->normal,
        .rest_distance = p->rest_distance,
        .core = pli_listed_core(collision, p),
        .surface = {p->surface[0], p->surface[1]},
        .primitive = {p->primitive[0], edges ? ~p->primitive[1] : p->primitive[1]},
        .kind = edges ? PLI_PAIR_EDGE_EDGE : PLI_PAIR_VERTEX_TRIANGLE,
    };
    pli_listed_particles(collision, p, pair.at);
    pair.near = pli_near_of(collision, pair.rest_distance, pair.core);
    return pair;
}

static inline pli_listed_pair *pli_failing_listed(const pli_collision *collision, const pli_failing *at)
{
    return &collision->cache.lists[at->list].pairs.items[at->pair];
}

static inline pli_candidate_pair pli_failing_pair(const pli_collision *collision, const pli_failing *at)
{
    return pli_pair_read(collision, pli_failing_listed(collision, at));
}

// Positions of a pair's four particles, in double.
static inline void pli_pair_positions(const pli_candidate_pair *pair, const pli_particle *particles, pli_dvec3 at[4])
{
    for (int i = 0; i < 4; i++) {
        const pli_particle *p = &particles[pair->at[i]];
        at[i] = (pli_dvec3){(double)p->x, (double)p->y, (double)p->z};
    }
}

// Gap between the two sides along a unit direction from side b to side a [m]; negative if the direction does not separate them.
static inline float pli_pair_gap(const pli_candidate_pair *pair, const pli_particle *particles, pli_vec3 normal)
{
    float d[4] = {0.0f};
    pli_vec3 origin = pli_position_of(&particles[pair->at[0]]);
    for (int i = 1; i < 4; i++)
        d[i] = pli_dot(normal, pli_sub(pli_position_of(&particles[pair->at[i]]), origin));
    if (pair->kind == PLI_PAIR_EDGE_EDGE)
        return fminf(d[0], d[1]) - fmaxf(d[2], d[3]);
    return d[0] - fmaxf(fmaxf(d[1], d[2]), d[3]);
}

// The least distance that the guarantee leaves between the sides of a pair that start the substep `distance` apart [m]:
// surfaces may come arbitrarily close, round shapes keep their radius.
static inline double pli_pair_level(const pli_candidate_pair *pair, double distance)
{
    if (!(pair->core > 0.0f))
        return 0.0;
    double surface = (1.0 + PLI_CORE_MARGIN) * (double)pair->core, start = (1.0 - PLI_CORE_LOSS) * distance;
    return surface < start ? surface : start;
}

// Asks the user's filter about two sets of vertices; the first `split` of `count` indices belong to surfaces[0].
bool pli_collision_allows(const pli_collision *collision, const int32_t surfaces[2], const int32_t *at, int32_t split,
                          int32_t count);

// A union-find groups the surfaces that act on each other in this substep; reset_links empties it.
void pli_collision_reset_links(pli_collision *collision);
void pli_collision_link(pli_collision *collision, int32_t a, int32_t b);
int32_t pli_collision_link_of(const pli_collision *collision, int32_t surface);

// Moves a particle back to a fraction of its displacement in this substep; 0 leaves it at its start, bit-identical.
void pli_collision_cut(pli_collision *collision, int32_t i, float share);
// Moves a collider that yields along a fraction of its path in this substep.
void pli_collision_lead(pli_collision *collision, int32_t surface, float share);

// Stops the analytic shapes that the application moves through particles that do not move.
void pli_collision_stop_shapes(pli_collision *collision);

// Can contact move any side of the pair? It can if a side has a particle with mass or a rigid body, or if pinned
// particles, which yield, move relative to one another or to a collider.
bool pli_pair_movable(const pli_collision *collision, const pli_candidate_pair *pair);
// Returns which side of the pair is a collider, 0 or 1; -1 if none is.
int32_t pli_pair_collider(const pli_collision *collision, const pli_candidate_pair *pair);

// Releases memory after an unusually demanding step. Arrays and scratch memory grow as needed and keep their size, so that a steady step
// allocates nothing. Every PLI_TRIM_STEPS steps, memory of more than twice the size that any step since the last trim needed shrinks to
// 1.25 times that size. Memory that is needed again within that many steps is never released.

// Records the used size of each array. Must be called when the arrays are at their longest.
void pli_collision_note_sizes(pli_collision *collision);
// Ends a step: shrinks the arrays that are due. Contents are kept; the arenas must be empty.
void pli_collision_trim(pli_collision *collision);

#endif
