// Dabs are a quarter of the radius apart, independent of the speed of the pointer.
#include "painting.h"

#include "session/strokes.h"

#include <pliant/math.h>

#include <math.h>
#include <stdlib.h>

enum { DABS_MOST = 64 }; // Maximum number of dabs per motion of the pointer.

static float pixels_at(const pli_viewer *v, const pli_camera *camera, float distance)
{
    const float slope = tanf(0.5f * camera->field_of_view * 0.0174532925f);
    return 0.5f * pli_viewer_stage_height(v) * v->session.brush.radius / fmaxf(distance * slope, 1e-6f);
}

float pli_viewer_paint_pixels(const pli_viewer *v, float x, float y)
{
    pli_camera camera;
    pli_ray_hit hit;
    const pli_vec3 ray = pli_viewer_ray(v, x, y, &camera);
    const bool meets = pli_world_ray(v->session.world, camera.eye, ray, 1e6f, UINT32_MAX, &hit);
    return pixels_at(v, &camera, meets ? hit.distance : v->camera.distance);
}

void pli_viewer_paint(pli_viewer *v, const pli_ray_hit *hit, float x, float y)
{
    v->stroke_x = x, v->stroke_y = y;
    if (pli_view_session_stroke(&v->session, hit->deformable))
        pli_view_session_dab(&v->session, hit->deformable, pli_viewer_nearest(hit), hit->position);
}

void pli_viewer_paint_on(pli_viewer *v, float x, float y)
{
    pli_camera camera;
    pli_ray_hit hit;
    if (v->session.stroke.deformable.id == 0)
        return;
    const float right = x - v->stroke_x, down = y - v->stroke_y;
    const float gap = fmaxf(0.25f * pli_viewer_paint_pixels(v, v->stroke_x, v->stroke_y), 1.0f);
    const float length = sqrtf(right * right + down * down);
    const int32_t count = length < (float)DABS_MOST * gap ? (int32_t)(length / gap) : DABS_MOST;
    for (int32_t i = 0; i < count; i++) {
        v->stroke_x += right / (float)count, v->stroke_y += down / (float)count;
        const pli_vec3 ray = pli_viewer_ray(v, v->stroke_x, v->stroke_y, &camera);
        if (pli_world_ray(v->session.world, camera.eye, ray, 1e6f, UINT32_MAX, &hit))
            pli_view_session_dab(&v->session, hit.deformable, pli_viewer_nearest(&hit), hit.position);
    }
}

/* ---- colours ------------------------------------------------------------------------------------ */

static void colour(pli_viewer *v, const char *legend, float most)
{
    const pli_world *world = v->session.world;
    const float *values = v->painted;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++) {
        pli_cli_world_view_values(v->picture, i, legend ? values : NULL, legend, most);
        values += pli_deformable_positions(world, pli_world_deformable_at(world, i)).count;
    }
}

void pli_viewer_paint_show(pli_viewer *v)
{
    const pli_world *world = v->session.world;
    size_t total = 1;
    float most = 0.0f;
    if (v->tool != PLI_VIEW_BRUSH || v->session.cache || v->models.count > 0) {
        if (!v->painted)
            return;
        colour(v, NULL, 0.0f);
        pli_viewer_paint_close(v);
        pli_cli_world_view_measure(v->picture, v->measure);
        return;
    }
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++)
        total += (size_t)pli_deformable_positions(world, pli_world_deformable_at(world, i)).count;
    float *grown = realloc(v->painted, total * sizeof *grown);
    if (!grown)
        return;
    v->painted = grown;
    const int32_t row = v->session.brush.row;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++) {
        const pli_deformable deformable = pli_world_deformable_at(world, i);
        const int32_t count = pli_deformable_positions(world, deformable).count;
        pli_view_session_painted(&v->session, deformable, row, grown, count);
        for (int32_t k = 0; k < count; k++)
            most = fmaxf(most, grown[k]);
        grown += count;
    }
    pli_cli_world_view_measure(v->picture, -1);
    pli_view_brush_legend(row, v->legend);
    colour(v, v->legend, most > 0.0f ? most : 1.0f);
}

void pli_viewer_paint_close(pli_viewer *v)
{
    free(v->painted);
    v->painted = NULL;
}
