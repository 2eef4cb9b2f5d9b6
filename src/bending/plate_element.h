// One triangle of Morley's plate: a quadratic surface, given by its three corners and by its derivatives across the three edges.
//
//   Morley 1968, The Triangular Equilibrium Element in the Solution of Plate Bending Problems. In a mesh two triangles share the
//   derivative of their edge, as in Grinspun et al. 2006, Computing Discrete Shape Operators on General Meshes.
//
// With the derivative s_k of the surface across edge k, outwards, and the derivative g_k of the flat triangle through the corners, the
// Hessian of a coordinate is the sum of l_k / A (s_k - g_k) n_k n_k^T: by Gauss's theorem it is the mean of the gradient times the outer
// normal around the border, where the gradient of a function that vanishes at the corners is (s_k - g_k) n_k at the middle of an edge. The
// energy,
//
//   E = A D / 2 ((1 - nu) |H|^2 + nu (tr H)^2) = 1/2 d^T K d,   d_k = s_k - g_k,
//   K_jk = D l_j l_k / A ((1 - nu) (n_j . n_k)^2 + nu),
//
// summed over the coordinates x, y and z, equals the energy of a thin sheet for every motion that preserves lengths, since the sum of the
// squares of the Hessians is then equal to that of the curvatures (Bergou et al. 2006). D is the flexural rigidity [N m] and nu Poisson's
// ratio.
#ifndef PLI_BENDING_PLATE_ELEMENT_H
#define PLI_BENDING_PLATE_ELEMENT_H

#include "base/vector.h"

typedef struct pli_plate_element {
    double derivatives[3][3]; // g_k = sum over i of derivatives[k][i] x_i; each row sums to zero [1/m].
    double stiffness[3][3];   // K [N m].
    pli_dvec3 normals[3];     // n_k at rest: edge k runs from corner k to the next.
    pli_dvec3 axes[3];        // At rest: along edge 0, across it in the triangle, and its normal.
} pli_plate_element;

// From the corners at rest [m]. False if they are nearly collinear, with a height below 1e-6 of the longest edge.
bool pli_plate_element_make(const pli_dvec3 corners[3], double rigidity, double poisson, pli_plate_element *element);

// Slope across an edge, outwards of the triangle with normal `own`: halfway between the directions of both triangles there, or the
// direction of the first if they are folded onto each other.
pli_dvec3 pli_plate_derivative_between(pli_dvec3 own, pli_dvec3 other, bool is_first);

#endif
