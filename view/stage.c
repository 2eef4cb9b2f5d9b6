// Camera moves keep the eye and the target above the ground (camera.c).
#include "stage.h"

#include "session/tools.h"

#include <pliant/math.h>

#include <math.h>

static bool surface_at(const pli_viewer *v, float x, float y, pli_ray_hit *hit, pli_camera *camera, pli_vec3 *ray)
{
    *ray = pli_viewer_ray(v, x, y, camera);
    return pli_world_ray(v->session.world, camera->eye, *ray, 1e6f, UINT32_MAX, hit);
}

void pli_viewer_wheel(pli_viewer *v, float x, float y, float steps, bool changes_radius)
{
    pli_camera camera;
    pli_ray_hit hit;
    pli_vec3 ray;
    v->still = 0;
    if (changes_radius) {
        pli_viewer_widen(v, powf(1.12f, steps));
    } else if (v->session.tools.hands[0].holds) {
        const pli_session_pointer pointer = pli_viewer_pointer(v, x, y);
        pli_session_push(&v->session, 0, &pointer, powf(1.05f, steps));
    } else {
        const bool meets = surface_at(v, x, y, &hit, &camera, &ray);
        const pli_vec3 ahead = pli_sub(camera.target, camera.eye);
        const float depth = pli_dot(ahead, ahead) / fmaxf(pli_dot(ray, ahead), 1e-6f);
        pli_view_camera_zoom(&v->camera, steps, meets ? hit.position : pli_add(camera.eye, pli_scale(ray, depth)));
    }
}

void pli_viewer_pivot(pli_viewer *v, float x, float y)
{
    pli_camera camera;
    pli_ray_hit hit;
    pli_vec3 ray;
    v->still = 0;
    if (surface_at(v, x, y, &hit, &camera, &ray))
        pli_view_camera_pivot(&v->camera, hit.position);
    else
        pli_viewer_frame_all(v);
}

static void include(pli_vec3 box[2], const float *p, float reach)
{
    box[0] = (pli_vec3){fminf(box[0].x, p[0] - reach), fminf(box[0].y, p[1] - reach), fminf(box[0].z, p[2] - reach)};
    box[1] = (pli_vec3){fmaxf(box[1].x, p[0] + reach), fmaxf(box[1].y, p[1] + reach), fmaxf(box[1].z, p[2] + reach)};
}

void pli_viewer_frame_all(pli_viewer *v)
{
    const pli_world *world = v->session.world;
    pli_vec3 box[2] = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++) {
        const pli_view positions = pli_deformable_positions(world, pli_world_deformable_at(world, i));
        for (int32_t k = 0; k < positions.count; k++)
            include(box, pli_view_at(positions, k), 0.0f);
    }
    for (int32_t i = 0; i < pli_world_collider_count(world); i++) {
        pli_collider_def def;
        // Unused balls collide with nothing.
        if (pli_collider_get_def(world, pli_world_collider_at(world, i), &def, NULL) != PLI_STATUS_OK ||
            def.layers == 0 || !isfinite(pli_shape_reach(&def)))
            continue;
        const float at[] = {def.pose.position.x, def.pose.position.y, def.pose.position.z};
        include(box, at, pli_shape_reach(&def));
    }
    if (box[0].x <= box[1].x)
        pli_view_camera_frame(&v->camera, box[0], box[1], pli_viewer_stage_width(v) / pli_viewer_stage_height(v));
    v->still = 0;
}

/* ---- radii -------------------------------------------------------------------------------------- */

bool pli_viewer_has_radius(const pli_viewer *v) { return pli_session_tool_has_radius(v->tool); }

float pli_viewer_radius(const pli_viewer *v, pli_deformable deformable)
{
    return pli_session_radius(&v->session, v->tool, deformable);
}

void pli_viewer_widen(pli_viewer *v, float factor)
{
    pli_session_widen(&v->session, v->tool, factor);
    v->still = 0;
}

/* ---- what is there ------------------------------------------------------------------------------ */

void pli_viewer_describe(pli_viewer *v)
{
    pli_session *s = &v->session;
    const pli_vec3 up = v->camera.up;
    pli_statistics now;
    float lowest = INFINITY;
    pli_world_get_statistics(s->world, &now);
    for (int32_t i = 0; i < pli_world_deformable_count(s->world); i++) {
        const pli_view positions = pli_deformable_positions(s->world, pli_world_deformable_at(s->world, i));
        for (int32_t k = 0; k < positions.count; k++) {
            const float *p = pli_view_at(positions, k);
            lowest = fminf(lowest, pli_dot((pli_vec3){p[0], p[1], p[2]}, up));
        }
    }
    pli_session_tell(s, "%s: %d particles, lowest point %.0f cm %s, stretch %.2g %%, %d contacts, %s",
                     pli_scene_title(pli_session_scene(s)), (int)now.particle_count,
                     100.0 * (double)(lowest - (v->camera.grounded ? v->camera.ground : 0.0f)),
                     v->camera.grounded ? "above the ground" : "above the origin", 100.0 * now.stretch_rms,
                     (int)now.contact_count, s->playing ? "playing" : "paused");
}

bool pli_viewer_has_list(const pli_viewer *v)
{
    return v->desk->shows_gallery || v->desk->shows_files || v->desk->shows_keys;
}

void pli_viewer_close_lists(pli_viewer *v)
{
    v->desk->shows_gallery = v->desk->shows_files = v->desk->shows_keys = false;
}
