// Levels of a deformable whose mesh is a grid: they are grids too, in columns like its particles.
#ifndef PLI_STRETCH_GRID_LEVELS_H
#define PLI_STRETCH_GRID_LEVELS_H

#include "model/model.h"
#include "stretch/coarsen.h"
#include "stretch/grid_levels_kernels.h"

// Pairs along a row, down a column, and across to either side.
enum { PLI_GRID_LEVELS_PATTERNS = 4, PLI_GRID_LEVELS_PLANES = 2 };

// What a level is laid out from: numbers of nodes are row by row.
typedef struct pli_grid_levels_plan {
    const pli_grid_levels *finer;
    const pli_coarse *coarse;
    const double *finer_masses;       // [kg]; 0 of those that are held.
    const double *masses;             // Of the nodes.
    const double *lengths;            // Of the coarse one's pairs without slack; 0 for none [m].
    const int32_t *offsets, *members; // Finer nodes that held nodes are the centres of,
    const float *shares;              // and their shares.
} pli_grid_levels_plan;

// Pairs that are alike and share no node: from a to b, and of what follows them.
typedef struct pli_grid_levels_run {
    int32_t pattern, a, b, count;
} pli_grid_levels_run;

typedef struct pli_grid_levels_layer {
    pli_grid_level level;
    float *places;                            // What nodes are in.
    float *lengths[PLI_GRID_LEVELS_PATTERNS]; // By place of the first.
    pli_grid_levels_run runs[PLI_GRID_LEVELS_PATTERNS * PLI_GRID_LEVELS_PLANES * PLI_INTERLEAVE];
    int32_t run_count;
    int32_t pair_count;
    int32_t held_count;
    int32_t *held, *held_offsets,
        *held_members; // Nodes that are held; places of the finer ones that each is the centre of.
    float *held_shares;
} pli_grid_levels_layer;

// How the particles of a grid are reached.
pli_grid_levels pli_grid_levels_of(const pli_grid_layout *grid);
// False when memory ran out; what was laid out is to be freed then, too.
bool pli_grid_levels_build(pli_memory *memory, const pli_grid_levels_plan *plan, pli_grid_levels_layer *layer);
void pli_grid_levels_free(pli_memory *memory, pli_grid_levels_layer *layer);

// Brings nodes to their centres, keeps their lengths, and passes on what that moved. The first level's finer nodes are
// the particles of a deformable, which is in its grid.
void pli_grid_levels_restrict(pli_world *world, pli_grid_levels_layer *layer);
void pli_grid_levels_project(pli_world *world, pli_grid_levels_layer *layer, int32_t sweeps, float slack);
void pli_grid_levels_prolong(pli_world *world, pli_grid_levels_layer *layer);

#endif
