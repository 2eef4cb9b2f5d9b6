// Pictures of the session, and the effect of the pointer on it.
#include "viewer.h"

#include "compare.h"
#include "looking/models_panel.h"
#include "painting.h"
#include "session/values.h"
#include "session/edits.h"
#include "session/strokes.h"

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
    const pli_scene_view view = pli_scene_get_view(v->session.scene);
    float meant = (float)view.width / (float)view.height, here = (float)stage_width(v) / (float)stage_height(v);
    if (!view.fitted && here < meant)
        v->camera.distance *= meant / here;
}

pli_status pli_viewer_open(pli_viewer *v, pli_view_desk *desk, const char *path, bool allow_outside, int32_t width,
                           int32_t height, pli_error *error)
{
    *v = (pli_viewer){.desk = desk, .measure = -1, .axis = -1, .width = width, .height = height};
    pli_status status = pli_view_session_open(&v->session, path, allow_outside, &desk->plugins, error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_cli_world_view_def def = {.scene = v->session.scene,
                                        .world = v->session.world,
                                        .width = stage_width(v),
                                        .height = stage_height(v),
                                        .quality = PLI_CLI_QUALITY_PLAIN,
                                        .measure = -1,
                                        .source = v->session.cache ? pli_cli_playback_collider_mesh : NULL,
                                        .source_user = &v->session.playback,
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
    pli_view_session_close(&v->session);
    *v = (pli_viewer){0};
}

// Draws each model in its cell, from the same camera.
static pli_status draw_models(pli_viewer *v, bool coarse, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    pli_view_session_follow_values(&v->session, &v->models);
    pli_view_models_go(&v->models, v->session.scene, v->session.frame);
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
    pli_cli_playback_lend(&v->session.playback, v->picture);
    if (v->measure < 0 || !pli_cli_playback_is_torn(&v->session.playback))
        return;
    v->measure = -1;
    pli_cli_world_view_measure(v->picture, -1);
    pli_view_session_tell(&v->session, "no measure can be shown of frames of a recording in which cloth is torn");
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
    pli_cli_world_view_show(v->picture, v->session.world, v->session.cache ? pli_cli_playback_collider_mesh : NULL,
                            &v->session.playback);
    if (v->session.cache)
        lend_recording(v);
    return pli_cli_world_view_draw_to(v->picture, &stage, coarse ? 2 : 1, error);
}

/* ---- tools -------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *summary;
} tools[PLI_VIEW_TOOL_COUNT] = {
    [PLI_VIEW_GRAB] = {"Grab", "Press on cloth and pull. The pull is soft, and its force is limited."},
    [PLI_VIEW_PIN] =
        {"Pin", "Press on cloth to pin it where it is. Press on a pin, or an attachment of the scene, to free it."},
    [PLI_VIEW_BRUSH] = {"Brush", "Paint pins, density, friction and more over cloth. N selects the next quantity."},
    [PLI_VIEW_CUT] = {"Cut", "Draw a stroke across cloth. It is cut on release."},
    [PLI_VIEW_BALL] = {"Ball", "Press to throw a ball through the point. Four exist at a time, for 180 frames each."},
    [PLI_VIEW_BLOW] = {"Blow", "Press and hold for wind of 8 m/s in a cone along the view."},
    [PLI_VIEW_MOVE] = {"Move", "Drag a collider or a pin across the view, or along X, Y or Z."},
};

const char *pli_view_tool_name(pli_view_tool tool) { return tools[tool].name; }
const char *pli_view_tool_summary(pli_view_tool tool) { return tools[tool].summary; }

/* ---- pointer ------------------------------------------------------------------------------------ */

pli_vec3 pli_viewer_ray(const pli_viewer *v, float x, float y, pli_camera *camera)
{
    float width = (float)stage_width(v), height = (float)stage_height(v);
    *camera = pli_view_camera_get(&v->camera);
    y -= pli_viewer_stage_top(v);
    return pli_view_camera_ray(camera, 2.0f * x / width - 1.0f, 1.0f - 2.0f * y / height, width / height);
}

int32_t pli_viewer_nearest(const pli_ray_hit *hit)
{
    int32_t most = 0;
    for (int32_t k = 1; k < 3; k++)
        most = hit->weights[k] > hit->weights[most] ? k : most;
    return hit->vertices[most];
}

// Throws a ball at the surface under the pointer, or at the distance of the camera's target if there is none.
static void throw_at(pli_viewer *v, const pli_camera *camera, pli_vec3 ray, const pli_ray_hit *hit, bool meets)
{
    pli_vec3 ahead = pli_sub(camera->target, camera->eye);
    float distance = meets ? hit->distance : sqrtf(pli_dot(ahead, ahead));
    pli_view_session_throw(&v->session, camera->eye, pli_add(camera->eye, pli_scale(ray, distance)));
}

// The nearest collider within a distance; planes are infinite and are left out.
static bool collider_at(const pli_viewer *v, pli_vec3 eye, pli_vec3 ray, float distance, pli_collider *found)
{
    const pli_world *world = v->session.world;
    bool meets = false;
    for (int32_t i = 0; i < pli_world_collider_count(world); i++) {
        pli_collider collider = pli_world_collider_at(world, i);
        pli_collider_def def;
        pli_vec3 normal;
        float here;
        if (pli_collider_get_def(world, collider, &def, NULL) != PLI_STATUS_OK || !isfinite(pli_shape_reach(&def)) ||
            !pli_collider_ray(world, collider, eye, ray, distance, &here, &normal) || here > distance)
            continue;
        *found = collider;
        distance = here;
        meets = true;
    }
    return meets;
}

static bool move_at(pli_viewer *v, pli_vec3 eye, pli_vec3 ray, const pli_ray_hit *hit, bool meets)
{
    pli_collider collider;
    bool taken = collider_at(v, eye, ray, meets ? hit->distance : 1e6f, &collider)
                     ? pli_view_session_take_collider(&v->session, collider)
                     : meets && pli_view_session_take_pin(&v->session, hit->deformable, pli_viewer_nearest(hit));
    v->moved_from = v->session.mover.target;
    return taken;
}

// Target on the ray of the pointer for the moved object: in the plane parallel to the picture, or on the axis where the ray comes
// nearest.
static void lead(pli_viewer *v, const pli_camera *camera, pli_vec3 ray)
{
    pli_vec3 from = v->moved_from, ahead = pli_sub(camera->target, camera->eye), to = pli_sub(from, camera->eye);
    if (v->axis < 0) {
        float slope = pli_dot(ray, ahead);
        if (slope > 0.0f)
            v->session.mover.target = pli_add(camera->eye, pli_scale(ray, pli_dot(to, ahead) / slope));
        return;
    }
    pli_vec3 axis = {v->axis == 0, v->axis == 1, v->axis == 2};
    float along = pli_dot(axis, ray), across = 1.0f - along * along;
    if (across > 1e-4f)
        v->session.mover.target = pli_add(from,
                                          pli_scale(axis, (pli_dot(to, ray) * along - pli_dot(to, axis)) / across));
}

static void grab_at(pli_viewer *v, const pli_ray_hit *hit)
{
    pli_view_session_grab(&v->session, hit->deformable, pli_viewer_nearest(hit));
    if (!v->session.playing && v->session.holds)
        pli_view_session_tell(&v->session, "time is paused, so nothing moves: press Space, then pull");
}

static void pin_at(pli_viewer *v, const pli_ray_hit *hit)
{
    const int32_t vertex = pli_viewer_nearest(hit);
    if (pli_view_session_is_held(&v->session, hit->deformable, vertex))
        pli_view_session_unpin(&v->session, hit->deformable, vertex);
    else
        pli_view_session_pin(&v->session, hit->deformable, vertex);
}

bool pli_viewer_press(pli_viewer *v, float x, float y)
{
    pli_camera camera;
    pli_vec3 ray = pli_viewer_ray(v, x, y, &camera);
    pli_ray_hit hit;
    bool meets = pli_world_ray(v->session.world, camera.eye, ray, 1e6f, UINT32_MAX, &hit);
    v->still = 0;
    // No tool works on a recording.
    if (v->session.cache)
        return false;
    if (v->tool == PLI_VIEW_BALL)
        throw_at(v, &camera, ray, &hit, meets);
    else if (v->tool == PLI_VIEW_BLOW)
        pli_view_session_blow(&v->session, camera.eye, ray);
    else if (v->tool == PLI_VIEW_MOVE)
        return move_at(v, camera.eye, ray, &hit, meets);
    else if (!meets)
        return false;
    else if (v->tool == PLI_VIEW_GRAB)
        grab_at(v, &hit);
    else if (v->tool == PLI_VIEW_PIN)
        pin_at(v, &hit);
    else if (v->tool == PLI_VIEW_BRUSH)
        pli_viewer_paint(v, &hit, x, y);
    else
        v->stroke = hit, v->stroke_x = x, v->stroke_y = y;
    return true;
}

// The grab target stays in its plane parallel to the picture.
void pli_viewer_drag(pli_viewer *v, float x, float y)
{
    pli_camera camera;
    pli_vec3 ray = pli_viewer_ray(v, x, y, &camera), ahead = pli_sub(camera.target, camera.eye);
    float depth = pli_dot(pli_sub(v->session.target, camera.eye), ahead), slope = pli_dot(ray, ahead);
    v->still = 0;
    pli_viewer_paint_on(v, x, y);
    if (v->session.gust.blows)
        pli_view_session_blow(&v->session, camera.eye, ray);
    if (v->session.mover.holds)
        lead(v, &camera, ray);
    if (v->session.holds && slope > 0.0f)
        v->session.target = pli_add(camera.eye, pli_scale(ray, depth / slope));
}

// A stroke cuts along the plane through the eye and both of its ends.
static void cut(pli_viewer *v, float x, float y)
{
    pli_camera camera;
    pli_vec3 first = pli_viewer_ray(v, v->stroke_x, v->stroke_y, &camera), last = pli_viewer_ray(v, x, y, &camera);
    pli_vec3 normal = pli_cross(first, last),
             end = pli_scale(last, v->stroke.distance / fmaxf(pli_dot(first, last), 1e-3f));
    pli_vec3 other = pli_add(camera.eye, end), way = pli_sub(other, v->stroke.position);
    pli_vec3 middle = pli_scale(pli_add(other, v->stroke.position), 0.5f);
    float length = sqrtf(pli_dot(way, way));
    if (length > 0.0f)
        pli_view_session_cut(&v->session, v->stroke.deformable, middle, normal, 0.5f * length);
    memset(&v->stroke, 0, sizeof v->stroke);
}

void pli_viewer_release(pli_viewer *v, float x, float y)
{
    pli_view_session_release(&v->session);
    pli_view_session_calm(&v->session);
    pli_view_session_drop(&v->session);
    pli_view_session_stroke_end(&v->session);
    if (v->stroke.deformable.id != 0)
        cut(v, x, y);
    v->still = 0;
}
