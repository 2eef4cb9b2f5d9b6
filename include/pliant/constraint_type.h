/// Pliant, constraint types: the definition of a constraint, and the table of built-in types.
///
/// A constraint type is one table row: metadata, and functions that compute rest values, C and its gradient. Scene keys,
/// listings, schema, documentation and tests are generated from the rows. A type of your own uses the same struct:
///
///     static bool rest(const pli_stencil *s, float *rest) { rest[0] = length(s); return rest[0] > 0; }
///     static void evaluate(const pli_stencil *s, double *values, double *gradients) { ... }
///
///     pli_constraint_type type = {.name = "spring", .cardinality = 2, .dimension = 1,
///                                 .rest_count = 1, .generator = "edges", .rest = rest, .evaluate = evaluate};
///     pli_world_register_type(world, &type, &error);    // sets of type "spring" can now be created
///
/// A stencil is the group of particles that one constraint acts on:
///
///     hinge, dihedral types             opposite, second neighbours        volume
///           p3                               p3                            a closed surface:
///          /  \                             /  \                           all its particles
///        p1 -- p2    bending about       p1 -- p2   p3 and p4
///          \  /      edge p1 p2            \  /     keep their distance
///           p4                               p4
#ifndef PLIANT_CONSTRAINT_TYPE_H
#define PLIANT_CONSTRAINT_TYPE_H

#include "descriptor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PLI_PARAMETERS_MAX 12 ///< Maximum number of common and own parameters of a type together.
#define PLI_CARDINALITY_MAX 4 ///< Maximum number of particles of a type with fixed cardinality.
#define PLI_REST_MAX 6        ///< Maximum number of rest values of a constraint with fixed cardinality.

/// Whether a constraint is an equality or an inequality.
typedef enum pli_sense {
    PLI_SENSE_EQUAL = 0, ///< C = 0: always projected.
    PLI_SENSE_AT_MOST,   ///< C <= 0: projected when C > 0.
    PLI_SENSE_AT_LEAST   ///< C >= 0: projected when C < 0.
} pli_sense;

/// A parameter of a constraint type is a property without a field. Its value is a double; for a choice, the index of the
/// choice. A parameter that cannot change while its set exists has `change` PLI_CHANGE_REMAKE. pli_parameter is the name of
/// this struct in an earlier version.
typedef pli_property pli_parameter;

/// Indices of the parameters that every type has. `rigidity` exists only for types with a `compliance_scale`.
enum {
    PLI_PARAMETER_STIFFNESS = 0, ///< "stiffness" k, 0..1, of classic PBD: k' = 1-(1-k)^(1/iterations).
    PLI_PARAMETER_COMPLIANCE,    ///< "compliance" alpha >= 0, of XPBD; 0 is rigid. Unit: (unit of C)^2 / J.
    /// "damping": damping time alpha * beta [s] >= 0, of XPBD (Macklin et al. 2016, eq. 26); 0 is undamped.
    PLI_PARAMETER_DAMPING,
    PLI_PARAMETER_RIGIDITY, ///< "rigidity" B [N m] >= 0, of XPBD: adds the compliance compliance_scale / B; 0 is off.
    PLI_PARAMETER_COMMON_COUNT
};

/// The particles of one constraint, as passed to the functions of its type.
typedef struct pli_stencil {
    const double (*positions)[3]; ///< [count] current positions; in a call of `rest`, rest positions [m].
    const double (*normals)[3];   ///< [count] unit surface normals for types with `needs_normals`; otherwise null.
    int32_t count;                ///< Number of particles: the cardinality, unless it is variable.
    const float *rest;            ///< Rest values of this constraint; null in a call of `rest`.
    const float *parameters;      ///< The type's own parameters, in the order of its table.
    /// [3 * triangle_count] vertex numbers within this stencil, 0..count-1, for surface types; otherwise NULL.
    const int32_t *triangles;
    int32_t triangle_count;
    /// Rest area that the generator attributes to this constraint [m2]; 0 if unknown, and in calls of `evaluate`.
    double area;
    float state; ///< Branch of a signed type, +1 or -1, kept between substeps.
    void *user;  ///< The `user` of the type.
} pli_stencil;

typedef struct pli_constraint_type pli_constraint_type;

/// A constraint type: C(x) with `dimension` values, its gradient, and the metadata that the engine needs.
struct pli_constraint_type {
    const char *name;       ///< Name in scenes, such as "distance".
    const char *label;      ///< Text in menus, such as "Distance"; NULL: the name.
    const char *summary;    ///< The deformation that the type resists, and its use, in one full sentence.
    const char *formula;    ///< Such as "C = |x1 - x2| - l0".
    const char *source;     ///< Paper and equation.
    const char *unit;       ///< Unit of C, such as "m" or "rad".
    const char *generator;  ///< Name of the default generator; null if there is none.
    int32_t cardinality;    ///< Particles of a constraint, 1..PLI_CARDINALITY_MAX; 0 means variable.
    int32_t dimension;      ///< Number of values of C: 1, or 3 for vector constraints.
    int32_t rest_count;     ///< Number of rest values of a constraint, 0..PLI_REST_MAX.
    bool rest_per_particle; ///< Variable cardinality only: one additional rest value for each particle.
    /// true: the type acts against the world frame and therefore absorbs momentum. Always true for a cardinality of 1. Other
    /// types apply no net force or torque to a deformable: the engine removes the net momentum that they add
    /// (pli_settings.keep_momentum). `rest` receives the rest mesh without the pose of the deformable, and `evaluate`
    /// receives world positions. A fixed location must therefore be a parameter, or the mesh must be modelled in place.
    bool world_anchored;
    bool needs_normals; ///< Requests the surface normals at the start of the substep.
    bool bending;       ///< A bending model; listed as such.
    /// An edge constraint whose lambda / h^2 is the tension of the edge [N], which force-based tearing uses.
    bool carries_tension;
    pli_sense sense;                ///< When the constraint acts; `sense_parameter` overrides it.
    const char *sense_parameter;    ///< Own parameter whose value is the pli_sense; or null.
    const pli_property *parameters; ///< [parameter_count] own parameters; may be NULL.
    int32_t parameter_count;

    /// Computes the rest values. Return false if the stencil is degenerate: the constraint is then skipped and counted. Must
    /// have no side effects. May be called from several threads simultaneously. NULL if rest_count is 0.
    bool (*rest)(const pli_stencil *stencil, float *rest);

    /// Computes values[dimension] and, unless null, gradients[dimension * count * 3] (value by value, particle by
    /// particle). Results must be finite for finite positions. Must have no side effects. Called on the threads of the step.
    void (*evaluate)(const pli_stencil *stencil, double *values, double *gradients);

    /// Returns s such that the flexural rigidity B [N m] corresponds to the compliance s / B. NULL: the type has no rigidity
    /// parameter. May be called from several threads simultaneously.
    float (*compliance_scale)(const pli_stencil *stencil, const float *rest);

    void *user; ///< Passed to the functions in the stencil.

    /// For types with plastic bending: returns the signed curvature of the stencil beyond its rest values [1/m], and writes the
    /// change of the rest value with index `bend_rest` per 1/m of plastic curvature. `at_rest` is the same stencil in the rest
    /// shape. Such a type has own parameters "yield" [1/m] and "hardening". NULL: bending is elastic.
    double (*bend)(const pli_stencil *stencil, const pli_stencil *at_rest, double *rest_per_bend);
    int32_t bend_rest; ///< Index of the rest value that plastic bending changes.
};

/// The number of built-in types.
PLI_API int32_t pli_constraint_type_count(void);
/// The i-th built-in type, or null if out of range.
PLI_API const pli_constraint_type *pli_constraint_type_at(int32_t i);
/// The built-in type with this name, or null.
PLI_API const pli_constraint_type *pli_constraint_type_find(const char *name);
/// The i-th parameter of a type: the common parameters first, then its own. Null if out of range.
PLI_API const pli_property *pli_constraint_type_parameter(const pli_constraint_type *type, int32_t i);
/// Writes the unit of a parameter of a type, with the unit of C inserted: "m^2/J" for the compliance of "distance". Returns
/// `text`, which is truncated to `size` bytes.
PLI_API const char *pli_constraint_type_parameter_unit(const pli_constraint_type *type, const pli_property *parameter,
                                                       char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
