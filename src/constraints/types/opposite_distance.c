// Bending by a distance between the two vertices opposite to a shared edge: cheap, coupled to stretching, and weak near
// flat. Mueller's presentation; the tutorial's "performant" constraint (Cincotti 2022).
//
//          p3
//         /  \        C = |p3 - p4| - l0
//       p1 -- p2
//         \  /
//          p4
#include "base/text.h"
#include "constraints/types/distance.h"

static const pli_constraint_type opposite_distance_type = {
    .name = "opposite_distance",
    .label = PLI_TEXT("Opposite distance"),
    .summary = PLI_TEXT(
        "Keeps the distance between the vertices opposite to an edge; the cheapest bending model, weak near flat."),
    .formula = PLI_TEXT("C = |x3 - x4| - d0"),
    .source = PLI_TEXT("Cincotti, The Most Performant Bending Constraint | XPBD (after Mueller)"),
    .unit = "m",
    .generator = "opposite",
    .cardinality = 2,
    .dimension = 1,
    .rest_count = 1,
    .bending = true,
    .rest = distance_rest,
    .evaluate = distance_evaluate,
};

const pli_constraint_row PLI_NAMED(pli_row_opposite_distance) = PLI_ROW(opposite_distance_type,
                                                                        PLI_NAMED(pli_distance_project), 0, 0);
