// Stretch limits of a deformable: long range attachments (tethers), or a multilevel solver. Either bounds the stretch
// of a fine mesh, where constraints along edges alone would need many sweeps, since a sweep carries a correction only
// as far as the colouring does.
//
//   in each sweep:   multilevel pass  ->  constraint sets  ->  tethers
#ifndef PLI_STRETCH_STRETCH_LIMIT_H
#define PLI_STRETCH_STRETCH_LIMIT_H

#include "membrane/membrane.h"
#include "model/model.h"
#include "stretch/tether_build.h"
#include "tension/tension.h"

// One end of a tether with a rigid body: a particle, or a point of the body.
typedef struct pli_rigid_tether_end {
    pli_attachment_data *attachment; // Attachment to the rigid body, or NULL for a particle.
    int32_t at;                      // Internal index of the particle, or index among the attachment's points.
} pli_rigid_tether_end;

// A tether with a rigid body at one end or at both.
typedef struct pli_rigid_tether {
    pli_rigid_tether_end ends[2];
    float length; // Greatest length without slack [m].
} pli_rigid_tether;

// Tethers of one rank by layout index of a grid (grid/grid_kernels.h): [rows * pitch] lengths [m] and anchors.
typedef struct pli_rows {
    float *lengths;
    int32_t *anchors;
} pli_rows;

// A search for the tethers of other owners than those in effect, made in pieces at the ends of steps.
typedef struct pli_tether_job {
    int32_t *owners; // [capacity] by vertex: those that it is for.
    int32_t steps;   // Pieces that have been made.
    pli_tether_search search;
} pli_tether_job;

// Tethers as a snapshot has them, until the next step makes them.
typedef struct pli_tether_record {
    bool ready; // Was read, not only checked.
    int32_t count, steps;
    int32_t *owners, *wanted; // [count] by vertex: those in effect, and those of the search; NULL for none.
} pli_tether_record;

typedef struct pli_limit {
    pli_stretch_kind kind;   // The kind in effect, never PLI_STRETCH_AUTO.
    int32_t anchors, levels; // Settings that it was built for.
    // [capacity] by vertex, owners as in pli_tether_search: when it was built, now, and when the set was filled.
    int32_t *owners, *found, *filled;
    int32_t count, capacity; // Particles of the deformable when it was built.
    pli_tethers tethers;
    pli_tether_job *job;          // NULL for none.
    pli_tether_record *record;    // NULL for none.
    bool whole;                   // The tethers of what is held now are wanted at once.
    pli_constraint_set_data *set; // Tethers between particles as a constraint set; NULL for none.
    pli_rows *rows;               // [rank_count] the same tethers in the layout of a grid; NULL for other meshes.
    int32_t rank_count, row_anchor_count;
    int32_t *row_anchors;            // [row_anchor_count] internal indices of the anchors.
    float *row_points;               // [3 * row_anchor_count] their positions now, as a structure of arrays [m].
    pli_rigid_tether *rigid_tethers; // [rigid_tether_count] tethers with a rigid body.
    int32_t rigid_tether_count;
    struct pli_hierarchy *hierarchy; // Levels of the multilevel solver; NULL for none.
    pli_tension *tension;            // The solver of tension; NULL for none.
    pli_membrane *membrane;          // The solver of membranes; NULL for none.
    float *masses; // [capacity] inverse masses that the levels were built for, in internal order [1/kg].
    size_t memory; // Bytes that it takes.
} pli_limit;

// Whether a multilevel pass runs before the constraint sets in a sweep, and whether tethers follow after them.
static inline bool pli_deformable_has_levels(const pli_deformable_data *deformable)
{
    return deformable->limit && deformable->limit->hierarchy;
}

// Whether tension is solved before the sweeps of an iteration.
static inline bool pli_deformable_has_tension(const pli_deformable_data *deformable)
{
    return deformable->limit && deformable->limit->tension;
}

// The membranes of a deformable that are solved; or null.
static inline pli_membrane *pli_deformable_membrane(const pli_deformable_data *deformable)
{
    return deformable->limit ? deformable->limit->membrane : NULL;
}

// Whether nothing but that solve has tension, since sweeps would take back at once what it takes back in some time.
static inline bool pli_deformable_eases(const pli_deformable_data *deformable)
{
    return pli_deformable_has_tension(deformable) && deformable->easing > 0.0;
}

static inline bool pli_deformable_has_tethers(const pli_deformable_data *deformable)
{
    return deformable->limit && deformable->limit->kind == PLI_STRETCH_LONG_RANGE_ATTACHMENTS;
}

// Whether its membranes are solved: on request, or by default where no edges of the whole mesh resist stretching beside them.
bool pli_deformable_solves_membranes(const pli_world *world, const pli_deformable_data *deformable);

pli_status pli_stretch_limit_check(const pli_stretch_limit *limit, pli_error *error);

// Rebuilds the limits whose faces, masses or settings have changed since the last step; tethers to what is held no more are
// taken off. Allocates nothing where nothing has changed. False when memory ran out.
bool pli_world_update_limits(pli_world *world);
// At the end of a step of dt seconds that succeeded: makes another piece of the tethers to what is held since, and notes who had
// the tension.
void pli_world_follow_limits(pli_world *world, double dt);
// Whether the deformable has levels that act in the substep with `left` substeps to go, itself included.
bool pli_limit_levels_act(const pli_world *world, const pli_deformable_data *deformable, int32_t left);
// Projects them there; `again`: not for the first time. Positions must be in the layout of its grid when
// pli_limit_levels_in_grid.
bool pli_limit_levels_in_grid(const pli_deformable_data *deformable);
void pli_limit_project_levels(pli_world *world, pli_deformable_data *deformable, int32_t left, bool again);
// Solves for tension in a deformable that has it so, whose positions must be in the store; `substeps` went before in this step.
void pli_limit_solve_tension(pli_deformable_data *deformable, float step, int32_t substeps, pli_tension_start start);
// Number of length constraints that one sweep over the limit evaluates.
int64_t pli_limit_projections(const pli_deformable_data *deformable);
void pli_limit_free(pli_world *world, pli_deformable_data *deformable);

#endif
