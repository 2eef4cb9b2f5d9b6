// The pass that shades.
#ifndef PLI_RENDER_COLOUR_H
#define PLI_RENDER_COLOUR_H

#include "passes/drawing.h"

// Surfaces, edges, ground, sky, and what is transparent.
void pli_pass_colour(const pli_drawing *drawing);

#endif
