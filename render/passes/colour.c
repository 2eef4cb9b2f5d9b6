// The shading pass: surfaces that the depth pass left in front, then the background, then transparent shapes.
#include "passes/colour.h"

#include "passes/marks.h"

// As render/shaders/surface.frag.glsl has it.
typedef struct object_block {
    float front[4], back[4], weave[4];
    int32_t flags[4];
    float hem[4], seam[4];
} object_block;

enum { FACE_COLOURS = 1, IMAGE = 2, BACK_IMAGE = 4 };

static void set_object(const pli_drawing *d, const object_block *block)
{
    glBindBuffer(GL_UNIFORM_BUFFER, d->object_block);
    glBufferData(GL_UNIFORM_BUFFER, sizeof *block, block, GL_STREAM_DRAW);
}

static void bind_textures(const pli_geometry *g, bool coloured, GLuint image, GLuint back_image)
{
    glActiveTexture(GL_TEXTURE0 + UNIT_FACE_COLOURS);
    glBindTexture(GL_TEXTURE_BUFFER, coloured ? g->face_colours : 0);
    glActiveTexture(GL_TEXTURE0 + UNIT_IMAGE);
    glBindTexture(GL_TEXTURE_2D, image);
    glActiveTexture(GL_TEXTURE0 + UNIT_BACK_IMAGE);
    glBindTexture(GL_TEXTURE_2D, back_image);
}

static void draw_rim(const pli_drawing *d, int32_t i)
{
    const pli_render_mesh *m = &d->frame->meshes[i];
    const pli_geometry *rim = &d->meshes[i].rim;
    const pli_vec3 c = d->details[i].rim;
    // A hem goes around the edge.
    const bool coloured = rim->face_colours && !(d->details[i].hem > 0.0f);
    const object_block block = {{c.x, c.y, c.z, m->sheen},
                                {c.x, c.y, c.z, 1.0f},
                                {0.0f, 0.0f, 0.0f, m->gloss},
                                {0, 0, coloured ? FACE_COLOURS : 0, 0},
                                {0},
                                {0}};
    set_object(d, &block);
    bind_textures(rim, coloured, 0, 0);
    glUseProgram(d->programs->surface[d->frame->draft]);
    pli_geometry_draw(rim);
}

static void draw_mesh(const pli_drawing *d, int32_t i)
{
    const pli_render_mesh *m = &d->frame->meshes[i];
    const pli_mesh_parts *parts = &d->meshes[i];
    const pli_render_detail *detail = &d->details[i];
    const bool coloured = (m->face_colours || detail->back_colours) && parts->surface->face_colours;
    const bool detailed = detail->hem > 0.0f || detail->seam > 0.0f || parts->back_image;
    const object_block block = {
        {m->front.x, m->front.y, m->front.z, m->sheen},
        {m->back.x, m->back.y, m->back.z, 1.0f},
        {m->weave, m->pattern_size, m->pattern_size > 0.0f ? (float)m->pattern : 0.0f, m->gloss},
        {m->flat, m->values != NULL,
         (coloured ? FACE_COLOURS : 0) | (parts->image ? IMAGE : 0) | (parts->back_image ? BACK_IMAGE : 0),
         (int32_t)(100.0f * m->transmission)},
        {detail->hem_colour.x, detail->hem_colour.y, detail->hem_colour.z, detail->hem},
        {detail->seam_colour.x, detail->seam_colour.y, detail->seam_colour.z, detail->seam},
    };
    set_object(d, &block);
    glUseProgram((detailed ? d->programs->detailed : d->programs->surface)[d->frame->draft]);
    for (int side = 0; side < (parts->lower ? 2 : 1); side++) {
        const pli_geometry *g = side ? parts->lower : parts->surface;
        bind_textures(g, coloured, parts->image, parts->back_image);
        pli_geometry_draw(g);
    }
    if (parts->rim.array)
        draw_rim(d, i);
}

static void draw_shape(const pli_drawing *d, int32_t i)
{
    const pli_render_shape *s = &d->frame->shapes[i];
    const object_block block = {{s->colour.x, s->colour.y, s->colour.z, 0.0f},
                                {s->colour.x, s->colour.y, s->colour.z, 1.0f - s->transparency},
                                {0.0f, 0.0f, 0.0f, 0.1f},
                                {0},
                                {0},
                                {0}};
    if (!d->shapes[i].array)
        return;
    set_object(d, &block);
    pli_geometry_draw(&d->shapes[i]);
}

// Edges are opaque ink.
static void draw_edges(const pli_drawing *d)
{
    glDepthMask(GL_TRUE);
    glUseProgram(d->programs->line);
    for (int32_t i = 0; i < d->frame->mesh_count; i++)
        pli_geometry_draw_lines(d->meshes[i].surface);
    glDepthMask(GL_FALSE);
}

// The far sides of each shape, then its near ones.
static void draw_transparent(const pli_drawing *d)
{
    glUseProgram(d->programs->surface[d->frame->draft]);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glEnable(GL_CULL_FACE);
    for (int32_t k = d->opaque_shape_count; k < d->frame->shape_count; k++) {
        glCullFace(GL_FRONT);
        draw_shape(d, d->order[k]);
        glCullFace(GL_BACK);
        draw_shape(d, d->order[k]);
    }
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
}

void pli_pass_colour(const pli_drawing *d)
{
    pli_buffer_bind(&d->targets->colour);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_FALSE);
    if (d->frame->wireframe) {
        glEnable(GL_POLYGON_OFFSET_FILL);
        glPolygonOffset(1.0f, 1.0f);
    }
    for (int32_t i = 0; i < d->frame->mesh_count; i++)
        draw_mesh(d, i);
    glUseProgram(d->programs->surface[d->frame->draft]);
    for (int32_t k = 0; k < d->opaque_shape_count; k++)
        draw_shape(d, d->order[k]);
    glDisable(GL_POLYGON_OFFSET_FILL);
    if (d->ground.array) {
        glUseProgram(d->programs->ground[d->frame->draft]);
        pli_geometry_draw(&d->ground);
    }
    glUseProgram(d->programs->sky);
    glBindVertexArray(d->empty);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    if (d->frame->wireframe)
        draw_edges(d);
    draw_transparent(d);
    pli_pass_marks(d);
    glDepthMask(GL_TRUE);
}
