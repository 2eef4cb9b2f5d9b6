// Bending by sticks: distances between every second vertex.
// Provot 1995; Jakobsen 2001; the "stick" of Kelager et al. 2010, section 3 and Table 1.
//
//        x0 o----o----o x1       C = |x0 - x1| - l0 across the middle vertex
#include "base/text.h"
#include "constraints/types/distance.h"

static const pli_constraint_type stick_type = {
    .name = "stick",
    .label = PLI_TEXT("Stick"),
    .summary = PLI_TEXT("Keeps the distance to every second vertex, the classic bending model of mass-spring cloth."),
    .formula = PLI_TEXT("C = |b0 - b1| - d0"),
    .source = PLI_TEXT("Jakobsen 2001; Kelager et al. 2010, section 3"),
    .unit = "m",
    .generator = "second_neighbours",
    .cardinality = 2,
    .dimension = 1,
    .rest_count = 1,
    .bending = true,
    .rest = distance_rest,
    .evaluate = distance_evaluate,
};

const pli_constraint_row PLI_NAMED(pli_row_stick) = PLI_ROW(stick_type, PLI_NAMED(pli_distance_project), 0, 0);
