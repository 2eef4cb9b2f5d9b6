// How long the particles of a deformable have been held back (step/stuck.h).
#ifndef PLI_PARTICLES_HELD_BACK_H
#define PLI_PARTICLES_HELD_BACK_H

#include "model/model.h"

// A particle is stuck once it has been held back (step/stuck.h) for longer than this [s].
#define PLI_STUCK_TIME 0.5f
static inline int32_t pli_deformable_stuck_count(const pli_deformable_data *deformable)
{
    int32_t count = 0;
    for (int32_t i = 0; deformable->vertex.held_back && i < deformable->count; i++)
        count += deformable->vertex.held_back[i] > PLI_STUCK_TIME;
    return count;
}
// Whether any particle was held back in the last step.
static inline bool pli_deformable_is_held_back(const pli_deformable_data *deformable)
{
    for (int32_t i = 0; deformable->vertex.held_back && i < deformable->count; i++)
        if (deformable->vertex.held_back[i] > 0.0f)
            return true;
    return false;
}

#endif
