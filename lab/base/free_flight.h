// A crumpled sheet of unequal masses that flies and spins freely: what its momenta drift by.
#ifndef PLI_LAB_FREE_FLIGHT_H
#define PLI_LAB_FREE_FLIGHT_H

#include "base/lab_world.h"

// The length of now - then over that of then.
double lab_relative_change(const double now[3], const double then[3]);
// Steps a sheet, whose definition has no gravity, `steps` times by a 60th of a second. Writes by how much the linear and the angular
// momentum have changed, relative to those at the start: steps + 1 values each, the first 0.
void lab_fly(lab *l, const lab_body_def *def, int32_t steps, double *linear, double *angular);

#endif
