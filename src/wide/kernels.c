#include "wide/kernels.h"

const pli_kernels *PLI_NAMED(pli_kernels)(void)
{
    static const pli_kernels kernels = {
        WIDE,
        PLI_NAMED(pli_constraint_table),
        PLI_JOIN(PLI_NAMED(pli_constraint_table), runs),
        &PLI_NAMED(pli_motion),
        &PLI_NAMED(pli_grid),
        &PLI_NAMED(pli_near),
        &PLI_NAMED(pli_slope),
        &PLI_NAMED(pli_press),
        &PLI_NAMED(pli_smooth),
        &PLI_NAMED(pli_wind),
        &PLI_NAMED(pli_lattice),
        &PLI_NAMED(pli_level),
        &PLI_NAMED(pli_whole),
        &PLI_NAMED(pli_ball),
        PLI_NAMED(pli_shape_row_at),
    };
    return &kernels;
}
