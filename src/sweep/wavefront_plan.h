// Plan of wavefronts: the batches of a segment of constraint sets (sweep/wavefront.h).
//
//   batches    | part 0: slots 0..15 | part 1: 0..15 | part 0: 16..31 | ...      one part for each set
#ifndef PLI_SWEEP_WAVEFRONT_PLAN_H
#define PLI_SWEEP_WAVEFRONT_PLAN_H

#include "model/model.h"

#include <string.h>

// Constraints of one part that share no particle, projected by one call.
typedef struct pli_batch {
    int32_t part, begin, end; // Part, and range of its slots; the last register may extend beyond `end`.
    pli_project project;      // Kernel of the width that suits the batch.
} pli_batch;

// The constraints of one set in the order of the batches, once for each sweep.
typedef struct pli_wavefront_part {
    pli_constraints_data *set;
    uint32_t id;      // Handle of the set, to detect a replaced set.
    bool multipliers; // The set had multipliers when this was planned.
    int32_t slot_count;
    int32_t *slots; // [slot_count] slot of the set that each slot copies.
    pli_index *index[PLI_CARDINALITY_MAX];
    float *rest[PLI_REST_MAX], *compliance_scale, *damping_scale, *state, *lambda[3];
    pli_projection projection;
} pli_wavefront_part;

typedef struct pli_wavefronts {
    struct pli_wavefronts *next;     // Next segment of the same deformable.
    int32_t sweeps;                  // Sweeps that the batches cover, >= 1.
    bool turns;                      // The first half of the sweeps is backward.
    int32_t part_count, batch_count; // Zero batches mean that wavefronts do not pay for this segment.
    pli_wavefront_part *parts;
    pli_batch *batches;
} pli_wavefronts;

// Plans the batches of parts for the given sets, `count` constraints in total, and copies the data of the constraints. Creates no batches
// if they would have too few constraints to pay. False when memory ran out.
bool pli_wavefronts_plan(pli_world *world, pli_wavefronts *wavefronts, int32_t count);

// Copies 4-byte values of a set to the slots of a part: to[i] = from[slots[i]].
static inline void pli_copy_slot_words(void *to, const void *from, const int32_t *slots, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        memcpy((char *)to + 4 * (size_t)i, (const char *)from + 4 * (size_t)slots[i], 4);
}

#endif
