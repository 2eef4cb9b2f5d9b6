// How far a primitive is from others while their particles go on straight ways.
#ifndef PLI_WIDE_NEAR_H
#define PLI_WIDE_NEAR_H

#include "base/vector.h"
#include "simd/wide.h"

// At most so many items of a kind at once, as bits of a word; behind the last float of any there is room to read more.
enum { PLI_NEAR_MOST = 24, PLI_NEAR_ROOM = 32 };

// Corners of primitives in rows of `count` floats: of corner c at the start x, y and z in rows 6 c to 6 c + 2, and at the
// end in the next 3.
typedef struct pli_near_items {
    const float *values;
    int32_t count;
} pli_near_items;

// A direction that separates the sides at the start, and how far they are apart along it at least; negative when it is
// not known.
typedef struct pli_near_gaps {
    _Alignas(64) float gap[PLI_NEAR_ROOM];
    float normal[3][PLI_NEAR_ROOM];
} pli_near_gaps;

// Low x, y, z and high x, y, z of a box at the start, and at the end.
typedef struct pli_near_box {
    float start[2][3], end[2][3];
} pli_near_box;

// Which items, of so many corners, may meet the box on their ways.
typedef uint32_t (*pli_near_meet)(const pli_near_items *items, int32_t corners, const pli_near_box *box);
// Which others, among some, may come as near as `most` to primitive `one` of `ones`. Sets the gaps of those.
typedef uint32_t (*pli_near_look)(const pli_near_items *ones, int32_t one, const pli_near_items *others, uint32_t among,
                                  float most, pli_near_gaps *gaps);

// Straight ways: where particles start, and what a substep does.
typedef struct pli_near_ways {
    const pli_particle *starts, *steps;
} pli_near_ways;

// The largest square of how far any of so many particles is from where its way is at an age [m^2].
typedef float (*pli_near_most_off)(const pli_particle *at, const pli_near_ways *ways, float age, int32_t count);

typedef struct pli_near_kernels {
    pli_near_meet meet;
    pli_near_look edge_edges, vertex_triangles;
    pli_near_most_off most_off;
} pli_near_kernels;

extern const pli_near_kernels PLI_NAMED(pli_near);

#endif
