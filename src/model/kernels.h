// Everything that is compiled once for each back end, in one table. All back ends give the same bits.
#ifndef PLI_MODEL_KERNELS_H
#define PLI_MODEL_KERNELS_H

#include "constraints/projection.h"
#include "shapes/shape.h"
#include "collision/particle_contact/particle_kernels.h"
#include "grid/grid_kernels.h"
#include "stretch/grid_levels_kernels.h"
#include "stretch/levels_kernels.h"
#include "particles/integrate_kernels.h"
#include "collision/narrowphase/pair_kernels.h"
#include "collision/contacts/contact_kernels.h"
#include "collision/certificate/flat_kernels.h"
#include "collision/shape_contact/shape_kernels.h"
#include "particles/rigid_motion_kernels.h"
#include "particles/wind_kernels.h"

typedef struct pli_kernels {
    int32_t width; // Lanes.
    pli_constraint_table (*types)(void);
    pli_constraint_table (*types_in_runs)(void);
    const pli_motion_kernels *motion;
    const pli_grid_kernels *grid;
    const pli_near_kernels *near;
    const pli_gradient_kernels *gradients;
    const pli_contact_batch_kernels *contact_batches;
    const pli_smooth_kernels *smooth;
    const pli_wind_kernels *wind;
    const pli_grid_levels_kernels *grid_levels;
    const pli_level_kernels *level;
    const pli_rigid_motion_kernels *whole;
    const pli_particle_contact_kernels *particle_contacts;
    const pli_shape_row *(*shape_at)(pli_shape shape);
} pli_kernels;

const pli_kernels *pli_kernels_scalar(void);
const pli_kernels *pli_kernels_sse2(void);
const pli_kernels *pli_kernels_avx2(void);
const pli_kernels *pli_kernels_avx512(void);
const pli_kernels *pli_kernels_neon(void);
const pli_kernels *pli_kernels_wasm(void);

#endif
