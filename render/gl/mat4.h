// 4 x 4 matrices in column-major order, as OpenGL expects them, and the camera.
#ifndef PLI_RENDER_MAT4_H
#define PLI_RENDER_MAT4_H

#include <pliant/render.h>

#include <pliant/math.h>

typedef struct matrix {
    float m[16];
} matrix;

static inline pli_vec3 vec_unit(pli_vec3 a)
{
    float length = sqrtf(pli_dot(a, a));
    return length > 0.0f ? pli_scale(a, 1.0f / length) : (pli_vec3){0, 1, 0};
}

// Some unit vector perpendicular to `a`.
pli_vec3 vec_across(pli_vec3 a);
matrix matrix_product(const matrix *a, const matrix *b);
matrix matrix_look(pli_vec3 eye, pli_vec3 target, pli_vec3 up);
matrix matrix_perspective(float field_of_view, float aspect, float near, float far);
matrix matrix_orthographic(float half_width, float half_height, float near, float far);

#endif
