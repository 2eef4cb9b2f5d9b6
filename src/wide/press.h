// Contacts between surfaces, 16 in a block: no two of a block's contacts have a particle in common.
#ifndef PLI_WIDE_PRESS_H
#define PLI_WIDE_PRESS_H

#include "simd/wide.h"

enum { PLI_PRESS_LANES = 16 };

// The lanes of pli_touch side by side. Lanes without a contact have particles of inverse mass 0.
typedef struct pli_press_block {
    int32_t at[4][PLI_PRESS_LANES];
    float weights[4][PLI_PRESS_LANES], normal[3][PLI_PRESS_LANES];
    float keep[PLI_PRESS_LANES], friction[PLI_PRESS_LANES], restitution[PLI_PRESS_LANES], approach[PLI_PRESS_LANES];
    float push[PLI_PRESS_LANES], rubbed[PLI_PRESS_LANES], kick[PLI_PRESS_LANES];
    int32_t touch[PLI_PRESS_LANES]; // Which contact; -1 for none.
} pli_press_block;

// The particles that blocks act on.
typedef struct pli_press_on {
    pli_particle *particles, *velocities;
    const pli_particle *previous;
} pli_press_on;

typedef struct pli_press_kernels {
    // Brings sides apart and takes back what has slid, as one sweep.
    void (*project)(const pli_press_on *on, pli_press_block *blocks, int32_t count);
    // Corrects velocities; below `bounce` nothing rebounds [m/s].
    void (*rebound)(const pli_press_on *on, pli_press_block *blocks, int32_t count, float bounce);
} pli_press_kernels;

extern const pli_press_kernels PLI_NAMED(pli_press);

#endif
