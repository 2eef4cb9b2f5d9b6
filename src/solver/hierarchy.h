// Levels of a deformable, each of fewer nodes, whose lengths are kept from growing.
#ifndef PLI_SOLVER_HIERARCHY_H
#define PLI_SOLVER_HIERARCHY_H

#include "generators/coarsen.h"
#include "solver/world.h"

enum { PLI_LEVELS_MAX = 16 };

// A level over a finer one, or over the particles. Its nodes are centres of mass of what follows them.
typedef struct pli_level {
    int32_t count, finer_count;
    pli_particle *nodes;   // [count + 1] with inverse masses; the last is the dummy.
    pli_particle *moves;   // [count + 1] how far they were moved; before that, from where.
    int32_t *parents;      // [PLI_PARENTS * finer_count] of each finer node; count is none.
    float *weights;
    int32_t *offsets;      // [count + 1] into members.
    int32_t *members;      // Finer nodes that each is the centre of, and
    float *shares;         // their shares of its mass, which add up to 1.
    int32_t colour_count;
    int32_t *colour_offsets; // [colour_count + 1] into slots, multiples of PLI_BATCH.
    int32_t *index[2];
    float *rest;           // Greatest lengths without slack [m].
    int32_t pair_count;
} pli_level;

typedef struct pli_hierarchy {
    pli_level levels[PLI_LEVELS_MAX]; // The finest first.
    int32_t count;
} pli_hierarchy;

// Makes levels of the shape at rest with the present masses; null when memory ran out.
pli_hierarchy *pli_hierarchy_make(pli_world *world, const pli_body *body, int32_t most);
// One pass from the coarsest to the particles.
void pli_hierarchy_project(pli_world *world, pli_body *body, const pli_hierarchy *hierarchy, float slack);
void pli_hierarchy_free(pli_memory *memory, pli_hierarchy *hierarchy);

#endif
