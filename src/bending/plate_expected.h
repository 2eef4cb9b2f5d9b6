// The expectations of a plate about its particles : the acceleration by pins, edges and contacts
// persists with its recent value. A plate that hangs or lies at rest is then bent at its actual position, not at the position that gravity
// alone would give it in an interval.
#ifndef PLI_BENDING_PLATE_EXPECTED_H
#define PLI_BENDING_PLATE_EXPECTED_H

#include "model/model.h"

// Two entries for each particle; null without a plate. The first is the velocity that the plate expects at the end of an interval unless
// something other than gravity acts; its w is the length of the interval [s], 0 without an expectation. The second is the recent
// acceleration by anything else.
typedef struct pli_plate_expectation {
    pli_particle *now, *good; // `good` has the entries before the step.
} pli_plate_expectation;

// Allocates memory for them. False when memory ran out.
bool pli_plate_reserve_expected(pli_world *world, pli_deformable_data *deformable);
// Learns from velocities at the start of an interval, and adds the expected displacement to the positions ahead.
void pli_plate_look_further(pli_world *world, pli_deformable_data *deformable);
// Stores the velocities that the solution and gravity would give until the end of the interval.
void pli_plate_expect(pli_world *world, pli_deformable_data *deformable);

#endif
