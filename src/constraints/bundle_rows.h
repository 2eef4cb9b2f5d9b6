// Particles of stencils as they are in memory. Part of bundle.h.
#ifndef PLI_CONSTRAINTS_BUNDLE_ROWS_H
#define PLI_CONSTRAINTS_BUNDLE_ROWS_H

typedef wide_bundle pli_bundle;

static inline pli_bundle pli_bundle_load(const pli_projection *p, int32_t k, int32_t slot)
{
    return wide_bundle_load(p->particles, p->index[k] + slot);
}

static inline void pli_bundle_store(const pli_projection *p, int32_t k, int32_t slot, const pli_bundle *bundle)
{
    wide_bundle_store(p->particles, p->index[k] + slot, *bundle);
}

static inline pli_bundle pli_bundle_add(pli_bundle a, pli_bundle b) { return wide_bundle_add(a, b); }
static inline pli_bundle pli_bundle_subtract(pli_bundle a, pli_bundle b) { return wide_bundle_subtract(a, b); }
static inline wide3 pli_bundle_vectors(pli_bundle a)
{
    wide3 v;
    wide_bundle_vectors(a, &v.x, &v.y, &v.z);
    return v;
}
static inline wide pli_bundle_masses(pli_bundle a) { return wide_bundle_masses(a); }
static inline pli_bundle pli_bundle_add_scaled(pli_bundle a, pli_bundle b, wide s)
{
    return wide_bundle_add_scaled(a, b, s);
}

#endif
