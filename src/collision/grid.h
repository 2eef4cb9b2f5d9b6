// A spatial hash of boxes, filled by a counting sort.
//
// A box lies in the cell of its centre, on the level whose cells are as large as it is, so that
// large and small things may be mixed. Boxes of a bucket lie side by side, coordinate by coordinate,
// so that a look at many of them is a few wide comparisons.
//
//   Teschner et al. 2003, Optimized Spatial Hashing for Collision Detection of Deformable Objects.
#ifndef PLI_COLLISION_GRID_H
#define PLI_COLLISION_GRID_H

#include "base/memory.h"
#include "base/vector.h"

enum { PLI_GRID_LEVELS = 16 };

typedef struct pli_bounds {
    pli_vec3 low, high;
} pli_bounds;

typedef struct pli_grid {
    float cell;                   // Of level 0 [m].
    float half[PLI_GRID_LEVELS];  // Largest half extent on the level; negative when it is empty.
    int32_t count, capacity, bucket_count;
    int32_t *starts;              // [bucket_count + 1]
    int32_t start_capacity, bucket_capacity, item_capacity, cell_capacity, low_capacity[3], high_capacity[3];
    int32_t *buckets;             // [count] bucket of each item.
    int32_t *items;               // [count] sorted.
    uint64_t *cells;              // [count] sorted; what cell an item is really in.
    float *low[3], *high[3];      // [count] sorted.
} pli_grid;

// Fills the grid with `count` boxes. `cell` is the size of the smallest cells [m], > 0: best as large
// as what is asked for. False when memory ran out.
bool pli_grid_fill(pli_memory *memory, pli_grid *grid, const pli_bounds *boxes, int32_t count, float cell);
void pli_grid_release(pli_memory *memory, pli_grid *grid);

// Calls found(data, item) for each box that meets `box`, in an order that depends only on the boxes.
typedef void (*pli_grid_found)(void *data, int32_t item);
void pli_grid_query(const pli_grid *grid, pli_bounds box, pli_grid_found found, void *data);

static inline void pli_bounds_include(pli_bounds *b, pli_vec3 p)
{
    b->low = (pli_vec3){fminf(b->low.x, p.x), fminf(b->low.y, p.y), fminf(b->low.z, p.z)};
    b->high = (pli_vec3){fmaxf(b->high.x, p.x), fmaxf(b->high.y, p.y), fmaxf(b->high.z, p.z)};
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

#endif
