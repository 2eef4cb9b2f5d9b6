// Motion blur: the frame at moments between the previous one and this one.
#ifndef PLI_RENDER_MOTION_H
#define PLI_RENDER_MOTION_H

#include <pliant/render.h>

typedef struct pli_motion {
    const pli_render_frame *frame; // Borrowed.
    pli_render_mesh *meshes;       // Copies that moments change; all null if nothing moves.
    pli_render_shape *shapes;
    float **positions; // [frame->mesh_count] null for meshes that do not move.
} pli_motion;

// Finds what moves, if `samples` are enough for motion blur. False when memory runs out. Close it in any case.
bool pli_motion_open(pli_motion *motion, const pli_render_frame *frame, int32_t samples);
bool pli_motion_is_any(const pli_motion *motion);
// Places the meshes, shapes and camera of `frame`, a copy of the frame, at `back` of the way to the previous frame. Valid until the
// next call.
void pli_motion_place(const pli_motion *motion, float back, pli_render_frame *frame);
void pli_motion_close(pli_motion *motion);

#endif
