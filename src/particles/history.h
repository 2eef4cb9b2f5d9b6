// Second-order time integration: the state of the last substep from which a deformable continues.
//
//   Second-order backward differences (Gear 1971, Numerical Initial Value Problems in Ordinary Differential
//   Equations, chapter 11), for substeps of varying length. With r = h / (h of the previous substep), b = r^2 / (1 + 2 r)
//
//     y = x + b (x - x_before),   u = v + b (v - v_before),   h' = h (1 + r) / (1 + 2 r)
//
// so that an implicit Euler substep of length h' from y and u is a second-order substep from x and v. All forces and constraints on a
// deformable use h', and its velocities follow from displacements relative to y; trajectories, contacts and friction start from x and use
// h. Without history b = 0, and this is implicit Euler.
//
// A jump must not be extrapolated as if it were motion. So the history restarts after the application has set something, after a cut, and
// after each substep in which something external has moved the deformable: a contact, the guarantee, or a body attached to it. In the
// first such substep, displacements after the prediction are divided by h: with h', a particle that a wall stops would keep half of its
// speed.
#ifndef PLI_PARTICLES_HISTORY_H
#define PLI_PARTICLES_HISTORY_H

#include "model/model.h"

// The history; null under implicit Euler. The positions at the start of the
// last substep are in the store (`previous`).
typedef struct pli_history {
    int32_t capacity;      // Particles that its arrays have memory for.
    float step;            // Length of the last substep [s]; 0 where the history restarts.
    float own_step, span;  // During a substep: its length h' for the deformable, and its actual length [s].
    float weight;          // During a substep: fraction of the last substep's change that continues.
    pli_particle *bases;   // During a substep: positions from which velocities are measured [m].
    pli_particle *earlier; // Velocities at the start of the last substep [m/s].
    pli_particle *good_starts, *good_earlier; // State before the step, with `good_step`.
    float good_step;
} pli_history;

// Computes y, u and h' at the start of a substep of `step` seconds if there is a history.
void pli_deformable_recall(pli_world *world, pli_deformable_data *deformable, float step);
// Records the substep at its end, after velocities are derived.
void pli_deformable_remember(pli_deformable_data *deformable, float step);

// The length of the present substep for the deformable: h' [s].
static inline float pli_deformable_own_step(const pli_deformable_data *deformable, float step)
{
    return deformable->history ? deformable->history->own_step : step;
}

// Positions from which velocities of the present substep are measured: y [m], in internal order.
static inline pli_particle *pli_deformable_bases(const pli_deformable_data *deformable)
{
    return deformable->history ? deformable->history->bases : deformable->previous;
}

// Whether sweeps over a set read these positions: only damping does, in XPBD.
static inline bool pli_constraints_reads_bases(const pli_world *world, const pli_constraints_data *set)
{
    return world->settings.method == PLI_METHOD_XPBD && set->parameters[PLI_PARAMETER_DAMPING] > 0.0;
}

#endif
