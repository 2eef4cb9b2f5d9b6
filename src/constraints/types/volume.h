// How a volume constraint acts: on the volume, or as the force of a pressure.
#ifndef PLI_CONSTRAINTS_TYPES_VOLUME_H
#define PLI_CONSTRAINTS_TYPES_VOLUME_H

#include "pliant/constraint.h"

#include <math.h>
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

// Gas in a volume: its pressure over that outside [Pa], by how much that falls with the volume [Pa/m3], and the volume [m3].
typedef struct pli_gas {
    double pressure, falls, filled;
} pli_gas;

// The gas of these parameters in a volume whose surface has this area. A flat surface has no volume and its gas no finite pressure: it has
// that of a thousandth of the sphere of this area.
static inline pli_gas pli_volume_gas(const float *own, double volume, double area)
{
    const double least = 1e-3 * area * sqrt(area) / 10.634723105433096, filled = fmax(volume, least);
    const double heat = (double)own[PLI_VOLUME_AMOUNT] * PLI_GAS_CONSTANT * (double)own[PLI_VOLUME_TEMPERATURE];
    return (pli_gas){heat / filled - (double)own[PLI_VOLUME_AMBIENT_PRESSURE], heat / (filled * filled), filled};
}

// Volume over the one aimed at, of which one projection takes no more than the change limit allows [m3].
static inline double pli_volume_excess(const float *own, double volume, double rest_volume)
{
    const double target = (double)own[PLI_VOLUME_FACTOR] * rest_volume;
    const double most = (double)own[PLI_VOLUME_CHANGE_LIMIT] * fmax(fabs(volume), 1e-3 * fabs(rest_volume));
    return fmax(-most, fmin(most, volume - target));
}

#endif
