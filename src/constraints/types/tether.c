// A tether: a maximum distance between two particles, C = |x0 - x1| - l0 <= 0. Stencil in distance_kernel.h.
// Kim, Chentanez, Mueller 2012, Long Range Attachments.
#include "base/text.h"
#include "constraints/types/distance_kernel.h"

static void tether_evaluate(const pli_stencil *s, double *values, double *gradients)
{
    distance_evaluate(s, values, gradients);
    values[0] += (1.0 - (double)s->parameters[0]) * (double)s->rest[0];
}

PLI_LOOP tether_loop(const pli_projection *p, int32_t begin, int32_t end)
{
    distance_project_slots(p, begin, end, wide_set(p->parameters[0]));
}

static void tether_project(const pli_projection *p, int32_t begin, int32_t end)
{
    pli_run_general_blocks(p, begin, end, tether_loop);
}

static const pli_property tether_parameters[] = {
    {.name = "slack",
     .label = PLI_TEXT("Slack"),
     .unit = "",
     .summary = PLI_TEXT("Length over rest length from which it pulls."),
     .minimum = 0.0,
     .maximum = 1e6,
     .initial = 1.0,
     .soft_minimum = 1.0,
     .soft_maximum = 2.0},
};

static const pli_constraint_type tether_type = {
    .name = "tether",
    .label = PLI_TEXT("Tether"),
    .summary = PLI_TEXT(
        "Keeps two particles from going further apart than at rest and never pushes, as ropes and straps do."),
    .formula = PLI_TEXT("C = |x1 - x2| - s l0 <= 0"),
    .source = PLI_TEXT("Kim, Chentanez, Mueller 2012, Long Range Attachments"),
    .unit = "m",
    .generator = "edges",
    .cardinality = 2,
    .dimension = 1,
    .rest_count = 1,
    .carries_tension = true,
    .sense = PLI_SENSE_AT_MOST,
    .parameters = tether_parameters,
    .parameter_count = sizeof tether_parameters / sizeof *tether_parameters,
    .rest = distance_rest,
    .evaluate = tether_evaluate,
};

const pli_constraint_row PLI_NAMED(pli_row_tether) = PLI_ROW(tether_type, tether_project, 0, 0);
