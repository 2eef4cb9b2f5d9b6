// Bundles as rows: particles as they are in memory. Part of bundle.h.
#ifndef PLI_CONSTRAINTS_BUNDLE_ROWS_H
#define PLI_CONSTRAINTS_BUNDLE_ROWS_H

typedef wide_bundle pli_bundle;

PLI_KERNEL pli_bundle pli_bundle_load(const pli_projection *p, int32_t k, int32_t slot)
{
    if (p->is_contiguous)
        return wide_bundle_load_contiguous(p->particles, p->index[k] + slot);
    return wide_bundle_load(p->particles, p->index[k] + slot);
}

PLI_KERNEL void pli_bundle_store(const pli_projection *p, int32_t k, int32_t slot, const pli_bundle *bundle)
{
    if (p->is_contiguous)
        wide_bundle_store_contiguous(p->particles, p->index[k] + slot, *bundle);
    else
        wide_bundle_store(p->particles, p->index[k] + slot, *bundle);
}

PLI_KERNEL pli_bundle pli_bundle_add(pli_bundle a, pli_bundle b) { return wide_bundle_add(a, b); }
PLI_KERNEL pli_bundle pli_bundle_subtract(pli_bundle a, pli_bundle b) { return wide_bundle_subtract(a, b); }
PLI_KERNEL wide3 pli_bundle_vectors(pli_bundle a)
{
    wide3 v;
    wide_bundle_vectors(a, &v.x, &v.y, &v.z);
    return v;
}
PLI_KERNEL wide pli_bundle_masses(pli_bundle a) { return wide_bundle_masses(a); }
PLI_KERNEL pli_bundle pli_bundle_add_scaled(pli_bundle a, pli_bundle b, wide s)
{
    return wide_bundle_add_scaled(a, b, s);
}

#endif
