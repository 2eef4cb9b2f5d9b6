// Kernels reach particles by index lists. Part of kernel.h.
#ifndef PLI_CONSTRAINTS_LAYOUT_LISTS_H
#define PLI_CONSTRAINTS_LAYOUT_LISTS_H

PLI_KERNEL wide_particle pli_load(const pli_projection *p, int32_t k, int32_t slot)
{
    return pli_load_listed(p, p->particles, k, slot);
}

PLI_KERNEL wide3 pli_load_previous(const pli_projection *p, int32_t k, int32_t slot)
{
    return pli_load_listed(p, p->previous, k, slot).x;
}

PLI_KERNEL void pli_store_lanes(const pli_projection *p, float *to, int32_t slot, wide value)
{
    (void)p, (void)slot;
    wide_store(to, value);
}

PLI_KERNEL void pli_store_listed(const pli_projection *p, pli_particle *to, int32_t k, int32_t slot,
                                 const wide_particle *particle)
{
#ifdef WIDE_CONTIGUOUS_BATCHES
    if (p->is_contiguous) {
        wide_store_contiguous(to, p->index[k] + slot, particle->x.x, particle->x.y, particle->x.z, particle->w);
        return;
    }
#endif
    wide_store_listed(to, p->index[k] + slot, particle->x.x, particle->x.y, particle->x.z, particle->w);
}

PLI_KERNEL void pli_store(const pli_projection *p, int32_t k, int32_t slot, const wide_particle *particle)
{
    pli_store_listed(p, p->particles, k, slot, particle);
}

// Adds to what particle k of each lane has lost to rounding.
PLI_KERNEL void pli_add_lost(const pli_projection *p, int32_t k, int32_t slot, wide3 lost)
{
    wide_particle sum = pli_load_listed(p, p->lost, k, slot);
    sum.x = wide3_add(sum.x, lost);
    pli_store_listed(p, p->lost, k, slot, &sum);
}

#ifdef WIDE_CONTIGUOUS_BATCHES
// Contiguous batches run in one loop and other batches in another, so that each loop is compiled for its kind.
PLI_KERNEL void pli_run_all(pli_projection *p, int32_t begin, int32_t end, pli_loop loop)
{
    const uint8_t *contiguous_batches = p->contiguous_batches;
    for (int32_t slot = begin, stop = end; slot < end; slot = stop, stop = end) {
        bool together = contiguous_batches && contiguous_batches[slot / PLI_BATCH];
        if (contiguous_batches)
            for (stop = slot + PLI_BATCH; stop < end && contiguous_batches[stop / PLI_BATCH] == together;)
                stop += PLI_BATCH;
        if (together) {
            p->is_contiguous = true;
            loop(p, slot, stop);
        } else {
            p->is_contiguous = false;
            loop(p, slot, stop);
        }
    }
}
#else
PLI_KERNEL void pli_run_all(pli_projection *p, int32_t begin, int32_t end, pli_loop loop) { loop(p, begin, end); }
#endif

#endif
