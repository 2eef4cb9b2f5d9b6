// Stretching: the edges of the mesh keep their lengths. Stencil in distance_kernel.h.
// Mueller et al. 2006, Position Based Dynamics, section 4.1.
#include "constraints/types/distance.h"

#include "base/text.h"

void PLI_NAMED(pli_distance_project)(const pli_projection *p, int32_t begin, int32_t end)
{
    pli_run_blocks(p, begin, end, distance_loop);
}

static const pli_constraint_type distance_type = {
    .name = "distance",
    .label = PLI_TEXT("Distance"),
    .summary = PLI_TEXT("Keeps the length of edges, which is the resistance of cloth to stretching."),
    .formula = PLI_TEXT("C = |x1 - x2| - l0"),
    .source = PLI_TEXT("Mueller et al. 2006, Position Based Dynamics, section 4.1, eqs. (10), (11)"),
    .unit = "m",
    .generator = "edges",
    .cardinality = 2,
    .dimension = 1,
    .rest_count = 1,
    .carries_tension = true,
    .rest = distance_rest,
    .evaluate = distance_evaluate,
};

const pli_constraint_row PLI_NAMED(pli_row_distance) = PLI_ROW(distance_type, PLI_NAMED(pli_distance_project), 0, 0);
