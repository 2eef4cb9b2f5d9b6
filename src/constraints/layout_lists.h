// Kernels reach particles by index lists. Part of kernel.h.
#ifndef PLI_CONSTRAINTS_LAYOUT_LISTS_H
#define PLI_CONSTRAINTS_LAYOUT_LISTS_H

PLI_KERNEL wide_particle pli_load_particles(const pli_projection *p, int32_t k, int32_t slot)
{
    return pli_load_listed(p, p->particles, k, slot);
}

PLI_KERNEL wide3 pli_load_previous(const pli_projection *p, int32_t k, int32_t slot)
{
    return pli_load_listed(p, p->previous, k, slot).x;
}

PLI_KERNEL wide pli_load_lanes(const pli_projection *p, const float *from, int32_t slot)
{
    (void)p, (void)slot;
    return wide_load(from);
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

PLI_KERNEL void pli_store_particles(const pli_projection *p, int32_t k, int32_t slot, const wide_particle *particle)
{
    pli_store_listed(p, p->particles, k, slot, particle);
}

// Adds to the rounding losses of the particles of `index`.
PLI_SELDOM void pli_add_listed(pli_particle *lost, const pli_index *index, wide x, wide y, wide z)
{
    wide_particle sum;
    wide_load_listed(lost, index, &sum.x.x, &sum.x.y, &sum.x.z, &sum.w);
    wide_store_listed(lost, index, sum.x.x + x, sum.x.y + y, sum.x.z + z, sum.w);
}

// The same for particle k of each lane.
PLI_KERNEL void pli_add_lost(const pli_projection *p, int32_t k, int32_t slot, wide3 lost)
{
#ifdef WIDE_CONTIGUOUS_BATCHES
    if (p->is_contiguous) {
        wide_particle sum = pli_load_listed(p, p->lost, k, slot);
        sum.x = wide3_add(sum.x, lost);
        pli_store_listed(p, p->lost, k, slot, &sum);
        return;
    }
#endif
    pli_add_listed(p->lost, p->index[k] + slot, lost.x, lost.y, lost.z);
}

// Runs a loop register by register in the order of the projection, or by `most` slots that share no particle; slots after the end of a
// register may repeat its last constraint.
PLI_KERNEL void pli_run_slots(const pli_projection *p, int32_t begin, int32_t end, pli_loop loop, int32_t most)
{
    int32_t count = (end - begin + most - 1) / most, step = p->backward ? -most : most;
    int32_t slot = p->backward ? begin + (count - 1) * most : begin;
    for (; count > 0; count--, slot += step)
        loop(p, slot, most > WIDE && end - slot < most ? end : slot + most);
}

#ifdef WIDE_CONTIGUOUS_BATCHES
// Contiguous batches run in one loop and other batches in another, so that each loop is compiled for its kind.
PLI_KERNEL void pli_run_all(pli_projection *p, int32_t begin, int32_t end, pli_loop loop, int32_t most)
{
    const uint8_t *contiguous_batches = p->contiguous_batches;
    int32_t batches = (end - begin + PLI_BATCH - 1) / PLI_BATCH;
    for (int32_t i = 0, next = batches; i < batches; i = next, next = batches) {
        int32_t at = p->backward ? batches - 1 - i : i, step = p->backward ? -1 : 1, first = begin / PLI_BATCH;
        bool together = contiguous_batches && contiguous_batches[first + at];
        if (contiguous_batches)
            for (next = i + 1; next < batches && contiguous_batches[first + at + (next - i) * step] == together;)
                next++;
        int32_t low = p->backward ? batches - next : i, high = p->backward ? batches - i : next;
        int32_t from = begin + low * PLI_BATCH, to = high == batches ? end : begin + high * PLI_BATCH;
        if (together) {
            p->is_contiguous = true;
            pli_run_slots(p, from, to, loop, most);
        } else {
            p->is_contiguous = false;
            pli_run_slots(p, from, to, loop, most);
        }
    }
}
#else
PLI_KERNEL void pli_run_all(pli_projection *p, int32_t begin, int32_t end, pli_loop loop, int32_t most)
{
    p->is_contiguous = false;
    pli_run_slots(p, begin, end, loop, most);
}
#endif

#endif
