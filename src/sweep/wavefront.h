// Wavefronts: the sequential Gauss-Seidel order, executed in SIMD batches with bit-identical results.
//
// A constraint depends only on earlier constraints that share a particle with it. Any order in which each constraint comes after its
// predecessors gives bit-identical results to the sequential order. So constraints whose predecessors are done are collected into batches
// of one kernel, over a segment of successive sets and over several sweeps of it. The batches travel over the mesh like waves, with a
// later sweep close after an earlier one:
//
//   a chain of edges c0 c1 c2 ..., each sharing a particle with the next:
//   sweep 1    c0  c1  c2  c3  c4  c5
//   sweep 2            c0  c1  c2  c3       constraints in one column share no particle
//   sweep 3                    c0  c1
//   time  --->
//
// Each batch has a copy of the data of its constraints, so that kernels read memory in order.
#ifndef PLI_SWEEP_WAVEFRONT_H
#define PLI_SWEEP_WAVEFRONT_H

#include "model/model.h"
#include "sweep/sweep.h"

typedef struct pli_wavefronts pli_wavefronts;

// Rebuilds the wavefronts of segments that changed since the last step: the sets of a deformable, their multipliers, or `alone`, which
// means that nothing else moves particles between sweeps. Allocates nothing if nothing changed. False when memory ran out.
bool pli_wavefronts_update(pli_world *world, pli_deformable_data *deformable, bool alone);
void pli_wavefronts_free(pli_world *world, pli_deformable_data *deformable);

// Returns the wavefronts of the segment that starts with this set, over at most `sweeps` sweeps; NULL for none.
pli_wavefronts *pli_wavefronts_from(const pli_world *world, const pli_constraints_data *set, int32_t sweeps);
// Returns the first set after the segment, or NULL.
pli_constraints_data *pli_wavefronts_behind(const pli_wavefronts *wavefronts);
// Projects the segment for the planned number of sweeps; returns that number.
int32_t pli_wavefronts_project(pli_world *world, pli_wavefronts *wavefronts, float step, pli_sweep which);

#endif
