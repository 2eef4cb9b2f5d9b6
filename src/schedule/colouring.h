// The order in which the constraints of a set are projected.
#ifndef PLI_SCHEDULE_COLOURING_H
#define PLI_SCHEDULE_COLOURING_H

#include "base/memory.h"

// A colouring: constraints of one colour share no particle, but for those of the overflow colour.
typedef struct pli_schedule {
    int32_t *order;          // [count] constraints, colour by colour.
    int32_t *colour_offsets; // [colour_count + 1] into order.
    int32_t colour_count;
    int32_t overflow; // The colour to be run one after the other, in order; -1 when there is none.
} pli_schedule;

// The constraints by their lowest particle, into visits[count]: so each colour runs through memory in order.
// `offsets` may be null when all have `cardinality` particles. False when memory ran out.
bool pli_schedule_visits(pli_memory *memory, const int32_t *particles, const int32_t *offsets, int32_t cardinality,
                         int32_t count, int32_t particle_count, int32_t *visits);

// First-fit on 64-bit masks, visiting constraints in the order of `visits`, or as they lie when it is null. What
// finds no colour among 63 goes to the overflow colour, the last. Of many
// constraints without visits, contiguous batches come first in each colour, four to a batch (contiguous batches.h). False when memory ran out.
bool pli_schedule_colour(pli_memory *memory, const int32_t *particles, const int32_t *offsets, int32_t cardinality,
                         const int32_t *visits, int32_t count, int32_t particle_count, pli_schedule *schedule);
void pli_schedule_release(pli_memory *memory, pli_schedule *schedule);

#endif
