// An OpenGL context: our own, without a window, or the application's.
#ifndef PLI_RENDER_GL_CONTEXT_H
#define PLI_RENDER_GL_CONTEXT_H

#include <pliant/base.h>

typedef struct pli_gl_context {
    void *display, *context, *surface;
    bool hosts; // The application owns the context and makes it current.
} pli_gl_context;

// Opens an OpenGL 3.3 core context and makes it current. Several may be open at once.
pli_status pli_gl_context_open(pli_gl_context *context, pli_error *error);
// Uses the current context, which must be OpenGL 3.3 or later.
pli_status pli_gl_context_take(pli_gl_context *context, pli_error *error);
// INVALID_ARGUMENT when another thread holds the context, UNSUPPORTED when the context is lost.
pli_status pli_gl_context_make_current(const pli_gl_context *context, pli_error *error);
void pli_gl_context_close(pli_gl_context *context);

#endif
