// Time integration of particles: Mueller et al. 2006, Position Based Dynamics, Algorithm 1.
#ifndef PLI_PARTICLES_INTEGRATE_H
#define PLI_PARTICLES_INTEGRATE_H

#include "model/model.h"

// An additional displacement of the predicted positions by `share` times `moves` [m], with one entry for each particle; or NULL.
typedef struct pli_push {
    pli_particle *moves;
    float share;
} pli_push;

// The smaller one of its own limit and the world's [m/s].
float pli_deformable_speed_limit(const pli_world *world, const pli_deformable_data *deformable);
// Stages of a substep of `step` seconds, each over all particles.
void pli_deformable_accelerate(pli_world *world, pli_deformable_data *deformable, float step);
// Whether acceleration and prediction run as one pass, because nothing changes velocities between them.
bool pli_deformable_falls(const pli_world *world, const pli_deformable_data *deformable);
// Whether a substep of `step` [s] keeps what rounding removes from moves (`lost`).
bool pli_deformable_keeps_losses(const pli_deformable_data *deformable, float step);
void pli_deformable_fall(pli_world *world, pli_deformable_data *deformable, float step, pli_push push);
// Predicts from the bases of the history if there is one.
void pli_deformable_predict(pli_world *world, pli_deformable_data *deformable, float step, pli_push push);
// Computes bases and velocities from the last substep if there is a history.
void pli_deformable_extrapolate(pli_world *world, pli_deformable_data *deformable, float step);
void pli_deformable_derive_velocities(pli_world *world, pli_deformable_data *deformable, float step);

// Discards the forces that the application set for the next step.
void pli_deformable_drop_forces(pli_deformable_data *deformable);

#endif
