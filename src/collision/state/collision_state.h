// Contact between surfaces: which pairs of primitives are near, how they are kept apart, and the
// guarantee that what does not intersect will not.
#ifndef PLI_COLLISION_STATE_COLLISION_STATE_H
#define PLI_COLLISION_STATE_COLLISION_STATE_H

#include "base/arena.h"
#include "base/parallel_append.h"
#include "base/tasks.h"
#include "collision/narrowphase/closest_points.h"
#include "collision/state/ccd_state.h"
#include "collision/state/contact_mesh.h"
#include "collision/state/contact_state.h"
#include "collision/state/pair_cache.h"
#include "collision/state/untangle_state.h"
#include "rigid/rigid.h"
#include "simd/wide.h"

// A part of a surface.
typedef struct pli_side {
    const pli_contact_mesh *surface;
    const int32_t *at; // Places in the store.
    int32_t count;
} pli_side;

// Particles, triangles, edges or pairs a task works on.
enum { PLI_FIND_GRAIN = 32, PLI_CLUSTER_PAIR_GRAIN = 64, PLI_PAIR_GRAIN = 1024 };

// Contacts whose sides would end further apart than this share of what they keep are left out.
#define PLI_NEAR_SHARE 1.25f
// Of the rest distance, what two parts of a surface keep at most; and, of the mean edge, below which
// they count as joined.
#define PLI_REST_SHARE 0.9
#define PLI_SEAM_SHARE 1e-4f
// A separating direction must leave this much of the distance that is kept.
#define PLI_GAP_SHARE 0.02f
// What is nearer than it should be is brought apart at this speed of its thickness [1/s].
#define PLI_RECOVERY 60.0f

typedef struct pli_collision {
    pli_memory *memory;
    pli_tasks *tasks;
    const pli_near_kernels *near;
    const pli_gradient_kernels *gradients;
    const struct pli_contact_batch_kernels *contact_batches;
    const struct pli_particle_contact_kernels *particle_contacts;

    // Set by the owner for each step, in the arena of the step:
    pli_arena step_arena;
    pli_contact_mesh **surfaces;
    uint32_t *tied; // [particle_count] id of the rigid body an attachment ties it to; null for none.
    int32_t *links; // [surface_count] towards the first surface of those that act on each other.
    int32_t surface_count;
    bool has_particle_lists; // Whether any surface has one.

    // Set by the owner for each substep:
    pli_arena arena;                                 // Scratch.
    pli_particle *particles, *previous, *velocities; // The store.
    int32_t particle_count, dummy;                   // The place of a particle of inverse mass 0 that nobody has.
    float step;                                      // Of the substep [s].
    int32_t substeps_left;                           // With this one.
    // May the two touch? Asked on the thread that steps. Null lets all.
    bool (*allows)(void *user, const pli_side *a, const pli_side *b);
    void *user;

    pli_bvh16 around;              // Over the surfaces, about all clusters of each as they were laid last,
    bool refitted_on_trajectories; // from the trajectories of the pair cache, or else where they are.
    PLI_ARRAY(float) partial;      // Sums and maxima by chunk.
    pli_pair_cache cache;
    pli_repair repair;
    pli_contacts contacts;
    pli_ccd_state ccd;
    pli_untangling untangle;
    bool out_of_memory; // Memory ran out: what follows is not to be used.
} pli_collision;

void pli_collision_release(pli_collision *collision);

static inline pli_gather_tools pli_collision_tools(pli_collision *collision)
{
    return (pli_gather_tools){&collision->arena, collision->tasks};
}

// To be called when anything may have been placed into anything: the next substep looks for intersections everywhere.
static inline void pli_collision_expect_intersections(pli_collision *collision)
{
    collision->untangle.unverified = true;
}

// Whether primitives of these surfaces may touch, by sides and layers.
static inline bool pli_collision_meet(const pli_collision *collision, int32_t a, int32_t b)
{
    return pli_surfaces_meet(collision->surfaces[a], collision->surfaces[b]);
}

static inline pli_vec3 pli_place_of(const pli_particle *p) { return (pli_vec3){p->x, p->y, p->z}; }

// Where a particle was at the start of the substep.
static inline pli_dvec3 pli_start_of(const pli_collision *collision, int32_t i)
{
    const pli_particle *p = &collision->previous[i];
    return (pli_dvec3){(double)p->x, (double)p->y, (double)p->z};
}

// The unit normal of a triangle at the start of the substep. False when it has no area.
static inline bool pli_normal_at_start(const pli_collision *collision, const int32_t corners[3], pli_dvec3 *normal)
{
    pli_dvec3 a = pli_start_of(collision, corners[0]);
    pli_dvec3 sides[2] = {pli_dsub(pli_start_of(collision, corners[1]), a),
                          pli_dsub(pli_start_of(collision, corners[2]), a)};
    pli_dvec3 across = pli_dcross(sides[0], sides[1]);
    double length = pli_dlength(across);
    if (!(length > 0.0))
        return false;
    *normal = pli_dscale(across, 1.0 / length);
    return true;
}

// Moves both ends of its way: a mend and no motion, so that no velocity comes of it.
static inline void pli_collision_shift(pli_collision *collision, int32_t i, pli_dvec3 by)
{
    pli_particle *p = &collision->particles[i], *q = &collision->previous[i];
    p->x += (float)by.x, p->y += (float)by.y, p->z += (float)by.z;
    q->x += (float)by.x, q->y += (float)by.y, q->z += (float)by.z;
}

// Beyond this the sides of a pair are no contact [m].
static inline float pli_pair_near(const pli_candidate_pair *pair)
{
    return pair->core + PLI_NEAR_SHARE * (pair->rest_distance - pair->core);
}

// Up to which gap a pair is listed that keeps so much, and is a contact when as near as that [m].
static inline float pli_collision_reach(const pli_collision *collision, float rest_distance, float near)
{
    return pli_higher(rest_distance + 2.0f * collision->cache.slack.allowed_deviation,
                      near + 2.0f * collision->cache.contact_allowed_deviation);
}

// How much nearer the sides of a pair may have come by leaving their trajectories [m].
static inline float pli_collision_nearer(const pli_collision *collision)
{
    return pli_slack_nearer(&collision->cache.slack);
}

static inline int32_t pli_cluster_pair_chunks(const pli_candidate_list *list)
{
    return (list->cluster_pairs.count + PLI_CLUSTER_PAIR_GRAIN - 1) / PLI_CLUSTER_PAIR_GRAIN;
}

// Positions of a pair in double.
static inline void pli_pair_positions(const pli_candidate_pair *pair, const pli_particle *particles, pli_dvec3 at[4])
{
    for (int i = 0; i < 4; i++) {
        const pli_particle *p = &particles[pair->at[i]];
        at[i] = (pli_dvec3){(double)p->x, (double)p->y, (double)p->z};
    }
}

// How far the sides are apart along a direction: negative when it does not separate them.
static inline float pli_pair_gap(const pli_candidate_pair *pair, const pli_particle *particles, pli_vec3 normal)
{
    float d[4] = {0.0f};
    pli_vec3 origin = pli_place_of(&particles[pair->at[0]]);
    for (int i = 1; i < 4; i++)
        d[i] = pli_dot(normal, pli_sub(pli_place_of(&particles[pair->at[i]]), origin));
    if (pair->kind == PLI_PAIR_EDGE_EDGE)
        return fminf(d[0], d[1]) - fmaxf(d[2], d[3]);
    return d[0] - fmaxf(fmaxf(d[1], d[2]), d[3]);
}

// What the user says to parts of two surfaces; the first `split` of `count` places are of the first one.
bool pli_collision_allows(const pli_collision *collision, const int32_t surfaces[2], const int32_t *at, int32_t split,
                          int32_t count);

// Surfaces that act on each other in this substep.
void pli_collision_forget_links(pli_collision *collision);
void pli_collision_link(pli_collision *collision, int32_t a, int32_t b);
int32_t pli_collision_link_of(const pli_collision *collision, int32_t surface);

// Whether anything of the pair can be moved by contact.
bool pli_pair_movable(const pli_collision *collision, const pli_candidate_pair *pair);
// The side of a collider, 0 or 1; -1 when there is none.
int32_t pli_pair_collider(const pli_collision *collision, const pli_candidate_pair *pair);

#endif
