// Fixes particles in the equations of a plate, and the derivatives at the edges of triangles that fixed particles clamp.
#ifndef PLI_BENDING_PLATE_HOLD_H
#define PLI_BENDING_PLATE_HOLD_H

#include "bending/plate_build.h"

// Whether the masses in effect fix an unknown.
bool pli_plate_is_held(const pli_deformable_data *deformable, int32_t unknown);
// Adds the entries of an unknown that joins the equations to the columns of a border. False when memory ran out.
bool pli_plate_add_column(const pli_deformable_data *deformable, int32_t unknown, pli_implicit_columns *columns);
// Applies the masses in effect to the plate, and clamps triangles accordingly. The base of the deformable must be valid. False when memory
// ran out.
bool pli_plate_take_masses(pli_world *world, const pli_deformable_data *deformable);

#endif
