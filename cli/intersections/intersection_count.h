// Counts pairs of triangles that intersect, within a surface and between surfaces.
#ifndef PLI_CLI_INTERSECTION_COUNT_H
#define PLI_CLI_INTERSECTION_COUNT_H

#include "intersections/box_pairs.h"

typedef struct pli_cli_surface {
    const int32_t *triangles; // 3 vertices per triangle.
    int32_t triangle_count;
    const float *positions; // 3 finite floats per vertex.
    bool collider;
} pli_cli_surface;

typedef struct pli_cli_intersections {
    int64_t own;                       // Intersecting pairs within one deformable.
    int64_t between;                   // Intersecting pairs between two deformables.
    int64_t collider;                  // Intersecting pairs of a deformable and a collider.
    int64_t touching;                  // Pairs that touch without intersecting.
    int32_t surfaces[2], triangles[2]; // The intersecting pair of lowest numbers; undefined when there is none.
} pli_cli_intersections;

// Capacity of `boxes`: all triangles of all surfaces. Pairs of two colliders are skipped. False when memory ran out.
bool pli_cli_intersections_count(const pli_cli_surface *surfaces, int32_t surface_count, pli_cli_box *boxes,
                                 pli_cli_intersections *crossings);
int64_t pli_cli_intersections_total(const pli_cli_intersections *crossings);

#endif
