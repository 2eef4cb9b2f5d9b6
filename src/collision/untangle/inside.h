// Points inside of closed surfaces. Faces with outward normals enclose a solid: its inside has a positive winding
// number. Faces with inward normals form a container, which has no inside.
#ifndef PLI_COLLISION_UNTANGLE_INSIDE_H
#define PLI_COLLISION_UNTANGLE_INSIDE_H

#include "collision/state/collision_state.h"

typedef struct pli_nearest {
    int32_t triangle;    // Nearest triangle; -1 for none.
    pli_closest closest; // Closest points; `apart` points from the triangle to the point.
} pli_nearest;

// Both functions use positions at the start of the substep; the cluster boxes must be refitted to these.
bool pli_inside(const pli_collision *collision, int32_t surface, pli_vec3 point);
pli_nearest pli_inside_nearest(const pli_collision *collision, int32_t surface, pli_vec3 point);

#endif
