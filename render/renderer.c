// Draws frames: sub-frames of a few passes each, their mean, and its pixels. The shading of a pixel is in render/shaders.
#include "frame_check.h"
#include "gl/subdivision.h"
#include "gl/gl_context.h"
#include "passes/colour.h"
#include "passes/depth.h"
#include "passes/film.h"
#include "passes/light.h"
#include "motion.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MOST = PLI_NUMBERS_PER_PICTURE, SIDE_LEAST = 16, SIDE_MOST = 8192 };

struct pli_renderer {
    pli_gl_context context;
    pli_programs programs;
    pli_targets targets;
    int32_t samples;
    GLuint empty, blocks[2]; // Buffers of uniforms, by binding.
    pli_geometry_cache geometries;
    pli_image_cache images;
    pli_subdivision_cache subdivisions;
    int64_t number; // Number of the last picture; a blurred one has one for each sample.
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

// Samples of a picture: those up to `end` of `all`, from `first`.
typedef struct sample_range {
    int32_t first, end, all;
} sample_range;

static void draw_samples(const pli_drawing *d, sample_range range)
{
    glBindBufferBase(GL_UNIFORM_BUFFER, BLOCK_FRAME, d->frame_block);
    glBindBufferBase(GL_UNIFORM_BUFFER, BLOCK_OBJECT, d->object_block);
    // A picture of one sample is not summed: it remains where it was drawn.
    if (d->frame->first_sample == 1 && range.first == 1)
        pli_pass_sum(d, true);
    for (int32_t sample = range.first; sample < range.end; sample++) {
        pli_drawing_place(d, sample, range.all);
        pli_pass_depth(d, sample > range.first && !pli_light_moves(range.all));
        pli_pass_light(d, pli_light_moves(range.all));
        pli_pass_colour(d);
        if (range.all > 1)
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
    pli_render_detail *details; // By mesh.
    pli_render_mesh *meshes;
    pli_render_image *images, *backs; // `backs`: images on the backs, by mesh.
} frame_arrays;

static void release_arrays(const frame_arrays *a)
{
    free(a->details);
    free(a->meshes);
    free(a->images);
    free(a->backs);
}

static pli_status out_of_memory(pli_error *error)
{
    return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory while drawing");
}

// Reads the details, and subdivides meshes.
static pli_status make_arrays(pli_renderer *r, pli_render_frame *frame, frame_arrays *a, pli_error *error)
{
    const size_t meshes = (size_t)frame->mesh_count, images = (size_t)frame->image_count;
    *a = (frame_arrays){calloc(meshes + 1, sizeof *a->details), calloc(meshes + 1, sizeof *a->meshes),
                        calloc(images + 1, sizeof *a->images), calloc(meshes + 1, sizeof *a->backs)};
    if (!a->details || !a->meshes || !a->images || !a->backs)
        return out_of_memory(error);
    pli_status status = pli_frame_read_details(frame, a->details, error);
    if (status != PLI_STATUS_OK || frame->draft || frame->wireframe)
        return status;
    if (meshes > 0)
        memcpy(a->meshes, frame->meshes, meshes * sizeof *a->meshes);
    if (images > 0)
        memcpy(a->images, frame->images, images * sizeof *a->images);
    frame->meshes = a->meshes, frame->images = a->images;
    return pli_subdivide_meshes(&r->subdivisions, a->meshes, frame->mesh_count, a->images, frame->image_count,
                                a->details, a->backs, r->number)
               ? PLI_STATUS_OK
               : out_of_memory(error);
}

// The picture in the renderer's own buffer, or in a part of the target.
static bool show(pli_renderer *r, const pli_drawing *d, int32_t samples, const pli_render_target *target)
{
    pli_buffer_bind(&r->targets.result);
    bool scaled = target && (target->width != r->targets.width || target->height != r->targets.height);
    if (target) {
        glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
        glViewport(target->x, target->y, target->width, target->height);
    }
    return pli_pass_film(d, samples, !target, scaled);
}

// Draws a part of the samples, and shows the picture when it has all; changes the frame.
static pli_status draw_part(pli_renderer *r, pli_render_frame *frame, sample_range range,
                            const pli_render_target *target, pli_error *error)
{
    frame_arrays arrays;
    pli_status status = make_arrays(r, frame, &arrays, error);
    if (status != PLI_STATUS_OK) {
        release_arrays(&arrays);
        return status;
    }
    pli_drawing d = {.programs = &r->programs,
                     .targets = &r->targets,
                     .frame = frame,
                     .details = arrays.details,
                     .frame_block = r->blocks[BLOCK_FRAME],
                     .object_block = r->blocks[BLOCK_OBJECT],
                     .empty = r->empty};
    bool complete = pli_drawing_load(&d, &r->geometries, &r->images, r->number);
    if (complete)
        draw_samples(&d, range);
    if (complete && range.end == range.all)
        complete = show(r, &d, range.all, target);
    pli_drawing_release(&d);
    release_arrays(&arrays);
    return complete ? PLI_STATUS_OK : out_of_memory(error);
}

// Draws all samples: at once, or each at its moment where something moves.
static pli_status draw_parts(pli_renderer *r, const pli_render_frame *frame, const pli_render_target *target,
                             pli_error *error)
{
    const int32_t first = frame->first_sample, all = first + r->samples;
    pli_motion motion;
    pli_status status = pli_motion_open(&motion, frame, r->samples) ? PLI_STATUS_OK : out_of_memory(error);
    const bool blurred = pli_motion_is_any(&motion);
    const int32_t parts = blurred ? all : 1;
    for (int32_t part = 0; part < parts && status == PLI_STATUS_OK; part++) {
        pli_render_frame now = *frame;
        const sample_range range = {first + part, blurred ? part + 1 : all, all};
        if (blurred)
            pli_motion_place(&motion, frame->shutter * ((float)part + 0.5f) / (float)parts, &now);
        r->number += part > 0;
        status = draw_part(r, &now, range, target, error);
    }
    pli_motion_close(&motion);
    return status;
}

// Reads the frame and draws it; `target` null for our own pixels.
static pli_status draw(pli_renderer *r, const pli_render_frame *frame, const pli_render_target *target,
                       pli_error *error)
{
    if (!frame)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "there is no frame to draw");
    pli_status status = pli_frame_check(frame, error);
    if (status == PLI_STATUS_OK)
        status = pli_gl_context_make_current(&r->context, error);
    if (status != PLI_STATUS_OK)
        return status;
    while (glGetError() != GL_NO_ERROR) {
        // Earlier errors of the application.
    }
    // Numbers of pictures are apart, so that a blurred picture counts as one in the age of meshes.
    r->number = (r->number / SAMPLES_MOST + 1) * SAMPLES_MOST;
    status = draw_parts(r, frame, target, error);
    pli_subdivision_cache_trim(&r->subdivisions, r->number);
    pli_geometry_cache_trim(&r->geometries, r->number);
    pli_image_cache_trim(&r->images, r->number);
    return status;
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
