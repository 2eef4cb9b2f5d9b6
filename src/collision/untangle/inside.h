// Points inside of closed surfaces.
//
// A closed surface whose faces look outwards is solid: its inside is where it winds around. One whose
// faces look inwards is a container and has no inside.
#ifndef PLI_COLLISION_UNTANGLE_INSIDE_H
#define PLI_COLLISION_UNTANGLE_INSIDE_H

#include "collision/state/collision_state.h"

typedef struct pli_nearest {
    int32_t triangle;    // -1 when there is none.
    pli_closest closest; // Of the point and that triangle; apart is from the triangle to the point.
} pli_nearest;

// By where the surface is at the start of the substep, which the boxes of its clusters must be about.
bool pli_inside(const pli_collision *collision, int32_t surface, pli_vec3 point);
pli_nearest pli_inside_nearest(const pli_collision *collision, int32_t surface, pli_vec3 point);

#endif
