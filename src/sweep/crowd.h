// Crowds: small deformables with the same constraint sets between the same particles are swept together, one member in each
// lane. Registers are loaded without index lists, and one instruction serves up to 16 members:
//
//   store       a0 a1 a2 ...   b0 b1 b2 ...   c0 c1 c2 ...      members a, b, c, ... have equal constraints
//   columns     a0 b0 c0 ... | a1 b1 c1 ... | a2 b2 c2 ...      constraint (0, 2) of all members: registers 0 and 2
//
// Each member is projected in the same order and by the same operations as alone, so its bits are the same. Members have their own
// masses, rest values and scales; the sets' types, parameters and stencils are equal.
#ifndef PLI_SWEEP_CROWD_H
#define PLI_SWEEP_CROWD_H

#include "model/model.h"

typedef struct pli_crowd pli_crowd;

// A deformable that runs all substeps of a step alone (step/isolated.h), or in a crowd.
typedef struct pli_isolated {
    bool active;
    pli_dvec3 low, high; // Bounds of its path in the step and its thickness, in the application's coordinates [m].
    pli_crowd *crowd;    // During a step: the equal deformables that it is swept with; or null.
} pli_isolated;

// Before a step with substeps of length `step` [s]: assigns deformables to crowds (`crowd`). Returns false when out of memory.
bool pli_world_find_crowds(pli_world *world, float step);
// Removes all assignments.
void pli_world_forget_crowds(pli_world *world);
void pli_crowds_release(pli_world *world);

// The members of a crowd, and their number. Stages that sweep deformables sweep the crowd when they reach its first member, and do nothing
// when they reach another.
pli_deformable_data *const *pli_crowd_members(const pli_crowd *crowd, int32_t *count);
bool pli_crowd_is_first(const pli_crowd *crowd, const pli_deformable_data *deformable);
// After a step: gives each member an equal part of the time of its crowd (`seconds`), which was measured at the first one.
void pli_crowds_divide_seconds(pli_world *world);
// Runs the sweeps from..to-1 of a substep over the sets of all members. Crowds may run in parallel.
void pli_crowd_sweep(const pli_world *world, pli_crowd *crowd, float step, int32_t from, int32_t to);

#endif
