// The inflated character of Figs. 1 and 11 of Mueller et al. 2006: Spot, a cow, under pressure.
#ifndef PLI_LAB_INFLATED_CHARACTER_H
#define PLI_LAB_INFLATED_CHARACTER_H

#include "base/lab_world.h"

// A character of this size [m] whose volume at rest is `pressure` times that of the mesh; XPBD, 12 substeps.
lab_body_def lab_inflated_character(lab *l, float size, double pressure);

#endif
