// Sheets that are not a flat rectangle: curved, with a concave outline, of several pieces.
#ifndef BENCH_PANELS_H
#define BENCH_PANELS_H

#include <pliant/mesh.h>

typedef enum bench_panel {
    BENCH_PANEL_FLAT,
    BENCH_PANEL_CURVED,  // Bent to half a cylinder about the z axis.
    BENCH_PANEL_CONCAVE, // The shape of an L.
    BENCH_PANEL_PIECES,  // Four that touch nowhere.
} bench_panel;

// A grid of side x side vertices of this width [m] in the xz plane, changed to the panel's shape.
pli_status bench_create_panel(bench_panel panel, int32_t side, float width, pli_mesh **mesh, pli_error *error);

#endif
