// Levels of the multilevel solver for a deformable whose mesh is a grid: each level is a grid too, in a structure-of-
// arrays layout like that of the particles (stretch/grid_levels_kernels.h).
#ifndef PLI_STRETCH_GRID_LEVELS_H
#define PLI_STRETCH_GRID_LEVELS_H

#include "model/model.h"
#include "membrane/coarsen.h"
#include "stretch/grid_levels_kernels.h"

// Kinds of pairs: along a row, down a column, and along both diagonals.
enum { PLI_GRID_LEVELS_PATTERNS = 4, PLI_GRID_LEVELS_PLANES = 2 };

// Rows down and columns right from the first node of each kind to the second.
#define PLI_GRID_LEVELS_OFFSETS                                                                                        \
    {                                                                                                                  \
        {0, 1}, {1, 0}, {1, 1}, { 1, -1 }                                                                              \
    }

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
    bool diagonals; // Pairs of all kinds, not only those along rows and columns.
    int32_t fixed_count, fixed_capacity, member_count, member_capacity;
    int32_t *fixed;                         // [fixed_count] fixed nodes.
    int32_t *fixed_offsets, *fixed_members; // Layout indices of the finer nodes that each is the centre of mass of.
    float *fixed_shares;                    // Fraction of each of those.
} pli_grid_levels_layer;

// View of the particles of a grid as a level.
pli_grid_levels pli_grid_levels_of(const pli_grid_layout *grid);
// Builds a level without masses and lengths; nodes are numbered row by row. False when memory ran out; the layer is to be freed
// then, too.
bool pli_grid_levels_build(pli_memory *memory, const pli_grid_levels *finer, const pli_coarse *coarse,
                           pli_grid_levels_layer *layer);
void pli_grid_levels_free(pli_memory *memory, pli_grid_levels_layer *layer);

// Mass of a finer node, 0 if it is fixed [kg]; one over that of a node [1/kg]; greatest length without slack of a pair of this
// kind from a node on, 0 for none [m].
void pli_grid_levels_set_finer_mass(pli_grid_levels_layer *layer, int32_t finer, float mass);
void pli_grid_levels_set_mass(pli_grid_levels_layer *layer, int32_t node, float inverse);
void pli_grid_levels_set_length(pli_grid_levels_layer *layer, int32_t pattern, int32_t node, double length);
// The fixed nodes: first the members of one, which are finer nodes with their fractions of it, then itself. False when memory
// ran out.
void pli_grid_levels_clear_fixed(pli_grid_levels_layer *layer);
bool pli_grid_levels_add_member(pli_memory *memory, pli_grid_levels_layer *layer, int32_t finer, float share);
bool pli_grid_levels_add_fixed(pli_memory *memory, pli_grid_levels_layer *layer, int32_t node);

// Restriction, projection of the lengths, and prolongation. The finer nodes of the first level are the particles, whose
// positions must be in the layout of the grid.
void pli_grid_levels_restrict(pli_world *world, pli_grid_levels_layer *layer);
void pli_grid_levels_project(pli_world *world, pli_grid_levels_layer *layer, int32_t sweeps, float slack);
void pli_grid_levels_prolong(pli_world *world, pli_grid_levels_layer *layer);

#endif
