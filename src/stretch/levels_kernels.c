// Restriction and prolongation by index lists: stretch/levels_kernels.h.
#include "stretch/levels_kernels.h"

static const int32_t in_order[PLI_BATCH] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static inline wide_particle load(const pli_particle *from, const int32_t *index)
{
    wide_particle p;
    wide_load_particles(from, index, &p.x.x, &p.x.y, &p.x.z, &p.w);
    return p;
}

static inline void store(pli_particle *to, const int32_t *index, wide3 x, wide w)
{
    wide_store_particles(to, index, x.x, x.y, x.z, w);
}

static void restrict_nodes(void *lists, int32_t begin, int32_t end)
{
    const pli_level_lists level = *(const pli_level_lists *)lists;
    for (int32_t batch = begin; batch < end; batch++)
        for (int32_t lane = 0; lane < PLI_BATCH; lane += WIDE) {
            int32_t first = batch * PLI_BATCH;
            wide3 sum = {wide_set(0.0f), wide_set(0.0f), wide_set(0.0f)};
            for (int32_t i = level.offsets[batch]; i < level.offsets[batch + 1]; i++) {
                size_t at = (size_t)i * PLI_BATCH + (size_t)lane;
                sum = wide3_add_scaled(sum, load(level.finer, level.members + at).x, wide_load(level.shares + at));
            }
            wide w = load(level.nodes + first, in_order + lane).w;
            store(level.nodes + first, in_order + lane, sum, w);
            store(level.displacements + first, in_order + lane, sum, w);
        }
}

static void find_displacements(void *lists, int32_t begin, int32_t end)
{
    const pli_level_lists level = *(const pli_level_lists *)lists;
    for (int32_t i = begin * PLI_BATCH; i < end * PLI_BATCH; i += QUADS)
        quads_store(level.displacements + i,
                    quads_subtract(quads_load(level.nodes + i), quads_load(level.displacements + i)));
}

static void prolong(void *lists, int32_t begin, int32_t end)
{
    const pli_level_lists level = *(const pli_level_lists *)lists;
    for (int32_t batch = begin; batch < end; batch++) {
        int32_t finer[PLI_BATCH], left = level.finer_count - batch * PLI_BATCH;
        for (int32_t i = 0; i < PLI_BATCH; i++)
            finer[i] = i < left ? batch * PLI_BATCH + i : level.finer_dummy;
        for (int32_t lane = 0; lane < PLI_BATCH; lane += WIDE) {
            wide3 sum = {wide_set(0.0f), wide_set(0.0f), wide_set(0.0f)};
            for (int32_t k = 0; k < PLI_LEVEL_PARENTS; k++) {
                size_t at = ((size_t)batch * PLI_LEVEL_PARENTS + (size_t)k) * PLI_BATCH + (size_t)lane;
                sum = wide3_add_scaled(sum, load(level.displacements, level.parents + at).x,
                                       wide_load(level.weights + at));
            }
            wide_particle before = load(level.finer, finer + lane);
            wide3 after = wide3_add(before.x, sum);
            wide_mask moving = wide_less(wide_set(0.0f), before.w);
            after = (wide3){wide_select(moving, after.x, before.x.x), wide_select(moving, after.y, before.x.y),
                            wide_select(moving, after.z, before.x.z)};
            store(level.finer, finer + lane, after, before.w);
        }
    }
}

const pli_level_kernels PLI_NAMED(pli_level) = {restrict_nodes, find_displacements, prolong};
