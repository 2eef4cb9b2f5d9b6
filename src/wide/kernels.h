// Everything that is compiled once for each back end, in one table. All back ends give the same bits.
#ifndef PLI_WIDE_KERNELS_H
#define PLI_WIDE_KERNELS_H

#include "constraints/projection.h"
#include "shapes/shape.h"
#include "wide/balls.h"
#include "wide/columns.h"
#include "wide/lattice.h"
#include "wide/levels.h"
#include "wide/motion.h"
#include "wide/near.h"
#include "wide/press.h"
#include "wide/slopes.h"
#include "wide/smooth.h"
#include "wide/whole.h"
#include "wide/wind.h"

typedef struct pli_kernels {
    int32_t width; // Lanes.
    pli_constraint_table (*types)(void);
    pli_constraint_table (*types_in_runs)(void);
    const pli_motion_kernels *motion;
    const pli_grid_kernels *grid;
    const pli_near_kernels *near;
    const pli_slope_kernels *slopes;
    const pli_press_kernels *presses;
    const pli_smooth_kernels *smooth;
    const pli_wind_kernels *wind;
    const pli_lattice_kernels *lattice;
    const pli_level_kernels *level;
    const pli_whole_kernels *whole;
    const pli_ball_kernels *balls;
    const pli_shape_row *(*shape_at)(pli_shape shape);
} pli_kernels;

const pli_kernels *pli_kernels_scalar(void);
const pli_kernels *pli_kernels_sse2(void);
const pli_kernels *pli_kernels_avx2(void);
const pli_kernels *pli_kernels_avx512(void);
const pli_kernels *pli_kernels_neon(void);
const pli_kernels *pli_kernels_wasm(void);

#endif
