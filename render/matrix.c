#include "matrix.h"

pli_vec3 vec_across(pli_vec3 a)
{
    pli_vec3 other = fabsf(a.x) < 0.6f ? (pli_vec3){1, 0, 0} : (pli_vec3){0, 0, 1};
    return vec_unit(vec_cross(other, a));
}

matrix matrix_product(const matrix *a, const matrix *b)
{
    matrix result = {{0}};
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++)
            for (int k = 0; k < 4; k++)
                result.m[4 * column + row] += a->m[4 * k + row] * b->m[4 * column + k];
    return result;
}

matrix matrix_look(pli_vec3 eye, pli_vec3 target, pli_vec3 up)
{
    pli_vec3 back = vec_unit(vec_sub(eye, target));
    pli_vec3 right = vec_cross(up, back);
    right = vec_dot(right, right) > 1e-12f ? vec_unit(right) : vec_across(back);
    pli_vec3 top = vec_cross(back, right);
    return (matrix){{right.x, top.x, back.x, 0, right.y, top.y, back.y, 0, right.z, top.z, back.z, 0,
                     -vec_dot(right, eye), -vec_dot(top, eye), -vec_dot(back, eye), 1}};
}

matrix matrix_perspective(float field_of_view, float aspect, float near, float far)
{
    float f = 1.0f / tanf(field_of_view * 0.00872664626f);
    return (matrix){{f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0,
                     2.0f * far * near / (near - far), 0}};
}

matrix matrix_orthographic(float half_width, float half_height, float near, float far)
{
    return (matrix){{1.0f / half_width, 0, 0, 0, 0, 1.0f / half_height, 0, 0, 0, 0, 2.0f / (near - far), 0, 0, 0,
                     (far + near) / (near - far), 1}};
}

// How far the corners of a box of half sizes h reach along the direction n, which need not be a unit vector.
static float reach(pli_vec3 h, pli_vec3 n) { return fabsf(h.x * n.x) + fabsf(h.y * n.y) + fabsf(h.z * n.z); }

// A picture's edge is a plane through the eye whose normal is side - slope * back, for either side. Along it the corners
// reach from the centre as far as `reach` says. The eye lies where both edges touch: at `shift` along `side`, and at
// the returned distance along `back`.
static float touch_edges(pli_vec3 half, pli_vec3 side, pli_vec3 back, float slope, float *shift)
{
    float right = reach(half, vec_add(side, vec_scale(back, slope)));
    float left = reach(half, vec_sub(vec_scale(back, slope), side));
    *shift = 0.5f * (right - left);
    return 0.5f * (right + left) / slope;
}

void pli_camera_get_fit(pli_vec3 minimum, pli_vec3 maximum, pli_vec3 up, float aspect, pli_camera *camera)
{
    const float field_of_view = 35.0f, margin = 1.06f;
    pli_vec3 centre = vec_scale(vec_add(minimum, maximum), 0.5f), half = vec_scale(vec_sub(maximum, minimum), 0.5f);
    float radius = sqrtf(vec_dot(half, half));
    if (!isfinite(radius))
        centre = (pli_vec3){0, 0, 0};
    if (!isfinite(radius) || !(radius > 1e-6f))
        half = (pli_vec3){0.577f, 0.577f, 0.577f};
    aspect = aspect > 0.0f && isfinite(aspect) ? aspect : 1.0f;
    up = vec_unit(up);
    pli_vec3 across = vec_across(up), front = vec_cross(across, up);
    pli_vec3 back = vec_unit(vec_add(vec_add(vec_scale(across, 0.55f), vec_scale(front, 0.85f)), vec_scale(up, 0.42f)));
    pli_vec3 right = vec_unit(vec_cross(up, back)), top = vec_cross(back, right);
    float slope = tanf(0.5f * field_of_view * 0.0174532925f) / margin, x, y;
    float distance = touch_edges(half, right, back, slope * aspect, &x);
    distance = fmaxf(distance, touch_edges(half, top, back, slope, &y));
    // What is seen from its end must not come to the eye.
    distance = fmaxf(distance, 1.1f * reach(half, back));
    pli_vec3 target = vec_add(centre, vec_add(vec_scale(right, x), vec_scale(top, y)));
    *camera = (pli_camera){vec_add(target, vec_scale(back, distance)), target, up, field_of_view};
}
