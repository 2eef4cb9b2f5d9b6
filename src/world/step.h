// A substep as its stages see it, and the stages that have files of their own.
#ifndef PLI_WORLD_STEP_H
#define PLI_WORLD_STEP_H

#include "model/model.h"

typedef struct pli_substep {
    pli_world *world;
    float step;          // [s]
    float damping_share; // Of this substep.
    float bounce;        // Approach below which nothing rebounds [m/s].
    int32_t left;        // Substeps with this one.
    float from, to;      // Part of the step.
    int32_t iteration;   // Of the sweeps, during the project stage.
} pli_substep;

typedef void (*pli_deformable_work)(const pli_substep *s, pli_deformable_data *deformable);

// Does the work for each deformable: small ones side by side, and then each large one shared out among the threads.
// Nothing that it does for one may depend on another.
void pli_for_deformables(const pli_substep *s, pli_deformable_work work);

// Contacts of particles with the shapes of colliders and rigid bodies, and of surfaces: found along x -> p; projected once
// in each sweep; friction and restitution.
void pli_step_find_contacts(const pli_substep *s);
void pli_step_project_contacts(const pli_substep *s);
void pli_step_rub_contacts(const pli_substep *s);
// Whether a smooth collider has pushed any of its particles in this substep.
bool pli_is_pushed(const pli_world *world, const pli_deformable_data *deformable);

// All sweeps of a substep.
void pli_step_project(const pli_substep *s);
// Whether nothing but its constraint sets moves a deformable in all sweeps of a substep.
bool pli_deformable_is_swept_by_sets(const pli_world *world, const pli_deformable_data *deformable);

#endif
