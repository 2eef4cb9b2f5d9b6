// The kernel table of a back end: all code that is compiled once for each back end. All back ends give bit-identical results. Each
// feature declares its kernels next to its code; model/backends/backend_kernels.c, which depends on all features, fills the table.
#ifndef PLI_MODEL_KERNELS_H
#define PLI_MODEL_KERNELS_H

#include "constraints/projection.h"
#include "shapes/shape.h"

typedef struct pli_kernels pli_kernels;

struct pli_kernels {
    int32_t width; // Lanes.
    pli_constraint_table (*types)(void);
    pli_constraint_table (*types_in_runs)(void);
    const struct pli_motion_kernels *motion;
    const struct pli_grid_kernels *grid;
    const struct pli_crowd_kernels *crowd;
    const struct pli_near_kernels *near;
    const struct pli_closest_kernels *closest;
    const struct pli_gradient_kernels *gradients;
    const struct pli_contact_batch_kernels *contact_batches;
    const struct pli_smooth_kernels *smooth;
    const struct pli_wind_kernels *wind;
    const struct pli_rigid_motion_kernels *whole;
    const struct pli_ghost_kernels *ghost;
    const struct pli_particle_contact_kernels *particle_contacts;
    const struct pli_panel_kernels *panels;
    const struct pli_plate_kernels *plate;
    const struct pli_membrane_kernels *membrane;
    const pli_shape_row *(*shape_at)(pli_shape shape);
    // The narrowest back end with at least this many lanes, or the given back end.
    const pli_kernels *(*narrowest)(const pli_kernels *widest, int32_t lanes);
};

#endif
