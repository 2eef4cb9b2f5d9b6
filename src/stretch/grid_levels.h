// Levels of the multilevel solver for a deformable whose mesh is a grid: each level is a grid too, in a structure-of-
// arrays layout like that of the particles (stretch/grid_levels_kernels.h).
#ifndef PLI_STRETCH_GRID_LEVELS_H
#define PLI_STRETCH_GRID_LEVELS_H

#include "model/model.h"
#include "stretch/coarsen.h"
#include "stretch/grid_levels_kernels.h"

// Kinds of pairs: along a row, down a column, and along both diagonals.
enum { PLI_GRID_LEVELS_PATTERNS = 4, PLI_GRID_LEVELS_PLANES = 2 };

// Input that a level is built from; nodes are numbered row by row.
typedef struct pli_grid_levels_plan {
    const pli_grid_levels *finer;
    const pli_coarse *coarse;
    const double *finer_masses;       // Masses of the finer nodes; 0 for fixed ones [kg].
    const double *masses;             // Masses of the nodes; 0 for fixed ones [kg].
    const double *lengths;            // Greatest lengths of the coarse pairs without slack; 0 for no constraint [m].
    const int32_t *offsets, *members; // Finer nodes that each node is the centre of mass of, in compressed rows.
    const float *shares;              // Fraction of the node's mass that each of them has.
} pli_grid_levels_plan;

// Pairs of one kind that share no node: (a, b), (a + 1, b + 1), ...
typedef struct pli_grid_levels_run {
    int32_t pattern, a, b, count;
} pli_grid_levels_run;

typedef struct pli_grid_levels_layer {
    pli_grid_level level;
    float *places;                            // The allocation of the positions.
    float *lengths[PLI_GRID_LEVELS_PATTERNS]; // Lengths of each kind of pair, by layout index of the first node [m].
    pli_grid_levels_run runs[PLI_GRID_LEVELS_PATTERNS * PLI_GRID_LEVELS_PLANES * PLI_INTERLEAVE];
    int32_t run_count;
    int32_t pair_count;
    int32_t fixed_count;
    int32_t *fixed;                         // [fixed_count] fixed nodes.
    int32_t *fixed_offsets, *fixed_members; // Layout indices of the finer nodes that each is the centre of mass of.
    float *fixed_shares;                    // Fraction of each of those.
} pli_grid_levels_layer;

// View of the particles of a grid as a level.
pli_grid_levels pli_grid_levels_of(const pli_grid_layout *grid);
// False when memory ran out; the layer is to be freed then, too.
bool pli_grid_levels_build(pli_memory *memory, const pli_grid_levels_plan *plan, pli_grid_levels_layer *layer);
void pli_grid_levels_free(pli_memory *memory, pli_grid_levels_layer *layer);

// Restriction, projection of the lengths, and prolongation. The finer nodes of the first level are the particles, whose
// positions must be in the layout of the grid.
void pli_grid_levels_restrict(pli_world *world, pli_grid_levels_layer *layer);
void pli_grid_levels_project(pli_world *world, pli_grid_levels_layer *layer, int32_t sweeps, float slack);
void pli_grid_levels_prolong(pli_world *world, pli_grid_levels_layer *layer);

#endif
