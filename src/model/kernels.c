#include "model/kernels.h"

const pli_kernels *PLI_NAMED(pli_kernels)(void)
{
    static const pli_kernels kernels = {
        WIDE,
        PLI_NAMED(pli_constraint_table),
        PLI_JOIN(PLI_NAMED(pli_constraint_table), runs),
        &PLI_NAMED(pli_motion),
        &PLI_NAMED(pli_grid_layout),
        &PLI_NAMED(pli_near),
        &PLI_NAMED(pli_gradient),
        &PLI_NAMED(pli_contact_batch),
        &PLI_NAMED(pli_smooth),
        &PLI_NAMED(pli_wind),
        &PLI_NAMED(pli_grid_levels),
        &PLI_NAMED(pli_level),
        &PLI_NAMED(pli_rigid_motion),
        &PLI_NAMED(pli_particle_contact),
        PLI_NAMED(pli_shape_row_at),
    };
    return &kernels;
}
