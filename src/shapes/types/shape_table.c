// The rows of PLI_SHAPES (pliant/shape.h), compiled once for each back end.
#include "shapes/types/shape_table.h"

#define DECLARE(value, name, ...) extern const pli_shape_row PLI_NAMED(pli_shape_##name);
#define REFER(value, name, ...) [PLI_SHAPE_##value] = &PLI_NAMED(pli_shape_##name),

PLI_SHAPES(DECLARE)

static const pli_shape_row *const rows[PLI_SHAPE_COUNT] = {PLI_SHAPES(REFER)};

const pli_shape_row *PLI_NAMED(pli_shape_row_at)(pli_shape shape)
{
    return (unsigned)shape < PLI_SHAPE_COUNT ? rows[shape] : NULL;
}
