// Limits of stretch: what a deformable's stretch limit is made of, and its sweep.
#ifndef PLI_SOLVER_LIMIT_H
#define PLI_SOLVER_LIMIT_H

#include "generators/tethers.h"
#include "solver/set.h"

// One end of a rope: a particle, or what an attachment ties of a rigid body.
typedef struct pli_rope_end {
    pli_tie *tie; // Or null.
    int32_t at;   // Internal place, or place among what the attachment ties.
} pli_rope_end;

// A tether with a rigid body at an end or at both.
typedef struct pli_rope {
    pli_rope_end ends[2];
    float length; // [m], without slack.
} pli_rope;

// Tethers of a rank by place in a grid's columns (wide/columns.h).
typedef struct pli_rows {
    float *lengths;
    int32_t *anchors;
} pli_rows;

typedef struct pli_limit {
    pli_stretch_kind kind;   // In effect.
    int32_t anchors, levels; // That it was made for.
    int32_t *owners, *found; // [capacity] by vertex: what holds each, as of pli_tethers_find; found: now.
    int32_t count, capacity; // Of the deformable when it was made.
    pli_tethers tethers;
    pli_set *set;   // Those between particles; null for none.
    pli_rows *rows; // [rank_count] the same for a grid; null for other meshes.
    int32_t rank_count, row_anchor_count;
    int32_t *row_anchors; // Internal places.
    float *row_points;    // [3 * row_anchor_count] where they are now.
    pli_rope *ropes;      // The others.
    int32_t rope_count;
    struct pli_hierarchy *hierarchy; // Null for none.
    float *masses;                   // [capacity] inverse masses that it was made for, in internal order.
    size_t memory;
} pli_limit;

// Whether it acts in sweeps over this deformable.
static inline bool pli_body_is_limited(const pli_body *body)
{
    return body->limit && (body->limit->hierarchy || body->limit->kind == PLI_STRETCH_LONG_RANGE_ATTACHMENTS);
}

pli_status pli_stretch_limit_check(const pli_stretch_limit *limit, pli_error *error);

// Makes anew what has changed since the last step: what holds deformables, their faces, what is wanted. Where nothing
// has, it allocates nothing. False when memory ran out.
bool pli_world_update_limits(pli_world *world);
// What comes before the constraint sets in a sweep, and what comes after, in a substep of `step` seconds.
void pli_world_limit_levels(pli_world *world);
void pli_world_limit_stretch(pli_world *world, float step, pli_sweep sweep);
void pli_limit_free(pli_world *world, pli_body *body);

// The set of the tethers between particles, and the ropes of the others. False when memory ran out.
bool pli_limit_lay_tethers(pli_world *world, pli_body *body);
void pli_limit_project_ropes(pli_body *body);

// The tethers of a grid's set again, by rows. False when memory ran out.
bool pli_limit_lay_rows(pli_world *world, pli_body *body);
void pli_limit_project_rows(pli_world *world, pli_body *body);
void pli_limit_free_rows(pli_world *world, pli_limit *limit);

#endif
