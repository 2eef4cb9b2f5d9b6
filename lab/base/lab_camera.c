// Fits cameras to points.
//
// Each edge of the picture is a plane through the eye; its normal is fixed by the direction of view and the lens, so
// that the farthest point along each normal says where the plane may stand. Two opposite planes meet at the eye's place
// along one axis of the picture and at its least distance; the larger of both distances is the camera's.
#include "base/lab_camera.h"

#include <pliant/math.h>

#include <math.h>

static const float margin = 1.08f;

typedef struct axes {
    pli_vec3 right, top, back;
    float wide, high; // Slopes of the picture's edges, with the margin.
} axes;

static pli_vec3 unit(pli_vec3 v) { return pli_scale(v, 1.0f / sqrtf(pli_dot(v, v))); }

static axes axes_of(const lab_lens *lens)
{
    axes a = {.back = unit(lens->toward), .high = tanf(lens->field_of_view * 0.00872664626f) / margin};
    a.right = unit(pli_cross(lens->up, a.back));
    a.top = pli_cross(a.back, a.right);
    a.wide = a.high * lens->aspect;
    return a;
}

// The largest coordinate of any point along n.
static float support(const pli_view *views, int32_t count, pli_vec3 n)
{
    float most = -INFINITY;
    for (int32_t k = 0; k < count; k++)
        for (int32_t i = 0; i < views[k].count; i++) {
            const float *p = pli_view_at(views[k], i);
            most = fmaxf(most, p[0] * n.x + p[1] * n.y + p[2] * n.z);
        }
    return isfinite(most) ? most : 0.0f;
}

// The eye's coordinate along `back` at which both edges touch the points, and along `side`.
static float touch(const pli_view *views, int32_t count, pli_vec3 side, pli_vec3 back, float slope, float *place)
{
    float above = support(views, count, pli_add(pli_scale(back, slope), side));
    float below = support(views, count, pli_sub(pli_scale(back, slope), side));
    *place = 0.5f * (above - below);
    return 0.5f * (above + below) / slope;
}

pli_camera lab_camera_fit(const pli_view *views, int32_t count, const lab_lens *lens)
{
    axes a = axes_of(lens);
    float x, y, far = touch(views, count, a.right, a.back, a.wide, &x);
    far = fmaxf(far, touch(views, count, a.top, a.back, a.high, &y));
    // A point alone would have the eye on it.
    far = fmaxf(far, support(views, count, a.back) + 1e-3f);
    pli_vec3 eye = pli_add(pli_add(pli_scale(a.right, x), pli_scale(a.top, y)), pli_scale(a.back, far));
    return (pli_camera){eye, pli_sub(eye, a.back), lens->up, lens->field_of_view};
}

float lab_camera_aspect(const pli_view *views, int32_t count, lab_lens lens, float least, float most)
{
    for (int32_t i = 0; i < 24; i++) {
        lens.aspect = 0.5f * (least + most);
        axes a = axes_of(&lens);
        float place;
        bool too_wide = touch(views, count, a.right, a.back, a.wide, &place) <
                        touch(views, count, a.top, a.back, a.high, &place);
        *(too_wide ? &most : &least) = lens.aspect;
    }
    return lens.aspect;
}

float lab_camera_distance(const pli_view *views, int32_t count, const pli_camera *camera)
{
    pli_vec3 back = unit(pli_sub(camera->eye, camera->target));
    float near = support(views, count, back), far = -support(views, count, pli_scale(back, -1.0f));
    return pli_dot(camera->eye, back) - 0.5f * (near + far);
}

void lab_camera_retreat(const pli_view *views, int32_t count, float distance, pli_camera *camera)
{
    pli_vec3 back = unit(pli_sub(camera->eye, camera->target));
    pli_vec3 shift = pli_scale(back, distance - lab_camera_distance(views, count, camera));
    camera->eye = pli_add(camera->eye, shift);
    camera->target = pli_add(camera->target, shift);
}
