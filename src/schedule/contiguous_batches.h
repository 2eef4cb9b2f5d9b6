// Four constraints whose particles lie one after the other: wide kernels load and store them four at a time.
#ifndef PLI_SCHEDULE_CONTIGUOUS_BATCHES_H
#define PLI_SCHEDULE_CONTIGUOUS_BATCHES_H

#include "base/memory.h"

struct pli_constraint_set_data;
struct pli_world;

// How the constraints of a set form contiguous batches.
typedef struct pli_contiguous_batches {
    int32_t *next; // [count] the constraint whose particles are one place on each, or -1.
    uint8_t *part; // [count] of pli_contiguous_batch_part.
} pli_contiguous_batches;

typedef enum pli_contiguous_batch_part {
    PLI_CONTIGUOUS_BATCH_NONE,
    PLI_CONTIGUOUS_BATCH_FIRST,
    PLI_CONTIGUOUS_BATCH_OTHER
} pli_contiguous_batch_part;

enum { PLI_CONTIGUOUS_BATCH = 4 };

// Fewer constraints have colours of a few batches. Processors pass what was just stored on to loads of the same size
// only, and would wait at each colour.
enum { PLI_CONTIGUOUS_BATCHES_LEAST = 1024 };

// Finds disjoint contiguous batches of constraints of `cardinality` particles each that share no particle. None are found, and
// null pointers left, where constraints are few or do not come by their lowest particle. False when memory ran out.
bool pli_contiguous_batches_find(pli_memory *memory, const int32_t *particles, int32_t cardinality, int32_t count,
                                 int32_t particle_count, pli_contiguous_batches *contiguous_batches);
void pli_contiguous_batches_release(pli_memory *memory, pli_contiguous_batches *contiguous_batches);

// Marks the batches of a set whose lanes q, q + 4, q + 8 and q + 12 are contiguous batches. False when memory ran out.
bool pli_contiguous_batches_mark(struct pli_world *world, struct pli_constraint_set_data *set);

#endif
