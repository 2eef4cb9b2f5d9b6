// What is done by triangles: their area normals, which add up to normals of vertices, and the push of the wind.
#ifndef PLI_PARTICLES_WIND_KERNELS_H
#define PLI_PARTICLES_WIND_KERNELS_H

#include "base/vector.h"
#include "constraints/projection.h"

typedef struct pli_wind {
    const pli_particle *positions;
    pli_particle *velocities, *normals;
    const int32_t *corners[3];             // Particles of each triangle, up to a multiple of PLI_BATCH triangles.
    pli_particle *faces;                   // Of as many triangles, what is found.
    const int32_t *vertices;               // Of each particle, or null when they are the same.
    const int32_t *begins, *ends, *around; // Triangles around each vertex.
    pli_vec3 wind;                         // [m/s]
    float air_density, step;               // [kg/m3], [s]
} pli_wind;

// Data is a pli_wind.
typedef void (*pli_wind_pass)(void *wind, int32_t begin, int32_t end);

typedef struct pli_wind_kernels {
    // On triangles; `begin` is a multiple of PLI_BATCH, and faces are written up to one.
    pli_wind_pass area; // Twice the area times the unit normal [m2].
    pli_wind_pass push; // The impulse on each corner [N s].
    // On particles, from the faces around them.
    pli_wind_pass normal; // Unit, and 0 where there is none.
    pli_wind_pass blow;   // Velocities change by the impulses.
} pli_wind_kernels;

extern const pli_wind_kernels PLI_NAMED(pli_wind);

#endif
