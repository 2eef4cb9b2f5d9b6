// Collision layers: two objects may touch if the mask of each one contains a layer of the other.
#ifndef PLI_BASE_LAYERS_H
#define PLI_BASE_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

static inline bool pli_layers_meet(uint32_t layers, uint32_t mask, uint32_t other_layers, uint32_t other_mask)
{
    return (layers & other_mask) && (other_layers & mask);
}

#endif
