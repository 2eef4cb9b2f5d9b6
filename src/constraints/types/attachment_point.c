// Pulls a particle to a point of the world, which may move: a vector constraint.
// Mueller et al. 2006, section 3.6, in soft form; exact attachments have inverse mass 0 instead.
//
//   C = x - t (3 values),  grad C = 1            x o------> + t
#include "base/text.h"
#include "base/vector.h"
#include "constraints/kernel.h"

static bool attachment_rest(const pli_stencil *s, float *rest_values)
{
    for (int32_t i = 0; i < 3; i++)
        rest_values[i] = (float)s->positions[0][i];
    return true;
}

static void attachment_evaluate(const pli_stencil *s, double *values, double *gradients)
{
    for (int32_t i = 0; i < 3; i++)
        values[i] = s->positions[0][i] - (double)s->rest[i];
    for (int32_t i = 0; gradients && i < 9; i++)
        gradients[i] = i % 4 == 0 ? 1.0 : 0.0;
}

PLI_LOOP attachment_loop(const pli_projection *p, int32_t begin, int32_t end)
{
    for (int32_t slot = begin; slot < end; slot += WIDE) {
        wide_particle stencil[1];
        pli_load_stencil(p, slot, 1, stencil);
        wide3 target = {pli_rest(p, 0, slot), pli_rest(p, 1, slot), pli_rest(p, 2, slot)};
        wide one = wide_set(1.0f);
        pli_update_linear(p, slot, 1, stencil, &one, wide3_sub(stencil[0].x, target));
    }
}

static void attachment_project(const pli_projection *p, int32_t begin, int32_t end)
{
    pli_run(p, begin, end, attachment_loop);
}

static const pli_constraint_type attachment_type = {
    .name = "attachment",
    .label = PLI_TEXT("Attachment"),
    .summary = PLI_TEXT("Pulls particles to points of the world, which may move."),
    .formula = PLI_TEXT("C = x - target"),
    .source = PLI_TEXT("Mueller et al. 2006, Position Based Dynamics, section 3.6"),
    .unit = "m",
    .cardinality = 1,
    .dimension = 3,
    .rest_count = 3,
    .world_anchored = true,
    .rest = attachment_rest,
    .evaluate = attachment_evaluate,
};

const pli_constraint_row PLI_NAMED(pli_row_attachment) = PLI_ROW(attachment_type, attachment_project, 0, 0);
