// The velocity of the air at particles: the wind, the application's field, and gusts.
//
// Gusts are a sum of transverse sinusoidal eddies, so that their velocity is divergence-free (Kraichnan 1970, Diffusion by a Random
// Velocity Field; Fung et al. 1992, Kinematic simulation of homogeneous turbulence). Four octaves from the given length down have the
// energies of Kolmogorov's spectrum, k^(-2/3) per octave. The wind carries the eddies along, and they turn over at a rate proportional to
// their strength. Eddies and phases are the same on every machine: apart from square roots, they are computed by sums and products in
// double, and their sine is a polynomial (particles/wind_kernels.c).
#ifndef PLI_PARTICLES_AIR_H
#define PLI_PARTICLES_AIR_H

#include "model/model.h"
#include "particles/wind_kernels.h"

typedef struct pli_air {
    // [capacity + 1] velocity of the air at each particle in this step [m/s]; null without a field.
    pli_particle *velocities;
} pli_air;

// Creates the eddies of gusts; the largest eddies have the given length [m].
void pli_gusts_make(pli_gusts *gusts, double length, int32_t seed);
// Evaluates the eddies `since` seconds after the start of the step; returns their number.
int32_t pli_gusts_now(const pli_world *world, double since, pli_gust gusts[PLI_EDDIES]);

// Upper estimate of the air speed in this step [m/s].
float pli_world_air_speed(const pli_world *world);

#endif
