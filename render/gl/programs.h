// Shader programs of the renderer.
#ifndef PLI_RENDER_PROGRAMS_H
#define PLI_RENDER_PROGRAMS_H

#include <pliant/base.h>

#include <epoxy/gl.h>

// Vertex attributes by location.
enum { ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL, ATTRIBUTE_VALUE };

typedef struct pli_programs {
    GLuint surface, ground, line, depth, sky, overlay;
} pli_programs;

pli_status pli_programs_build(pli_programs *programs, pli_error *error);
void pli_programs_release(pli_programs *programs);

#endif
