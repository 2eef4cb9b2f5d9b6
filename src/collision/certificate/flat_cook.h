// Cooks the flat certificate: lays out a surface in planes, and lists partners, pairs of clusters whose hull a chart covers.
#ifndef PLI_COLLISION_CERTIFICATE_FLAT_COOK_H
#define PLI_COLLISION_CERTIFICATE_FLAT_COOK_H

#include "collision/certificate/flat_certificate.h"

// Sets `*flat_certificate` to null when the surface does not qualify: it has an edge whose number of triangles is not 1
// or 2, or a triangle without area. Returns false when out of memory. Overwrites the boxes in the tree of `clusters`.
// Clusters further apart than `near` [m] at rest do not become partners.
bool pli_flat_certificate_build(pli_memory *memory, const pli_near_kernels *kernels, pli_clusters *clusters,
                                const pli_cluster_source *source, float near, pli_flat_certificate **flat_certificate);
void pli_flat_certificate_release(pli_memory *memory, pli_flat_certificate *flat_certificate);

#endif
