// Orbit, pan and zoom.
#include "camera.h"

#include <pliant/math.h>

static const float degree = 0.0174532925f, steepest = 89.0f;
// The least height of the eye over a ground, over its distance from the target.
static const float above_ground = 0.01f;

static pli_vec3 unit(pli_vec3 v)
{
    float length = sqrtf(pli_dot(v, v));
    return length > 0.0f ? pli_scale(v, 1.0f / length) : (pli_vec3){0, 1, 0};
}

// Two directions perpendicular to `up`, the same for each camera.
static void plane_of(pli_vec3 up, pli_vec3 *across, pli_vec3 *ahead)
{
    pli_vec3 other = fabsf(up.z) < 0.6f ? (pli_vec3){0, 0, 1} : (pli_vec3){0, 1, 0};
    *across = unit(pli_cross(up, other));
    *ahead = pli_cross(*across, up);
}

pli_view_camera pli_view_camera_from(const pli_camera *c, pli_vec3 up)
{
    pli_vec3 across, ahead, back = pli_sub(c->eye, c->target);
    pli_view_camera v = {.target = c->target, .up = unit(up), .field_of_view = c->field_of_view};
    plane_of(v.up, &across, &ahead);
    v.distance = fmaxf(sqrtf(pli_dot(back, back)), 1e-4f);
    v.pitch = asinf(fminf(fmaxf(pli_dot(back, v.up) / v.distance, -1.0f), 1.0f)) / degree;
    v.yaw = atan2f(pli_dot(back, across), pli_dot(back, ahead)) / degree;
    return v;
}

pli_camera pli_view_camera_get(const pli_view_camera *v)
{
    pli_vec3 across, ahead;
    plane_of(v->up, &across, &ahead);
    float flat = cosf(v->pitch * degree);
    pli_vec3 back = pli_add(pli_scale(across, flat * sinf(v->yaw * degree)),
                            pli_scale(ahead, flat * cosf(v->yaw * degree)));
    back = pli_add(back, pli_scale(v->up, sinf(v->pitch * degree)));
    pli_vec3 eye = pli_add(v->target, pli_scale(back, v->distance));
    const float below = v->ground + above_ground * v->distance - pli_dot(eye, v->up);
    if (v->grounded && below > 0.0f)
        eye = pli_add(eye, pli_scale(v->up, below));
    return (pli_camera){eye, v->target, v->up, v->field_of_view};
}

// A target below the ground would leave only the floor in the picture.
static void raise_target(pli_view_camera *v)
{
    const float below = v->ground - pli_dot(v->target, v->up);
    if (v->grounded && below > 0.0f)
        v->target = pli_add(v->target, pli_scale(v->up, below));
}

void pli_view_camera_turn(pli_view_camera *v, float right, float down)
{
    v->yaw -= 180.0f * right;
    v->pitch = fminf(fmaxf(v->pitch + 180.0f * down, -steepest), steepest);
}

void pli_view_camera_move(pli_view_camera *v, float right, float down)
{
    pli_camera c = pli_view_camera_get(v);
    pli_vec3 back = unit(pli_sub(c.eye, c.target)), side = unit(pli_cross(v->up, back)), top = pli_cross(back, side);
    float height = 2.0f * v->distance * tanf(0.5f * v->field_of_view * degree);
    v->target = pli_add(v->target, pli_add(pli_scale(side, -right * height), pli_scale(top, down * height)));
    raise_target(v);
}

// Scaling the eye and the target about a point keeps the point where it is in the picture.
void pli_view_camera_zoom(pli_view_camera *v, float steps, pli_vec3 towards)
{
    const float distance = fminf(fmaxf(v->distance * powf(1.12f, -steps), 1e-3f), 1e5f),
                factor = distance / v->distance;
    v->target = pli_add(towards, pli_scale(pli_sub(v->target, towards), factor));
    v->distance = distance;
    raise_target(v);
}

void pli_view_camera_pivot(pli_view_camera *v, pli_vec3 point)
{
    const pli_camera c = pli_view_camera_get(v);
    const pli_vec3 ahead = pli_scale(pli_sub(c.target, c.eye), 1.0f / v->distance);
    v->distance = fmaxf(pli_dot(pli_sub(point, c.eye), ahead), 1e-3f);
    v->target = point;
    raise_target(v);
}

void pli_view_camera_frame(pli_view_camera *v, pli_vec3 low, pli_vec3 high, float aspect)
{
    pli_camera fit;
    const pli_camera now = pli_view_camera_get(v);
    const pli_view_camera before = *v, seen = pli_view_camera_from(&now, v->up);
    pli_camera_get_fit(low, high, v->up, aspect, 0.0f, seen.pitch, &fit);
    const pli_view_camera front = pli_view_camera_from(&fit, v->up);
    pli_camera_get_fit(low, high, v->up, aspect, seen.yaw - front.yaw, seen.pitch, &fit);
    *v = pli_view_camera_from(&fit, v->up);
    v->grounded = before.grounded, v->ground = before.ground;
}

pli_vec3 pli_view_camera_ray(const pli_camera *c, float x, float y, float aspect)
{
    pli_vec3 back = unit(pli_sub(c->eye, c->target)), side = unit(pli_cross(c->up, back)), top = pli_cross(back, side);
    float slope = tanf(0.5f * c->field_of_view * degree);
    pli_vec3 ray = pli_add(pli_scale(side, x * slope * aspect), pli_scale(top, y * slope));
    return unit(pli_sub(ray, back));
}
