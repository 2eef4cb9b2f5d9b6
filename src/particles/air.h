// The velocity of the air at particles: the wind, the host's field, and gusts.
//
// Gusts are a sum of eddies, sines that sway across their way, so that their velocity has no divergence (Kraichnan 1970, Diffusion by a
// Random Velocity Field; Fung et al. 1992, Kinematic simulation of homogeneous turbulence). Four octaves from the given length
// down have the energies of Kolmogorov's spectrum, k^(-2/3) an octave. The wind carries the eddies along, and
// they turn over at a rate that goes with their strength. Eddies and phases are the same on every machine: square roots aside, they are
// made by sums and products in double, and their sine is a polynomial (particles/wind_kernels.c).
#ifndef PLI_PARTICLES_AIR_H
#define PLI_PARTICLES_AIR_H

#include "model/model.h"
#include "particles/wind_kernels.h"

// The eddies of gusts whose largest eddies have this length [m].
void pli_gusts_make(pli_gusts *gusts, double length, int32_t seed);
// They `since` seconds after the start of the step; returns how many there are.
int32_t pli_gusts_now(const pli_world *world, double since, pli_gust gusts[PLI_EDDIES]);
// Behind a step.
void pli_gusts_advance(pli_world *world, double dt);

// Before a step of dt: asks the host's field for the air at all particles that take part.
pli_status pli_world_read_air(pli_world *world, float dt, pli_error *error);
// The greatest speed of the air that is to be expected in this step [m/s].
float pli_world_air_speed(const pli_world *world);

#endif
