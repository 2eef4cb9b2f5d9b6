// The depth pass.
#ifndef PLI_RENDER_DEPTH_H
#define PLI_RENDER_DEPTH_H

#include "passes/drawing.h"

// Depth from the light, unless what is there `stays`, then from the eye.
void pli_pass_depth(const pli_drawing *drawing, bool stays);

#endif
