// The table of one back end, filled from the kernels of all features.
#include "model/backends/backend_kernels.h"

#include "model/backends/backends.h"
#include "collision/certificate/flat_kernels.h"
#include "collision/contacts/contact_kernels.h"
#include "collision/narrowphase/closest_kernels.h"
#include "collision/narrowphase/pair_kernels.h"
#include "collision/particle_contact/particle_kernels.h"
#include "collision/shape_contact/shape_kernels.h"
#include "constraints/types/type_table.h"
#include "sweep/crowd_kernels.h"
#include "sweep/grid/grid_kernels.h"
#include "stretch/membrane_kernels.h"
#include "particles/ghost_kernels.h"
#include "particles/integrate_kernels.h"
#include "particles/rigid_motion_kernels.h"
#include "particles/wind_kernels.h"
#include "bending/plate_kernels.h"
#include "shapes/types/shape_table.h"
#include "base/sparse/panel_kernels.h"

const pli_kernels *PLI_NAMED(pli_kernels)(void)
{
    static const pli_kernels kernels = {
        WIDE,
        PLI_NAMED(pli_constraint_table),
        PLI_JOIN(PLI_NAMED(pli_constraint_table), runs),
        &PLI_NAMED(pli_motion),
        &PLI_NAMED(pli_grid_layout),
        &PLI_NAMED(pli_crowd),
        &PLI_NAMED(pli_near),
        &PLI_NAMED(pli_closest),
        &PLI_NAMED(pli_gradient),
        &PLI_NAMED(pli_contact_batch),
        &PLI_NAMED(pli_smooth),
        &PLI_NAMED(pli_wind),
        &PLI_NAMED(pli_rigid_motion),
        &PLI_NAMED(pli_ghost),
        &PLI_NAMED(pli_particle_contact),
        &PLI_NAMED(pli_panel_products),
        &PLI_NAMED(pli_plate),
        &PLI_NAMED(pli_membrane),
        PLI_NAMED(pli_shape_row_at),
        pli_kernels_narrowest,
    };
    return &kernels;
}
