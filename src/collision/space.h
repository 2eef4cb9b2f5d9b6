// Contact between surfaces: which pairs of primitives are near, how they are kept apart, and the
// guarantee that what does not intersect will not.
//
//   find        pairs within reach, a few times a step at most     find.c
//   touch       each substep: near pairs become contacts           touch.c
//   project     each sweep: contacts are projected                 push.c
//   guard       after the sweeps: every way is proved clear        guard.c
//   untangle    what intersects already is brought apart           tangle.c
#ifndef PLI_COLLISION_SPACE_H
#define PLI_COLLISION_SPACE_H

#include "base/tasks.h"
#include "collision/bvh.h"
#include "collision/closest.h"
#include "collision/surface.h"
#include "pliant/world.h"
#include "rigid/rigid.h"
#include "simd/wide.h"
#include "wide/balls.h"
#include "wide/near.h"
#include "wide/press.h"

// A vertex and a triangle, or two edges.
typedef struct pli_pair {
    int32_t at[4];        // Places in the store; side a first.
    pli_vec3 normal;      // A direction from b to a that separated them when last looked at.
    float keep;           // Distance to keep [m].
    float core;           // Of that, what is the radius of a sphere or capsule [m].
    int32_t surface[2];   // Of the sides, among the space's.
    int32_t primitive[2]; // Triangle or edge of its surface; for a vertex, its place.
    int32_t kind;         // pli_pair_kind
    float gap;            // How far the sides are apart at least on straight ways; negative when unknown [m].
} pli_pair;

// Two patches that are near, of a surface and the same or a later one, and their pairs.
typedef struct pli_meeting {
    int32_t surface[2], patch[2];
    int32_t begin, count;
    float touch_room, guard_room; // How much nearer its sides may come before any pair can be a contact, or meet [m].
} pli_meeting;

typedef struct pli_pair_list {
    pli_pair *pairs;       // Those of a meeting lie together; others, that were dropped, between them.
    pli_meeting *meetings; // In the order in which pairs are looked at.
    int32_t count, used;   // Pairs of meetings, and all up to the last.
    int32_t capacity, meeting_count, meeting_capacity;
    int32_t room, meeting_room;  // That a chunk of a search gets: as much as one has needed.
    pli_meeting *spare_meetings; // What meetings are brought into order in, when they are mended.
    int32_t spare_meeting_capacity;
} pli_pair_list;

// A part of a surface.
typedef struct pli_side {
    const pli_surface *surface;
    const int32_t *at; // Places in the store.
    int32_t count;
} pli_side;

// A contact of a substep.
typedef struct pli_touch {
    int32_t at[4];
    float weights[4]; // Side a's sum to 1, side b's to -1.
    pli_vec3 normal;  // Unit, from b to a.
    float keep;       // normal . sum of weights x >= keep [m]
    float friction, restitution;
    float push, rubbed; // Sums of projections along the normal and across it [kg m].
    float kick;         // Of restitution, along the normal [N s].
    float approach;     // Normal speed before the sweeps [m/s].
    int32_t surface[2]; // Of the sides.
    int32_t split;      // Particles of side a.
    int32_t particles;  // Of both; the other places are of the dummy.
    int32_t colour;
} pli_touch;

// An edge that goes through a triangle at a part of its length.
typedef struct pli_tangle {
    int32_t edge_surface, edge_index, triangle_surface, triangle_index;
    int32_t edge[2], corners[3]; // Places in the store.
    double part;
} pli_tangle;

// Which part of its surface a particle is in, where intersections cut it.
typedef struct pli_cut {
    int32_t part, whole;   // Towards the roots of its part, and of all that edges join it to.
    int32_t size, largest; // Of a part: particles; of a whole: the root of its largest part, -1 for none.
    int32_t partner;       // Of a part: the surface that cuts it off.
    bool beyond;           // Whether its part is not the largest of the whole.
    int32_t strand;        // Towards the root of those next to the same intersection on the same side.
    pli_dvec3 pull;        // Of a strand: sum of the directions in which it should move.
    bool sided;            // Of a strand: whether there is an edge of which the right side is known.
} pli_cut;

// The ways of an impact zone: of what cannot be moved, and momentum over mass of the others.
typedef struct pli_zone_sum {
    double held[3], held_count, free[3], mass;
} pli_zone_sum;

// A pair of a list.
typedef struct pli_failing {
    int32_t list, pair;
} pli_failing;

typedef struct pli_patch_place {
    int32_t surface, patch;
} pli_patch_place;

enum { PLI_LIST_DEFORMABLES, PLI_LIST_COLLIDERS, PLI_LIST_COUNT };

// Particles, triangles, edges or pairs a task works on.
enum { PLI_FIND_GRAIN = 32, PLI_MEETING_GRAIN = 64, PLI_PAIR_GRAIN = 1024 };

enum { PLI_PRESS_COLOURS = 64 };

// Contacts whose sides would end further apart than this share of what they keep are left out.
#define PLI_NEAR_SHARE 1.25f
// A separating direction must leave this much of the distance that is kept.
#define PLI_GAP_SHARE 0.02f
// What is nearer than it should be is brought apart at this speed of its thickness [1/s].
#define PLI_RECOVERY 60.0f

typedef struct pli_space {
    pli_memory *memory;
    pli_tasks *tasks;
    const pli_near_kernels *near;
    const pli_slope_kernels *slopes;
    const pli_press_kernels *presses;
    const pli_ball_kernels *balls;
    // Set by the owner for each step.
    pli_surface **surfaces;
    pli_bvh **trees; // Of collider surfaces; null for others.
    int32_t surface_count, surface_capacity, tree_capacity;
    pli_box_tree around; // Over the surfaces, about all patches of each as they were laid last,
    bool laid_on_ways;   // from the lists' ways, or else where they are.
    pli_particle *particles, *previous, *velocities; // The store.
    uint32_t *tied;                // [particle_count] id of the rigid body an attachment ties it to; null for none.
    int32_t particle_count, dummy; // The place of a particle of inverse mass 0 that nobody has.
    pli_guarantee guarantee;
    float step;            // Of the substep [s].
    int32_t substeps_left; // With this one.
    // May the two touch? Asked on the thread that steps. Null lets all.
    bool (*allows)(void *user, const pli_side *a, const pli_side *b);
    void *user;

    pli_pair_list lists[PLI_LIST_COUNT];
    bool has_pairs[PLI_LIST_COUNT]; // Whether any two surfaces may meet at all.
    bool has_particle_lists;        // Whether any has one.
    // The lists hold all pairs that come nearer than they should while every particle keeps within
    // `budget` of a straight way from where it was when they were found, for `lifetime` substeps.
    pli_particle *starts, *ways;   // [particle_count] that way: where it begins, and what a substep does.
    float budget, strayed;         // How far particles may be off it, and are in this substep [m].
    float touch_budget;            // How far they may be when contacts are made [m].
    float least_keep;              // Of all pairs that may be [m].
    int32_t age, lifetime;         // [substeps]; an age of -1: found in no substep of this step.
    pli_patch_place *wanted;       // Patches whose primitives are looked at.
    pli_patch_place *asking;       // Patches that search again, while lists are mended.
    struct pli_sort_item *sorting; // Meetings, by the order of their patches.
    int32_t sorting_capacity, wanted_count, wanted_capacity, asking_count, asking_capacity;
    uint8_t *astray;         // [particle_count] while lists are mended, 1 for what has left its way.
    int32_t *strays;         // Those.
    uint8_t *marks;          // Patches of all surfaces, while lists are mended or ways are cleared.
    int32_t *patch_bases;    // First of each surface among those.
    float *squares_off;      // [particle_count] how far each is off its way in this substep, squared [m^2].
    float *patch_strays;     // By patch, the most of its particles [m].
    bool knows_patch_strays; // Or else only `strayed` is known.
    int32_t stray_count, astray_capacity, stray_capacity, mark_capacity, patch_base_capacity, square_capacity,
        patch_stray_capacity;
    void *scratch;      // What chunks find, before it is gathered.
    pli_touch *touches; // Of this substep.
    int32_t touch_count, touch_room;
    pli_press_block *press; // Those that have a colour, colour by colour.
    int32_t press_starts[PLI_PRESS_COLOURS + 1];
    int32_t *alone; // The others: what found no colour, and what moves a rigid body.
    int32_t alone_count;
    uint64_t *masks;  // [particle_count] colours in use.
    uint8_t *tangled; // [particle_count] 1 while it is part of an intersection.
    pli_tangle *tangles;
    int32_t tangled_count; // Pairs of an edge and a triangle that intersect.
    pli_cut *cuts;         // [particle_count] while anything intersects.
    uint8_t *cut_edges;    // By edge of deformables: 1 when an odd number of triangles lies across it.
    pli_touch *holds;      // Of what is on its way out of what it intersects.
    int32_t hold_count, hold_capacity;
    pli_dvec3 *shifts; // [particle_count] that pulling apart made in this substep.
    int32_t shift_capacity, cut_capacity, cut_edge_capacity;
    int32_t *within;  // [particle_count] 1 + the closed collider it is inside of; 0 for none.
    int32_t *leaving; // The particles that are inside of one.
    int32_t leaving_capacity;
    int32_t within_count; // Particles that are.
    uint8_t *doubtful;    // By patch of what asks: whether part of it intersects, or is beyond or inside.
    int32_t doubtful_capacity;
    bool hopeless;           // Whether what intersects has for long, so that it is pulled gently.
    bool unverified;         // Whether anything may have been placed into anything.
    int32_t *bases;          // Of searches: first vertex, triangle and edge of each surface.
    pli_zone_sum *zone_sums; // [particle_count]
    float *partial;          // Sums and maxima by chunk.
    int32_t scratch_capacity, touch_capacity, alone_capacity, press_capacity, tangle_capacity, mask_capacity,
        tangled_capacity, base_capacity, sum_capacity, in_zone_capacity, partial_capacity, path_start_capacity,
        path_capacity, tied_capacity, within_capacity;
    pli_failing *failing;       // Pairs whose ways are not clear.
    uint8_t *changed, *in_zone; // [particle_count] by the guard of this substep.
    int32_t *zones;             // [particle_count] towards the root of each particle's zone.
    float *bounds;              // [particle_count]
    int32_t failing_capacity, failing_count, failing_room, changed_capacity, zone_capacity, bound_capacity;
    int32_t *links; // [surface_count] towards the first surface of those that act on each other.
    int32_t link_capacity;
    int32_t held_back, breaches; // Over the step.
    bool starved;                // Memory ran out: what follows is not to be used.
} pli_space;

void pli_space_release(pli_space *space);

// Whether primitives of these surfaces may touch, by sides and layers.
bool pli_space_meet(const pli_space *space, int32_t a, int32_t b);

static inline pli_vec3 pli_place_of(const pli_particle *p) { return (pli_vec3){p->x, p->y, p->z}; }

// Where a particle was at the start of the substep.
static inline pli_dvec3 pli_start_of(const pli_space *space, int32_t i)
{
    const pli_particle *p = &space->previous[i];
    return (pli_dvec3){(double)p->x, (double)p->y, (double)p->z};
}

// The unit normal of a triangle at the start of the substep. False when it has no area.
static inline bool pli_normal_at_start(const pli_space *space, const int32_t corners[3], pli_dvec3 *normal)
{
    pli_dvec3 a = pli_start_of(space, corners[0]);
    pli_dvec3 sides[2] = {pli_dsub(pli_start_of(space, corners[1]), a), pli_dsub(pli_start_of(space, corners[2]), a)};
    pli_dvec3 across = pli_dcross(sides[0], sides[1]);
    double length = pli_dlength(across);
    if (!(length > 0.0))
        return false;
    *normal = pli_dscale(across, 1.0 / length);
    return true;
}

// Moves both ends of its way: a mend and no motion, so that no velocity comes of it.
static inline void pli_space_shift(pli_space *space, int32_t i, pli_dvec3 by)
{
    pli_particle *p = &space->particles[i], *q = &space->previous[i];
    p->x += (float)by.x, p->y += (float)by.y, p->z += (float)by.z;
    q->x += (float)by.x, q->y += (float)by.y, q->z += (float)by.z;
}

// Beyond this the sides of a pair are no contact [m].
static inline float pli_pair_near(const pli_pair *pair)
{
    return pair->core + PLI_NEAR_SHARE * (pair->keep - pair->core);
}

// Up to which gap a pair is listed that keeps so much, and is a contact when as near as that [m].
static inline float pli_space_reach(const pli_space *space, float keep, float near)
{
    return pli_higher(keep + 2.0f * space->budget, near + 2.0f * space->touch_budget);
}

// How much nearer the sides of a meeting may have come by leaving their ways [m].
static inline float pli_meeting_nearer(const pli_space *space, const pli_meeting *m)
{
    if (!space->knows_patch_strays)
        return 2.0f * space->strayed;
    return space->patch_strays[space->patch_bases[m->surface[0]] + m->patch[0]] +
           space->patch_strays[space->patch_bases[m->surface[1]] + m->patch[1]];
}

// Whether any particle of a meeting's patches has been changed by the guard.
static inline bool pli_meeting_changed(const pli_space *space, const pli_meeting *m)
{
    return space->marks[space->patch_bases[m->surface[0]] + m->patch[0]] ||
           space->marks[space->patch_bases[m->surface[1]] + m->patch[1]];
}

static inline int32_t pli_meeting_chunks(const pli_pair_list *list)
{
    return (list->meeting_count + PLI_MEETING_GRAIN - 1) / PLI_MEETING_GRAIN;
}

// Positions of a pair in double.
static inline void pli_pair_positions(const pli_pair *pair, const pli_particle *particles, pli_dvec3 at[4])
{
    for (int i = 0; i < 4; i++) {
        const pli_particle *p = &particles[pair->at[i]];
        at[i] = (pli_dvec3){(double)p->x, (double)p->y, (double)p->z};
    }
}

// How far the sides are apart along a direction: negative when it does not separate them.
static inline float pli_pair_gap(const pli_pair *pair, const pli_particle *particles, pli_vec3 normal)
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
bool pli_space_allows(const pli_space *space, const int32_t surfaces[2], const int32_t *at, int32_t split,
                      int32_t count);

// Surfaces that act on each other in this substep.
void pli_space_forget_links(pli_space *space);
void pli_space_link(pli_space *space, int32_t a, int32_t b);
int32_t pli_space_link_of(const pli_space *space, int32_t surface);

// Whether anything of the pair can be moved by contact.
bool pli_pair_movable(const pli_space *space, const pli_pair *pair);
// The side of a collider, 0 or 1; -1 when there is none.
int32_t pli_pair_collider(const pli_space *space, const pli_pair *pair);
// Whether contact leaves the pair alone: both sides are part of intersections, or the cloth is inside of
// the collider, or behind a one-sided one.
bool pli_pair_exempt(const pli_space *space, const pli_pair *pair);

// Finds the lists again if they do not hold for the predicted positions. Sets `starved` when memory ran out.
void pli_space_find(pli_space *space);
// The same for the positions at the end of the substep, however far they are: true when it did.
bool pli_space_widen(pli_space *space);

// A collider that stays in place and whose ways have been begun is not looked at again, so that its size costs nothing.
bool pli_space_stays(const pli_space *space, int32_t surface);
// Sets squares_off of all particles that may have strayed.
void pli_space_measure_strays(pli_space *space);
// Numbers the patches of all surfaces, and makes room for what is kept of each. False when memory ran out.
bool pli_space_number_patches(pli_space *space, int64_t *count);
// Tells how far patches have left their ways in this substep; when pairs are few, this is not worth knowing. And which of
// them hold particles that the guard has changed. False when memory ran out.
bool pli_meetings_measure(pli_space *space);
void pli_meetings_note_changes(pli_space *space);

// Makes the contacts of this substep from the lists.
void pli_space_touch(pli_space *space);
// One sweep over the contacts.
void pli_space_project(pli_space *space);
// Marks and links the surfaces that pushed one another in this substep.
void pli_space_mark_touched(pli_space *space);
// Restitution. `bounce` is the approach below which nothing rebounds [m/s].
void pli_space_rebound(pli_space *space, float bounce);
// Shortens ways until all are clear.
void pli_space_guard(pli_space *space);

// Looks for intersections if anything may have been placed into anything, and moves what intersects.
void pli_space_untangle(pli_space *space);

#endif
