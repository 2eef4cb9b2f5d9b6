// Lines over the picture.
#ifndef PLI_RENDER_MARKS_H
#define PLI_RENDER_MARKS_H

#include "gl/mesh_buffer.h"

struct pli_drawing;

// Uploads lines, six vertices each. False when memory runs out.
bool pli_marks_load(pli_geometry *marks, const pli_render_line *lines, int32_t count);
// Draws the drawing's lines over the result of the colour pass: faintly where something hides them.
void pli_pass_marks(const struct pli_drawing *drawing);

#endif
