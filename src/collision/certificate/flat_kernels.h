// Deformation gradients of the triangles of a sheet: the images of two unit vectors that are at right angles at rest.
#ifndef PLI_COLLISION_CERTIFICATE_FLAT_KERNELS_H
#define PLI_COLLISION_CERTIFICATE_FLAT_KERNELS_H

#include "base/vector.h"
#include "collision/narrowphase/pair_kernels.h"

// Triangles of a cluster: at the start of their trajectories in the first lanes, at the end in the others. Rows of their gradients are
// x, y, z of the one image and of the other; those of inverses are two floats for each side from the first corner.
enum {
    PLI_GRADIENT_TRIANGLES = 8,
    PLI_GRADIENT_LANES = 2 * PLI_GRADIENT_TRIANGLES,
    PLI_GRADIENT_ROWS = 6,
    PLI_GRADIENT_INVERSES = 4
};
// Particles of so many triangles at most.
enum { PLI_GRADIENT_PLACES = 3 * PLI_GRADIENT_TRIANGLES };

// What does not change of a cluster.
typedef struct pli_gradient_cluster {
    const int32_t *places; // [count] of its particles.
    const float *weights;  // [2 * count] by which they make up the sum of all gradients.
    const int32_t *
        corners; // [3 * PLI_GRADIENT_LANES] which of the places, and of them behind `count` at the end of trajectories.
    const float *inverses; // [PLI_GRADIENT_INVERSES * PLI_GRADIENT_LANES] of two sides at rest.
    int32_t count;
} pli_gradient_cluster;

// Where its particles are at the start and at the end, and the sum of its gradients at both. Of w: anything.
typedef struct pli_gradient_extent {
    pli_particle low[2], high[2], sum[2];
} pli_gradient_extent;

// A plane, and how the gradients are held against it.
typedef struct pli_gradient_plane {
    pli_vec3 along[2], normal; // Unit, at right angles.
    float min_stretch;         // Along any direction at rest, what a gradient leaves of it at least in the plane.
    float max_across;          // And what it adds across that direction at most; infinite when that does not matter.
} pli_gradient_plane;

typedef struct pli_gradient_kernels {
    // Sets the gradients of a cluster whose particles are looked at between two ages.
    void (*refit)(const pli_gradient_cluster *cluster, const pli_near_trajectories *trajectories, const float ages[2],
                  float *gradients, pli_gradient_extent *extent);
    // Those of some clusters, by the bits of `which`, all of whose gradients hold against the plane; or whether all do.
    uint64_t (*which_hold)(const float *gradients, const int32_t *clusters, uint64_t which,
                           const pli_gradient_plane *plane);
    bool (*all_hold)(const float *gradients, const int32_t *clusters, uint64_t which, const pli_gradient_plane *plane);
} pli_gradient_kernels;

extern const pli_gradient_kernels PLI_NAMED(pli_gradient);

#endif
