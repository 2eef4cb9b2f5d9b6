// The table of collider shapes. Those that are signed distances are in wide/shape_distance.h.
#ifndef PLI_COLLISION_SHAPE_H
#define PLI_COLLISION_SHAPE_H

#include "base/vector.h"
#include "pliant/world.h"

typedef struct pli_shape_row {
    const char *name;
    // Null, or what is wrong with the sizes.
    const char *(*complaint)(const pli_collider_def *def);
    // Radius about the origin of the frame [m]; infinite for planes. Null for shapes of vertices, which collide as
    // surfaces.
    float (*reach)(const pli_collider_def *def);
} pli_shape_row;

// Null when out of range.
const pli_shape_row *pli_shape_row_at(pli_shape shape);

#endif
