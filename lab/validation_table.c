// The table of checks against closed forms: one line each, in the order in which `all` runs them.
#include "validation_table.h"

#include <stddef.h>

// clang-format off
#define ROWS(ROW) \
    ROW(cantilever) \
    ROW(solved) \
    ROW(kappa) \
    ROW(peirce) \
    ROW(drape) \
    ROW(lateral_buckling) \
    ROW(bend_twist) \
    ROW(cylinder) \
    ROW(hanging_sheets) \
    ROW(catenary) \
    ROW(chain) \
    ROW(spring) \
    ROW(time_order) \
    ROW(independence) \
    ROW(balloon) \
    ROW(incline) \
    ROW(capstan) \
    ROW(stick_slip) \
    ROW(conservation) \
    ROW(terminal_speed)
// clang-format on

#define DECLARE(name) extern const lab_experiment lab_check_##name;
#define REFER(name) &lab_check_##name,

ROWS(DECLARE)

static const lab_experiment *const rows[] = {ROWS(REFER)};

int32_t lab_validation_count(void) { return (int32_t)(sizeof rows / sizeof *rows); }

const lab_experiment *lab_validation_at(int32_t i) { return i >= 0 && i < lab_validation_count() ? rows[i] : NULL; }
