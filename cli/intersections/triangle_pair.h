// Exact relation of two triangles: apart, touching or intersecting.
#ifndef PLI_CLI_TRIANGLE_PAIR_H
#define PLI_CLI_TRIANGLE_PAIR_H

#include <stdint.h>

typedef enum pli_cli_relation {
    PLI_CLI_APART,    // No common point besides shared corners.
    PLI_CLI_TOUCHING, // Common points without intersection: a corner or an edge is on the other's
                      // surface or boundary, or both are coplanar.
    PLI_CLI_CROSSING, // Not coplanar, and their interiors have common points.
} pli_cli_relation;

// The triangles share their first `shared` corners as vertices of one mesh; other corners at equal
// positions count as touching. A triangle without area is the segment or point that it covers.
pli_cli_relation pli_cli_triangle_pair(const float *const a[3], const float *const b[3], int32_t shared);

#endif
