// The table of collider shapes for each back end.
#ifndef PLI_SHAPES_TYPES_SHAPE_TABLE_H
#define PLI_SHAPES_TYPES_SHAPE_TABLE_H

#include "shapes/shape.h"

// Returns the row with the kernels of one back end; null when out of range.
const pli_shape_row *PLI_NAMED(pli_shape_row_at)(pli_shape shape);
const pli_shape_row *pli_shape_row_at_scalar(pli_shape shape);

#endif
