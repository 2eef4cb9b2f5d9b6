// The table of collider shapes: each is a signed distance in its own frame.
#ifndef PLI_COLLISION_SHAPE_H
#define PLI_COLLISION_SHAPE_H

#include "base/vector.h"
#include "pliant/world.h"

typedef struct pli_shape_row {
    const char *name;
    // Null, or what is wrong with the sizes.
    const char *(*complaint)(const pli_collider_def *def);
    // Distance of a local point to the surface, negative inside [m], and the unit normal there.
    // Never more than the true distance, so that a ray may be marched by it. Null for shapes of
    // vertices, which collide as surfaces.
    float (*distance)(const pli_collider_def *def, pli_vec3 point, pli_vec3 *normal);
    // Radius about the origin of the frame [m]; infinite for planes.
    float (*reach)(const pli_collider_def *def);
} pli_shape_row;

// Null when out of range.
const pli_shape_row *pli_shape_row_at(pli_shape shape);

#endif
