// Stencils that are corrected along one direction: their particles may stay as they are in memory, so that only
// the direction and the masses are turned into lanes. Part of kernel.h.
#ifndef PLI_CONSTRAINTS_BUNDLE_H
#define PLI_CONSTRAINTS_BUNDLE_H

#if defined(WIDE_BUNDLES) && !defined(PLI_RUNS)

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

#else

typedef wide_particle pli_bundle;

static inline pli_bundle pli_bundle_load(const pli_projection *p, int32_t k, int32_t slot) { return pli_load(p, k, slot); }
static inline void pli_bundle_store(const pli_projection *p, int32_t k, int32_t slot, const pli_bundle *bundle)
{
    pli_store(p, k, slot, bundle);
}
static inline pli_bundle pli_bundle_add(pli_bundle a, pli_bundle b) { return (pli_bundle){wide3_add(a.x, b.x), a.w}; }
static inline pli_bundle pli_bundle_subtract(pli_bundle a, pli_bundle b) { return (pli_bundle){wide3_sub(a.x, b.x), a.w}; }
static inline wide3 pli_bundle_vectors(pli_bundle a) { return a.x; }
static inline wide pli_bundle_masses(pli_bundle a) { return a.w; }
static inline pli_bundle pli_bundle_add_scaled(pli_bundle a, pli_bundle b, wide s)
{
    return (pli_bundle){wide3_add_scaled(a.x, b.x, s), a.w};
}

#endif

// The particles of a stencil with their inverse masses.
static inline void pli_load_bundles(const pli_projection *p, int32_t slot, int32_t count, pli_bundle *bundles, wide *masses)
{
#pragma GCC unroll 4
    for (int32_t k = 0; k < count; k++) {
        bundles[k] = pli_bundle_load(p, k, slot);
        masses[k] = pli_bundle_masses(bundles[k]);
    }
}

#endif
