// Painted values as colours.
#include "painting.h"

#include "session/tools.h"

#include <pliant/math.h>

#include <math.h>
#include <stdlib.h>

static void colour(pli_viewer *v, const char *legend, float most)
{
    const pli_world *world = v->session.world;
    const float *values = v->painted;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++) {
        pli_cli_world_view_values(v->picture, i, legend ? values : NULL, legend, most);
        values += pli_deformable_positions(world, pli_world_deformable_at(world, i)).count;
    }
}

void pli_viewer_paint_show(pli_viewer *v)
{
    const pli_world *world = v->session.world;
    size_t total = 1;
    float most = 0.0f;
    if (v->tool != PLI_SESSION_TOOL_BRUSH || v->session.show || v->models.count > 0) {
        if (!v->painted)
            return;
        colour(v, NULL, 0.0f);
        pli_viewer_paint_close(v);
        pli_cli_world_view_measure(v->picture, v->measure);
        return;
    }
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++)
        total += (size_t)pli_deformable_positions(world, pli_world_deformable_at(world, i)).count;
    float *grown = realloc(v->painted, total * sizeof *grown);
    if (!grown)
        return;
    v->painted = grown;
    const int32_t row = v->session.brush.quantity;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++) {
        const pli_deformable deformable = pli_world_deformable_at(world, i);
        const int32_t count = pli_deformable_positions(world, deformable).count;
        pli_session_painted(&v->session, deformable, row, grown, count);
        for (int32_t k = 0; k < count; k++)
            most = fmaxf(most, grown[k]);
        grown += count;
    }
    pli_cli_world_view_measure(v->picture, -1);
    pli_session_quantity_legend(row, v->legend);
    colour(v, v->legend, most > 0.0f ? most : 1.0f);
}

void pli_viewer_paint_close(pli_viewer *v)
{
    free(v->painted);
    v->painted = NULL;
}
