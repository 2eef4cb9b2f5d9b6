// The three projections of Kelager et al. 2010, Table 1, as plain loops over lists: what their arithmetic costs without
// an engine round it.
//
//   Triangle: eqs. (3), (5), (8), (9). Dihedral: eq. (1) by Mueller et al. 2006, appendix A, eqs. (24)-(28).
//   Stick: Jakobsen 2001.
//
// Written as the formulas are printed, divisions by lengths included.
#ifndef PLI_EXPERIMENTS_PLAIN_LOOPS_H
#define PLI_EXPERIMENTS_PLAIN_LOOPS_H

#include <stdint.h>

typedef struct plain_particle {
    float x, y, z, w; // Position and inverse mass.
} plain_particle;

// One sweep over constraints in their order, with stiffness 1. `stencils` has 3, 4 and 2 particles a constraint,
// `rest` the height, angle and length.
typedef void (*plain_loop)(plain_particle *particles, const int32_t *stencils, const float *rest, int32_t count);
void plain_triangles(plain_particle *particles, const int32_t *stencils, const float *rest, int32_t count);
void plain_dihedrals(plain_particle *particles, const int32_t *stencils, const float *rest, int32_t count);
void plain_sticks(plain_particle *particles, const int32_t *stencils, const float *rest, int32_t count);

#endif
