// Four floats side by side, written as loops of four that compilers make one instruction of.
#ifndef PLI_SIMD_FOUR_H
#define PLI_SIMD_FOUR_H

#include "simd/wide.h"

typedef struct pli_four {
    _Alignas(16) float v[4];
} pli_four;

static inline pli_four pli_four_set(float a) { return (pli_four){{a, a, a, a}}; }
static inline pli_four pli_four_of(const pli_particle *p) { return (pli_four){{p->x, p->y, p->z, p->w}}; }

static inline pli_four pli_four_add(pli_four a, pli_four b)
{
    for (int k = 0; k < 4; k++)
        a.v[k] += b.v[k];
    return a;
}

static inline pli_four pli_four_subtract(pli_four a, pli_four b)
{
    for (int k = 0; k < 4; k++)
        a.v[k] -= b.v[k];
    return a;
}

static inline pli_four pli_four_scale(pli_four a, float by)
{
    for (int k = 0; k < 4; k++)
        a.v[k] *= by;
    return a;
}

static inline pli_four pli_four_lower(pli_four a, pli_four b)
{
    for (int k = 0; k < 4; k++)
        a.v[k] = a.v[k] < b.v[k] ? a.v[k] : b.v[k];
    return a;
}

static inline pli_four pli_four_higher(pli_four a, pli_four b)
{
    for (int k = 0; k < 4; k++)
        a.v[k] = a.v[k] > b.v[k] ? a.v[k] : b.v[k];
    return a;
}

#endif
