// Fixed particles are held, and so are derivatives of a plate at the edges of triangles that are clamped by them.
#ifndef PLI_PLATE_PLATE_HOLD_H
#define PLI_PLATE_PLATE_HOLD_H

#include "plate/plate_build.h"

// Whether an unknown is held by the masses in effect.
bool pli_plate_is_held(const pli_deformable_data *deformable, int32_t unknown);
// Adds the entries of an unknown that joins to the columns of a border. False when memory ran out.
bool pli_plate_add_column(const pli_deformable_data *deformable, int32_t unknown, pli_implicit_columns *columns);
// Puts the masses in effect, of a deformable whose base serves, into the plate, and clamps what they clamp. False when memory ran out.
bool pli_plate_take_masses(pli_world *world, const pli_deformable_data *deformable);

#endif
