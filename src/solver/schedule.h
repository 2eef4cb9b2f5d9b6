// The order in which the constraints of a set are projected.
#ifndef PLI_SOLVER_SCHEDULE_H
#define PLI_SOLVER_SCHEDULE_H

#include "base/memory.h"

// A colouring: constraints of one colour share no particle.
typedef struct pli_schedule {
    int32_t *order;          // [count] constraints, colour by colour.
    int32_t *colour_offsets; // [colour_count + 1] into order.
    int32_t colour_count;
} pli_schedule;

// First-fit on 64-bit masks, visiting constraints by their lowest particle so that each colour
// runs through memory in order. What finds no colour among 64 gets one to itself. `offsets` may be
// null when all have `cardinality` particles. False when memory ran out.
bool pli_schedule_colour(pli_memory *memory, const int32_t *particles, const int32_t *offsets, int32_t cardinality,
                         int32_t count, int32_t particle_count, pli_schedule *schedule);
void pli_schedule_release(pli_memory *memory, pli_schedule *schedule);

#endif
