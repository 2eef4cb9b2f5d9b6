// Diagnosis of a non-finite state: the step is run again and the state is tested after each of its parts.
#ifndef PLI_STEP_DIAGNOSE_H
#define PLI_STEP_DIAGNOSE_H

#include "properties/choices.h"
#include "world/constraint_set.h"

struct pli_diagnosis {
    bool found;
    const char *stage;
    const pli_constraints_data *set; // The set with the failing projection; null if no constraint failed.
    const pli_deformable_data *deformable;
    int32_t vertex, constraint; // -1 when unknown.
};

// Whether all positions and velocities of the world are finite.
bool pli_world_is_finite(pli_world *world);

// Saves the state before a step, and restores it.
void pli_world_save_state(pli_world *world);
void pli_world_restore_state(pli_world *world);
// Restores one deformable with its sets, while the world's origin is still the origin before the step.
void pli_deformable_restore_state(pli_deformable_data *deformable);

// Call this after a part of the step that acted on one deformable or on any (null), and projected a set or none (null). It tests
// the deformables during a diagnosis, and calls the trace callback otherwise.
void pli_diagnose(pli_world *world, const char *part, const pli_deformable_data *acted,
                  const pli_constraints_data *set);

// Fails with NON_FINITE and a message that names the step, stage, vertex and constraint.
pli_status pli_diagnosis_fail(const pli_world *world, const pli_diagnosis *diagnosis, pli_error *error);

#endif
