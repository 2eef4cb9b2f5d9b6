// Levels of a deformable whose mesh is a grid: they are grids too, in columns like its particles.
#ifndef PLI_SOLVER_LATTICE_H
#define PLI_SOLVER_LATTICE_H

#include "generators/coarsen.h"
#include "solver/world.h"

// Pairs along a row, down a column, and across to either side.
enum { PLI_LATTICE_PATTERNS = 4, PLI_LATTICE_PLANES = 2 };

// What a level is laid out from: numbers of nodes are row by row.
typedef struct pli_lattice_plan {
    const pli_lattice *finer;
    const pli_coarse *coarse;
    const double *finer_masses;       // [kg]; 0 of those that are held.
    const double *masses;             // Of the nodes.
    const double *lengths;            // Of the coarse one's pairs without slack; 0 for none [m].
    const int32_t *offsets, *members; // Finer nodes that held nodes are the centres of,
    const float *shares;              // and their shares.
} pli_lattice_plan;

// Pairs that are alike and share no node: from a to b, and of what follows them.
typedef struct pli_lattice_run {
    int32_t pattern, a, b, count;
} pli_lattice_run;

typedef struct pli_lattice_layer {
    pli_lattice_level level;
    float *places;                        // What nodes are in.
    float *lengths[PLI_LATTICE_PATTERNS]; // By place of the first.
    pli_lattice_run runs[PLI_LATTICE_PATTERNS * PLI_LATTICE_PLANES * PLI_DEALS];
    int32_t run_count;
    int32_t pair_count;
    int32_t held_count;
    int32_t *held, *held_offsets,
        *held_members; // Nodes that are held; places of the finer ones that each is the centre of.
    float *held_shares;
} pli_lattice_layer;

// How the particles of a grid are reached.
pli_lattice pli_lattice_of(const pli_grid *grid);
// False when memory ran out; what was laid out is to be freed then, too.
bool pli_lattice_lay(pli_memory *memory, const pli_lattice_plan *plan, pli_lattice_layer *layer);
void pli_lattice_free(pli_memory *memory, pli_lattice_layer *layer);

// Brings nodes to their centres, keeps their lengths, and passes on what that moved. The first level's finer nodes are
// the particles of a deformable, which is in its grid.
void pli_lattice_gather(pli_world *world, pli_lattice_layer *layer);
void pli_lattice_project(pli_world *world, pli_lattice_layer *layer, int32_t sweeps, float slack);
void pli_lattice_spread(pli_world *world, pli_lattice_layer *layer);

#endif
