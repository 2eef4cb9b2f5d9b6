// Counts where surfaces go through themselves and each other.
#ifndef PLI_CLI_INTERSECTION_COUNT_H
#define PLI_CLI_INTERSECTION_COUNT_H

#include "intersections/box_pairs.h"

typedef struct pli_cli_surface {
    const int32_t *triangles; // 3 vertices each.
    int32_t triangle_count;
    const float *positions; // 3 finite floats a vertex.
    bool collider;
} pli_cli_surface;

typedef struct pli_cli_intersections {
    int64_t own;                       // Pairs of triangles of one deformable that cross.
    int64_t between;                   // Of two deformables.
    int64_t collider;                  // Of a deformable and a collider.
    int64_t touching;                  // Pairs of any of these kinds that touch but do not cross.
    int32_t surfaces[2], triangles[2]; // The lowest pair that crosses; undefined when none does.
} pli_cli_intersections;

// `boxes` has room for all triangles of all surfaces. Pairs of two colliders are not looked at.
// False when memory ran out.
bool pli_cli_intersections_count(const pli_cli_surface *surfaces, int32_t surface_count, pli_cli_box *boxes,
                                 pli_cli_intersections *crossings);
int64_t pli_cli_intersections_total(const pli_cli_intersections *crossings);

#endif
