// The projections of Table 1 as plain loops. See plain_loops.h.
#include "papers/plain_loops.h"

#include <math.h>

typedef struct vec {
    float x, y, z;
} vec;

static inline vec from(const plain_particle *a, const plain_particle *b)
{
    return (vec){b->x - a->x, b->y - a->y, b->z - a->z};
}
static inline float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec scale(vec a, float s) { return (vec){s * a.x, s * a.y, s * a.z}; }
static inline vec over(vec a, float s) { return (vec){a.x / s, a.y / s, a.z / s}; }
static inline vec add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline void move(plain_particle *p, vec d, float s) { p->x += s * d.x, p->y += s * d.y, p->z += s * d.z; }

void plain_triangles(plain_particle *particles, const int32_t *stencils, const float *rest, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        plain_particle *b0 = &particles[stencils[3 * i]], *b1 = &particles[stencils[3 * i + 1]],
                       *v = &particles[stencils[3 * i + 2]];
        vec d = {v->x - (b0->x + b1->x + v->x) * (1.0f / 3.0f), v->y - (b0->y + b1->y + v->y) * (1.0f / 3.0f),
                 v->z - (b0->z + b1->z + v->z) * (1.0f / 3.0f)};
        float length = sqrtf(dot(d, d));
        if (length < 1e-12f)
            continue;
        float change = (1.0f - rest[i] / length) / (b0->w + b1->w + 2.0f * v->w);
        move(b0, d, 2.0f * b0->w * change);
        move(b1, d, 2.0f * b1->w * change);
        move(v, d, -4.0f * v->w * change);
    }
}

void plain_dihedrals(plain_particle *particles, const int32_t *stencils, const float *rest, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        plain_particle *p[4];
        for (int32_t k = 0; k < 4; k++)
            p[k] = &particles[stencils[4 * i + k]];
        vec p2 = from(p[0], p[1]), p3 = from(p[0], p[2]), p4 = from(p[0], p[3]);
        vec n1 = cross(p2, p3), n2 = cross(p2, p4);
        float length1 = sqrtf(dot(n1, n1)), length2 = sqrtf(dot(n2, n2));
        n1 = over(n1, length1), n2 = over(n2, length2);
        float d = fmaxf(fminf(dot(n1, n2), 1.0f), -1.0f);
        vec q[4];
        q[2] = over(add(cross(p2, n2), scale(cross(n1, p2), d)), length1);
        q[3] = over(add(cross(p2, n1), scale(cross(n2, p2), d)), length2);
        vec from3 = over(add(cross(p3, n2), scale(cross(n1, p3), d)), length1);
        vec from4 = over(add(cross(p4, n1), scale(cross(n2, p4), d)), length2);
        q[1] = scale(add(from3, from4), -1.0f);
        q[0] = scale(add(q[1], add(q[2], q[3])), -1.0f);
        float weight = 0.0f, sine = sqrtf(1.0f - d * d);
        for (int32_t k = 0; k < 4; k++)
            weight += p[k]->w * dot(q[k], q[k]);
        if (weight < 1e-12f || sine == 0.0f)
            continue;
        float change = -sine * (acosf(d) - rest[i]) / weight;
        for (int32_t k = 0; k < 4; k++)
            move(p[k], q[k], p[k]->w * change);
    }
}

void plain_sticks(plain_particle *particles, const int32_t *stencils, const float *rest, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        plain_particle *a = &particles[stencils[2 * i]], *b = &particles[stencils[2 * i + 1]];
        vec d = from(b, a);
        float length = sqrtf(dot(d, d));
        float change = (length - rest[i]) / ((a->w + b->w) * length);
        move(a, d, -a->w * change);
        move(b, d, b->w * change);
    }
}
