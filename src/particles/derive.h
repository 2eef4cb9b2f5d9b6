// Velocities from positions: Mueller et al. 2006, Position Based Dynamics, Algorithm 1, line 13. For kernels only.
//
// Line 13 reads v = (p - x) / h. In float that rounds h v to the grid of positions, always the same way, and so weakens
// gravity by parts of a percent. With the predicted position x + h v known, v + (p - (x + h v)) / h is the same value
// and rounds only the change that projection made; what rounding took from that (pli_store.lost) is added where it is
// kept. Fixed particles are moved by their owners, so their velocity is
// (p - x) / h.
#ifndef PLI_PARTICLES_DERIVE_H
#define PLI_PARTICLES_DERIVE_H

#include "simd/wide.h"

// The move of particles from where they were predicted: p - (x + h v) [m], and p - x for fixed ones.
static inline quads pli_correction(quads p, quads x, quads v, float step)
{
    quads zero = quads_set(0.0f, 0.0f, 0.0f, 0.0f);
    quads moved = quads_multiply(quads_set(step, step, step, step), v);
    return quads_subtract(p, quads_add(x, quads_where_moving(p, moved, zero)));
}

// Velocities after a correction; w stays.
static inline quads pli_corrected_velocity(quads p, quads v, quads correction, float step)
{
    float per_second = 1.0f / step;
    quads kept = quads_where_moving(p, v, quads_set(0.0f, 0.0f, 0.0f, 0.0f));
    quads change = quads_multiply(correction, quads_set(per_second, per_second, per_second, per_second));
    return quads_keep_w(quads_add(kept, change), v);
}

#endif
