// The depth pass.
#ifndef PLI_RENDER_DEPTH_H
#define PLI_RENDER_DEPTH_H

#include "passes/drawing.h"

// Draws the depth from the light, unless the existing one `stays`, then from the eye.
void pli_pass_depth(const pli_drawing *drawing, bool stays);

#endif
