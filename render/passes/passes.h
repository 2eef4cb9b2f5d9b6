// The passes of a sub-frame, in their order.
#ifndef PLI_RENDER_PASSES_H
#define PLI_RENDER_PASSES_H

#include "passes/drawing.h"

// Depth from the light, then from the eye.
void pli_pass_depth(const pli_drawing *drawing);
// Shadows and occlusion at half the size.
void pli_pass_light(const pli_drawing *drawing);
// Surfaces, edges, ground, sky, and what is transparent.
void pli_pass_colour(const pli_drawing *drawing);
// Adds the sub-frame to the sum; `first` starts a new one.
void pli_pass_sum(const pli_drawing *drawing, bool first);
// Turns the mean of `samples` sub-frames, or the only one, into sRGB in the framebuffer and viewport that are bound, and draws the
// legend over it. `turned` writes the upper row first. False when memory runs out.
bool pli_pass_film(const pli_drawing *drawing, int32_t samples, bool turned);

#endif
