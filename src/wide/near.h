// How far a primitive is from others while their particles go on straight ways.
#ifndef PLI_WIDE_NEAR_H
#define PLI_WIDE_NEAR_H

#include "base/vector.h"
#include "simd/wide.h"

// At most so many others at once; arrays have that length, and what lies behind `count` may be anything.
enum { PLI_NEAR_MOST = 24, PLI_NEAR_ROOM = 32 };

// Corners of primitives side by side: of corner c at the start x, y and z in 6 c to 6 c + 2, and at the end in the next 3.
typedef struct pli_near_corners {
    _Alignas(64) float values[18][PLI_NEAR_ROOM];
} pli_near_corners;

// A direction that separates the sides at the start, and how far they are apart along it at least; negative when it is
// not known.
typedef struct pli_near_gaps {
    _Alignas(64) float gap[PLI_NEAR_ROOM];
    float normal[3][PLI_NEAR_ROOM];
} pli_near_gaps;

// Primitive `one` of `ones` against `count` others.
typedef void (*pli_near_look)(const pli_near_corners *ones, int32_t one, const pli_near_corners *others, int32_t count,
                              pli_near_gaps *gaps);

typedef struct pli_near_kernels {
    pli_near_look edge_edges, vertex_triangles;
} pli_near_kernels;

extern const pli_near_kernels PLI_NAMED(pli_near);

#endif
