// The rigid fabric of Kelager et al. 2010.
#include "scenes/fabric_scene.h"

#include "base/lab_measures.h"

static const float side = 1.0f;

const pli_mesh *lab_fabric(lab *l) { return lab_grid(l, FABRIC_SIDE, FABRIC_SIDE, side, side, PLI_GRID_QUADS); }

void lab_fabric_crumple(const pli_mesh *fabric, double amount, uint64_t seed, float *positions)
{
    const pli_topology *t = pli_mesh_topology(fabric);
    double reach = amount * (double)side / (FABRIC_SIDE - 1);
    for (int32_t i = 0; i < 3 * t->vertex_count; i++)
        positions[i] = t->positions[i] + (float)(reach * lab_random(&seed));
}

lab_body_def lab_fabric_def(const pli_mesh *fabric, const char *model)
{
    lab_body_def def = lab_paper_def(fabric, FABRIC_ITERATIONS);
    def.sets[0] = (lab_set){.type = "distance"};
    def.sets[1] = lab_paper_set(model);
    return def;
}
