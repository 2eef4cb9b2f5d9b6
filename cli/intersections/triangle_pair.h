// How two triangles in space lie to each other, exactly.
#ifndef PLI_CLI_TRIANGLE_PAIR_H
#define PLI_CLI_TRIANGLE_PAIR_H

#include <stdint.h>

typedef enum pli_cli_relation {
    PLI_CLI_APART,    // No common point, or none besides the corners that they share.
    PLI_CLI_TOUCHING, // Common points, but neither goes through the other: a corner or an edge lies on
                      // the other's surface or border, or both lie in one plane.
    PLI_CLI_CROSSING, // They are not in one plane, and their insides have points in common.
} pli_cli_relation;

// The triangles share their first `shared` corners as vertices of one mesh; other corners at equal
// positions count as touching. A triangle without area is the segment or point that it covers.
pli_cli_relation pli_cli_triangle_pair(const float *const a[3], const float *const b[3], int32_t shared);

#endif
