/// Pliant, constraint sets: constraints of one type on one deformable, with common parameters.
///
///     pli_parameter_value values[] = {{"compliance", 1e-6}};
///     pli_constraints_def def = pli_constraints_def_default();
///     def.deformable = flag, def.type = "distance";           // its generator: every edge of the mesh
///     def.parameters = values, def.parameter_count = 1;
///     pli_constraints set;
///     if (pli_constraints_create(world, &def, &set, &error) != PLI_STATUS_OK) ...
///     pli_constraints_set_parameter(world, set, "compliance", 1e-5, &error);   // while it runs
///
/// `pliant models` lists the types with their parameters and generators; docs/constraints.md explains them. Destroying a deformable
/// destroys its sets.
#ifndef PLIANT_CONSTRAINTS_H
#define PLIANT_CONSTRAINTS_H

#include "constraint_type.h"
#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A parameter name and its value.
typedef struct pli_parameter_value {
    const char *name;
    double value;
} pli_parameter_value;

/// The definition of a set: constraints of one type on one deformable, from a generator or from an explicit list.
typedef struct pli_constraints_def {
    pli_deformable deformable;
    const char *name;                      ///< For messages and live edits; null: the type's name. Copied.
    const char *type;                      ///< Name of a built-in (pli_constraint_type_at) or registered type.
    const char *generator;                 ///< Null: the default generator of the type.
    const pli_parameter_value *parameters; ///< Parameters that are not listed have their defaults.
    int32_t parameter_count;
    const int32_t *particles; ///< Explicit list instead of a generator: cardinality indices each. Copied.
    int32_t constraint_count; ///< Constraints of the explicit list.
    /// Keeps the mean XPBD multipliers for pli_constraints_stencil. This costs 8 bytes per value of C and the time to sum them. Default false.
    bool keep_lambda;
} pli_constraints_def;

/// A definition with all its defaults, to be changed field by field.
PLI_API pli_constraints_def pli_constraints_def_default(void);
/// Creates a set: generates the stencils, computes the rest values on the rest shape, and schedules the constraints. The time is linear in the
/// size of the mesh, except for types that say otherwise. Sets are projected in the order of creation. Errors: NOT_FOUND for an unknown type,
/// generator or parameter (the message suggests the nearest name); INVALID_ARGUMENT, INVALID_MESH, OUT_OF_MEMORY.
PLI_API pli_status pli_constraints_create(pli_world *world, const pli_constraints_def *def, pli_constraints *set,
                                          pli_error *error);
/// Destroys a set. Errors: NOT_FOUND; INVALID_ARGUMENT for the set of an attachment.
PLI_API pli_status pli_constraints_destroy(pli_world *world, pli_constraints set, pli_error *error);
/// The i-th set of the world in order of creation; the null handle when out of range.
PLI_API pli_constraints pli_world_constraints_at(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_constraints_count(const pli_world *world);
/// The first set with this name, or the null handle.
PLI_API pli_constraints pli_world_constraints_find(const pli_world *world, const char *name);

/// The definition and size of a set. Strings are borrowed from the world.
typedef struct pli_constraints_info {
    const char *name;
    const pli_constraint_type *type;
    const char *generator; ///< Null for explicit lists.
    pli_deformable deformable;
    int32_t constraint_count;
    int32_t degenerate_count; ///< Constraints skipped because of a degenerate rest state.
    int32_t colour_count;     ///< 0 in sequential order, and on regular grids, which need no colours.
    uint64_t memory;          ///< Memory of the set [bytes].
} pli_constraints_info;

PLI_API pli_status pli_constraints_get_info(const pli_world *world, pli_constraints set, pli_constraints_info *info,
                                            pli_error *error);
/// Reads a parameter by name. Errors: NOT_FOUND.
PLI_API pli_status pli_constraints_get_parameter(const pli_world *world, pli_constraints set, const char *name,
                                                 double *value, pli_error *error);
/// Changes a parameter by name while the world runs. Errors: NOT_FOUND; INVALID_ARGUMENT for a value out of range, and for a parameter that is
/// fixed at creation.
PLI_API pli_status pli_constraints_set_parameter(pli_world *world, pli_constraints set, const char *name, double value,
                                                 pli_error *error);

/// Constraint violation at the current positions, in the unit of C. A satisfied inequality has the violation 0.
typedef struct pli_residual {
    double rms, max;
    int32_t count;
    int32_t worst; ///< Index of the largest violation, in order of creation; -1 for an empty set.
} pli_residual;
/// Computes the violation of a set: RMS, maximum and count. Errors: NOT_FOUND. From the thread that steps.
PLI_API pli_status pli_constraints_get_residual(const pli_world *world, pli_constraints set, pli_residual *residual,
                                                pli_error *error);
/// Elastic energy of a set at the current positions [J]: the sum of 1/2 C^T S^-1 C with the effective compliance S, which is set, painted or
/// derived from a rigidity. A satisfied inequality stores nothing. Constraints without compliance are rigid and store nothing. Under PBD the
/// energy is 0, because a PBD stiffness is not a physical stiffness. A solved set also has the energy of its type. NaN for a handle that is not found.
/// From the thread that steps.
PLI_API double pli_constraints_energy(const pli_world *world, pli_constraints set);
/// Particles, rest values and multipliers of constraint `index`, in order of creation. Any out pointer may be NULL.
/// `particles` and `rest` need room for the cardinality and the rest count of the type; for types of variable cardinality, for the vertex
/// count + 6. `lambda` is the mean multiplier over the substeps of the last step under XPBD, and 0 before the first step and under
/// PBD. Divided by the squared length of a substep, it is the mean force of the constraint during the step. Errors: NOT_FOUND;
/// INVALID_ARGUMENT for an index out of range, and when `lambda` is requested of a set that does not keep it: a set created without
/// `keep_lambda`, on a deformable that does not tear by `force`.
PLI_API pli_status pli_constraints_stencil(const pli_world *world, pli_constraints set, int32_t index,
                                           int32_t *particles, int32_t *particle_count, float *rest, float *lambda,
                                           pli_error *error);
/// Writes all constraints of a set in the order in which a forward sweep projects them, for an application that projects them elsewhere, for
/// example on a GPU. A backward sweep has exactly the reverse order. Constraints that share no particle may be exchanged.
/// `order` receives the index of each constraint in order of creation. The other arrays follow `order` and may be NULL. `particles`
/// (cardinality times the constraint count) and `rest` (rest count times the constraint count) are as from pli_constraints_stencil.
/// `scales` receives the factor s of the compliance s / B that corresponds to a rigidity B, and 0 for types without one. Cuts and tears of
/// the deformable change the order. Errors: NOT_FOUND; UNSUPPORTED when particles or rest values of a type of variable cardinality are
/// requested.
PLI_API pli_status pli_constraints_sequence(const pli_world *world, pli_constraints set, int32_t *order,
                                            int32_t *particles, float *rest, float *scales, pli_error *error);
/// Writes the batch of each constraint, in order of creation; `batches` needs room for all constraints. The constraints of a batch share no
/// particle and are projected simultaneously. Batches follow each other from 0 on. -1 marks constraints without a batch: leftover
/// constraints, which are projected one by one; all constraints in sequential order; and those of a regular grid, which are projected row by
/// row. Errors: NOT_FOUND.
PLI_API pli_status pli_constraints_batches(const pli_world *world, pli_constraints set, int32_t *batches,
                                           pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
