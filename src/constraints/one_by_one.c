// Each constraint is copied to all lanes of its own batch. All lanes then load, compute and store the same values, so the particles and
// multipliers receive the result of a single lane.
#include "constraints/one_by_one.h"

typedef struct one_lane {
    pli_index index[PLI_CARDINALITY_MAX][PLI_BATCH];
    float rest[PLI_REST_MAX][PLI_BATCH];
    float compliance_scale[PLI_BATCH], damping_scale[PLI_BATCH], state[PLI_BATCH], lambda[3][PLI_BATCH];
} one_lane;

static float *to_lanes(float *lanes, const float *values, int32_t slot, int32_t width)
{
    for (int32_t i = 0; values && i < width; i++)
        lanes[i] = values[slot];
    return values ? lanes : NULL;
}

static void project_slot(const pli_projection *whole, int32_t slot, pli_project run, int32_t width)
{
    one_lane lanes;
    pli_projection p = *whole;
    for (int32_t k = 0; k < whole->type->cardinality; k++) {
        for (int32_t i = 0; i < width; i++)
            lanes.index[k][i] = whole->index[k][slot];
        p.index[k] = lanes.index[k];
    }
    for (int32_t j = 0; j < whole->type->rest_count; j++)
        p.rest[j] = to_lanes(lanes.rest[j], whole->rest[j], slot, width);
    p.compliance_scale = to_lanes(lanes.compliance_scale, whole->compliance_scale, slot, width);
    p.damping_scale = to_lanes(lanes.damping_scale, whole->damping_scale, slot, width);
    p.state = to_lanes(lanes.state, whole->state, slot, width);
    for (int32_t d = 0; d < 3; d++)
        p.lambda[d] = to_lanes(lanes.lambda[d], whole->lambda[d], slot, width);
    p.contiguous_batches = NULL;
    p.block = 0;
    run(&p, 0, width);
    if (p.state)
        whole->state[slot] = p.state[0];
    for (int32_t d = 0; d < 3; d++)
        if (p.lambda[d])
            whole->lambda[d][slot] = p.lambda[d][0];
}

void pli_project_one_by_one(const pli_projection *p, int32_t begin, int32_t end, pli_project run, int32_t width)
{
    // Kernels of variable cardinality work slot by slot anyway.
    if (p->type->cardinality == 0) {
        run(p, begin, end);
        return;
    }
    for (int32_t i = begin; i < end; i++)
        project_slot(p, pli_slot_in_order(p, begin, end, i), run, width);
}
