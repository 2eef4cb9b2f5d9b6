// Values derived from the figures of a material.
#ifndef PLI_PROPERTIES_MATERIALS_H
#define PLI_PROPERTIES_MATERIALS_H

#include "pliant/material.h"

// The damping time of bending [s] whose loss factor at 1 Hz is that of the material, within the range of a plate.
float pli_material_damping_time(const pli_material_def *material);

#endif
