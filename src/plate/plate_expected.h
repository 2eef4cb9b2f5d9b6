// The expectations of a plate about its particles (pli_deformable_data.plate_expected): the acceleration by what holds one, edges and contacts, goes on
// as it was lately. What hangs or lies at rest is then bent where it is, and not where gravity alone would take it in an interval.
#ifndef PLI_PLATE_PLATE_EXPECTED_H
#define PLI_PLATE_PLATE_EXPECTED_H

#include "model/model.h"

// Makes room for it. False when memory ran out.
bool pli_plate_reserve_expected(pli_world *world, pli_deformable_data *deformable);
// Learns from velocities at the start of an interval, and adds what is expected to the positions ahead.
void pli_plate_look_further(pli_world *world, pli_deformable_data *deformable);
// Keeps the velocities that the solution and gravity would give until the end of the interval.
void pli_plate_expect(pli_world *world, pli_deformable_data *deformable);

#endif
