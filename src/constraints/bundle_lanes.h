// Bundles as lanes, for back ends without rows. Part of bundle.h.
#ifndef PLI_CONSTRAINTS_BUNDLE_LANES_H
#define PLI_CONSTRAINTS_BUNDLE_LANES_H

typedef wide_particle pli_bundle;

PLI_KERNEL pli_bundle pli_bundle_load(const pli_projection *p, int32_t k, int32_t slot)
{
    return pli_load_particles(p, k, slot);
}
PLI_KERNEL void pli_bundle_store(const pli_projection *p, int32_t k, int32_t slot, const pli_bundle *bundle)
{
    pli_store_particles(p, k, slot, bundle);
}
PLI_KERNEL pli_bundle pli_bundle_add(pli_bundle a, pli_bundle b) { return (pli_bundle){wide3_add(a.x, b.x), a.w}; }
PLI_KERNEL pli_bundle pli_bundle_subtract(pli_bundle a, pli_bundle b) { return (pli_bundle){wide3_sub(a.x, b.x), a.w}; }
PLI_KERNEL wide3 pli_bundle_vectors(pli_bundle a) { return a.x; }
PLI_KERNEL wide pli_bundle_masses(pli_bundle a) { return a.w; }
PLI_KERNEL pli_bundle pli_bundle_add_scaled(pli_bundle a, pli_bundle b, wide s)
{
    return (pli_bundle){wide3_add_scaled(a.x, b.x, s), a.w};
}

// Keeps the rounding loss of the move b s of a bundle.
PLI_KERNEL void pli_bundle_keep_lost(const pli_projection *p, int32_t k, int32_t slot, const pli_bundle *before,
                                     const pli_bundle *after, const pli_bundle *b, wide s)
{
    pli_add_lost(p, k, slot, wide3_sub(wide3_scale(b->x, s), wide3_sub(after->x, before->x)));
}

#endif
