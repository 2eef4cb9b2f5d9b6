// Bundles as rows: particles as they are in memory. Part of bundle.h.
#ifndef PLI_CONSTRAINTS_BUNDLE_ROWS_H
#define PLI_CONSTRAINTS_BUNDLE_ROWS_H

typedef wide_bundle pli_bundle;

PLI_KERNEL pli_bundle pli_bundle_load_from(const pli_projection *p, const pli_particle *from, int32_t k, int32_t slot)
{
#ifdef WIDE_CONTIGUOUS_BATCHES
    if (p->is_contiguous)
        return wide_bundle_load_contiguous(from, p->index[k] + slot);
#endif
    return wide_bundle_load(from, p->index[k] + slot);
}

PLI_KERNEL void pli_bundle_store_to(const pli_projection *p, pli_particle *to, int32_t k, int32_t slot,
                                    const pli_bundle *bundle)
{
#ifdef WIDE_CONTIGUOUS_BATCHES
    if (p->is_contiguous) {
        wide_bundle_store_contiguous(to, p->index[k] + slot, *bundle);
        return;
    }
#endif
    wide_bundle_store(to, p->index[k] + slot, *bundle);
}

PLI_KERNEL pli_bundle pli_bundle_load(const pli_projection *p, int32_t k, int32_t slot)
{
    return pli_bundle_load_from(p, p->particles, k, slot);
}

PLI_KERNEL void pli_bundle_store(const pli_projection *p, int32_t k, int32_t slot, const pli_bundle *bundle)
{
    pli_bundle_store_to(p, p->particles, k, slot, bundle);
}

// Keeps the rounding loss of the move b s of a bundle.
PLI_KERNEL void pli_bundle_keep_lost(const pli_projection *p, int32_t k, int32_t slot, const pli_bundle *before,
                                     const pli_bundle *after, const pli_bundle *b, wide s)
{
    pli_bundle move = wide_bundle_add_scaled((pli_bundle){0}, *b, s);
    pli_bundle sum = wide_bundle_add(pli_bundle_load_from(p, p->lost, k, slot),
                                     wide_bundle_subtract(move, wide_bundle_subtract(*after, *before)));
    pli_bundle_store_to(p, p->lost, k, slot, &sum);
}

#define PLI_MOVES_PAIRS
// Moves the two particles of each constraint along their difference, each by its own factor.
PLI_KERNEL void pli_move_pairs(const pli_projection *p, int32_t begin, int32_t end, const float *shares,
                               const float *others)
{
    for (int32_t slot = begin; slot < end; slot += WIDE_PAIRS)
        wide_move_pairs(p->particles, p->index[0] + slot, p->index[1] + slot, shares + (slot - begin),
                        others + (slot - begin));
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
