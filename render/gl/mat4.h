// 4 x 4 matrices by columns, as OpenGL takes them, and the camera.
#ifndef PLI_RENDER_MAT4_H
#define PLI_RENDER_MAT4_H

#include <pliant/render.h>

#include <math.h>

typedef struct matrix {
    float m[16];
} matrix;

static inline pli_vec3 vec_sub(pli_vec3 a, pli_vec3 b) { return (pli_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline pli_vec3 vec_add(pli_vec3 a, pli_vec3 b) { return (pli_vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline pli_vec3 vec_scale(pli_vec3 a, float s) { return (pli_vec3){a.x * s, a.y * s, a.z * s}; }
static inline float vec_dot(pli_vec3 a, pli_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline pli_vec3 vec_cross(pli_vec3 a, pli_vec3 b)
{
    return (pli_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline pli_vec3 vec_unit(pli_vec3 a)
{
    float length = sqrtf(vec_dot(a, a));
    return length > 0.0f ? vec_scale(a, 1.0f / length) : (pli_vec3){0, 1, 0};
}

// Some unit vector across `a`.
pli_vec3 vec_across(pli_vec3 a);
matrix matrix_product(const matrix *a, const matrix *b);
matrix matrix_look(pli_vec3 eye, pli_vec3 target, pli_vec3 up);
matrix matrix_perspective(float field_of_view, float aspect, float near, float far);
matrix matrix_orthographic(float half_width, float half_height, float near, float far);

#endif
