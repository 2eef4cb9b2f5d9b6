// Kernels over triangles and their vertices: area normals, vertex normals and the force of the wind. Compiled once for
// each SIMD back end.
//
// The wind exerts the pressure rho |u_n| u_n on a triangle, where u_n is the normal component of the air's velocity
// relative to the triangle.
#ifndef PLI_PARTICLES_WIND_KERNELS_H
#define PLI_PARTICLES_WIND_KERNELS_H

#include "base/vector.h"
#include "constraints/projection.h"

typedef struct pli_wind {
    const pli_particle *positions;      // [m], by internal index.
    pli_particle *velocities, *normals; // [m/s]; unit vectors.
    // Internal indices of the three corners of each triangle, padded to a multiple of PLI_BATCH triangles.
    const int32_t *corners[3];
    pli_particle *faces;     // One vector for each triangle, padded likewise: the result of the first pass.
    const int32_t *vertices; // Vertex of each particle; NULL when both orders are the same.
    const int32_t *begins, *ends, *around; // Triangles around vertex v: around[begins[v]] to around[ends[v] - 1].
    pli_vec3 wind;                         // Velocity of the air [m/s].
    float air_density, step;               // [kg/m3], >= 0; substep [s], > 0.
} pli_wind;

// One pass over the range begin..end-1; `wind` is a pli_wind.
typedef void (*pli_wind_pass)(void *wind, int32_t begin, int32_t end);

typedef struct pli_wind_kernels {
    // Passes over triangles; `begin` is a multiple of PLI_BATCH, and faces are written up to the next multiple behind
    // `end`.
    pli_wind_pass area; // Area normal: twice the area times the unit normal [m2].
    pli_wind_pass push; // Impulse of the wind on each corner [N s].
    // Passes over particles, from the triangles around them.
    pli_wind_pass normal; // Unit normal; zero where there is none.
    pli_wind_pass blow;   // Adds the impulses to the velocities.
} pli_wind_kernels;

extern const pli_wind_kernels PLI_NAMED(pli_wind);

#endif
