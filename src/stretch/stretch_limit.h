// Limits of stretch: what a deformable's stretch limit is made of, and its sweep.
#ifndef PLI_STRETCH_STRETCH_LIMIT_H
#define PLI_STRETCH_STRETCH_LIMIT_H

#include "model/model.h"
#include "stretch/tether_build.h"

// One end of a rope: a particle, or what an attachment ties of a rigid body.
typedef struct pli_tether_limit_end {
    pli_attachment_data *attachment; // Or null.
    int32_t at;                      // Internal place, or place among what the attachment ties.
} pli_tether_limit_end;

// A tether with a rigid body at an end or at both.
typedef struct pli_tether_limit {
    pli_tether_limit_end ends[2];
    float length; // [m], without slack.
} pli_tether_limit;

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
    pli_constraint_set_data *set; // Those between particles; null for none.
    pli_rows *rows;               // [rank_count] the same for a grid; null for other meshes.
    int32_t rank_count, row_anchor_count;
    int32_t *row_anchors;    // Internal places.
    float *row_points;       // [3 * row_anchor_count] where they are now.
    pli_tether_limit *ropes; // The others.
    int32_t rope_count;
    struct pli_hierarchy *hierarchy; // Null for none.
    float *masses;                   // [capacity] inverse masses that it was made for, in internal order.
    size_t memory;
} pli_limit;

// What acts in sweeps over this deformable: levels before its constraint sets, tethers behind them.
static inline bool pli_deformable_has_levels(const pli_deformable_data *deformable)
{
    return deformable->limit && deformable->limit->hierarchy;
}

static inline bool pli_deformable_has_tethers(const pli_deformable_data *deformable)
{
    return deformable->limit && deformable->limit->kind == PLI_STRETCH_LONG_RANGE_ATTACHMENTS;
}

pli_status pli_stretch_limit_check(const pli_stretch_limit *limit, pli_error *error);

// Makes anew what has changed since the last step: what holds deformables, their faces, what is wanted. Where nothing
// has, it allocates nothing. False when memory ran out.
bool pli_world_update_limits(pli_world *world);
// Projects the levels of a deformable that has them; positions must be in its grid when pli_limit_levels_in_grid.
bool pli_limit_levels_in_grid(const pli_deformable_data *deformable);
void pli_limit_project_levels(pli_world *world, pli_deformable_data *deformable);
// How many lengths all that looks at in a sweep.
int64_t pli_limit_projections(const pli_deformable_data *deformable);
void pli_limit_free(pli_world *world, pli_deformable_data *deformable);

#endif
