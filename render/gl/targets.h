// The render targets; no other code knows their sizes and formats.
#ifndef PLI_RENDER_TARGETS_H
#define PLI_RENDER_TARGETS_H

#include <pliant/base.h>

#include <epoxy/gl.h>

enum { PLI_SHADOW_SIZE = 2048 };

// A texture with the framebuffer that draws into it.
typedef struct pli_buffer {
    GLuint texture, framebuffer;
    int32_t width, height;
} pli_buffer;

typedef struct pli_targets {
    int32_t width, height;
    pli_buffer shadow; // Depth from the light.
    pli_buffer depth;  // Depth from the eye.
    pli_buffer
        light[2]; // Half the size, before and after it is smoothed: key light, open sky, and distance in two bytes.
    pli_buffer colour; // sRGB in bytes; with `depth`.
    pli_buffer sum;    // The sum of sub-frames, linear.
    pli_buffer result; // sRGB in bytes.
} pli_targets;

// False when the driver does not support such framebuffers; nothing is allocated then.
bool pli_targets_make(pli_targets *targets, int32_t width, int32_t height);
void pli_targets_release(pli_targets *targets);
// Binds a buffer as the render target, at its full size.
void pli_buffer_bind(const pli_buffer *buffer);

#endif
