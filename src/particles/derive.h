// Velocities from positions: Mueller et al. 2006, Position Based Dynamics, Algorithm 1, line 13. For kernels only.
//
// Line 13 reads v = (p - x) / h. In float it rounds h v to the grid of positions, always in the same direction, which weakens gravity by a
// fraction of a percent. With the predicted position x + h v known, v + (p - (x + h v)) / h is the same value and rounds only the change
// that projection made; the part lost to that rounding (pli_store.lost) is added if it is kept. Fixed particles are moved by their owners,
// so their velocity is (p - x) / h.
#ifndef PLI_PARTICLES_DERIVE_H
#define PLI_PARTICLES_DERIVE_H

#include "base/simd/wide.h"

#include <stdbool.h>

// The substep h [s], and 1 / h [1/s] for particles that move and for fixed ones, in registers. They differ under second-order time
// integration (particles/history.h).
typedef struct pli_pace {
    quads step, per_second, fixed_per_second;
} pli_pace;

static inline pli_pace pli_pace_of(float step, float moving_span, float fixed_span)
{
    float moving = 1.0f / moving_span, fixed = 1.0f / fixed_span;
    return (pli_pace){quads_set(step, step, step, step), quads_set(moving, moving, moving, moving),
                      quads_set(fixed, fixed, fixed, fixed)};
}

// Displacement of particles from their predicted position, p - (x + h v) [m]; p - x for fixed particles, of which there are none if all
// move.
static inline quads pli_correction(quads p, quads x, quads v, pli_pace pace, bool all_move)
{
    quads moved = quads_multiply(pace.step, v);
    if (!all_move)
        moved = quads_where_moving(p, moved, quads_set(0.0f, 0.0f, 0.0f, 0.0f));
    return quads_subtract(p, quads_add(x, moved));
}

// Velocities after a correction; w stays.
static inline quads pli_corrected_velocity(quads p, quads v, quads correction, pli_pace pace, bool all_move)
{
    quads kept = all_move ? v : quads_where_moving(p, v, quads_set(0.0f, 0.0f, 0.0f, 0.0f));
    quads per_second = all_move ? pace.per_second : quads_where_moving(p, pace.per_second, pace.fixed_per_second);
    return quads_keep_w(quads_add(kept, quads_multiply(correction, per_second)), v);
}

#endif
