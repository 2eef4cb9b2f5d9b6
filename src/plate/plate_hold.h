// Particles that are fixed hold a plate; here is when it is factored for that.
//
// A factorisation is made for the inverse masses of a moment, the base of the deformable. Particles that are fixed or released since
// then are a border of the equations (sparse/border.h), which takes microseconds where a factorisation takes a tenth of a second.
// The base is taken anew where masses have changed otherwise, or where the border would have more than PLI_BORDER_MOST columns. It is
// saved with snapshots, so that what a step gives depends on what is saved alone.
#ifndef PLI_PLATE_PLATE_HOLD_H
#define PLI_PLATE_PLATE_HOLD_H

#include "plate/plate_build.h"

// Whether the masses in effect differ from the base by what is held alone.
bool pli_plate_base_serves(const pli_deformable_data *deformable);
// Takes the masses in effect as the base. False when memory ran out.
bool pli_plate_take_base(pli_world *world, pli_deformable_data *deformable);
// Makes room for what the plate expects of its particles (plate/plate.h). False when memory ran out.
bool pli_plate_reserve_expected(pli_world *world, pli_deformable_data *deformable);
// Puts the masses in effect, of a deformable whose base serves, into the state. PLI_FACTOR_NOT_POSITIVE where a new base is needed.
pli_factor_result pli_plate_hold(pli_world *world, const pli_deformable_data *deformable, pli_plate_state *state);

#endif
