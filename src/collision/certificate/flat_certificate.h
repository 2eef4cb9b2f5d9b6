// What is smooth cannot touch itself: for surfaces that are flat, whole and convex at rest (sheets), it is told from
// how their triangles are stretched and turned, without a look at any pair of them.
#ifndef PLI_COLLISION_CERTIFICATE_FLAT_CERTIFICATE_H
#define PLI_COLLISION_CERTIFICATE_FLAT_CERTIFICATE_H

#include "collision/broadphase/cluster.h"
#include "collision/certificate/flat_kernels.h"

// At most so many clusters lie about one and its partners, as bits of a word.
enum { PLI_FLAT_CERTIFICATE_SURROUNDING = 64 };

typedef struct pli_flat_certificate {
    int32_t cluster_count;
    pli_gradient_cluster *clusters; // What is known of each for good: parts of the next four.
    int32_t *places, *corners;
    float *weights, *inverses;
    float *gradients;   // Gradients of each cluster, where triangles are and will be (wide/slopes.h).
    pli_particle *sums; // [2 * clusters] Of them.
    // [clusters] The largest factor by which a linear map of anything about a cluster can differ for a given distance between
    // corners, and one over the least distance at rest between what shares no particle there [1/m].
    float *gradient_factor, *inverse_height;
    int32_t *partner_starts;     // [clusters + 1]
    int32_t *partners;           // Patches that are near a cluster at rest, from itself on, ascending.
    uint64_t *covers;            // By partner: which of those about the cluster lie about both.
    int32_t *surrounding_starts; // [clusters + 1]
    int32_t *surrounding;        // Patches that lie about a cluster and any of its partners.
    // [clusters] Of its partners, as bits: those that are looked at, and, while lists are mended, those of which nothing is known
    // since some of what lies about both has left its way.
    uint64_t *listed, *doubtful;
    int32_t partner_count, partner_capacity, cover_capacity, surrounding_count, surrounding_capacity;
} pli_flat_certificate;

// What is to be left between what shares no particle.
typedef struct pli_flat_certificate_limits {
    float reach;             // Nothing is looked at that is further apart [m].
    float allowed_deviation; // How far particles may leave their straight trajectories [m].
} pli_flat_certificate_limits;

// The place of two clusters, the first one not behind the other, among partners of the first; -1 when they are no partners.
int32_t pli_flat_certificate_partner(const pli_flat_certificate *flat_certificate, int32_t a, int32_t b);
static inline int32_t pli_flat_certificate_partner_count(const pli_flat_certificate *flat_certificate, int32_t cluster)
{
    return flat_certificate->partner_starts[cluster + 1] - flat_certificate->partner_starts[cluster];
}
// All partners of a cluster.
static inline uint64_t pli_flat_certificate_all(const pli_flat_certificate *flat_certificate, int32_t cluster)
{
    int32_t count = pli_flat_certificate_partner_count(flat_certificate, cluster);
    return count == PLI_FLAT_CERTIFICATE_SURROUNDING ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
}
// Which of those about a cluster lie about it and any of some partners.
uint64_t pli_flat_certificate_covers(const pli_flat_certificate *flat_certificate, int32_t cluster, uint64_t partners);
// Which of some partners of a cluster may touch it.
uint64_t pli_flat_certificate_uncertified(const pli_flat_certificate *flat_certificate,
                                          const pli_gradient_kernels *kernels, int32_t cluster, uint64_t partners,
                                          const pli_flat_certificate_limits *limits);

#endif
