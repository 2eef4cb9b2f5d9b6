// Graph colouring of the constraints of a set: constraints of one colour share no particle, so they are projected in parallel, and colours
// follow one another as in Gauss-Seidel.
//
//   order            | c3 c7 c1 c9 | c0 c4 c8 | c2 c6 | c5 ... |
//   colour_offsets   ^             ^          ^       ^ overflow: one by one
#ifndef PLI_SWEEP_COLOURING_H
#define PLI_SWEEP_COLOURING_H

#include "base/memory.h"

// A colouring. Only constraints of the overflow colour may share particles.
typedef struct pli_schedule {
    int32_t *order;          // [count] constraints, colour by colour.
    int32_t *colour_offsets; // [colour_count + 1] first constraint of each colour in `order`.
    int32_t colour_count;
    int32_t overflow; // The colour whose constraints are projected one by one, in order; -1 for none.
} pli_schedule;

// Sorts the constraints by their lowest particle into visits[count], so that each colour runs through memory in order.
// `offsets` may be NULL when all have `cardinality` particles. False when memory ran out.
bool pli_schedule_visits(pli_memory *memory, const int32_t *particles, const int32_t *offsets, int32_t cardinality,
                         int32_t count, int32_t particle_count, int32_t *visits);

// First-fit colouring with a 64-bit mask of colours for each particle. Constraints are coloured in the order of `visits`, or in their own
// if it is NULL; a constraint for which none of the first 63 colours is free gets the overflow colour, the last. If there are many
// constraints and `visits` is NULL, contiguous batches come first in each colour, four to a SIMD batch (sweep/contiguous_batches.h).
// False when memory ran out.
bool pli_schedule_colour(pli_memory *memory, const int32_t *particles, const int32_t *offsets, int32_t cardinality,
                         const int32_t *visits, int32_t count, int32_t particle_count, pli_schedule *schedule);
void pli_schedule_release(pli_memory *memory, pli_schedule *schedule);

#endif
