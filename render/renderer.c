// Draws a frame: sky, shadow map, surfaces, ground, edges, legend; with several samples per pixel.
#include "gl/mesh_buffer_cache.h"
#include "gl/gl_context.h"
#include "frame_check.h"
#include "passes/legend.h"
#include "gl/mat4.h"
#include "gl/programs.h"

#include <stdlib.h>
#include <string.h>

enum { SHADOW_SIZE = 1536 };

struct pli_renderer {
    pli_gl_context context;
    pli_programs programs;
    int32_t width, height;
    GLuint sampled, sampled_colour, sampled_depth, resolved, resolved_colour, shadow, shadow_depth, empty;
    pli_geometry_cache geometries;
    int64_t frame; // Number of the frame being drawn.
};

// State of the frame being drawn.
typedef struct drawing {
    pli_renderer *renderer;
    const pli_render_frame *frame;
    matrix camera, light;
    pli_vec3 to_light, centre;
    float radius, ground_radius;
    const pli_geometry **meshes; // [frame->mesh_count]
    pli_geometry *shapes;        // [frame->shape_count]
    pli_geometry ground;
} drawing;

static GLuint make_renderbuffer(GLenum format, int32_t samples, int32_t width, int32_t height)
{
    GLuint buffer;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    return buffer;
}

static void make_shadow(pli_renderer *r)
{
    const GLfloat border[4] = {1, 1, 1, 1};
    glGenTextures(1, &r->shadow_depth);
    glBindTexture(GL_TEXTURE_2D, r->shadow_depth);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                 NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glGenFramebuffers(1, &r->shadow);
    glBindFramebuffer(GL_FRAMEBUFFER, r->shadow);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, r->shadow_depth, 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
}

static bool make_targets(pli_renderer *r, int32_t samples)
{
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    samples = samples > most ? most : samples;
    r->sampled_colour = make_renderbuffer(GL_SRGB8_ALPHA8, samples, r->width, r->height);
    r->sampled_depth = make_renderbuffer(GL_DEPTH_COMPONENT24, samples, r->width, r->height);
    r->resolved_colour = make_renderbuffer(GL_SRGB8_ALPHA8, 0, r->width, r->height);
    glGenFramebuffers(1, &r->sampled);
    glBindFramebuffer(GL_FRAMEBUFFER, r->sampled);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, r->sampled_colour);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, r->sampled_depth);
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glGenFramebuffers(1, &r->resolved);
    glBindFramebuffer(GL_FRAMEBUFFER, r->resolved);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, r->resolved_colour);
    complete = complete && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    make_shadow(r);
    glGenVertexArrays(1, &r->empty);
    return complete && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

pli_status pli_renderer_create(int32_t width, int32_t height, int32_t samples, pli_renderer **renderer,
                               pli_error *error)
{
    *renderer = NULL;
    if (width < 16 || width > 8192 || height < 16 || height > 8192 || samples < 1 || samples > 8)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "a picture of %d x %d with %d samples is asked for; "
                        "sizes go from 16 to 8192, samples from 1 to 8",
                        (int)width, (int)height, (int)samples);
    pli_renderer *r = calloc(1, sizeof *r);
    if (!r)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    r->width = width;
    r->height = height;
    pli_status status = pli_gl_context_open(&r->context, error);
    if (status == PLI_STATUS_OK)
        status = pli_programs_build(&r->programs, error);
    if (status == PLI_STATUS_OK && !make_targets(r, samples))
        status = pli_fail(error, PLI_STATUS_UNSUPPORTED, "the OpenGL driver has no frame buffer of %d x %d", (int)width,
                          (int)height);
    if (status != PLI_STATUS_OK) {
        pli_renderer_destroy(r);
        return status;
    }
    *renderer = r;
    return status;
}

void pli_renderer_destroy(pli_renderer *r)
{
    if (!r)
        return;
    // If the context cannot be made current its objects are lost with it.
    bool current = r->context.context && pli_gl_context_make_current(&r->context, NULL) == PLI_STATUS_OK;
    pli_geometry_cache_release(&r->geometries, current);
    if (current) {
        pli_programs_release(&r->programs);
        const GLuint buffers[3] = {r->sampled_colour, r->sampled_depth, r->resolved_colour};
        const GLuint frames[3] = {r->sampled, r->resolved, r->shadow};
        glDeleteRenderbuffers(3, buffers);
        glDeleteFramebuffers(3, frames);
        glDeleteTextures(1, &r->shadow_depth);
        glDeleteVertexArrays(1, &r->empty);
    }
    pli_gl_context_close(&r->context);
    free(r);
}

typedef struct box {
    pli_vec3 low, high;
} box;

static void include(box *b, pli_vec3 p)
{
    b->low = (pli_vec3){fminf(b->low.x, p.x), fminf(b->low.y, p.y), fminf(b->low.z, p.z)};
    b->high = (pli_vec3){fmaxf(b->high.x, p.x), fmaxf(b->high.y, p.y), fmaxf(b->high.z, p.z)};
}

static bool is_drawn(const pli_collider_def *c)
{
    return pli_shape_check(c, NULL) == PLI_STATUS_OK && pli_shape_at((int32_t)c->shape)->bounded;
}

static box bounds_of(const pli_render_frame *frame)
{
    box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < frame->mesh_count; i++) {
        for (int32_t v = 0; v < frame->meshes[i].positions.count; v++) {
            const float *p = pli_view_at(frame->meshes[i].positions, v);
            include(&b, (pli_vec3){p[0], p[1], p[2]});
        }
    }
    for (int32_t i = 0; i < frame->shape_count; i++) {
        const pli_collider_def *c = &frame->shapes[i].collider;
        if (!is_drawn(c))
            continue;
        float reach = pli_shape_reach(c);
        include(&b, vec3_sub(c->pose.position, (pli_vec3){reach, reach, reach}));
        include(&b, vec3_add(c->pose.position, (pli_vec3){reach, reach, reach}));
    }
    if (!(b.low.x <= b.high.x) || !isfinite(b.low.x + b.low.y + b.low.z + b.high.x + b.high.y + b.high.z))
        b = (box){{-1, -1, -1}, {1, 1, 1}};
    return b;
}

static void place_lights(drawing *d)
{
    const pli_render_frame *f = d->frame;
    box b = bounds_of(f);
    pli_vec3 up = vec_unit(f->up), size = vec3_sub(b.high, b.low), side = vec_across(up), front = vec3_cross(side, up);
    d->centre = vec3_scale(vec3_add(b.low, b.high), 0.5f);
    d->radius = fmaxf(0.5f * sqrtf(vec3_dot(size, size)), 1e-4f);
    d->to_light = vec_unit(
        vec3_add(vec3_add(vec3_scale(up, 1.0f), vec3_scale(side, 0.35f)), vec3_scale(front, -0.18f)));
    // The light comes from the left of the camera, so that shadows fall to the right.
    pli_vec3 look = vec3_sub(f->camera.eye, f->camera.target), left = vec3_cross(vec_unit(look), up);
    if (vec3_dot(left, left) > 1e-6f)
        d->to_light = vec_unit(vec3_add(vec3_add(vec3_scale(up, 1.0f), vec3_scale(vec_unit(left), 0.5f)),
                                        vec3_scale(vec_unit(look), 0.3f)));
    float reach = 1.6f * d->radius;
    matrix view = matrix_look(vec3_add(d->centre, vec3_scale(d->to_light, 3.0f * reach)), d->centre, up);
    matrix lens = matrix_orthographic(reach, reach, 0.5f * reach, 6.0f * reach);
    d->light = matrix_product(&lens, &view);
    float distance = sqrtf(vec3_dot(vec3_sub(f->camera.eye, d->centre), vec3_sub(f->camera.eye, d->centre)));
    d->ground_radius = 6.0f * d->radius + distance;
    float aspect = (float)d->renderer->width / (float)d->renderer->height;
    matrix eye = matrix_look(f->camera.eye, f->camera.target, f->camera.up);
    float far = 2.0f * (distance + d->ground_radius);
    matrix camera = matrix_perspective(f->camera.field_of_view, aspect,
                                       fmaxf(far * 1e-4f, 0.05f * (distance - d->radius)), far);
    d->camera = matrix_product(&camera, &eye);
}

static bool load_geometry(drawing *d)
{
    const pli_render_frame *f = d->frame;
    d->meshes = calloc((size_t)f->mesh_count + 1, sizeof *d->meshes);
    d->shapes = calloc((size_t)f->shape_count + 1, sizeof *d->shapes);
    if (!d->meshes || !d->shapes)
        return false;
    for (int32_t i = 0; i < f->mesh_count; i++)
        if (!(d->meshes[i] = pli_geometry_cache_get(&d->renderer->geometries, &f->meshes[i], d->renderer->frame)))
            return false;
    for (int32_t i = 0; i < f->shape_count; i++)
        if (is_drawn(&f->shapes[i].collider) && !pli_geometry_shape(&d->shapes[i], &f->shapes[i].collider))
            return false;
    pli_vec3 up = vec_unit(f->up);
    pli_vec3 foot = vec3_add(d->centre, vec3_scale(up, f->ground_height - vec3_dot(up, d->centre)));
    return !f->ground || pli_geometry_disc(&d->ground, foot, up, d->ground_radius);
}

static void release_geometry(drawing *d)
{
    for (int32_t i = 0; d->shapes && i < d->frame->shape_count; i++)
        if (d->shapes[i].array)
            pli_geometry_release(&d->shapes[i]);
    if (d->ground.array)
        pli_geometry_release(&d->ground);
    free(d->meshes);
    free(d->shapes);
}

static GLint uniform(GLuint program, const char *name) { return glGetUniformLocation(program, name); }

static void set_vec3(GLuint program, const char *name, pli_vec3 v)
{
    glUniform3f(uniform(program, name), v.x, v.y, v.z);
}

static void draw_shadow(const drawing *d)
{
    GLuint program = d->renderer->programs.depth;
    glBindFramebuffer(GL_FRAMEBUFFER, d->renderer->shadow);
    glViewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(2.0f, 4.0f);
    glUseProgram(program);
    glUniformMatrix4fv(uniform(program, "camera"), 1, GL_FALSE, d->light.m);
    for (int32_t i = 0; i < d->frame->mesh_count; i++)
        pli_geometry_draw(d->meshes[i]);
    for (int32_t i = 0; i < d->frame->shape_count; i++)
        if (d->shapes[i].array)
            pli_geometry_draw(&d->shapes[i]);
    glDisable(GL_POLYGON_OFFSET_FILL);
}

// Uniforms of the frame for the programs of surfaces and ground; each ignores those it lacks.
static void set_scene(const drawing *d, GLuint program)
{
    glUseProgram(program);
    glUniformMatrix4fv(uniform(program, "camera"), 1, GL_FALSE, d->camera.m);
    glUniformMatrix4fv(uniform(program, "light"), 1, GL_FALSE, d->light.m);
    set_vec3(program, "eye", d->frame->camera.eye);
    set_vec3(program, "to_light", d->to_light);
    set_vec3(program, "up", vec_unit(d->frame->up));
    set_vec3(program, "background", d->frame->background);
    set_vec3(program, "centre", d->centre);
    glUniform1f(uniform(program, "bias"), 0.0012f);
    glUniform1f(uniform(program, "texel"), 1.0f / SHADOW_SIZE);
    glUniform1f(uniform(program, "ground_radius"), d->ground_radius);
    glUniform1f(uniform(program, "picture_height"), (float)d->renderer->height);
    glUniform2f(uniform(program, "range"), d->frame->legend_minimum, d->frame->legend_maximum);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, d->renderer->shadow_depth);
    glUniform1i(uniform(program, "shadow"), 0);
}

static void set_material(const drawing *d, pli_vec3 front, pli_vec3 back, bool flat, bool by_value)
{
    GLuint program = d->renderer->programs.surface;
    set_vec3(program, "front", front);
    set_vec3(program, "back", back);
    glUniform1i(uniform(program, "flat_shaded"), flat);
    glUniform1i(uniform(program, "by_value"), by_value);
}

static void draw_surfaces(const drawing *d)
{
    set_scene(d, d->renderer->programs.surface);
    if (d->frame->wireframe) {
        glEnable(GL_POLYGON_OFFSET_FILL);
        glPolygonOffset(1.0f, 1.0f);
    }
    for (int32_t i = 0; i < d->frame->mesh_count; i++) {
        const pli_render_mesh *mesh = &d->frame->meshes[i];
        set_material(d, mesh->front, mesh->back, mesh->flat, mesh->values != NULL);
        pli_geometry_draw(d->meshes[i]);
    }
    for (int32_t i = 0; i < d->frame->shape_count; i++) {
        set_material(d, d->frame->shapes[i].colour, d->frame->shapes[i].colour, false, false);
        if (d->shapes[i].array)
            pli_geometry_draw(&d->shapes[i]);
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
}

// Ground and sky are drawn after the surfaces, so that hidden pixels are not shaded.
static void draw_surroundings(const drawing *d)
{
    if (d->ground.array) {
        set_scene(d, d->renderer->programs.ground);
        pli_geometry_draw(&d->ground);
    }
    GLuint sky = d->renderer->programs.sky;
    glUseProgram(sky);
    set_vec3(sky, "background", d->frame->background);
    glBindVertexArray(d->renderer->empty);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

// Opaque: blending into an sRGB frame buffer with several samples comes out light with Mesa's llvmpipe.
static void draw_edges(const drawing *d)
{
    GLuint program = d->renderer->programs.line;
    glUseProgram(program);
    glUniformMatrix4fv(uniform(program, "camera"), 1, GL_FALSE, d->camera.m);
    set_vec3(program, "eye", d->frame->camera.eye);
    set_vec3(program, "ink", (pli_vec3){0.02f, 0.02f, 0.03f});
    for (int32_t i = 0; i < d->frame->mesh_count; i++)
        pli_geometry_draw_lines(d->meshes[i]);
}

static bool draw_legend(const drawing *d)
{
    int32_t count = 0;
    pli_geometry g;
    pli_vertex *vertices = pli_legend_make(d->frame->legend, d->frame->legend_minimum, d->frame->legend_maximum,
                                           d->renderer->width, d->renderer->height, &count);
    bool made = vertices && pli_geometry_plain(&g, vertices, count);
    free(vertices);
    if (!made)
        return false;
    glDisable(GL_DEPTH_TEST);
    glUseProgram(d->renderer->programs.overlay);
    pli_geometry_draw(&g);
    pli_geometry_release(&g);
    return true;
}

static void read_pixels(const pli_renderer *r, uint8_t *pixels)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->sampled);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, r->resolved);
    glBlitFramebuffer(0, 0, r->width, r->height, 0, 0, r->width, r->height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->resolved);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, r->width, r->height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    // OpenGL's first row is the lowest.
    size_t row = 4 * (size_t)r->width;
    for (int32_t y = 0; y < r->height / 2; y++) {
        uint8_t *low = pixels + (size_t)y * row, *high = pixels + (size_t)(r->height - 1 - y) * row;
        for (size_t i = 0; i < row; i++) {
            uint8_t swap = low[i];
            low[i] = high[i];
            high[i] = swap;
        }
    }
}

pli_status pli_renderer_draw(pli_renderer *r, const pli_render_frame *frame, uint8_t *pixels, pli_error *error)
{
    if (!pixels)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "pixels is null; give room for width * height * 4 bytes");
    pli_render_frame full = pli_render_frame_default();
    pli_status status = pli_def_read(&full, frame, "pli_render_frame", error);
    frame = &full;
    if (status == PLI_STATUS_OK)
        status = pli_frame_check(frame, error);

    if (status != PLI_STATUS_OK)
        return status;
    status = pli_gl_context_make_current(&r->context, error);
    if (status != PLI_STATUS_OK)
        return status;
    r->frame++;
    drawing d = {.renderer = r, .frame = frame};
    place_lights(&d);
    bool complete = load_geometry(&d);
    if (complete) {
        draw_shadow(&d);
        glBindFramebuffer(GL_FRAMEBUFFER, r->sampled);
        glViewport(0, 0, r->width, r->height);
        glEnable(GL_FRAMEBUFFER_SRGB);
        glEnable(GL_MULTISAMPLE);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        draw_surfaces(&d);
        if (frame->wireframe)
            draw_edges(&d);
        draw_surroundings(&d);
        complete = !frame->legend || draw_legend(&d);
    }
    release_geometry(&d);
    pli_geometry_cache_trim(&r->geometries, r->frame);
    if (!complete)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory while drawing");
    read_pixels(r, pixels);
    GLenum problem = glGetError();
    return problem == GL_NO_ERROR
               ? pli_succeed(error)
               : pli_fail(error, PLI_STATUS_UNSUPPORTED, "OpenGL reports error 0x%x", (unsigned)problem);
}
