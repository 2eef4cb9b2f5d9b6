// Pictures of the session, and the effect of the pointer on it.
#include "viewer.h"

#include "compare.h"
#include "looking/models_panel.h"
#include "painting.h"
#include "session/values.h"
#include "session/tools.h"

#include "frame/folders.h"
#include <pliant/math.h>

#include <stdlib.h>
#include <string.h>

// Number of pictures until a still scene is drawn at full size with a software renderer.
enum { STILL = 6 };

float pli_viewer_pixels(const pli_viewer *v, int32_t plain)
{
    const float scale = v->desk ? v->desk->scale * v->desk->preferences.zoom : 1.0f;
    return (float)plain * (scale > 0.0f ? scale : 1.0f);
}

static int32_t rest_of(int32_t whole, float panel)
{
    return whole > 2 * (int32_t)panel ? whole - (int32_t)panel : whole / 2;
}

static bool is_alone(const pli_viewer *v) { return v->desk && v->desk->hides; }
static int32_t stage_width(const pli_viewer *v)
{
    return is_alone(v) ? v->width : rest_of(v->width, pli_viewer_pixels(v, PLI_VIEW_SIDE));
}
static int32_t stage_top(const pli_viewer *v) { return is_alone(v) ? 0 : (int32_t)pli_viewer_pixels(v, PLI_VIEW_MENU); }
static int32_t stage_height(const pli_viewer *v)
{
    return is_alone(v) ? v->height : rest_of(v->height, pli_viewer_pixels(v, PLI_VIEW_BAR + PLI_VIEW_MENU));
}
float pli_viewer_stage_width(const pli_viewer *v) { return (float)stage_width(v); }
float pli_viewer_stage_height(const pli_viewer *v) { return (float)stage_height(v); }
float pli_viewer_stage_top(const pli_viewer *v) { return (float)stage_top(v); }
float pli_viewer_stage_bottom(const pli_viewer *v) { return (float)(stage_top(v) + stage_height(v)); }

// A scene's camera fits the aspect ratio of its pictures. Next to the panels it moves back until the horizontal extent of the view is
// the same.
static void step_back(pli_viewer *v)
{
    const pli_scene_view view = pli_scene_get_view(pli_session_scene(&v->session));
    float meant = (float)view.width / (float)view.height, here = (float)stage_width(v) / (float)stage_height(v);
    if (!view.fitted && here < meant)
        v->camera.distance *= meant / here;
}

pli_status pli_viewer_open(pli_viewer *v, pli_view_desk *desk, const char *path, bool allow_outside, int32_t width,
                           int32_t height, pli_error *error)
{
    *v = (pli_viewer){.desk = desk, .measure = -1, .width = width, .height = height};
    pli_status status = pli_view_source_open(&v->source, &v->session, path, allow_outside, &desk->plugins, error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_cli_world_view_def def = {.scene = pli_session_scene(&v->session),
                                        .world = v->session.world,
                                        .width = stage_width(v),
                                        .height = stage_height(v),
                                        .quality = PLI_CLI_QUALITY_PLAIN,
                                        .measure = -1,
                                        .source = v->session.show ? pli_cli_playback_collider_mesh : NULL,
                                        .source_user = &v->source->playback,
                                        .hosts = true};
    status = pli_cli_world_view_open(&def, &v->picture, error);
    if (status != PLI_STATUS_OK) {
        pli_viewer_close(v);
        return status;
    }
    const pli_render_frame *frame = pli_cli_world_view_frame(v->picture);
    v->wireframe = frame->wireframe;
    v->camera = pli_view_camera_from(&frame->camera, frame->up);
    v->camera.grounded = frame->ground, v->camera.ground = frame->ground_height;
    step_back(v);
    v->start = v->camera;
    return status;
}

void pli_viewer_close(pli_viewer *v)
{
    pli_cli_world_view_close(v->picture);
    pli_view_models_close(&v->models);
    pli_viewer_paint_close(v);
    pli_view_source_close(v->source, &v->session);
    *v = (pli_viewer){0};
}

/* ---- side by side ------------------------------------------------------------------------------- */

static pli_status apply_side(void *user, int32_t side, pli_world *world, pli_error *error)
{
    const pli_session_values *sets = user;
    return pli_session_values_apply(&sets[side], world, error);
}

bool pli_viewer_split_values(pli_session *s, pli_view_models *models)
{
    static const char *const names[] = {"A", "B"};
    pli_error error = {0};
    pli_status status = pli_session_ready_values(s) ? pli_view_models_open_as(models, pli_session_scene(s), names, 2,
                                                                              apply_side, s->sets, &error)
                                                    : pli_cli_fail(&error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    if (status != PLI_STATUS_OK)
        pli_session_fail(s, "A and B are not side by side: %s", error.message);
    return status == PLI_STATUS_OK;
}

static void follow_values(pli_session *s, pli_view_models *models)
{
    pli_error error = {0};
    if (!models->apply || !pli_session_read_values(s))
        return;
    if (pli_view_models_apply(models, s->tools.side, &error) != PLI_STATUS_OK)
        pli_session_fail(s, "side by side, a value is not as here: %s", error.message);
}

// Draws each model in its cell, from the same camera.
static pli_status draw_models(pli_viewer *v, bool coarse, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    follow_values(&v->session, &v->models);
    pli_view_models_go(&v->models, pli_session_scene(&v->session), v->session.frame);
    for (int32_t i = 0; i < v->models.count && status == PLI_STATUS_OK; i++) {
        const pli_view_cell c = pli_view_cell_of(i, v->models.count, stage_width(v), stage_height(v));
        const pli_render_target target = {0, c.x, v->height - stage_top(v) - c.y - c.height, c.width, c.height};
        pli_cli_world_view_show(v->picture, v->models.model[i].world, NULL, NULL);
        status = pli_cli_world_view_draw_to(v->picture, &target, coarse ? 2 : 1, error);
    }
    return status;
}

// A measure needs the world's own mesh, so it ends when a recorded mesh is torn.
static void lend_recording(pli_viewer *v)
{
    pli_cli_playback_lend(&v->source->playback, v->picture);
    if (v->measure < 0 || !pli_cli_playback_is_torn(&v->source->playback))
        return;
    v->measure = -1;
    pli_cli_world_view_measure(v->picture, -1);
    pli_session_tell(&v->session, "no measure can be shown of frames of a recording in which cloth is torn");
}

pli_status pli_viewer_draw(pli_viewer *v, bool quick, pli_error *error)
{
    pli_render_frame *frame = pli_cli_world_view_frame(v->picture);
    bool moving = quick && (v->session.playing || v->still < STILL);
    bool coarse = moving && pli_cli_world_view_is_software(v->picture);
    const pli_render_target stage = {0, 0, v->height - stage_top(v) - stage_height(v), stage_width(v), stage_height(v)};
    frame->camera = pli_view_camera_get(&v->camera);
    frame->wireframe = v->wireframe;
    frame->draft = coarse;
    pli_cli_world_view_quality(v->picture, moving || !v->desk ? PLI_CLI_QUALITY_PLAIN
                                                              : (pli_cli_quality)v->desk->preferences.quality);
    pli_viewer_paint_show(v);
    pli_viewer_compare_frame(v);
    pli_cli_world_view_overlays(v->picture, v->overlays);
    pli_cli_world_view_legend(v->picture, v->desk && v->desk->film.video);
    v->still++;
    if (v->models.count > 0)
        return draw_models(v, coarse, error);
    pli_cli_world_view_show(v->picture, v->session.world, v->session.show ? pli_cli_playback_collider_mesh : NULL,
                            &v->source->playback);
    if (v->session.show)
        lend_recording(v);
    return pli_cli_world_view_draw_to(v->picture, &stage, coarse ? 2 : 1, error);
}

/* ---- pointer ------------------------------------------------------------------------------------ */

pli_vec3 pli_viewer_ray(const pli_viewer *v, float x, float y, pli_camera *camera)
{
    float width = (float)stage_width(v), height = (float)stage_height(v);
    *camera = pli_view_camera_get(&v->camera);
    y -= pli_viewer_stage_top(v);
    return pli_view_camera_ray(camera, 2.0f * x / width - 1.0f, 1.0f - 2.0f * y / height, width / height);
}

pli_session_pointer pli_viewer_pointer(const pli_viewer *v, float x, float y)
{
    pli_camera camera;
    const pli_vec3 ray = pli_viewer_ray(v, x, y, &camera), ahead = pli_sub(camera.target, camera.eye);
    return (pli_session_pointer){camera.eye, ray, pli_scale(ahead, 1.0f / sqrtf(pli_dot(ahead, ahead))),
                                 v->desk ? v->desk->clock : 0.0};
}

bool pli_viewer_press(pli_viewer *v, float x, float y)
{
    const pli_session_pointer pointer = pli_viewer_pointer(v, x, y);
    v->still = 0;
    v->press_x = x, v->press_y = y;
    const bool pressed = pli_session_press(&v->session, 0, v->tool, &pointer, v->secondary);
    if (pressed && v->tool == PLI_SESSION_TOOL_GRAB && !v->session.playing)
        pli_session_tell(&v->session, "time is paused, so nothing moves: press Space, then pull");
    return pressed;
}

void pli_viewer_drag(pli_viewer *v, float x, float y)
{
    const pli_session_pointer pointer = pli_viewer_pointer(v, x, y);
    v->still = 0;
    pli_session_drag_pointer(&v->session, 0, &pointer);
}

void pli_viewer_release(pli_viewer *v, float x, float y)
{
    const pli_session_pointer pointer = pli_viewer_pointer(v, x, y);
    v->still = 0;
    pli_session_release(&v->session, 0, &pointer);
}
