#include "view/shutter.h"

#include <stdlib.h>
#include <string.h>

// Makes room for the parts of a frame, whose numbers of meshes and shapes change rarely.
static bool fit(pli_cli_shutter *s, const pli_render_frame *frame)
{
    if (s->meshes && s->mesh_count == frame->mesh_count && s->shape_count == frame->shape_count)
        return true;
    const float open = s->open;
    pli_cli_shutter_release(s);
    const size_t meshes = (size_t)frame->mesh_count + 1;
    *s = (pli_cli_shutter){.open = open,
                           .mesh_count = frame->mesh_count,
                           .shape_count = frame->shape_count,
                           .meshes = calloc(meshes, sizeof *s->meshes),
                           .views = calloc(meshes, sizeof *s->views),
                           .split = calloc(meshes, sizeof *s->split),
                           .poses = calloc((size_t)frame->shape_count + 1, sizeof *s->poses)};
    return s->meshes && s->views && s->split && s->poses;
}

static bool keep_mesh(pli_cli_shutter_mesh *to, const pli_render_mesh *mesh)
{
    const pli_topology *t = pli_mesh_topology(mesh->mesh);
    const size_t corners = 3 * (size_t)t->triangle_count;
    if (to->count != mesh->positions.count || to->triangle_count != t->triangle_count) {
        free(to->positions);
        free(to->triangles);
        *to = (pli_cli_shutter_mesh){malloc((3 * (size_t)mesh->positions.count + 1) * sizeof *to->positions),
                                     mesh->positions.count, malloc((corners + 1) * sizeof *to->triangles),
                                     t->triangle_count};
        if (!to->positions || !to->triangles)
            return false;
    }
    for (int32_t v = 0; v < to->count; v++)
        memcpy(to->positions + 3 * (size_t)v, pli_view_at(mesh->positions, v), 3 * sizeof *to->positions);
    memcpy(to->triangles, t->triangles, corners * sizeof *to->triangles);
    return true;
}

bool pli_cli_shutter_keep(pli_cli_shutter *s, const pli_render_frame *frame)
{
    s->passed = false;
    bool complete = fit(s, frame);
    for (int32_t i = 0; complete && i < s->mesh_count; i++)
        complete = keep_mesh(&s->meshes[i], &frame->meshes[i]);
    for (int32_t i = 0; complete && i < s->shape_count; i++)
        s->poses[i] = frame->shapes[i].collider.pose;
    s->camera = frame->camera;
    return s->passed = complete;
}

// Previous positions of a mesh that has been torn since: its triangles are the same, at other vertices.
static bool split(pli_cli_shutter *s, int32_t i, const pli_topology *t)
{
    const pli_cli_shutter_mesh *m = &s->meshes[i];
    float *to = realloc(s->split[i], (3 * (size_t)t->vertex_count + 1) * sizeof *to);
    if (!to)
        return false;
    s->split[i] = to;
    memset(to, 0, 3 * (size_t)t->vertex_count * sizeof *to);
    for (int32_t k = 0; k < 3 * t->triangle_count; k++)
        memcpy(to + 3 * (size_t)t->triangles[k], m->positions + 3 * (size_t)m->triangles[k], 3 * sizeof *to);
    s->views[i] = (pli_view){to, t->vertex_count, 3 * sizeof *to};
    return true;
}

bool pli_cli_shutter_show(pli_cli_shutter *s, pli_render_frame *frame)
{
    const bool known = s->passed && s->mesh_count == frame->mesh_count && s->shape_count == frame->shape_count;
    frame->shutter = known ? s->open : 0.0f;
    frame->previous_positions = known ? s->views : NULL;
    frame->previous_poses = known ? s->poses : NULL;
    frame->previous_camera = known ? &s->camera : NULL;
    for (int32_t i = 0; known && i < s->mesh_count; i++) {
        const pli_topology *t = pli_mesh_topology(frame->meshes[i].mesh);
        const pli_cli_shutter_mesh *m = &s->meshes[i];
        s->views[i] = (pli_view){0};
        if (m->count == t->vertex_count)
            s->views[i] = (pli_view){m->positions, m->count, 3 * sizeof(float)};
        else if (m->triangle_count == t->triangle_count && !split(s, i, t))
            return false;
    }
    return true;
}

void pli_cli_shutter_release(pli_cli_shutter *s)
{
    for (int32_t i = 0; s->meshes && s->split && i < s->mesh_count; i++) {
        free(s->meshes[i].positions);
        free(s->meshes[i].triangles);
        free(s->split[i]);
    }
    free(s->meshes);
    free(s->views);
    free(s->split);
    free(s->poses);
    *s = (pli_cli_shutter){0};
}
