// The table of colours and its linear interpolation.
#include "gl/colour_map.h"

#include <pliant/render.h>

const pli_vec3 pli_colour_stops[PLI_COLOUR_STOPS] = {
    {0.10f, 0.02f, 0.16f}, {0.05f, 0.14f, 0.30f}, {0.03f, 0.33f, 0.24f}, {0.45f, 0.62f, 0.07f}, {0.98f, 0.80f, 0.06f},
};

pli_vec3 pli_render_measure_colour(float t) { return pli_colour_map(t); }

pli_vec3 pli_colour_map(float t)
{
    const int last = PLI_COLOUR_STOPS - 1;
    float at = t > 0.0f ? (t < 1.0f ? t : 1.0f) * (float)last : 0.0f;
    int i = at < (float)last ? (int)at : last - 1;
    float s = at - (float)i;
    const pli_vec3 *a = &pli_colour_stops[i], *b = a + 1;
    return (pli_vec3){a->x + (b->x - a->x) * s, a->y + (b->y - a->y) * s, a->z + (b->z - a->z) * s};
}
