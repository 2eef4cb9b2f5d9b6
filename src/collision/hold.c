#include "collision/hold.h"

bool pli_holds_reserve(pli_space *space, int32_t count)
{
    return pli_reserve(space->memory, &space->holds, &space->hold_capacity, count, sizeof *space->holds);
}

pli_touch pli_hold_of(int32_t vertex, const int32_t corners[3], const double weights[3], pli_dvec3 direction,
                      const int32_t surfaces[2])
{
    return (pli_touch){
        .at = {vertex, corners[0], corners[1], corners[2]},
        .weights = {1.0f, (float)-weights[0], (float)-weights[1], (float)-weights[2]},
        .normal = {(float)direction.x, (float)direction.y, (float)direction.z},
        .surface = {surfaces[0], surfaces[1]},
        .split = 1,
        .particles = 4,
    };
}

void pli_holds_settle(pli_space *space)
{
    for (int32_t i = 0; i < space->hold_count; i++) {
        pli_touch *t = &space->holds[i];
        float keep = 0.0f;
        pli_vec3 origin = pli_place_of(&space->previous[t->at[0]]);
        for (int k = 1; k < 4; k++)
            keep += t->weights[k] * pli_dot(t->normal, pli_sub(pli_place_of(&space->previous[t->at[k]]), origin));
        t->keep = keep;
    }
}
