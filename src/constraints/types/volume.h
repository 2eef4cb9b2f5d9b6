// Effects of a volume constraint: it keeps a volume, or it acts as the force of a pressure.
#ifndef PLI_CONSTRAINTS_TYPES_VOLUME_H
#define PLI_CONSTRAINTS_TYPES_VOLUME_H

#include "constraints/projection.h"
#include "pliant/constraint_type.h"
#include "pliant/generator.h"

#include <math.h>
#include <string.h>

#define PLI_GAS_CONSTANT 8.31446261815324 // [J / (mol K)]

// The type's own parameters.
enum {
    PLI_VOLUME_FACTOR,
    PLI_VOLUME_CHANGE_LIMIT,
    PLI_VOLUME_GAUGE_PRESSURE,
    PLI_VOLUME_AMOUNT,
    PLI_VOLUME_TEMPERATURE,
    PLI_VOLUME_AMBIENT_PRESSURE,
    PLI_VOLUME_PARAMETER_COUNT
};

// Whether the constraint is a pressure in pascal.
static inline bool pli_volume_has_pressure(const float *own)
{
    return own[PLI_VOLUME_GAUGE_PRESSURE] != 0.0f || own[PLI_VOLUME_AMOUNT] > 0.0f;
}

// Whether sets of this type with these own parameters are a pressure in pascal. Their multiplier is a force times h^2, which passes from
// sweep to sweep as for a compliance.
static inline bool pli_volume_is_pressure(const pli_constraint_type *type, const float *own)
{
    return type->parameter_count == PLI_VOLUME_PARAMETER_COUNT && strcmp(type->name, "volume") == 0 &&
           pli_volume_has_pressure(own);
}

// Gas in a volume: its pressure above the outside pressure [Pa], the decrease of that with the volume [Pa/m3], and the volume [m3].
typedef struct pli_gas {
    double pressure, falls, filled;
} pli_gas;

// The gas of these parameters in a volume whose surface has this area. In a flat surface the pressure would be infinite, so the volume is
// at least a thousandth of the volume of the sphere with this area.
static inline pli_gas pli_volume_gas(const float *own, double volume, double area)
{
    const double least = 1e-3 * area * sqrt(area) / 10.634723105433096, filled = fmax(volume, least);
    const double heat = (double)own[PLI_VOLUME_AMOUNT] * PLI_GAS_CONSTANT * (double)own[PLI_VOLUME_TEMPERATURE];
    return (pli_gas){heat / filled - (double)own[PLI_VOLUME_AMBIENT_PRESSURE], heat / (filled * filled), filled};
}

// The volume minus the target volume, limited to the change that one projection may make [m3].
static inline double pli_volume_excess(const float *own, double volume, double rest_volume)
{
    const double target = (double)own[PLI_VOLUME_FACTOR] * rest_volume;
    const double most = (double)own[PLI_VOLUME_CHANGE_LIMIT] * fmax(fabs(volume), 1e-3 * fabs(rest_volume));
    return fmax(-most, fmin(most, volume - target));
}

enum { PLI_VOLUME_BATCH = 16 };

// Computes the doubled area normals of several triangles, and the dot product of each with the vector from the origin to the first corner.
typedef struct pli_volume_areas {
    float x[PLI_VOLUME_BATCH], y[PLI_VOLUME_BATCH], z[PLI_VOLUME_BATCH], along[PLI_VOLUME_BATCH];
} pli_volume_areas;

typedef void (*pli_volume_find_areas)(const pli_particle *particles, const int32_t *triangles, int32_t count,
                                      pli_vec3 origin, pli_volume_areas *out);

// Projects volumes, slot by slot.
void pli_project_volumes(const pli_projection *p, int32_t begin, int32_t end, pli_volume_find_areas find);

#endif
