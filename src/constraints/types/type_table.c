// The table of constraint types, one line each. Compiled once for each back end.
#include "constraints/types/type_table.h"

// A build with selected types (PLIANT_TYPES) defines the rows itself.
#ifdef PLI_TYPE_ROWS
#define TYPE_ROWS(ROW) PLI_TYPE_ROWS(ROW)
#else
#define TYPE_ROWS(ROW)                                                                                                 \
    ROW(distance)                                                                                                      \
    ROW(stick)                                                                                                         \
    ROW(tether)                                                                                                        \
    ROW(opposite_distance)                                                                                             \
    ROW(dihedral)                                                                                                      \
    ROW(dihedral_printed)                                                                                              \
    ROW(isometric)                                                                                                     \
    ROW(isometric_energy)                                                                                              \
    ROW(triangle)                                                                                                      \
    ROW(triangle_signed)                                                                                               \
    ROW(triangle_area)                                                                                                 \
    ROW(triangle_edge)                                                                                                 \
    ROW(triangle_linear)                                                                                               \
    ROW(ring_laplacian)                                                                                                \
    ROW(membrane)                                                                                                      \
    ROW(volume)                                                                                                        \
    ROW(attachment)
#endif

#define DECLARE_TYPE(name) extern const pli_constraint_row PLI_NAMED(pli_row_##name);
#define REFER_TO_TYPE(name) &PLI_NAMED(pli_row_##name),

TYPE_ROWS(DECLARE_TYPE)

static const pli_constraint_row *const type_rows[] = {TYPE_ROWS(REFER_TO_TYPE)};

pli_constraint_table PLI_NAMED(pli_constraint_table)(void)
{
    return (pli_constraint_table){type_rows, sizeof type_rows / sizeof *type_rows};
}
