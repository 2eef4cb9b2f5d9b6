// Kernels over triangles and their vertices: area normals, vertex normals and the force of the wind. Compiled once for
// each SIMD back end.
//
// The air exerts the pressure rho |u_n| u_n on a triangle, and the traction rho c_f |u_t| u_t along it, where u_n is the
// normal component of the air's velocity relative to it, u_t the rest of it and c_f the friction: a drag coefficient of 2
// along the normal, and one of 2 c_f for both sides along the surface. Each corner has a third of the area A and takes u
// with its own velocity v. Over a substep h
//
//     v <- v + sum_f a_f u_f n_f / (1 + sum_f a_f) + sum_f b_f (u - u_f n_f) / (1 + sum_f b_f)
//     u = air - v,    u_f = u . n_f,    a_f = c A_f |u_f|,    b_f = c A_f c_f |u - u_f n_f|,    c = h w rho / 3
//
// So u is multiplied by 1 - N - T, where N and T are sums of projections onto the normals and onto the planes of the
// triangles around, with weights a_f / (1 + sum a) and b_f / (1 + sum b). Both are symmetric with eigenvalues from 0 to
// less than 1, so those of 1 - N - T are within -1 and 1: the velocity relative to the air never grows, however light the
// cloth, however strong the air and however many triangles a vertex has. Where the triangles have one normal, this is the
// exact solution of each quadratic drag law over the substep, u <- u / (1 + c |u| sum_f A_f). Half of gravity and of the application's
// forces acts before it and half after it (step/step.c), which makes terminal speeds accurate to second order in h.
//
// Deformables may have other coefficients: D along the flow and L across it. The pressure is then
//
//     F_f = rho A_f |u_f| (D s^2 u + L (u_f n_f - s^2 u)),    s = u_f / |u|
//
// with the weight a_f = c A_f |u_f| (L^2 + (D^2 - L^2) s^2) / D, which is c / rho |F_f|^2 / (F_f . u). So each |F_f|^2 is at most a_f
// times its power, and by Cauchy's inequality their sum F, divided by 1 + sum a_f, satisfies |F|^2 <= F . u. Friction has the same
// property, and two such forces together give |u - F - T| <= |u|. With D = L = 1 this is the law above.
#ifndef PLI_PARTICLES_WIND_KERNELS_H
#define PLI_PARTICLES_WIND_KERNELS_H

#include "base/vector.h"
#include "constraints/projection.h"

// An eddy of the gusts in a substep: turns for each metre and at the origin, and peak velocity [m/s].
typedef struct pli_gust {
    float number[3], phase, sway[3];
} pli_gust;

typedef struct pli_wind {
    const pli_particle *positions;      // [m], by internal index.
    pli_particle *velocities, *normals; // [m/s]; unit vectors.
    // Internal indices of the three corners of each triangle, padded to a multiple of PLI_BATCH triangles.
    const int32_t *corners[3];
    pli_particle *faces;     // One vector for each triangle, padded likewise: the result of the first pass.
    const int32_t *vertices; // Vertex of each particle; NULL when both orders are the same.
    const int32_t *begins, *ends, *around; // Triangles around vertex v: around[begins[v]] to around[ends[v] - 1].
    pli_vec3 wind;                         // Velocity of the air [m/s],
    const pli_particle *air;               // or, unless NULL, the velocity at each particle.
    float air_density, friction, step;     // [kg/m3], >= 0; coefficient, >= 0; substep [s], > 0.
    const float *factors;                  // Factor on the force of each particle; NULL: 1.
    float drag, lift;                      // D and L, >= 0; L is 0 where D is.
    int32_t gust_count;                    // Eddies of gusts (particles/air.h).
    const pli_gust *gusts;
} pli_wind;

// One pass over the range begin..end-1; `wind` is a pli_wind.
typedef void (*pli_wind_pass)(void *wind, int32_t begin, int32_t end);

typedef struct pli_wind_kernels {
    // Passes over triangles; `begin` is a multiple of PLI_BATCH, and faces are written up to the next multiple after `end`.
    pli_wind_pass area; // Area normal: twice the area times the unit normal [m2].
    pli_wind_pass face; // The area normal, and in w one over twice the area [1/m2].
    // Passes over particles, from the triangles around them.
    pli_wind_pass normal; // Unit normal; zero where there is none.
    pli_wind_pass blow;   // Changes the velocities by the wind on the triangles around.
} pli_wind_kernels;

extern const pli_wind_kernels PLI_NAMED(pli_wind);

#endif
