// Axis-aligned bounding boxes, and swept boxes: one box at the start and one at the end of linear trajectories.
#ifndef PLI_COLLISION_BROADPHASE_AABB_H
#define PLI_COLLISION_BROADPHASE_AABB_H

#include "base/vector.h"

typedef struct pli_aabb {
    pli_vec3 low, high;
} pli_aabb;

// Comparisons compile to one instruction each; fminf and fmaxf would also handle NaN.
static inline float pli_lower(float a, float b) { return a < b ? a : b; }
static inline float pli_higher(float a, float b) { return a > b ? a : b; }

static inline void pli_aabb_include(pli_aabb *b, pli_vec3 p)
{
    b->low = (pli_vec3){pli_lower(p.x, b->low.x), pli_lower(p.y, b->low.y), pli_lower(p.z, b->low.z)};
    b->high = (pli_vec3){pli_higher(p.x, b->high.x), pli_higher(p.y, b->high.y), pli_higher(p.z, b->high.z)};
}

// The smallest box that contains both; an empty box adds nothing.
static inline pli_aabb pli_aabb_join(pli_aabb a, pli_aabb b)
{
    return (pli_aabb){{pli_lower(a.low.x, b.low.x), pli_lower(a.low.y, b.low.y), pli_lower(a.low.z, b.low.z)},
                      {pli_higher(a.high.x, b.high.x), pli_higher(a.high.y, b.high.y), pli_higher(a.high.z, b.high.z)}};
}

static inline pli_aabb pli_aabb_empty(void)
{
    return (pli_aabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline pli_aabb pli_aabb_grow(pli_aabb b, float by)
{
    return (pli_aabb){{b.low.x - by, b.low.y - by, b.low.z - by}, {b.high.x + by, b.high.y + by, b.high.z + by}};
}

static inline bool pli_aabb_overlap(pli_aabb a, pli_aabb b)
{
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
           a.low.z <= b.high.z && b.low.z <= a.high.z;
}

// Bounds of something on linear trajectories. At any time between, linear interpolation of the two boxes bounds it
// too: the minimum of linear functions is concave, so it is never below the chord between its ends.
typedef struct pli_swept_box {
    pli_aabb start, end;
} pli_swept_box;

static inline pli_swept_box pli_swept_box_empty(void) { return (pli_swept_box){pli_aabb_empty(), pli_aabb_empty()}; }

static inline pli_swept_box pli_swept_box_grow(pli_swept_box p, float by)
{
    return (pli_swept_box){pli_aabb_grow(p.start, by), pli_aabb_grow(p.end, by)};
}

static inline pli_swept_box pli_swept_box_join(pli_swept_box a, pli_swept_box b)
{
    return (pli_swept_box){pli_aabb_join(a.start, b.start), pli_aabb_join(a.end, b.end)};
}

#endif
