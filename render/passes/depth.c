// Depth passes: positions only. The pass from the eye ensures that each pixel is shaded only once.
#include "passes/depth.h"

static void draw_all(const pli_drawing *d)
{
    for (int32_t i = 0; i < d->frame->mesh_count; i++) {
        const pli_mesh_parts *mesh = &d->meshes[i];
        pli_geometry_draw(mesh->surface);
        if (mesh->lower)
            pli_geometry_draw(mesh->lower);
        if (mesh->rim.array)
            pli_geometry_draw(&mesh->rim);
    }
    for (int32_t k = 0; k < d->opaque_shape_count; k++)
        if (d->shapes[d->order[k]].array)
            pli_geometry_draw(&d->shapes[d->order[k]]);
}

static void draw_shadow(const pli_drawing *d)
{
    pli_buffer_bind(&d->targets->shadow);
    glClear(GL_DEPTH_BUFFER_BIT);
    glPolygonOffset(1.5f, 2.0f);
    glUseProgram(d->programs->shadow);
    draw_all(d);
}

void pli_pass_depth(const pli_drawing *d, bool stays)
{
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glEnable(GL_POLYGON_OFFSET_FILL);
    if (!stays)
        draw_shadow(d);
    pli_buffer_bind(&d->targets->depth);
    glClear(GL_DEPTH_BUFFER_BIT);
    // Edges are drawn over surfaces, which are offset backwards slightly.
    glPolygonOffset(1.0f, 1.0f);
    if (!d->frame->wireframe)
        glDisable(GL_POLYGON_OFFSET_FILL);
    glUseProgram(d->programs->depth);
    draw_all(d);
    glDisable(GL_POLYGON_OFFSET_FILL);
    if (d->ground.array)
        pli_geometry_draw(&d->ground);
}
