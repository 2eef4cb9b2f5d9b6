// The passes after a sub-frame and after all.
#ifndef PLI_RENDER_FILM_H
#define PLI_RENDER_FILM_H

#include "passes/drawing.h"

// Adds the sub-frame to the sum; `first` starts a new one.
void pli_pass_sum(const pli_drawing *drawing, bool first);
// Converts the mean of `samples` sub-frames, or the only one, to sRGB in the bound framebuffer and viewport, and draws the legend over
// it. `turned` writes the upper row first, `scaled` means that the viewport has another size. False when memory runs out.
bool pli_pass_film(const pli_drawing *drawing, int32_t samples, bool turned, bool scaled);

#endif
