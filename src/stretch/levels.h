// Multilevel stretch solver: levels of fewer and fewer nodes over the particles of a deformable, whose pairs may not
// get further apart than at rest. A correction on a coarse level reaches across the mesh in one sweep.
//
//   level 1     O-------------------O-------------------O     coarsest
//   level 0     O---------O---------O---------O---------O
//   particles   o--o--o--o--o--o--o--o--o--o--o--o--o--o
//
//   up      restriction: each node moves to the centre of mass of the finer nodes that follow it
//   down    projection of the pair lengths, then prolongation: each finer node adds the weighted displacement of its
//           parents
#ifndef PLI_STRETCH_LEVELS_H
#define PLI_STRETCH_LEVELS_H

#include "membrane/coarsen.h"
#include "stretch/grid_levels.h"
#include "stretch/levels_kernels.h"

enum { PLI_LEVELS_MAX = 16 };

// The nodes of a level at rest, for the present masses (stretch/levels_weigh.h).
typedef struct pli_level_nodes {
    pli_dvec3 *centres, *normals; // Centres of mass [m], and means of the unit normals of what follows them.
    double *masses;               // Masses; 0 for fixed nodes [kg].
    uint8_t *fixed, *touched;     // `touched`: to be weighed anew.
} pli_level_nodes;

// A level over a finer one, or over the particles.
typedef struct pli_level {
    int32_t count, finer_count, sweeps; // Nodes, finer nodes, and sweeps over the pairs in each pass.
    bool complete;                      // Few pairs were left out because the surface is strongly curved there.
    pli_level_nodes nodes;
    pli_grid_levels_layer *grid_levels; // Level of a grid, in place of all members below; NULL for other meshes.
    pli_level_lists lists;
    int32_t colour_count;
    int32_t *colour_offsets; // [colour_count + 1] first slot of each colour, multiples of PLI_BATCH.
    pli_index *index[2];     // [slots] nodes of each pair.
    float *rest;             // [slots] greatest length without slack [m].
    int32_t pair_count;
} pli_level;

typedef struct pli_hierarchy {
    pli_level levels[PLI_LEVELS_MAX]; // The finest first.
    int32_t count;
    int32_t acted; // Substeps that were left, that one included, when levels of lists acted last in this step.
    bool gentle;   // They moved no node by more than a small share of an edge then; never set for small meshes.
    pli_grid_levels particles; // View of the particles of a grid.
} pli_hierarchy;

// Builds up to `most` levels from the rest shape, and weighs them by the present masses; NULL when memory ran out.
pli_hierarchy *pli_hierarchy_make(pli_world *world, const pli_deformable_data *deformable, int32_t most);
// Whether the levels have the layout of a grid, in which the particles must then be as well.
static inline bool pli_hierarchy_in_grid(const pli_hierarchy *hierarchy)
{
    return hierarchy->count > 0 && hierarchy->levels[0].grid_levels;
}
// Whether levels act in the substep with `left` substeps to go, itself included, of `count`: in every one, but levels of lists
// of large meshes rest in the one behind a gentle pass unless it is the last (docs/decisions/0091). A substep that is run again
// finds what it found before.
bool pli_hierarchy_acts(const pli_hierarchy *hierarchy, int32_t left, int32_t count);
// Runs one pass over all levels in the substep with `left` to go, `again` where it is not the first there;
// pli_hierarchy_projections is the number of lengths that it evaluates.
void pli_hierarchy_project(pli_world *world, pli_deformable_data *deformable, pli_hierarchy *hierarchy, float slack,
                           int32_t left, bool again);
int64_t pli_hierarchy_projections(const pli_hierarchy *hierarchy);
void pli_hierarchy_free(pli_memory *memory, pli_hierarchy *hierarchy);

#endif
