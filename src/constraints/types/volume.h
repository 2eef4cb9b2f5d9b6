// How a volume constraint acts: on the volume, or as the force of a pressure.
#ifndef PLI_CONSTRAINTS_TYPES_VOLUME_H
#define PLI_CONSTRAINTS_TYPES_VOLUME_H

#include "pliant/constraint.h"

#include <string.h>

#define PLI_GAS_CONSTANT 8.31446261815324 // [J / (mol K)]

// Parameters of its own.
enum {
    PLI_VOLUME_FACTOR,
    PLI_VOLUME_CHANGE_LIMIT,
    PLI_VOLUME_GAUGE_PRESSURE,
    PLI_VOLUME_AMOUNT,
    PLI_VOLUME_TEMPERATURE,
    PLI_VOLUME_AMBIENT_PRESSURE,
    PLI_VOLUME_PARAMETER_COUNT
};

// Whether it is a pressure in pascal.
static inline bool pli_volume_has_pressure(const float *own)
{
    return own[PLI_VOLUME_GAUGE_PRESSURE] != 0.0f || own[PLI_VOLUME_AMOUNT] > 0.0f;
}

// Whether sets of this type with these parameters of its own are a pressure in pascal. Its multiplier is a force times h^2, which is
// kept from sweep to sweep as that of a compliance is.
static inline bool pli_volume_is_pressure(const pli_constraint_type *type, const float *own)
{
    return type->parameter_count == PLI_VOLUME_PARAMETER_COUNT && strcmp(type->name, "volume") == 0 &&
           pli_volume_has_pressure(own);
}

#endif
