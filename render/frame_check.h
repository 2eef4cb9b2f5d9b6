// What pli_renderer_draw refuses.
#ifndef PLI_RENDER_FRAME_CHECK_H
#define PLI_RENDER_FRAME_CHECK_H

#include <pliant/render.h>

// INVALID_ARGUMENT with a message that says which part of the frame is wrong, and the mend.
pli_status pli_frame_check(const pli_render_frame *frame, pli_error *error);

#endif
