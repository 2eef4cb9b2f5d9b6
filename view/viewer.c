// Pictures of the session, and what a pointer does to it.
#include "viewer.h"

#include "looking/models_panel.h"

#include "support/vector3.h"

#include <stdlib.h>
#include <string.h>

// Pictures until a still scene is drawn at full size, where a program on the processor draws.
enum { STILL = 6 };

static int32_t stage_width(const pli_viewer *v)
{
    return v->width > 2 * PLI_VIEW_SIDE ? v->width - PLI_VIEW_SIDE : v->width / 2;
}

static int32_t stage_height(const pli_viewer *v)
{
    return v->height > 2 * PLI_VIEW_BAR ? v->height - PLI_VIEW_BAR : v->height / 2;
}

pli_status pli_viewer_open(pli_viewer *v, const char *path, bool allow_outside, int32_t width, int32_t height,
                           pli_error *error)
{
    *v = (pli_viewer){.measure = -1, .width = width, .height = height};
    pli_status status = pli_view_session_open(&v->session, path, allow_outside, error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_cli_world_view_def def = {.scene = v->session.scene,
                                        .world = v->session.world,
                                        .width = stage_width(v),
                                        .height = stage_height(v),
                                        .quality = PLI_CLI_QUALITY_PLAIN,
                                        .measure = -1,
                                        .hosts = true};
    status = pli_cli_world_view_open(&def, &v->picture, error);
    if (status != PLI_STATUS_OK) {
        pli_viewer_close(v);
        return status;
    }
    const pli_render_frame *frame = pli_cli_world_view_frame(v->picture);
    v->wireframe = frame->wireframe;
    v->camera = v->start = pli_view_camera_from(&frame->camera, frame->up);
    return status;
}

void pli_viewer_close(pli_viewer *v)
{
    pli_cli_world_view_close(v->picture);
    pli_view_models_close(&v->models);
    pli_view_session_close(&v->session);
    *v = (pli_viewer){0};
}

// Each model in its cell, from the same camera.
static pli_status draw_models(pli_viewer *v, bool coarse, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    pli_view_models_go(&v->models, v->session.scene, v->session.frame);
    for (int32_t i = 0; i < v->models.count && status == PLI_STATUS_OK; i++) {
        const pli_view_cell c = pli_view_cell_of(i, v->models.count, stage_width(v), stage_height(v));
        const pli_render_target target = {0, c.x, v->height - c.y - c.height, c.width, c.height};
        pli_cli_world_view_show(v->picture, v->models.model[i].world, NULL, NULL);
        status = pli_cli_world_view_draw_to(v->picture, &target, coarse ? 2 : 1, error);
    }
    return status;
}

pli_status pli_viewer_draw(pli_viewer *v, bool quick, pli_error *error)
{
    pli_render_frame *frame = pli_cli_world_view_frame(v->picture);
    bool moving = quick && (v->session.playing || v->still < STILL);
    bool coarse = moving && pli_cli_world_view_is_software(v->picture);
    const pli_render_target stage = {0, 0, v->height - stage_height(v), stage_width(v), stage_height(v)};
    frame->camera = pli_view_camera_get(&v->camera);
    frame->wireframe = v->wireframe;
    frame->draft = coarse;
    pli_cli_world_view_overlays(v->picture, v->overlays);
    v->still++;
    if (v->models.count > 0)
        return draw_models(v, coarse, error);
    pli_cli_world_view_show(v->picture, v->session.world, NULL, NULL);
    return pli_cli_world_view_draw_to(v->picture, &stage, coarse ? 2 : 1, error);
}

/* ---- hands -------------------------------------------------------------------------------------- */

static pli_vec3 ray_of(const pli_viewer *v, float x, float y, pli_camera *camera)
{
    float width = (float)stage_width(v), height = (float)stage_height(v);
    *camera = pli_view_camera_get(&v->camera);
    return pli_view_camera_ray(camera, 2.0f * x / width - 1.0f, 1.0f - 2.0f * y / height, width / height);
}

static int32_t nearest_of(const pli_ray_hit *hit)
{
    int32_t most = 0;
    for (int32_t k = 1; k < 3; k++)
        most = hit->weights[k] > hit->weights[most] ? k : most;
    return hit->vertices[most];
}

bool pli_viewer_press(pli_viewer *v, float x, float y)
{
    pli_camera camera;
    pli_vec3 ray = ray_of(v, x, y, &camera);
    pli_ray_hit hit;
    v->still = 0;
    if (!pli_world_ray(v->session.world, camera.eye, ray, 1e6f, UINT32_MAX, &hit))
        return false;
    if (v->tool == PLI_VIEW_GRAB)
        pli_view_session_grab(&v->session, hit.deformable, nearest_of(&hit));
    else if (v->tool == PLI_VIEW_PIN)
        pli_view_session_pin(&v->session, hit.deformable, nearest_of(&hit));
    else
        v->stroke = hit, v->stroke_x = x, v->stroke_y = y;
    return true;
}

// The hand stays in the plane across the view in which it is.
void pli_viewer_drag(pli_viewer *v, float x, float y)
{
    pli_camera camera;
    pli_vec3 ray = ray_of(v, x, y, &camera), ahead = vec3_sub(camera.target, camera.eye);
    float depth = vec3_dot(vec3_sub(v->session.target, camera.eye), ahead), slope = vec3_dot(ray, ahead);
    v->still = 0;
    if (v->session.holds && slope > 0.0f)
        v->session.target = vec3_add(camera.eye, vec3_scale(ray, depth / slope));
}

// A stroke cuts in the plane through the eye and both of its ends.
static void cut(pli_viewer *v, float x, float y)
{
    pli_camera camera;
    pli_vec3 first = ray_of(v, v->stroke_x, v->stroke_y, &camera), last = ray_of(v, x, y, &camera);
    pli_vec3 normal = vec3_cross(first, last),
             end = vec3_scale(last, v->stroke.distance / fmaxf(vec3_dot(first, last), 1e-3f));
    pli_vec3 other = vec3_add(camera.eye, end), way = vec3_sub(other, v->stroke.position);
    pli_vec3 middle = vec3_scale(vec3_add(other, v->stroke.position), 0.5f);
    float length = sqrtf(vec3_dot(way, way));
    if (length > 0.0f)
        pli_view_session_cut(&v->session, v->stroke.deformable, middle, normal, 0.5f * length);
    memset(&v->stroke, 0, sizeof v->stroke);
}

void pli_viewer_release(pli_viewer *v, float x, float y)
{
    pli_view_session_release(&v->session);
    if (v->stroke.deformable.id != 0)
        cut(v, x, y);
    v->still = 0;
}
