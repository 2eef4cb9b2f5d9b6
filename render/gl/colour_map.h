// Maps values to colours, for the legend and the surface shader.
#ifndef PLI_RENDER_COLOUR_MAP_H
#define PLI_RENDER_COLOUR_MAP_H

#include <pliant/base.h>

#define PLI_COLOUR_STOPS 5

// Linear colours at equal distances from 0 to 1; linearly interpolated in between.
extern const pli_vec3 pli_colour_stops[PLI_COLOUR_STOPS];

// The colour of t, which is clamped to 0..1.
pli_vec3 pli_colour_map(float t);

#endif
