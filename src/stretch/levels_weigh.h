// Masses of the levels of the multilevel stretch solver, and what follows from them: which nodes are fixed, centres of mass, and
// lengths. Who follows whom is built once from the mesh (stretch/levels_build.c), so that a particle that is pinned or let go
// costs no more than the nodes above it.
#ifndef PLI_STRETCH_LEVELS_WEIGH_H
#define PLI_STRETCH_LEVELS_WEIGH_H

#include "stretch/levels.h"

// The nodes that a level is made over.
typedef struct pli_finer {
    const pli_level *level; // NULL for the particles of the deformable.
    const pli_deformable_data *deformable;
    bool plain; // As if all particles were free and of one mass.
    const pli_dvec3
        *normals; // [particles] unit normals at rest in internal order, or NULL: each is found when asked for.
} pli_finer;

// Unit normal of a particle at rest, the mean of its triangles' by area.
pli_dvec3 pli_rest_normal(const pli_deformable_data *deformable, int32_t place);

// Nodes that a finer node follows, and by which weights; returns their number.
int32_t pli_level_parents(const pli_level *level, int32_t finer, int32_t parents[PLI_PARENTS],
                          float weights[PLI_PARENTS]);
// Weighs the touched nodes of a level anew.
void pli_level_weigh(const pli_finer *finer, pli_level *level);
// Greatest length of two nodes of a level as they were weighed, without slack [m]; 0 for none.
double pli_level_length(const pli_level *level, int32_t a, int32_t b);
// Writes the lengths of all pairs with a touched node, and where the fixed nodes of a grid are. False when memory ran out.
bool pli_level_measure(pli_memory *memory, const pli_finer *finer, pli_level *level);

// Weighs all levels for the present masses: whole, or where they differ from `before` ([particles] inverse masses in internal
// order [1/kg]), which gives the same to the bit. False when memory ran out.
bool pli_hierarchy_weigh(pli_memory *memory, const pli_deformable_data *deformable, const float *before,
                         const pli_dvec3 *normals, pli_hierarchy *hierarchy);

#endif
