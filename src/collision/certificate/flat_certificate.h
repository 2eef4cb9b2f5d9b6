// The flat certificate of a surface whose clusters lie in planes at rest, or nearly so, chart by chart (flat_charts.h): it
// proves for pairs of clusters that they are not in contact, from deformation gradients alone (proof and drawing in
// flat_certificate.c).
#ifndef PLI_COLLISION_CERTIFICATE_FLAT_CERTIFICATE_H
#define PLI_COLLISION_CERTIFICATE_FLAT_CERTIFICATE_H

#include "collision/broadphase/cluster.h"
#include "collision/certificate/flat_kernels.h"

// Most clusters that surround one cluster and its partners: the bits of a word.
enum { PLI_FLAT_CERTIFICATE_SURROUNDING = 64 };

// Constant data of an image in a chart that overlaps the cluster's own.
typedef struct pli_flat_image {
    int32_t cluster;
    float inverses[PLI_GRADIENT_INVERSES * PLI_GRADIENT_LANES], weights[2 * PLI_GRADIENT_PLACES];
} pli_flat_image;

typedef struct pli_flat_certificate {
    int32_t cluster_count, image_count;
    // Images of clusters in charts: one of each cluster in its own chart, then the images in charts that overlap it, ordered
    // by cluster. Constant data: slices of the arrays below.
    pli_gradient_cluster *clusters;
    pli_flat_image *more; // [image_count - cluster_count] further images.
    int32_t *more_starts; // [clusters + 1] first further image of each cluster.
    int32_t *places, *corners;
    float *weights, *inverses;
    float *gradients;        // Deformation gradients of each image at both ends of the interval (flat_kernels.h).
    pli_particle *sums;      // [2 * images] sums of gradients, both columns.
    int32_t *partner_starts; // [clusters + 1]
    int32_t *partners;       // Clusters near a cluster at rest, itself and later ones, ascending.
    uint64_t *covers;        // For each partner: bits of the surrounding clusters between the two.
    // For each partner: reciprocal of a lower bound of the rest distance of primitives of the two clusters that share no
    // particle [1/m].
    float *inverse_apart;
    int32_t *surrounding_starts; // [clusters + 1]
    int32_t *surrounding;        // Clusters between a cluster and any of its partners.
    int32_t *images;             // Their images in the chart of the cluster.
    // [clusters] bits of partners: in the list of cluster pairs, and to be certified again during a repair.
    uint64_t *listed, *doubtful;
    int32_t partner_count, partner_capacity, cover_capacity, apart_capacity, surrounding_count, surrounding_capacity;
    int32_t image_capacity;
} pli_flat_certificate;

// Required separation of non-adjacent primitives.
typedef struct pli_flat_certificate_limits {
    float reach;             // Largest gap of a listed pair [m].
    float allowed_deviation; // Allowed deviation from the trajectories [m].
} pli_flat_certificate_limits;

// Index of cluster b among the partners of cluster a <= b; -1 when they are not partners.
int32_t pli_flat_certificate_partner(const pli_flat_certificate *flat_certificate, int32_t a, int32_t b);
static inline int32_t pli_flat_certificate_partner_count(const pli_flat_certificate *flat_certificate, int32_t cluster)
{
    return flat_certificate->partner_starts[cluster + 1] - flat_certificate->partner_starts[cluster];
}
// Bits of all partners of a cluster.
static inline uint64_t pli_flat_certificate_all(const pli_flat_certificate *flat_certificate, int32_t cluster)
{
    int32_t count = pli_flat_certificate_partner_count(flat_certificate, cluster);
    return count == PLI_FLAT_CERTIFICATE_SURROUNDING ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
}
// Bits of the surrounding clusters between a cluster and any of the given partners.
uint64_t pli_flat_certificate_covers(const pli_flat_certificate *flat_certificate, int32_t cluster, uint64_t partners);
// Bits of the given partners that may touch the cluster.
uint64_t pli_flat_certificate_uncertified(const pli_flat_certificate *flat_certificate,
                                          const pli_gradient_kernels *kernels, int32_t cluster, uint64_t partners,
                                          const pli_flat_certificate_limits *limits);

// Cooks the flat certificate: lays out a surface in planes, and lists partners, pairs of clusters whose hull a chart covers.

// Sets `*flat_certificate` to null when the surface does not qualify: it has an edge whose number of triangles is not 1
// or 2, or a triangle without area. Returns false when out of memory. Overwrites the boxes in the tree of `clusters`.
// Clusters further apart than `near` [m] at rest do not become partners.
bool pli_flat_certificate_build(pli_memory *memory, const pli_near_kernels *kernels, pli_clusters *clusters,
                                const pli_cluster_source *source, float near, pli_flat_certificate **flat_certificate);
void pli_flat_certificate_release(pli_memory *memory, pli_flat_certificate *flat_certificate);

#endif
