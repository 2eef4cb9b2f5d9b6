// Validation of frames by pli_renderer_draw.
#ifndef PLI_RENDER_FRAME_CHECK_H
#define PLI_RENDER_FRAME_CHECK_H

#include <pliant/render.h>

// INVALID_ARGUMENT with a message that names the wrong part of the frame and how to fix it.
pli_status pli_frame_check(const pli_render_frame *frame, pli_error *error);
// Reads the details of a checked frame into one entry per mesh; entries without a detail stay unchanged. Errors as above.
pli_status pli_frame_read_details(const pli_render_frame *frame, pli_render_detail *details, pli_error *error);

#endif
