// Levels of a deformable, each of fewer nodes, whose lengths are kept from growing.
#ifndef PLI_STRETCH_LEVELS_H
#define PLI_STRETCH_LEVELS_H

#include "stretch/coarsen.h"
#include "stretch/grid_levels.h"
#include "stretch/levels_kernels.h"

enum { PLI_LEVELS_MAX = 16 };

// A level over a finer one, or over the particles. Its nodes are centres of mass of what follows them.
typedef struct pli_level {
    int32_t count, finer_count, sweeps;
    bool complete;                      // Few pairs were left out for how the surface is curved.
    pli_grid_levels_layer *grid_levels; // Of grids, in place of all that follows; null otherwise.
    pli_level_lists lists;
    int32_t colour_count;
    int32_t *colour_offsets; // [colour_count + 1] into slots, multiples of PLI_BATCH.
    pli_index *index[2];
    float *rest; // Greatest lengths without slack [m].
    int32_t pair_count;
} pli_level;

typedef struct pli_hierarchy {
    pli_level levels[PLI_LEVELS_MAX]; // The finest first.
    int32_t count;
    pli_grid_levels particles; // Of a grid.
} pli_hierarchy;

// Makes levels of the shape at rest with the present masses; null when memory ran out.
pli_hierarchy *pli_hierarchy_make(pli_world *world, const pli_deformable_data *deformable, int32_t most);
// Whether its levels lie on a grid, as the particles then must too when it is projected.
static inline bool pli_hierarchy_in_grid(const pli_hierarchy *hierarchy)
{
    return hierarchy->count > 0 && hierarchy->levels[0].grid_levels;
}
// One pass from the coarsest to the particles, and how many lengths it looks at.
void pli_hierarchy_project(pli_world *world, pli_deformable_data *deformable, pli_hierarchy *hierarchy, float slack);
int64_t pli_hierarchy_projections(const pli_hierarchy *hierarchy);
void pli_hierarchy_free(pli_memory *memory, pli_hierarchy *hierarchy);

#endif
