// The pass of the light buffer.
#ifndef PLI_RENDER_LIGHT_H
#define PLI_RENDER_LIGHT_H

#include "passes/drawing.h"

// Draws shadows and occlusion at half the size, with fewer taps for one of `many` samples.
void pli_pass_light(const pli_drawing *drawing, bool many);

#endif
