// Shader programs of the renderer.
#ifndef PLI_RENDER_PROGRAMS_H
#define PLI_RENDER_PROGRAMS_H

#include <pliant/base.h>

#include <epoxy/gl.h>

// Vertex attributes by location.
enum {
    ATTRIBUTE_POSITION,
    ATTRIBUTE_NORMAL,
    ATTRIBUTE_VALUE,
    ATTRIBUTE_COORDINATES,
    ATTRIBUTE_IMAGE,
    ATTRIBUTE_HEM,
    ATTRIBUTE_SEAM
};
// Bindings of the uniform blocks Frame and Object.
enum { BLOCK_FRAME, BLOCK_OBJECT };
// Units of the samplers of these names.
enum { UNIT_SHADOW_MAP, UNIT_DEPTH_MAP, UNIT_LIGHT_MAP, UNIT_FACE_COLOURS, UNIT_PICTURE, UNIT_IMAGE, UNIT_BACK_IMAGE };

typedef struct pli_programs {
    GLuint shadow, depth, blur, line, mark, sky, sum, film, overlay;
    GLuint surface[2], detailed[2], ground[2]; // By whether the frame is a draft; surfaces without and with a detail.
    GLuint light[2]; // By whether the picture is the mean of many samples, which need fewer taps each.
} pli_programs;

pli_status pli_programs_build(pli_programs *programs, pli_error *error);
void pli_programs_release(pli_programs *programs);

#endif
