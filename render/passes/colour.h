// The shading pass.
#ifndef PLI_RENDER_COLOUR_H
#define PLI_RENDER_COLOUR_H

#include "passes/drawing.h"

// Draws surfaces, edges, ground, sky, and transparent shapes.
void pli_pass_colour(const pli_drawing *drawing);

#endif
