// Deformation gradients of the triangles of flat cloth: the images of two orthonormal vectors of the rest plane.
#ifndef PLI_COLLISION_CERTIFICATE_FLAT_KERNELS_H
#define PLI_COLLISION_CERTIFICATE_FLAT_KERNELS_H

#include "base/vector.h"
#include "collision/narrowphase/pair_kernels.h"

// Lanes of a cluster: 8 triangles at the start of the interval, then the same 8 at its end. Gradient rows: x, y, z of
// each image. Inverse rows: the 2 x 2 inverse of the rest sides.
enum {
    PLI_GRADIENT_TRIANGLES = 8,
    PLI_GRADIENT_LANES = 2 * PLI_GRADIENT_TRIANGLES,
    PLI_GRADIENT_ROWS = 6,
    PLI_GRADIENT_INVERSES = 4
};
// Upper bound of the number of particles of a cluster.
enum { PLI_GRADIENT_PLACES = 3 * PLI_GRADIENT_TRIANGLES };

// Constant data of one cluster.
typedef struct pli_gradient_cluster {
    const int32_t *places; // [count] vertices of the surface.
    const float *weights;  // [2 * count] weights that sum the particles to the sum of all gradients.
    // [3 * PLI_GRADIENT_LANES] index into `places` of each corner; at the end of the interval `count` is added.
    const int32_t *corners;
    const float *inverses; // [PLI_GRADIENT_INVERSES * PLI_GRADIENT_LANES] inverses of the rest sides [1/m].
    int32_t count;
} pli_gradient_cluster;

// Bounds of the cluster's particles and the sum of its gradients, at the start and at the end. The w components are
// unused.
typedef struct pli_gradient_extent {
    pli_particle low[2], high[2], sum[2];
} pli_gradient_extent;

// A plane, and the bounds that gradients must satisfy relative to it.
typedef struct pli_gradient_plane {
    pli_vec3 along[2], normal; // Orthonormal.
    float min_stretch;         // Least stretch along any direction in the plane.
    // Largest displacement across that direction, in and out of the plane; infinite if not required.
    float max_across;
} pli_gradient_plane;

typedef struct pli_gradient_kernels {
    // Computes the gradients of a cluster at two ages of its trajectories [substeps].
    void (*refit)(const pli_gradient_cluster *cluster, const pli_near_trajectories *trajectories, const float ages[2],
                  float *gradients, pli_gradient_extent *extent);
    // Bits of the clusters among `which` whose gradients all satisfy the bounds; and whether all of these clusters do.
    uint64_t (*which_hold)(const float *gradients, const int32_t *clusters, uint64_t which,
                           const pli_gradient_plane *plane);
    bool (*all_hold)(const float *gradients, const int32_t *clusters, uint64_t which, const pli_gradient_plane *plane);
} pli_gradient_kernels;

extern const pli_gradient_kernels PLI_NAMED(pli_gradient);

#endif
