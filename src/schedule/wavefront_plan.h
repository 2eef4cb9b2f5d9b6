// How waves are made of a stretch of sets.
#ifndef PLI_SCHEDULE_WAVEFRONT_PLAN_H
#define PLI_SCHEDULE_WAVEFRONT_PLAN_H

#include "model/model.h"

#include <string.h>

typedef struct pli_batch {
    int32_t part, begin, end; // Slots of the part; the last register may reach beyond the end.
    pli_project project;
} pli_batch;

// The constraints of a set in the order of the batches, those of every sweep.
typedef struct pli_wavefront_part {
    pli_constraint_set_data *set;
    uint32_t id;
    bool multipliers; // The set had them.
    int32_t slot_count;
    int32_t *slots; // [slot_count] of the set.
    pli_index *index[PLI_CARDINALITY_MAX];
    float *rest[PLI_REST_MAX], *compliance_scale, *state, *lambda[3];
    pli_projection projection;
} pli_wavefront_part;

typedef struct pli_wavefronts {
    struct pli_wavefronts *next; // Of the same deformable.
    int32_t sweeps;
    int32_t part_count, batch_count; // No batches: not worth it.
    pli_wavefront_part *parts;
    pli_batch *batches;
} pli_wavefronts;

// Finds the batches of parts that have their sets, `count` constraints in all, and copies their numbers. Leaves the waves
// without batches where these would hold too few. False when memory ran out.
bool pli_wavefronts_plan(pli_world *world, pli_wavefronts *wavefronts, int32_t count);

// Words of a set, slot by slot, into those of a part.
static inline void pli_parallel_append_words(void *to, const void *from, const int32_t *slots, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        memcpy((char *)to + 4 * (size_t)i, (const char *)from + 4 * (size_t)slots[i], 4);
}

#endif
