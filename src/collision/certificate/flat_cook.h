// Cook time of the flat certificate (sheet.h): recognises flat, whole, convex surfaces and lists the clusters near each other.
#ifndef PLI_COLLISION_CERTIFICATE_FLAT_COOK_H
#define PLI_COLLISION_CERTIFICATE_FLAT_COOK_H

#include "collision/certificate/flat_certificate.h"

// Null in `*sheet` when the surface is none. False when memory ran out. The tree of the clusters is used up.
// Patches further apart than `near` at rest are not looked at.
bool pli_flat_certificate_build(pli_memory *memory, const pli_near_kernels *kernels, pli_clusters *clusters,
                                const pli_cluster_source *source, float near, pli_flat_certificate **flat_certificate);
void pli_flat_certificate_release(pli_memory *memory, pli_flat_certificate *flat_certificate);

#endif
