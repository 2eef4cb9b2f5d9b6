// A substep as its stages see it, and the stages that have files of their own.
#ifndef PLI_STEP_STEP_H
#define PLI_STEP_STEP_H

#include "model/model.h"

typedef struct pli_substep {
    pli_world *world;
    float step;          // Length of the substep [s], > 0.
    float damping_share; // Damping of this substep, 0..1.
    float bounce;        // Normal speed below which restitution is 0 [m/s].
    int32_t left;        // Remaining substeps, including this one.
    float from, to;      // Fractions of the step at its start and end, 0..1.
    int32_t iteration;   // Current iteration during the project stage.
} pli_substep;

// The number of the substep, from 0.
static inline int32_t pli_substep_number(const pli_substep *s) { return s->world->substep_count - s->left; }

typedef void (*pli_deformable_work)(const pli_substep *s, pli_deformable_data *deformable);

// Runs the work for each deformable: small deformables in parallel, then each large one divided among the threads. The
// work for one deformable must not depend on the work for another.
void pli_for_deformables(const pli_substep *s, pli_deformable_work work);

// Stages of a substep: lines 5 to 7 of the algorithm in step/step.c, lines 12 to 15, and continuous collision detection.
void pli_step_apply_forces(const pli_substep *s);
void pli_step_damp(const pli_substep *s);
float pli_step_damping_share(const pli_world *world, float step);
void pli_step_predict(const pli_substep *s);
void pli_step_derive_velocities(const pli_substep *s);
void pli_step_run_ccd(const pli_substep *s);
// The first three and the fourth of these stages for one deformable.
void pli_step_predict_deformable(const pli_substep *s, pli_deformable_data *deformable);
void pli_step_derive_deformable(const pli_substep *s, pli_deformable_data *deformable);

// Contacts of particles with colliders and rigid bodies, and of surfaces: found along x -> p; projected once in each
// sweep; friction and restitution at the end.
void pli_step_find_contacts(const pli_substep *s);
void pli_step_project_contacts(const pli_substep *s);
// Moves particles that collision detection has pushed into analytic shapes back out to their thickness. `user` is the world.
void pli_world_keep_outside(void *user);
void pli_step_apply_friction(const pli_substep *s);
// Lists the surfaces of analytic shapes that particles have passed, for the guarantee. `user` is the world. False when memory
// ran out.
bool pli_world_find_walls(void *user);
// Whether kinematic objects move, or bodies may press cloth. Otherwise contacts with shapes are enough for cloth that falls and rests.
bool pli_world_leads_any(const pli_world *world);
// Whether contact with a smooth collider has moved any of its particles in this substep.
bool pli_is_pushed(const pli_world *world, const pli_deformable_data *deformable);

// Marks the deformables that contacts, or the separation of intersections, may move between sweeps.
void pli_step_mark_contacts(const pli_world *world);

// Runs all sweeps of a substep.
void pli_step_project(const pli_substep *s);
// Projections of a deformable in a substep.
int64_t pli_deformable_projections(const pli_world *world, const pli_deformable_data *deformable);
// Runs all sweeps of a substep for an isolated deformable.
void pli_deformable_project_isolated(const pli_substep *s, pli_deformable_data *deformable);
// Whether only its constraint sets move the deformable in all sweeps of a substep, so that wavefronts may run several
// sweeps at once.
bool pli_deformable_is_swept_by_sets(const pli_world *world, const pli_deformable_data *deformable);

// Before a step, in sequential order: updates the wavefronts (sweep/wavefront.h). False when memory ran out.
bool pli_step_reserve_wavefronts(pli_world *world);

// Runs the step for a caller that has begun the call (model/handles.h).
pli_status pli_world_step_begun(pli_world *world, float dt, pli_error *error);

#endif
