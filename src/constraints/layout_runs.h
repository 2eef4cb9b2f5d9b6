// Kernels reach particles in columns of coordinates, run by run. Part of kernel.h.
//
//     run:       slots   s  s+1  s+2  ...                 constraint slot s + i of a run
//     columns    x[]   at[0]+i, at[1]+i                   has particle k at at[k] + i
#ifndef PLI_CONSTRAINTS_LAYOUT_RUNS_H
#define PLI_CONSTRAINTS_LAYOUT_RUNS_H

PLI_KERNEL wide3 pli_load_soa(const pli_soa *from, int32_t at)
{
    return (wide3){wide_load(from->x + at), wide_load(from->y + at), wide_load(from->z + at)};
}

PLI_KERNEL wide_particle pli_load_particles(const pli_projection *p, int32_t k, int32_t slot)
{
    int32_t at = p->at[k] + slot;
    return (wide_particle){pli_load_soa(&p->columns, at), wide_load(p->columns.w + at)};
}

PLI_KERNEL wide3 pli_load_previous(const pli_projection *p, int32_t k, int32_t slot)
{
    return pli_load_soa(&p->previous_columns, p->at[k] + slot);
}

// Lanes after the end of the run belong to other runs, which another thread may be writing.
PLI_KERNEL wide pli_load_lanes(const pli_projection *p, const float *from, int32_t slot)
{
    return p->end - slot >= WIDE ? wide_load(from) : wide_load_part(from, p->end - slot);
}

// Lanes after the end of the run keep their values.
PLI_KERNEL void pli_store_lanes(const pli_projection *p, float *to, int32_t slot, wide value)
{
    if (p->end - slot >= WIDE)
        wide_store(to, value);
    else
        wide_store_part(to, value, p->end - slot);
}

PLI_KERNEL void pli_store_soa(const pli_projection *p, const pli_soa *to, int32_t at, int32_t slot, wide3 x)
{
    pli_store_lanes(p, to->x + at, slot, x.x);
    pli_store_lanes(p, to->y + at, slot, x.y);
    pli_store_lanes(p, to->z + at, slot, x.z);
}

PLI_KERNEL void pli_store_particles(const pli_projection *p, int32_t k, int32_t slot, const wide_particle *particle)
{
    pli_store_soa(p, &p->columns, p->at[k] + slot, slot, particle->x);
}

// Adds to the first `count` numbers of a column, at most a register of them.
PLI_SELDOM void pli_add_column(float *to, wide more, int32_t count)
{
    wide sum = wide_load(to) + more;
    if (count >= WIDE)
        wide_store(to, sum);
    else
        wide_store_part(to, sum, count);
}

// Adds to the rounding loss of particle k of each lane.
PLI_KERNEL void pli_add_lost(const pli_projection *p, int32_t k, int32_t slot, wide3 lost)
{
    int32_t at = p->at[k] + slot, count = p->end - slot;
    pli_add_column(p->lost_columns.x + at, lost.x, count);
    pli_add_column(p->lost_columns.y + at, lost.y, count);
    pli_add_column(p->lost_columns.z + at, lost.z, count);
}

PLI_KERNEL void pli_run_all(pli_projection *p, int32_t begin, int32_t end, pli_loop loop, int32_t most)
{
    (void)most;
    for (int32_t i = begin; i < end; i++) {
        const pli_slot_run *run = &p->runs[pli_slot_in_order(p, begin, end, i)];
        for (int32_t k = 0; k < PLI_CARDINALITY_MAX; k++)
            p->at[k] = run->at[k] - run->slot;
        p->end = run->slot + run->count;
        loop(p, run->slot, p->end);
    }
}

#endif
