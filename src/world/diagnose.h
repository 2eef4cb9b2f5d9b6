// Finding what made a state non-finite, by running the step again and looking after each part.
#ifndef PLI_WORLD_DIAGNOSE_H
#define PLI_WORLD_DIAGNOSE_H

#include "world/constraint_set.h"

struct pli_diagnosis {
    bool found;
    const char *stage;
    const pli_constraint_set_data *set; // Null when no constraint did it.
    const pli_deformable_data *deformable;
    int32_t vertex, constraint; // -1 when unknown.
};

// Whether any position or velocity of the world is not finite.
bool pli_world_is_finite(pli_world *world);

// Keeps, and brings back, the state before a step.
void pli_world_keep_state(pli_world *world);
void pli_world_return_state(pli_world *world);

// When a blame is being sought: looks at the bodies after a part of the step. `set` may be null.
void pli_diagnose(pli_world *world, const char *stage, const pli_constraint_set_data *set);

// The error for the user.
pli_status pli_diagnosis_fail(const pli_world *world, const pli_diagnosis *diagnosis, pli_error *error);

#endif
