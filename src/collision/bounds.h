// Boxes along the axes.
#ifndef PLI_COLLISION_BOUNDS_H
#define PLI_COLLISION_BOUNDS_H

#include "base/vector.h"

typedef struct pli_bounds {
    pli_vec3 low, high;
} pli_bounds;

// Written out, so that they become one instruction each: fminf and fmaxf look for what is not a number.
static inline float pli_lower(float a, float b) { return a < b ? a : b; }
static inline float pli_higher(float a, float b) { return a > b ? a : b; }

static inline void pli_bounds_include(pli_bounds *b, pli_vec3 p)
{
    b->low = (pli_vec3){pli_lower(p.x, b->low.x), pli_lower(p.y, b->low.y), pli_lower(p.z, b->low.z)};
    b->high = (pli_vec3){pli_higher(p.x, b->high.x), pli_higher(p.y, b->high.y), pli_higher(p.z, b->high.z)};
}

// Also of empty ones.
static inline pli_bounds pli_bounds_join(pli_bounds a, pli_bounds b)
{
    return (pli_bounds){
        {pli_lower(a.low.x, b.low.x), pli_lower(a.low.y, b.low.y), pli_lower(a.low.z, b.low.z)},
        {pli_higher(a.high.x, b.high.x), pli_higher(a.high.y, b.high.y), pli_higher(a.high.z, b.high.z)}};
}

static inline pli_bounds pli_bounds_empty(void)
{
    return (pli_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline pli_bounds pli_bounds_grow(pli_bounds b, float by)
{
    return (pli_bounds){{b.low.x - by, b.low.y - by, b.low.z - by}, {b.high.x + by, b.high.y + by, b.high.z + by}};
}

static inline bool pli_bounds_meet(pli_bounds a, pli_bounds b)
{
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
           a.low.z <= b.high.z && b.low.z <= a.high.z;
}

// Boxes about things that go on straight ways: at the start, and at the end.
typedef struct pli_passage {
    pli_bounds start, end;
} pli_passage;

static inline pli_passage pli_passage_empty(void) { return (pli_passage){pli_bounds_empty(), pli_bounds_empty()}; }

static inline pli_passage pli_passage_grow(pli_passage p, float by)
{
    return (pli_passage){pli_bounds_grow(p.start, by), pli_bounds_grow(p.end, by)};
}

static inline pli_passage pli_passage_join(pli_passage a, pli_passage b)
{
    return (pli_passage){pli_bounds_join(a.start, b.start), pli_bounds_join(a.end, b.end)};
}

#endif
