// How long the particles of a deformable have been held back (step/stuck.h).
#ifndef PLI_PARTICLES_HELD_BACK_H
#define PLI_PARTICLES_HELD_BACK_H

#include "model/model.h"

typedef struct pli_stuck {
    // [capacity] time for which each particle has been held back without interruption [s]; null until one is.
    float *seconds;
} pli_stuck;

// A particle is stuck once it has been held back (step/stuck.h) for longer than this [s].
#define PLI_STUCK_TIME 0.5f
static inline int32_t pli_deformable_stuck_count(const pli_deformable_data *deformable)
{
    int32_t count = 0;
    for (int32_t i = 0; deformable->stuck->seconds && i < deformable->count; i++)
        count += deformable->stuck->seconds[i] > PLI_STUCK_TIME;
    return count;
}
// Whether any particle was held back in the last step.
static inline bool pli_deformable_is_held_back(const pli_deformable_data *deformable)
{
    for (int32_t i = 0; deformable->stuck->seconds && i < deformable->count; i++)
        if (deformable->stuck->seconds[i] > 0.0f)
            return true;
    return false;
}

#endif
