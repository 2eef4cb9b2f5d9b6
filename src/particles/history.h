// The second order of time: what a deformable keeps of its last substep, from which the next one goes on.
//
//   Backward differences of the second order (Gear 1971, Numerical Initial Value Problems in Ordinary Differential
//   Equations, chapter 11), for substeps of varying length. With r = h / h of the substep before, b = r^2 / (1 + 2 r)
//
//     y = x + b (x - x_before),   u = v + b (v - v_before),   h' = h (1 + r) / (1 + 2 r)
//
// so that a substep of implicit Euler of length h' from y and u is one of the second order from x and v. All that acts on a
// deformable takes h', and its velocities follow from moves away from y; trajectories, contacts and friction go from x over h.
// Without history b = 0, and this is implicit Euler.
//
// A jump must not go on as if it were motion. So history begins anew where the host has set something, where the
// deformable was cut, and behind each substep in which something else has moved it: a contact, the guarantee, or a body that holds
// it. In the first such substep, moves behind the prediction count over h: over h' a particle that a wall stops would
// leave it with half of its speed.
#ifndef PLI_PARTICLES_HISTORY_H
#define PLI_PARTICLES_HISTORY_H

#include "model/model.h"

// Makes room for the history of a deformable under PLI_INTEGRATOR_BDF2, and frees it otherwise. False when memory ran out.
bool pli_deformable_reserve_history(pli_world *world, pli_deformable_data *deformable);
bool pli_history_make(pli_memory *memory, pli_deformable_data *deformable);
void pli_history_free(pli_memory *memory, pli_deformable_data *deformable);
// History begins anew.
void pli_deformable_forget_history(pli_deformable_data *deformable);

// Before the step, and to undo it.
void pli_history_save(pli_deformable_data *deformable);
void pli_history_restore(pli_deformable_data *deformable);

// At the start of a substep of `step` seconds: y, u and h', where there is a history to keep.
void pli_deformable_recall(pli_world *world, pli_deformable_data *deformable, float step);
// At the end of one, once velocities are derived.
void pli_deformable_remember(pli_deformable_data *deformable, float step);

// The length of the present substep as its deformable takes it: h' [s].
static inline float pli_deformable_own_step(const pli_deformable_data *deformable, float step)
{
    return deformable->history ? deformable->history->own_step : step;
}

// Where velocities of the present substep are measured from: y [m], in internal order.
static inline pli_particle *pli_deformable_bases(const pli_deformable_data *deformable)
{
    return deformable->history ? deformable->history->bases : deformable->previous;
}

#endif
