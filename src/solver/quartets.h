// Four constraints whose particles lie one after the other: wide kernels load and store them four at a time.
#ifndef PLI_SOLVER_QUARTETS_H
#define PLI_SOLVER_QUARTETS_H

#include "base/memory.h"

struct pli_set;
struct pli_world;

// How the constraints of a set form quartets.
typedef struct pli_quartets {
    int32_t *next; // [count] the constraint whose particles are one place on each, or -1.
    uint8_t *part; // [count] of pli_quartet_part.
} pli_quartets;

typedef enum pli_quartet_part { PLI_QUARTET_NONE, PLI_QUARTET_FIRST, PLI_QUARTET_OTHER } pli_quartet_part;

enum { PLI_QUARTET = 4 };

// Fewer constraints have colours of a few batches. Processors pass what was just stored on to loads of the same size
// only, and would wait at each colour.
enum { PLI_QUARTETS_LEAST = 1024 };

// Finds disjoint quartets of constraints of `cardinality` particles each that share no particle. None are found, and
// null pointers left, where constraints are few or do not come by their lowest particle. False when memory ran out.
bool pli_quartets_find(pli_memory *memory, const int32_t *particles, int32_t cardinality, int32_t count,
                       int32_t particle_count, pli_quartets *quartets);
void pli_quartets_release(pli_memory *memory, pli_quartets *quartets);

// Marks the batches of a set whose lanes q, q + 4, q + 8 and q + 12 are quartets. False when memory ran out.
bool pli_quartets_mark(struct pli_world *world, struct pli_set *set);

#endif
