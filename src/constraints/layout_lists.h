// How kernels reach particles by index lists. Part of kernel.h.
#ifndef PLI_CONSTRAINTS_LAYOUT_LISTS_H
#define PLI_CONSTRAINTS_LAYOUT_LISTS_H

static inline wide_particle pli_load(const pli_projection *p, int32_t k, int32_t slot)
{
    return pli_load_listed(p, p->particles, k, slot);
}

static inline wide3 pli_load_previous(const pli_projection *p, int32_t k, int32_t slot)
{
    return pli_load_listed(p, p->previous, k, slot).x;
}

static inline void pli_put(const pli_projection *p, float *to, int32_t slot, wide value)
{
    (void)p, (void)slot;
    wide_store(to, value);
}

static inline void pli_store(const pli_projection *p, int32_t k, int32_t slot, const wide_particle *particle)
{
    wide_store_listed(p->particles, p->index[k] + slot, particle->x.x, particle->x.y, particle->x.z, particle->w);
}

static inline __attribute__((always_inline)) void pli_run_all(pli_projection *p, int32_t begin, int32_t end, pli_loop loop)
{
    loop(p, begin, end);
}

#endif
