/// Pliant, constraint types: the table of types, and types of the user's own.
///
/// A type is one row of data and functions. Scene keys, command-line listings, statistics,
/// snapshots, documentation and tests are made from the rows. A user's own type is the same struct.
#ifndef PLIANT_CONSTRAINT_TYPE_H
#define PLIANT_CONSTRAINT_TYPE_H

#include "descriptor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PLI_PARAMETERS_MAX 12 ///< Common and own parameters of a type together.
#define PLI_CARDINALITY_MAX 4 ///< Particles of a type of fixed cardinality.
#define PLI_REST_MAX 6        ///< Rest values of a constraint of fixed cardinality.

/// When a constraint acts.
typedef enum pli_sense {
    PLI_SENSE_EQUAL = 0, ///< C = 0: always.
    PLI_SENSE_AT_MOST,   ///< C <= 0: projected when C > 0.
    PLI_SENSE_AT_LEAST   ///< C >= 0: projected when C < 0.
} pli_sense;

/// "equal", "at_most", "at_least".
PLI_API const char *pli_sense_name(pli_sense sense);

/// A parameter of a constraint type is a property without a field. Its value is a double; of a choice, the number of
/// the choice. One that may not change while its set lives has `change` PLI_CHANGE_REMAKE. The name pli_parameter is
/// that of an earlier version.
typedef pli_property pli_parameter;

/// The parameters that every type has, by index. Rigidity acts only on types with a compliance_scale.
enum {
    PLI_PARAMETER_STIFFNESS = 0, ///< "stiffness" k, 0..1, of classic PBD: k' = 1-(1-k)^(1/iterations).
    PLI_PARAMETER_COMPLIANCE,    ///< "compliance" alpha >= 0, of XPBD; 0 is rigid. Unit: (unit of C)^2 / J.
    PLI_PARAMETER_DAMPING,       ///< "damping" [s] >= 0: time alpha beta of XPBD's damping (Macklin 2016, eq. 26).
    PLI_PARAMETER_RIGIDITY,      ///< "rigidity" B [N m] >= 0, of XPBD: adds compliance_scale / B; 0 is off.
    PLI_PARAMETER_COMMON_COUNT
};

/// The particles of one constraint, as its functions see them.
typedef struct pli_stencil {
    const double (*positions)[3]; ///< [count] current positions, or rest positions in `rest` [m].
    const double (*normals)[3];   ///< [count] unit surface normals, only for types with needs_normals; else null.
    int32_t count;                ///< Particles; the cardinality, unless variable.
    const float *rest;            ///< Rest values of this constraint; null in `rest`.
    const float *parameters;      ///< The type's own parameters, in the order of its table.
    const int32_t *triangles;     ///< [3 * triangle_count] of the stencil's own indices, for surface types; else null.
    int32_t triangle_count;
    double area; ///< In `rest` and `compliance_scale`: area this constraint stands for [m2], from its
                 ///< generator; 0 if unknown, and in `evaluate`.
    float state; ///< Remembered value (the sign of signed types), +1 or -1.
    void *user;  ///< From the type.
} pli_stencil;

typedef struct pli_constraint_type pli_constraint_type;

/// A constraint type: C(x) in `dimension` values, its gradient, and what the machinery must know.
struct pli_constraint_type {
    const char *name;                ///< As in scenes, such as "distance".
    const char *label;               ///< As a menu shows it, such as "Distance"; null: the name.
    const char *summary;             ///< What it resists and when to use it, in one full sentence.
    const char *formula;             ///< Such as "C = |x1 - x2| - l0".
    const char *source;              ///< Paper and equation.
    const char *unit;                ///< Unit of C, such as "m" or "rad".
    const char *generator;           ///< Name of the generator used when none is given; null if it has none.
    int32_t cardinality;             ///< Particles of a constraint, 1..PLI_CARDINALITY_MAX; 0 means variable.
    int32_t dimension;               ///< Values of C: 1, or 3 for vector constraints.
    int32_t rest_count;              ///< Rest values of a constraint, 0..PLI_REST_MAX.
    bool rest_per_particle;          ///< Variable types only: one further rest value for each particle.
    bool world_anchored;             ///< Tied to the world, so that momentum is not kept.
    bool needs_normals;              ///< Wants the surface normals at the start of the substep.
    bool bending;                    ///< A bending model, listed as such.
    bool carries_tension;            ///< Of edges: its multiplier over h^2 is their pull [N], which tears by force.
    pli_sense sense;                 ///< When it acts, unless a parameter says so:
    const char *sense_parameter;     ///< Own parameter whose value is the pli_sense; or null.
    const pli_property *parameters;  ///< Own parameters; may be null.
    int32_t parameter_count;

    /// Computes the rest values from rest positions. Returns false for a degenerate stencil, which
    /// is then left out and counted. Null when rest_count is 0. Must be pure.
    bool (*rest)(const pli_stencil *stencil, float *rest);

    /// Computes values[dimension] and, unless null, gradients[dimension * count * 3] (value by
    /// value, particle by particle). Must be finite for finite positions, and pure.
    void (*evaluate)(const pli_stencil *stencil, double *values, double *gradients);

    /// Computes a so that the physical compliance is a / B for rigidity B [N m]. May be null.
    float (*compliance_scale)(const pli_stencil *stencil, const float *rest);

    void *user; ///< Handed to the functions through the stencil.
};

/// The built-in types.
PLI_API int32_t pli_constraint_type_count(void);
/// Row i, or null when out of range.
PLI_API const pli_constraint_type *pli_constraint_type_at(int32_t i);
/// The row of that name, or null.
PLI_API const pli_constraint_type *pli_constraint_type_find(const char *name);
/// Parameter i of a type: the common ones first, then its own. Null when out of range.
PLI_API const pli_property *pli_constraint_type_parameter(const pli_constraint_type *type, int32_t i);
/// Writes the unit of a parameter of a type, with that of C in it: "m^2/J" for the compliance of "distance". Returns
/// `text`, which is cut at `size`.
PLI_API const char *pli_constraint_type_parameter_unit(const pli_constraint_type *type, const pli_property *parameter,
                                                       char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
