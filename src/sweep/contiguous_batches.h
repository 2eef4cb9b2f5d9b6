// Contiguous batches: four constraints whose particles lie at successive indices, so that SIMD kernels load and store
// the particles of all four at once instead of gathering them one by one.
//
//   edges        (10,40) (11,41) (12,42) (13,43)
//   particles    | 10 11 12 13 | and | 40 41 42 43 |      two loads for four constraints
#ifndef PLI_SWEEP_CONTIGUOUS_BATCHES_H
#define PLI_SWEEP_CONTIGUOUS_BATCHES_H

#include "base/memory.h"

struct pli_constraints_data;
struct pli_world;

// How the constraints of a set form contiguous batches.
typedef struct pli_contiguous_batches {
    int32_t *next; // [count] the constraint with the particles of this one plus 1, or -1.
    uint8_t *part; // [count] a pli_contiguous_batch_part.
} pli_contiguous_batches;

typedef enum pli_contiguous_batch_part {
    PLI_CONTIGUOUS_BATCH_NONE,
    PLI_CONTIGUOUS_BATCH_FIRST,
    PLI_CONTIGUOUS_BATCH_OTHER
} pli_contiguous_batch_part;

enum { PLI_CONTIGUOUS_BATCH = 4 };

// Colours of sets with fewer constraints have only a few batches. Processors forward a store that is still in flight only to a load of the
// same size, so the loads of the next colour would wait.
enum { PLI_CONTIGUOUS_BATCHES_LEAST = 1024 };

// Finds disjoint contiguous batches among constraints of `cardinality` particles each, such that the members of a batch
// share no particle. Finds none, and leaves NULL pointers, where the constraints are few or not sorted by their lowest
// particle. False when memory ran out.
bool pli_contiguous_batches_find(pli_memory *memory, const int32_t *particles, int32_t cardinality, int32_t count,
                                 int32_t particle_count, pli_contiguous_batches *contiguous_batches);
void pli_contiguous_batches_release(pli_memory *memory, pli_contiguous_batches *contiguous_batches);

// Marks the SIMD batches of a set whose lanes q, q + 4, q + 8 and q + 12 form a contiguous batch for q = 0..3. False
// when memory ran out.
bool pli_contiguous_batches_mark(struct pli_world *world, struct pli_constraints_data *set);

#endif
