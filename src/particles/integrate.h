// Time integration of particles: Mueller et al. 2006, Position Based Dynamics, Algorithm 1.
#ifndef PLI_PARTICLES_INTEGRATE_H
#define PLI_PARTICLES_INTEGRATE_H

#include "model/model.h"

// Predicted positions are moved by `share` times `moves` [m] besides, one a particle, or NULL.
typedef struct pli_push {
    pli_particle *moves;
    float share;
} pli_push;

// Stages of a substep of `step` seconds, each over all particles.
void pli_deformable_accelerate(pli_world *world, pli_deformable_data *deformable, float step);
// Whether acceleration and prediction are one pass where nothing changes velocities between them.
bool pli_deformable_falls(const pli_world *world, const pli_deformable_data *deformable);
void pli_deformable_fall(pli_world *world, pli_deformable_data *deformable, float step, pli_push push);
// With history, from what it gives.
void pli_deformable_predict(pli_world *world, pli_deformable_data *deformable, float step, pli_push push);
// Makes bases and velocities from those of the last substep, where there is a history.
void pli_deformable_extrapolate(pli_world *world, pli_deformable_data *deformable, float step);
void pli_deformable_derive_velocities(pli_world *world, pli_deformable_data *deformable, float step);

// Forgets the forces that the host gave for the next step.
void pli_deformable_drop_forces(pli_deformable_data *deformable);

#endif
