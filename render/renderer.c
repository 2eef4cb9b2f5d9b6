// Draws frames: sub-frames of a few passes each, their mean, and its pixels. The shading of a pixel is in render/shaders.
#include "frame_check.h"
#include "gl/subdivision.h"
#include "gl/gl_context.h"
#include "passes/colour.h"
#include "passes/depth.h"
#include "passes/film.h"
#include "passes/light.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MOST = 64, SIDE_LEAST = 16, SIDE_MOST = 8192 };

struct pli_renderer {
    pli_gl_context context;
    pli_programs programs;
    pli_targets targets;
    int32_t samples;
    GLuint empty, blocks[2]; // Buffers of uniforms, by binding.
    pli_geometry_cache geometries;
    pli_image_cache images;
    pli_subdivision_cache subdivisions;
    int64_t frame; // Number of the frame being drawn.
};

/* ---- creation ----------------------------------------------------------------------------------- */

static pli_status check_size(int32_t width, int32_t height, int32_t samples, pli_error *error)
{
    if (width >= SIDE_LEAST && width <= SIDE_MOST && height >= SIDE_LEAST && height <= SIDE_MOST && samples >= 1 &&
        samples <= SAMPLES_MOST)
        return PLI_STATUS_OK;
    return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                    "a picture of %d x %d with %d samples was requested; sizes go from 16 to 8192, samples from 1 to "
                    "64",
                    (int)width, (int)height, (int)samples);
}

static pli_status fail_targets(int32_t width, int32_t height, pli_error *error)
{
    return pli_fail(error, PLI_STATUS_UNSUPPORTED, "the OpenGL driver has no frame buffer of %d x %d", (int)width,
                    (int)height);
}

static pli_status make_objects(pli_renderer *r, int32_t width, int32_t height, pli_error *error)
{
    pli_status status = pli_programs_build(&r->programs, error);
    if (status == PLI_STATUS_OK && !pli_targets_make(&r->targets, width, height))
        status = fail_targets(width, height, error);
    if (status == PLI_STATUS_OK) {
        glGenVertexArrays(1, &r->empty);
        glGenBuffers(2, r->blocks);
    }
    return status;
}

static pli_status create(int32_t width, int32_t height, int32_t samples,
                         pli_status (*open)(pli_gl_context *context, pli_error *error), pli_renderer **renderer,
                         pli_error *error)
{
    *renderer = NULL;
    pli_status status = check_size(width, height, samples, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_renderer *r = calloc(1, sizeof *r);
    if (!r)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    r->samples = samples;
    status = open(&r->context, error);
    if (status != PLI_STATUS_OK) {
        free(r);
        return status;
    }
    status = make_objects(r, width, height, error);
    if (status != PLI_STATUS_OK) {
        pli_renderer_destroy(r);
        return status;
    }
    *renderer = r;
    return status;
}

pli_status pli_renderer_create(int32_t width, int32_t height, int32_t samples, pli_renderer **renderer,
                               pli_error *error)
{
    return create(width, height, samples, pli_gl_context_open, renderer, error);
}

pli_status pli_renderer_create_current(int32_t width, int32_t height, int32_t samples, pli_renderer **renderer,
                                       pli_error *error)
{
    return create(width, height, samples, pli_gl_context_take, renderer, error);
}

void pli_renderer_destroy(pli_renderer *r)
{
    if (!r)
        return;
    // If the context cannot be made current its objects are lost with it.
    bool current = pli_gl_context_make_current(&r->context, NULL) == PLI_STATUS_OK;
    pli_geometry_cache_release(&r->geometries, current);
    pli_image_cache_release(&r->images, current);
    pli_subdivision_cache_trim(&r->subdivisions, INT64_MAX);
    if (current) {
        pli_programs_release(&r->programs);
        pli_targets_release(&r->targets);
        glDeleteVertexArrays(1, &r->empty);
        glDeleteBuffers(2, r->blocks);
    }
    pli_gl_context_close(&r->context);
    free(r);
}

pli_status pli_renderer_resize(pli_renderer *r, int32_t width, int32_t height, int32_t samples, pli_error *error)
{
    pli_status status = check_size(width, height, samples, error);
    if (status == PLI_STATUS_OK)
        status = pli_gl_context_make_current(&r->context, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (width != r->targets.width || height != r->targets.height) {
        pli_targets targets;
        if (!pli_targets_make(&targets, width, height))
            return fail_targets(width, height, error);
        pli_targets_release(&r->targets);
        r->targets = targets;
    }
    r->samples = samples;
    return pli_succeed(error);
}

bool pli_renderer_is_software(const pli_renderer *r)
{
    if (pli_gl_context_make_current(&r->context, NULL) != PLI_STATUS_OK)
        return false;
    const char *name = (const char *)glGetString(GL_RENDERER);
    return name && (strstr(name, "llvmpipe") || strstr(name, "softpipe") || strstr(name, "SwiftShader"));
}

/* ---- drawing ------------------------------------------------------------------------------------ */

static void draw_samples(const pli_renderer *r, const pli_drawing *d)
{
    glBindBufferBase(GL_UNIFORM_BUFFER, BLOCK_FRAME, d->frame_block);
    glBindBufferBase(GL_UNIFORM_BUFFER, BLOCK_OBJECT, d->object_block);
    int32_t first = d->frame->first_sample, end = first + r->samples;
    // A picture of one sample is not summed: it remains where it was drawn.
    if (first == 1)
        pli_pass_sum(d, true);
    for (int32_t sample = first; sample < end; sample++) {
        pli_drawing_place(d, sample, end);
        pli_pass_depth(d, sample > first && !pli_light_moves(end));
        pli_pass_light(d, pli_light_moves(end));
        pli_pass_colour(d);
        if (end > 1)
            pli_pass_sum(d, sample == 0);
    }
}

static void read_pixels(const pli_renderer *r, uint8_t *pixels)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->targets.result.framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glReadPixels(0, 0, r->targets.width, r->targets.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

// Arrays of a frame that are changed before it is drawn.
typedef struct frame_arrays {
    pli_render_trim *trims; // By mesh.
    pli_render_mesh *meshes;
    pli_render_image *images, *backs; // `backs`: images on the backs, by mesh.
} frame_arrays;

static void release_arrays(const frame_arrays *a)
{
    free(a->trims);
    free(a->meshes);
    free(a->images);
    free(a->backs);
}

// Reads the trims, and subdivides meshes.
static pli_status make_arrays(pli_renderer *r, pli_render_frame *frame, frame_arrays *a, pli_error *error)
{
    const size_t meshes = (size_t)frame->mesh_count, images = (size_t)frame->image_count;
    *a = (frame_arrays){calloc(meshes + 1, sizeof *a->trims), calloc(meshes + 1, sizeof *a->meshes),
                        calloc(images + 1, sizeof *a->images), calloc(meshes + 1, sizeof *a->backs)};
    if (!a->trims || !a->meshes || !a->images || !a->backs)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory while drawing");
    pli_status status = pli_frame_read_trims(frame, a->trims, error);
    if (status != PLI_STATUS_OK || frame->draft || frame->wireframe)
        return status;
    if (meshes > 0)
        memcpy(a->meshes, frame->meshes, meshes * sizeof *a->meshes);
    if (images > 0)
        memcpy(a->images, frame->images, images * sizeof *a->images);
    frame->meshes = a->meshes, frame->images = a->images;
    return pli_subdivide_meshes(&r->subdivisions, a->meshes, frame->mesh_count, a->images, frame->image_count, a->trims,
                                a->backs, r->frame)
               ? PLI_STATUS_OK
               : pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory while drawing");
}

// Reads the frame, draws its samples, and calls the film; `target` null for our own pixels.
static pli_status draw(pli_renderer *r, const pli_render_frame *given, const pli_render_target *target,
                       pli_error *error)
{
    pli_render_frame frame = pli_render_frame_default();
    pli_status status = pli_def_read(&frame, given, "pli_render_frame", error);
    if (status == PLI_STATUS_OK)
        status = pli_frame_check(&frame, error);
    if (status == PLI_STATUS_OK)
        status = pli_gl_context_make_current(&r->context, error);
    if (status != PLI_STATUS_OK)
        return status;
    while (glGetError() != GL_NO_ERROR) {
        // Earlier errors of the application.
    }
    frame_arrays arrays;
    r->frame++;
    status = make_arrays(r, &frame, &arrays, error);
    if (status != PLI_STATUS_OK) {
        release_arrays(&arrays);
        return status;
    }
    pli_drawing d = {.programs = &r->programs,
                     .targets = &r->targets,
                     .frame = &frame,
                     .trims = arrays.trims,
                     .frame_block = r->blocks[BLOCK_FRAME],
                     .object_block = r->blocks[BLOCK_OBJECT],
                     .empty = r->empty};
    bool complete = pli_drawing_load(&d, &r->geometries, &r->images, r->frame);
    if (complete) {
        draw_samples(r, &d);
        pli_buffer_bind(&r->targets.result);
        bool scaled = target && (target->width != r->targets.width || target->height != r->targets.height);
        if (target) {
            glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
            glViewport(target->x, target->y, target->width, target->height);
        }
        complete = pli_pass_film(&d, frame.first_sample + r->samples, !target, scaled);
    }
    pli_drawing_release(&d);
    release_arrays(&arrays);
    pli_subdivision_cache_trim(&r->subdivisions, r->frame);
    pli_geometry_cache_trim(&r->geometries, r->frame);
    pli_image_cache_trim(&r->images, r->frame);
    return complete ? PLI_STATUS_OK : pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory while drawing");
}

static pli_status finish(pli_error *error)
{
    GLenum problem = glGetError();
    return problem == GL_NO_ERROR
               ? pli_succeed(error)
               : pli_fail(error, PLI_STATUS_UNSUPPORTED, "OpenGL reports error 0x%x", (unsigned)problem);
}

pli_status pli_renderer_draw(pli_renderer *r, const pli_render_frame *frame, uint8_t *pixels, pli_error *error)
{
    if (!pixels)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "pixels is null; give room for width * height * 4 bytes");
    pli_status status = draw(r, frame, NULL, error);
    if (status != PLI_STATUS_OK)
        return status;
    read_pixels(r, pixels);
    return finish(error);
}

pli_status pli_renderer_draw_to(pli_renderer *r, const pli_render_frame *frame, const pli_render_target *target,
                                pli_error *error)
{
    if (!target || target->width < 1 || target->height < 1)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the target has no extent; give a part of the framebuffer that is at least a pixel large");
    pli_status status = draw(r, frame, target, error);
    return status == PLI_STATUS_OK ? finish(error) : status;
}
