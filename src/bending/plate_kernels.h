// Residual of a plate (bending/plate_element.h), PLI_BATCH edges and triangles at a time. It is compiled once for each SIMD back end.
//
//   edges       j_e = g + g' of its two triangles             a weighted sum over four particles; 0 where the surface is flat
//               j_e += c (j_e - R j_e(x))                     with a damping time c H; R rotates the edge and its normal from x to x + H v
//   triangles   e_k = -j_k / 2 - target, m = K e         the derivative at each edge is taken halfway between its triangles, which is
//                                                        arbitrary since derivatives are unknowns; or from the fixed triangle
//               pull_i = sum of derivatives[k][i] m_k            the force on corner i
#ifndef PLI_BENDING_PLATE_KERNELS_H
#define PLI_BENDING_PLATE_KERNELS_H

#include "constraints/projection.h"

enum { PLI_PLATE_WEIGHTS = 3, PLI_PLATE_STIFFNESSES = 6, PLI_PLATE_DERIVATIVES = 6, PLI_PLATE_TARGETS = 9 };

// Each row has PLI_BATCH values of one quantity; the rows of a batch follow one another.
typedef struct pli_plate_lists {
    const pli_particle *ahead;     // Positions y that the residual is evaluated at [m].
    const pli_particle *positions; // Positions x at the start of the interval [m].
    pli_particle *turned;          // [particles] x + H v, without the forces of this substep [m]; null without damping.
    float damping;                 // c, the damping time over the interval.
    // Edges between two triangles: both ends, then the corners opposite to it in the first triangle and in the second.
    int32_t *edge_particles; // Rows of 4.
    float *edge_weights;     // Rows of 3: weights of all but the first particle, whose weight is minus their sum [1/m].
    pli_particle *jumps;     // [edge batches * PLI_BATCH + 1] j; the last is a dummy that stays 0.
    int32_t *corners;        // Rows of 3: the corners of each triangle.
    int32_t *edges;          // Rows of 3: the jump of each of its edges, the dummy at borders.
    float *
        shares; // Rows of 3: -1/2; -1 where the other triangle is fixed, which fixes the derivative; 0 in the fixed triangle.
    float *stiffnesses;    // Rows of 6: K00 K11 K22 K01 K02 K12 [N m].
    float *derivatives;    // Rows of 6: derivatives[k][1] and derivatives[k][2] for each edge k [1/m].
    float *targets;        // Rows of 9: target of each edge along the triangle's three axes; null for flat shapes.
    pli_particle *moments; // Rows of 3: m [N m].
    pli_particle *pulls;   // Rows of 3: the force on each corner [N].
} pli_plate_lists;

// One pass over the batches begin..end-1; `lists` is a pli_plate_lists.
typedef void (*pli_plate_pass)(void *lists, int32_t begin, int32_t end);

typedef struct pli_plate_kernels {
    pli_plate_pass bend_edges, bend_triangles;
} pli_plate_kernels;

extern const pli_plate_kernels PLI_NAMED(pli_plate);

#endif
