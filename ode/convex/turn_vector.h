// Vectors, quaternions and poses in double, the precision of ODE.
#ifndef PLI_ODE_TURN_VECTOR_H
#define PLI_ODE_TURN_VECTOR_H

#include <math.h>

#include <pliant/base.h>

typedef struct vec {
    double x, y, z;
} vec;

// Unit quaternion.
typedef struct turn {
    double x, y, z, w;
} turn;

// Rotate, then translate.
typedef struct placement {
    vec position;
    turn rotation;
} placement;

static inline vec vec_add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec vec_sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec vec_scale(vec a, double s) { return (vec){a.x * s, a.y * s, a.z * s}; }
static inline double vec_dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec vec_cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double vec_length(vec a) { return sqrt(vec_dot(a, a)); }
static inline vec vec_negate(vec a) { return (vec){-a.x, -a.y, -a.z}; }
// Normalised; zero stays zero.
static inline vec vec_unit(vec a)
{
    double length = vec_length(a);
    return length > 0.0 ? vec_scale(a, 1.0 / length) : a;
}
static inline vec vec_of(pli_vec3 v) { return (vec){(double)v.x, (double)v.y, (double)v.z}; }
static inline pli_vec3 vec_to_float(vec v) { return (pli_vec3){(float)v.x, (float)v.y, (float)v.z}; }

static inline turn turn_conjugate(turn q) { return (turn){-q.x, -q.y, -q.z, q.w}; }
static inline turn turn_product(turn a, turn b)
{
    return (turn){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
static inline turn turn_unit(turn q)
{
    double s = 1.0 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (turn){q.x * s, q.y * s, q.z * s, q.w * s};
}
static inline turn turn_of(pli_quat q) { return turn_unit((turn){(double)q.x, (double)q.y, (double)q.z, (double)q.w}); }
static inline vec turn_apply(turn q, vec v)
{
    vec u = {q.x, q.y, q.z}, t = vec_scale(vec_cross(u, v), 2.0);
    return vec_add(v, vec_add(vec_scale(t, q.w), vec_cross(u, t)));
}

static inline placement placement_of(pli_transform t) { return (placement){vec_of(t.position), turn_of(t.rotation)}; }
static inline vec placement_apply(placement p, vec v) { return vec_add(turn_apply(p.rotation, v), p.position); }
static inline vec placement_undo(placement p, vec v)
{
    return turn_apply(turn_conjugate(p.rotation), vec_sub(v, p.position));
}
// First `inner`, then `outer`.
static inline placement placement_product(placement outer, placement inner)
{
    return (placement){placement_apply(outer, inner.position), turn_product(outer.rotation, inner.rotation)};
}

#endif
