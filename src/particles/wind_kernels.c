// Area normals, vertex normals and the force of the wind: particles/wind_kernels.h. The passes over triangles compute WIDE triangles at a
// time, and the wind pass computes WIDE vertices at a time; every sum around a vertex follows the order of its list.
#include "particles/wind_kernels.h"

#include <string.h>

static inline wide_particle wind_load(const pli_particle *from, const int32_t *index)
{
    wide_particle p;
    wide_load_particles(from, index, &p.x.x, &p.x.y, &p.x.z, &p.w);
    return p;
}

static inline wide3 area_normal(wide3 a, wide3 b, wide3 c) { return wide3_cross(wide3_sub(b, a), wide3_sub(c, a)); }

static void find_area(void *wind, int32_t begin, int32_t end)
{
    const pli_wind *m = wind;
    for (int32_t t = begin; t < end; t += WIDE) {
        wide3 at[3];
        for (int32_t k = 0; k < 3; k++)
            at[k] = wind_load(m->positions, m->corners[k] + t).x;
        wide_store_row(m->faces + t, area_normal(at[0], at[1], at[2]), wide_set(0.0f));
    }
}

// Twice the area times the unit normal, and one over twice the area; zero where there is none.
static void face(void *wind, int32_t begin, int32_t end)
{
    const pli_wind *m = wind;
    for (int32_t t = begin; t < end; t += WIDE) {
        wide3 at[3];
        for (int32_t k = 0; k < 3; k++)
            at[k] = wind_load(m->positions, m->corners[k] + t).x;
        wide3 doubled = area_normal(at[0], at[1], at[2]);
        wide_store_row(m->faces + t, doubled, wide_inverse_above(wide3_length(doubled), 0.0f));
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

static void find_normal(void *wind, int32_t begin, int32_t end)
{
    const pli_wind *m = wind;
    for (int32_t i = begin; i < end; i++) {
        vector4 sum = sum_around(m, i);
        memcpy(&m->normals[i], &sum, sizeof sum);
    }
    make_unit(m->normals + begin, end - begin);
}

// WIDE particles and the triangles around each.
typedef struct wind_batch {
    wide_particle v;     // Velocities [m/s].
    wide3 air;           // Velocities of the air [m/s].
    wide w, count;       // Inverse masses [1/kg]; numbers of triangles.
    int32_t first[WIDE]; // First entry of the list of triangles,
    int32_t last[WIDE];  // and the last entry counted from it, 0 where there is none.
    int32_t most;        // The largest number of triangles.
} wind_batch;

// Sine of an angle in turns, accurate to 2e-3, with the derivative of the sine at whole and half turns. It is a polynomial, since library
// sines are not bit-identical on all machines. Adding and subtracting 1.5 * 2^23 rounds to the nearest integer.
static inline wide sine_of_turns(wide turns)
{
    const wide magic = wide_set(12582912.0f), half = wide_set(0.5f);
    wide f = turns - ((turns + magic) - magic);
    f = wide_max(wide_min(f, half), -half);
    wide square = f * f;
    wide factor = wide_set(6.2831853f) + square * (wide_set(-16.074719f) + square * wide_set(14.033392f));
    return f * (wide_set(1.0f) - wide_set(4.0f) * square) * factor;
}

static inline wide3 with_gusts(const pli_wind *m, wide3 at, wide3 air)
{
    for (int32_t k = 0; k < m->gust_count; k++) {
        const pli_gust *g = &m->gusts[k];
        wide turns = wide_set(g->number[0]) * at.x + wide_set(g->number[1]) * at.y + wide_set(g->number[2]) * at.z;
        wide sine = sine_of_turns(turns + wide_set(g->phase));
        air = wide3_add_scaled(air, (wide3){wide_set(g->sway[0]), wide_set(g->sway[1]), wide_set(g->sway[2])}, sine);
    }
    return air;
}

// Loads the particles i to i + WIDE - 1; the last one is repeated beyond `end`.
static inline wind_batch wind_load_batch(const pli_wind *m, int32_t i, int32_t end)
{
    wind_batch b = {.most = 0};
    int32_t places[WIDE];
    float counts[WIDE], factors[WIDE];
    for (int32_t lane = 0; lane < WIDE; lane++) {
        int32_t place = places[lane] = i + lane < end ? i + lane : end - 1;
        int32_t vertex = m->vertices ? m->vertices[place] : place;
        int32_t count = m->ends[vertex] - m->begins[vertex];
        counts[lane] = (float)count;
        factors[lane] = m->factors ? m->factors[place] : 1.0f;
        b.first[lane] = count > 0 ? m->begins[vertex] : 0;
        b.last[lane] = count > 0 ? count - 1 : 0;
        b.most = count > b.most ? count : b.most;
    }
    b.count = wide_load(counts);
    b.v = wind_load(m->velocities, places);
    wide_particle at = wind_load(m->positions, places);
    b.w = at.w;
    if (m->factors)
        b.w = at.w * wide_load(factors);
    b.air = (wide3){wide_set(m->wind.x), wide_set(m->wind.y), wide_set(m->wind.z)};
    if (m->air)
        b.air = wind_load(m->air, places).x;
    b.air = with_gusts(m, at.x, b.air);
    return b;
}

// Loads the k-th triangle around each particle; any triangle where a particle has fewer.
static inline wide_particle load_around(const pli_wind *m, const wind_batch *b, int32_t k)
{
    int32_t places[WIDE];
    for (int32_t lane = 0; lane < WIDE; lane++)
        places[lane] = m->around[b->first[lane] + (k < b->last[lane] ? k : b->last[lane])];
    return wind_load(m->faces, places);
}

// Sums over the triangles around each particle, times 6 / (h w rho): the pressure on them and the weights a_f of
// wind_kernels.h, the part u_f n_f of the friction and its weights b_f.
typedef struct blast {
    wide3 pressure, lift;
    wide pressed, rubbed;
} blast;

// Adds the pressure on a triangle with its own coefficients of drag and lift.
static inline void add_shaped(const pli_wind *m, blast *s, wide3 relative, wide squared, wide_particle around,
                              wide flux, wide speed)
{
    wide lift = wide_set(m->lift), square = speed * speed * wide_inverse_above(squared, 0.0f);
    wide along = wide_set(m->drag - m->lift) * square, strength = wide_abs(flux);
    wide weight = wide_set(m->lift * m->lift) + wide_set(m->drag * m->drag - m->lift * m->lift) * square;
    s->pressure = wide3_add_scaled(s->pressure, around.x, lift * wide_abs(speed) * speed);
    s->pressure = wide3_add_scaled(s->pressure, relative, strength * along);
    s->pressed = s->pressed + strength * weight * wide_set(m->drag > 0.0f ? 1.0f / m->drag : 0.0f);
}

static inline blast sum_blast(const pli_wind *m, const wind_batch *b, wide3 relative)
{
    const bool plain = m->drag == 1.0f && m->lift == 1.0f;
    wide zero = wide_set(0.0f), friction = wide_set(m->friction), squared = wide3_dot(relative, relative);
    blast s = {{zero, zero, zero}, {zero, zero, zero}, zero, zero};
    for (int32_t k = 0; k < b->most; k++) {
        wide_particle around = load_around(m, b, k); // Twice the area times the unit normal.
        wide_mask has = wide_less(wide_set((float)k), b->count);
        wide flux = wide_select(has, wide3_dot(relative, around.x), zero), speed = flux * around.w;
        if (plain) {
            s.pressure = wide3_add_scaled(s.pressure, around.x, wide_abs(speed) * speed);
            s.pressed = s.pressed + wide_abs(flux);
        } else {
            add_shaped(m, &s, relative, squared, around, flux, speed);
        }
        if (!(m->friction > 0.0f))
            continue;
        wide slide = wide_max(squared * wide3_dot(around.x, around.x) - flux * flux, zero);
        wide rub = wide_select(has, friction * wide_sqrt(slide), zero);
        s.lift = wide3_add_scaled(s.lift, around.x, rub * around.w * speed);
        s.rubbed = s.rubbed + rub;
    }
    return s;
}

// Computes the velocities after the force of the air: the formula of wind_kernels.h.
static inline wide3 blown(const pli_wind *m, const wind_batch *b)
{
    wide one = wide_set(1.0f), per_area = wide_set(m->step * m->air_density / 6.0f) * b->w;
    wide3 relative = wide3_sub(b->air, b->v.x);
    blast s = sum_blast(m, b, relative);
    wide3 v = wide3_add_scaled(b->v.x, s.pressure, per_area / (one + per_area * s.pressed));
    wide3 friction = wide3_sub(wide3_scale(relative, s.rubbed), s.lift);
    return m->friction > 0.0f ? wide3_add_scaled(v, friction, per_area / (one + per_area * s.rubbed)) : v;
}

static void blow(void *wind, int32_t begin, int32_t end)
{
    const pli_wind *m = wind;
    for (int32_t i = begin; i < end; i += WIDE) {
        wind_batch b = wind_load_batch(m, i, end);
        pli_particle after[WIDE];
        wide_store_row(after, blown(m, &b), b.v.w);
        memcpy(m->velocities + i, after, sizeof *after * (size_t)(end - i < WIDE ? end - i : WIDE));
    }
}

const pli_wind_kernels PLI_NAMED(pli_wind) = {find_area, face, find_normal, blow};
