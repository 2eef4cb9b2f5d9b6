// Stencils that are corrected along one direction: their particles may stay as they are in memory, and only the direction and the inverse
// masses are transposed into lanes. Part of kernel.h.
//
//     lanes (bundle_lanes.h)      x x x x | y y y y | z z z z | w w w w      four particles, transposed
//     rows  (bundle_rows.h)       x y z w | x y z w | x y z w | x y z w      four particles, as in memory
#ifndef PLI_CONSTRAINTS_BUNDLE_H
#define PLI_CONSTRAINTS_BUNDLE_H

#if defined(WIDE_BUNDLES) && !defined(PLI_RUNS)
#include "constraints/bundle_rows.h"
#else
#include "constraints/bundle_lanes.h"
#endif

// Loads the particles of a stencil with their inverse masses.
PLI_KERNEL void pli_load_bundles(const pli_projection *p, int32_t slot, int32_t count, pli_bundle *bundles,
                                 wide *masses)
{
#pragma GCC unroll 4
    for (int32_t k = 0; k < count; k++) {
        bundles[k] = pli_bundle_load(p, k, slot);
        masses[k] = pli_bundle_masses(bundles[k]);
    }
}

#endif
