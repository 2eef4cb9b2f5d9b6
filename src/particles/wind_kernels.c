// Area normals, vertex normals and the force of the wind: particles/wind_kernels.h. The passes over triangles compute
// WIDE triangles at a time; the passes over vertices add the vectors of their triangles in a fixed order.
#include "particles/wind_kernels.h"

#include <string.h>

static inline wide_particle load(const pli_particle *from, const int32_t *index)
{
    wide_particle p;
    wide_load_particles(from, index, &p.x.x, &p.x.y, &p.x.z, &p.w);
    return p;
}

static inline wide3 area_normal(wide3 a, wide3 b, wide3 c) { return wide3_cross(wide3_sub(b, a), wide3_sub(c, a)); }

static void area(void *wind, int32_t begin, int32_t end)
{
    const pli_wind *m = wind;
    for (int32_t t = begin; t < end; t += WIDE) {
        wide3 at[3];
        for (int32_t k = 0; k < 3; k++)
            at[k] = load(m->positions, m->corners[k] + t).x;
        wide_store_row(m->faces + t, area_normal(at[0], at[1], at[2]), wide_set(0.0f));
    }
}

// Pressure rho |u_n| u_n on a triangle of area A; each corner takes a third of the force. The velocity change is taken
// implicitly, by 1 / (1 + k h w), so that it never overshoots the velocity of the air, however light the cloth.
static void push(void *wind, int32_t begin, int32_t end)
{
    const pli_wind *m = wind;
    wide one = wide_set(1.0f), third = wide_set(1.0f / 3.0f), step = wide_set(m->step);
    wide3 air = {wide_set(m->wind.x), wide_set(m->wind.y), wide_set(m->wind.z)};
    for (int32_t t = begin; t < end; t += WIDE) {
        wide3 at[3], velocity = {wide_set(0.0f), wide_set(0.0f), wide_set(0.0f)};
        wide weight = wide_set(0.0f);
        for (int32_t k = 0; k < 3; k++) {
            wide_particle p = load(m->positions, m->corners[k] + t);
            velocity = wide3_add(velocity, load(m->velocities, m->corners[k] + t).x);
            weight = weight + p.w * third;
            at[k] = p.x;
        }
        wide3 doubled = area_normal(at[0], at[1], at[2]);
        wide length = wide3_length(doubled);
        wide3 n = wide3_scale(doubled, wide_inverse_above(length, 0.0f));
        wide speed = wide3_dot(wide3_sub(air, wide3_scale(velocity, third)), n);
        wide per_speed = wide_set(m->air_density) * wide_abs(speed) * wide_set(0.5f) * length * third;
        wide impulse = per_speed * speed * step / (one + per_speed * step * weight);
        wide_store_row(m->faces + t, wide3_scale(n, impulse), wide_set(0.0f));
    }
}

// A particle, or the vector of a triangle, as four floats in one register.
typedef float vector4 __attribute__((vector_size(16)));

static inline vector4 load_vector4(const pli_particle *from)
{
    vector4 a;
    memcpy(&a, from, sizeof a);
    return a;
}

// Adds the vectors of the triangles around a particle in the order of its list, at any SIMD width.
static inline vector4 sum_around(const pli_wind *m, int32_t i)
{
    int32_t vertex = m->vertices ? m->vertices[i] : i;
    vector4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int32_t k = m->begins[vertex]; k < m->ends[vertex]; k++)
        sum += load_vector4(&m->faces[m->around[k]]);
    return sum;
}

static void make_unit(pli_particle *vectors, int32_t count)
{
    for (int32_t i = 0; i < count; i += WIDE) {
        pli_particle copy[WIDE], *at = count - i < WIDE ? copy : vectors + i;
        for (int32_t k = 0; at == copy && k < WIDE; k++)
            copy[k] = k < count - i ? vectors[i + k] : (pli_particle){0};
        wide3 v = wide_load_row(at).x;
        wide_store_row(at, wide3_scale(v, wide_inverse_above(wide3_length(v), 0.0f)), wide_set(0.0f));
        for (int32_t k = 0; at == copy && k < count - i; k++)
            vectors[i + k] = copy[k];
    }
}

static void normal(void *wind, int32_t begin, int32_t end)
{
    const pli_wind *m = wind;
    for (int32_t i = begin; i < end; i++) {
        vector4 sum = sum_around(m, i);
        memcpy(&m->normals[i], &sum, sizeof sum);
    }
    make_unit(m->normals + begin, end - begin);
}

// Adds the impulses times the inverse mass. Vectors of triangles have w = 0, so velocities keep theirs.
static void blow(void *wind, int32_t begin, int32_t end)
{
    const pli_wind *m = wind;
    for (int32_t i = begin; i < end; i++) {
        float w = m->positions[i].w;
        vector4 v = load_vector4(&m->velocities[i]) + sum_around(m, i) * (vector4){w, w, w, w};
        memcpy(&m->velocities[i], &v, sizeof v);
    }
}

const pli_wind_kernels PLI_NAMED(pli_wind) = {area, push, normal, blow};
