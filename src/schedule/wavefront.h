// The sequential order, run wide: constraints that wait for the same ones run side by side.
//
// A constraint depends on those before it that share a particle with it, and on no other. As long as each comes after
// those it depends on, any order gives the same bits as one after the other does. So constraints that are ready at the
// same time, of a stretch of sets and of several sweeps over it, are collected in batches of one kernel: waves that run
// over the mesh, a later sweep close behind an earlier one. Each batch is a copy of its constraints' numbers.
#ifndef PLI_SCHEDULE_WAVEFRONT_H
#define PLI_SCHEDULE_WAVEFRONT_H

#include "model/model.h"
#include "schedule/sweep.h"

typedef struct pli_wavefronts pli_wavefronts;

// Makes anew what has changed since the last step: the sets of a deformable, and `alone`: that nothing else acts between
// the sweeps. Where nothing has, it allocates nothing. False when memory ran out.
bool pli_wavefronts_update(pli_world *world, pli_deformable_data *deformable, bool alone);
void pli_wavefronts_free(pli_world *world, pli_deformable_data *deformable);

// The waves of the stretch that starts with this set, for up to `sweeps` sweeps one after the other; null for none.
pli_wavefronts *pli_wavefronts_from(const pli_world *world, const pli_constraint_set_data *set, int32_t sweeps);
// The set behind the stretch, or null.
pli_constraint_set_data *pli_wavefronts_behind(const pli_wavefronts *wavefronts);
// Sweeps over the stretch, as many times as it has been made for; returns how many.
int32_t pli_wavefronts_project(pli_world *world, pli_wavefronts *wavefronts, float step, pli_sweep which);

#endif
