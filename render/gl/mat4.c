// Products, view and projection matrices, and the camera that frames a box.
#include "gl/mat4.h"

pli_vec3 vec_across(pli_vec3 a)
{
    pli_vec3 other = fabsf(a.x) < 0.6f ? (pli_vec3){1, 0, 0} : (pli_vec3){0, 0, 1};
    return vec_unit(pli_cross(other, a));
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
    pli_vec3 back = vec_unit(pli_sub(eye, target));
    pli_vec3 right = pli_cross(up, back);
    right = pli_dot(right, right) > 1e-12f ? vec_unit(right) : vec_across(back);
    pli_vec3 top = pli_cross(back, right);
    return (matrix){{right.x, top.x, back.x, 0, right.y, top.y, back.y, 0, right.z, top.z, back.z, 0,
                     -pli_dot(right, eye), -pli_dot(top, eye), -pli_dot(back, eye), 1}};
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

// Largest projection of a box of half sizes h on the direction n, which need not be a unit vector.
static float reach(pli_vec3 h, pli_vec3 n) { return fabsf(h.x * n.x) + fabsf(h.y * n.y) + fabsf(h.z * n.z); }

// Each of two opposite edges of the picture is a plane through the eye with the normal side - slope * back, and the box extends `reach`
// along that normal. Both planes touch the box if the eye is at `shift` along `side` and at the returned distance along `back`.
static float touch_edges(pli_vec3 half, pli_vec3 side, pli_vec3 back, float slope, float *shift)
{
    float right = reach(half, pli_add(side, pli_scale(back, slope)));
    float left = reach(half, pli_sub(pli_scale(back, slope), side));
    *shift = 0.5f * (right - left);
    return 0.5f * (right + left) / slope;
}

void pli_camera_get_fit(pli_vec3 minimum, pli_vec3 maximum, pli_vec3 up, float aspect, float azimuth, float elevation,
                        pli_camera *camera)
{
    const float field_of_view = 30.0f, margin = 1.06f, degree = 0.0174532925f;
    pli_vec3 centre = pli_scale(pli_add(minimum, maximum), 0.5f), half = pli_scale(pli_sub(maximum, minimum), 0.5f);
    float radius = sqrtf(pli_dot(half, half));
    if (!isfinite(radius))
        centre = (pli_vec3){0, 0, 0};
    if (!isfinite(radius) || !(radius > 1e-6f))
        half = (pli_vec3){0.577f, 0.577f, 0.577f};
    aspect = aspect > 0.0f && isfinite(aspect) ? aspect : 1.0f;
    up = vec_unit(up);
    pli_vec3 ahead = fabsf(up.z) < 0.9f ? (pli_vec3){0, 0, 1} : (pli_vec3){0, -1, 0};
    pli_vec3 across = vec_unit(pli_cross(up, ahead)), front = pli_cross(across, up);
    azimuth = isfinite(azimuth) ? azimuth * degree : 0.0f;
    elevation = isfinite(elevation) ? fminf(fmaxf(elevation, -89.0f), 89.0f) * degree : 0.0f;
    pli_vec3 level = pli_add(pli_scale(across, sinf(azimuth)), pli_scale(front, cosf(azimuth)));
    pli_vec3 back = pli_add(pli_scale(level, cosf(elevation)), pli_scale(up, sinf(elevation)));
    pli_vec3 right = vec_unit(pli_cross(up, back)), top = pli_cross(back, right);
    float slope = tanf(0.5f * field_of_view * degree) / margin, x, y;
    float distance = touch_edges(half, right, back, slope * aspect, &x);
    distance = fmaxf(distance, touch_edges(half, top, back, slope, &y));
    // Keeps the eye outside of the box.
    distance = fmaxf(distance, 1.1f * reach(half, back));
    pli_vec3 target = pli_add(centre, pli_add(pli_scale(right, x), pli_scale(top, y)));
    *camera = (pli_camera){pli_add(target, pli_scale(back, distance)), target, up, field_of_view};
}
