// Deformation gradients of the triangles of a sheet: the images of two unit vectors that are at right angles at rest.
#ifndef PLI_WIDE_SLOPES_H
#define PLI_WIDE_SLOPES_H

#include "base/vector.h"
#include "wide/near.h"

// Triangles of a patch: at the start of their ways in the first lanes, at the end in the others. Rows of their gradients are
// x, y, z of the one image and of the other; those of inverses are two floats for each side from the first corner.
enum { PLI_SLOPE_TRIANGLES = 8, PLI_SLOPE_LANES = 2 * PLI_SLOPE_TRIANGLES, PLI_SLOPE_ROWS = 6, PLI_SLOPE_INVERSES = 4 };
// Particles of so many triangles at most.
enum { PLI_SLOPE_PLACES = 3 * PLI_SLOPE_TRIANGLES };

// What does not change of a patch.
typedef struct pli_slope_patch {
    const int32_t *places;  // [count] of its particles.
    const float *weights;   // [2 * count] by which they make up the sum of all gradients.
    const int32_t *corners; // [3 * PLI_SLOPE_LANES] which of the places, and of them behind `count` at the end of ways.
    const float *inverses;  // [PLI_SLOPE_INVERSES * PLI_SLOPE_LANES] of two sides at rest.
    int32_t count;
} pli_slope_patch;

// Where its particles are at the start and at the end, and the sum of its gradients at both. Of w: anything.
typedef struct pli_slope_extent {
    pli_particle low[2], high[2], sum[2];
} pli_slope_extent;

// A plane, and how the gradients are held against it.
typedef struct pli_slope_plane {
    pli_vec3 along[2], normal; // Unit, at right angles.
    float least;               // Along any direction at rest, what a gradient leaves of it at least in the plane.
    float most_off;            // And what it adds across that direction at most; infinite when that does not matter.
} pli_slope_plane;

typedef struct pli_slope_kernels {
    // Sets the gradients of a patch whose particles are looked at between two ages.
    void (*lay)(const pli_slope_patch *patch, const pli_near_ways *ways, const float ages[2], float *slopes,
                pli_slope_extent *extent);
    // Those of some patches, by the bits of `which`, all of whose gradients hold against the plane; or whether all do.
    uint64_t (*which_hold)(const float *slopes, const int32_t *patches, uint64_t which, const pli_slope_plane *plane);
    bool (*all_hold)(const float *slopes, const int32_t *patches, uint64_t which, const pli_slope_plane *plane);
} pli_slope_kernels;

extern const pli_slope_kernels PLI_NAMED(pli_slope);

#endif
