// The rows of PLI_SHAPES (pliant/shape.h), compiled once for each back end.
#include "shapes/types/shape_table.h"

#define DECLARE_SHAPE(value, name, ...) extern const pli_shape_row PLI_NAMED(pli_shape_##name);
#define REFER_TO_SHAPE(value, name, ...) [PLI_SHAPE_##value] = &PLI_NAMED(pli_shape_##name),

PLI_SHAPES(DECLARE_SHAPE)

static const pli_shape_row *const shape_rows[PLI_SHAPE_COUNT] = {PLI_SHAPES(REFER_TO_SHAPE)};

const pli_shape_row *PLI_NAMED(pli_shape_row_at)(pli_shape shape)
{
    return (unsigned)shape < PLI_SHAPE_COUNT ? shape_rows[shape] : NULL;
}
