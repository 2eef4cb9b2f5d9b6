// Transposes particles of a crowd into columns and back.
#include "sweep/crowd_kernels.h"

static void crowd_enter(const pli_crowd_copy *copy)
{
    const pli_soa *to = &copy->columns;
    for (int32_t i = 0; i < copy->count; i++)
        for (int32_t m = 0; m < PLI_CROWD_MEMBERS; m += WIDE) {
            const int32_t at = PLI_CROWD_MEMBERS * i + m;
            wide x, y, z, w;
            wide_load_listed(copy->particles + i, copy->firsts + m, &x, &y, &z, &w);
            wide_store(to->x + at, x), wide_store(to->y + at, y), wide_store(to->z + at, z);
            if (to->w)
                wide_store(to->w + at, w);
        }
}

static void crowd_leave(const pli_crowd_copy *copy)
{
    const pli_soa *from = &copy->columns;
    for (int32_t i = 0; i < copy->count; i++)
        for (int32_t m = 0; m < PLI_CROWD_MEMBERS; m += WIDE) {
            const int32_t at = PLI_CROWD_MEMBERS * i + m;
            wide_store_listed(copy->particles + i, copy->firsts + m, wide_load(from->x + at), wide_load(from->y + at),
                              wide_load(from->z + at), wide_load(from->w + at));
        }
}

const pli_crowd_kernels PLI_NAMED(pli_crowd) = {crowd_enter, crowd_leave};
