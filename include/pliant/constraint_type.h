/// Pliant, constraint types: what a constraint is, and the table of the built-in ones.
///
/// A constraint type is one table row: metadata, and functions for rest values, C and its gradient. Scene keys,
/// listings, schema, documentation and tests come from the rows; a user's type uses the same struct:
///
///     static bool rest(const pli_stencil *s, float *rest) { rest[0] = length(s); return rest[0] > 0; }
///     static void evaluate(const pli_stencil *s, double *values, double *gradients) { ... }
///
///     pli_constraint_type type = {.size = sizeof type, .name = "spring", .cardinality = 2, .dimension = 1,
///                                 .rest_count = 1, .generator = "edges", .rest = rest, .evaluate = evaluate};
///     pli_world_register_type(world, &type, &error);    // sets of type "spring" can now be created
///
/// A stencil is the group of particles that one constraint acts on. Those of the four-particle types:
///
///     hinge, dihedral types             opposite, second neighbours        volume
///           p3                               p3                            a closed surface:
///          /  \                             /  \                           all its particles
///        p1 -- p2    edge p1 p2          p1 -- p2   p3 to p4
///          \  /      bends                 \  /     keep their distance
///           p4                               p4
#ifndef PLIANT_CONSTRAINT_TYPE_H
#define PLIANT_CONSTRAINT_TYPE_H

#include "descriptor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PLI_PARAMETERS_MAX 12 ///< Common and own parameters of a type together.
#define PLI_CARDINALITY_MAX 4 ///< Particles of a type of fixed cardinality.
#define PLI_REST_MAX 6        ///< Rest values of a constraint of fixed cardinality.

/// Equality or inequality.
typedef enum pli_sense {
    PLI_SENSE_EQUAL = 0, ///< C = 0: always.
    PLI_SENSE_AT_MOST,   ///< C <= 0: projected when C > 0.
    PLI_SENSE_AT_LEAST,  ///< C >= 0: projected when C < 0.
    PLI_SENSE_FORCE_32 = PLI_FORCE_32
} pli_sense;

/// "equal", "at_most", "at_least".
PLI_API const char *pli_sense_name(pli_sense sense);
PLI_API bool pli_sense_from_name(const char *name, pli_sense *sense);

/// A parameter of a constraint type is a property without a field. Its value is a double; of a choice, the number of
/// the choice. One that may not change while its set lives has `change` PLI_CHANGE_REMAKE. The name pli_parameter is
/// that of an earlier version.
typedef pli_property pli_parameter;

/// The parameters that every type has, by index. `rigidity` exists only for types with a compliance_scale.
enum {
    PLI_PARAMETER_STIFFNESS = 0, ///< "stiffness" k, 0..1, of classic PBD: k' = 1-(1-k)^(1/iterations).
    PLI_PARAMETER_COMPLIANCE,    ///< "compliance" alpha >= 0, of XPBD; 0 is rigid. Unit: (unit of C)^2 / J.
    /// "damping": damping time alpha * beta [s] >= 0 of XPBD (Macklin et al. 2016, eq. 26); 0 is undamped.
    PLI_PARAMETER_DAMPING,
    PLI_PARAMETER_RIGIDITY, ///< "rigidity" B [N m] >= 0, of XPBD: adds compliance_scale / B; 0 is off.
    PLI_PARAMETER_COMMON_COUNT
};

/// The particles of one constraint, as its functions see them.
typedef struct pli_stencil {
    const double (*positions)[3]; ///< [count] current positions, or rest positions in `rest` [m].
    const double (*normals)[3];   ///< [count] unit surface normals, only for types with needs_normals; else null.
    int32_t count;                ///< Particles; the cardinality, unless variable.
    const float *rest;            ///< Rest values of this constraint; null in `rest`.
    const float *parameters;      ///< The type's own parameters, in the order of its table.
    /// [3 * triangle_count] vertex numbers within this stencil, 0..count-1, for surface types; else NULL.
    const int32_t *triangles;
    int32_t triangle_count;
    /// Rest area attributed to this constraint [m2], given by its generator; 0 if unknown and in `evaluate`.
    double area;
    float state; ///< Branch of a signed type, +1 or -1, kept between substeps.
    void *user;  ///< From the type.
} pli_stencil;

typedef struct pli_constraint_type pli_constraint_type;

/// A constraint type: C(x) in `dimension` values, its gradient, and what the machinery must know.
struct pli_constraint_type {
    uint32_t size; ///< sizeof(pli_constraint_type). Fields are only ever added at the end.

    const char *name;       ///< As in scenes, such as "distance".
    const char *label;      ///< As a menu shows it, such as "Distance"; NULL: the name.
    const char *summary;    ///< Resistance and use of the type, in one full sentence.
    const char *formula;    ///< Such as "C = |x1 - x2| - l0".
    const char *source;     ///< Paper and equation.
    const char *unit;       ///< Unit of C, such as "m" or "rad".
    const char *generator;  ///< Name of the generator used when none is given; null if it has none.
    int32_t cardinality;    ///< Particles of a constraint, 1..PLI_CARDINALITY_MAX; 0 means variable.
    int32_t dimension;      ///< Values of C: 1, or 3 for vector constraints.
    int32_t rest_count;     ///< Rest values of a constraint, 0..PLI_REST_MAX.
    bool rest_per_particle; ///< Variable types only: one further rest value for each particle.
    /// Acts against the world frame and so takes up momentum; always so with a cardinality of 1. What a type without it
    /// does to a deformable as a whole is taken out (pli_settings.keep_momentum). `rest` sees the mesh at rest, without the pose of the
    /// deformable, and `evaluate` the world: a place that is kept has to be a parameter, or the mesh made where it belongs.
    bool world_anchored;
    bool needs_normals; ///< Wants the surface normals at the start of the substep.
    bool bending;       ///< A bending model, listed as such.
    /// An edge constraint whose lambda / h^2 is the edge's tension [N]; force-based tearing uses it.
    bool carries_tension;
    pli_sense sense;                ///< When it acts, unless a parameter says so:
    const char *sense_parameter;    ///< Own parameter whose value is the pli_sense; or null.
    const pli_property *parameters; ///< Own parameters; may be NULL.
    int32_t parameter_count;

    /// Computes rest values. Return false if the stencil is degenerate: the constraint is then skipped and counted.
    /// Must have no side effects. NULL when rest_count is 0. May be called from several threads at a time.
    bool (*rest)(const pli_stencil *stencil, float *rest);

    /// Computes values[dimension] and, unless null, gradients[dimension * count * 3] (value by value, particle by
    /// particle). Must be finite for finite positions, and have no side effects; called on the threads of the step.
    void (*evaluate)(const pli_stencil *stencil, double *values, double *gradients);

    /// Returns s such that flexural rigidity B [N m] corresponds to compliance s / B. NULL: no rigidity parameter.
    float (*compliance_scale)(const pli_stencil *stencil, const float *rest);

    void *user; ///< Handed to the functions through the stencil.

    /// Types that can keep a bend: returns how far the stencil is bent beyond its rest values [1/m], with a sign, and writes how much
    /// rest value number `bend_rest` grows for each 1/m that it keeps. `at_rest` is the same stencil in the rest shape. Such a type
    /// has own parameters "yield" [1/m] and "hardening". NULL: what is let go goes back to its rest shape.
    double (*bend)(const pli_stencil *stencil, const pli_stencil *at_rest, double *rest_per_bend);
    int32_t bend_rest; ///< The rest value that follows a bend.
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
