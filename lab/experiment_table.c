// The table of experiments: one line each, in the order in which `all` runs them.
#include "experiment_table.h"

#include <stddef.h>

// clang-format off
#define ROWS(ROW) \
    ROW(kelager_table1) \
    ROW(kelager_fig1) \
    ROW(kelager_fig2) \
    ROW(kelager_fig3) \
    ROW(kelager_fig7) \
    ROW(kelager_fig8) \
    ROW(kelager_fig9) \
    ROW(kelager_creation) \
    ROW(kelager_reflection) \
    ROW(kelager_independence) \
    ROW(kelager_materials) \
    ROW(mueller_fig1) \
    ROW(mueller_fig3) \
    ROW(mueller_fig6) \
    ROW(mueller_fig7) \
    ROW(mueller_fig8) \
    ROW(mueller_fig9) \
    ROW(mueller_fig10) \
    ROW(mueller_fig11) \
    ROW(mueller_fig12) \
    ROW(mueller_fig12_garment) \
    ROW(mueller_fig12_level) \
    ROW(tutorial_opposite) \
    ROW(chapter_isometric) \
    ROW(momentum) \
    ROW(dynamic_objects) \
    ROW(corners) \
    ROW(xpbd_stiffness) \
    ROW(cantilever) \
    ROW(bending_models)
// clang-format on

#define DECLARE(name) extern const lab_experiment lab_row_##name;
#define REFER(name) &lab_row_##name,

ROWS(DECLARE)

static const lab_experiment *const rows[] = {ROWS(REFER)};

int32_t lab_experiment_count(void) { return (int32_t)(sizeof rows / sizeof *rows); }

const lab_experiment *lab_experiment_at(int32_t i) { return i >= 0 && i < lab_experiment_count() ? rows[i] : NULL; }
