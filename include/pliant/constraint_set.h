/// Pliant, constraint sets: constraints of one type on one deformable, tuned together.
///
///     pli_parameter_value values[] = {{"compliance", 1e-6}};
///     pli_constraint_set_def def = pli_constraint_set_def_default();
///     def.deformable = flag, def.type = "distance";           // its generator: every edge of the mesh
///     def.parameters = values, def.parameter_count = 1;
///     pli_constraint_set set;
///     if (pli_constraint_set_create(world, &def, &set, &error) != PLI_STATUS_OK) ...
///     pli_constraint_set_write_parameter(world, set, "compliance", 1e-5, &error);   // while it runs
///
/// `pliant models` lists types, their parameters and generators; docs/constraints.md explains them. A set is
/// destroyed with its deformable.
#ifndef PLIANT_CONSTRAINT_SET_H
#define PLIANT_CONSTRAINT_SET_H

#include "constraint_type.h"
#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A parameter by its name.
typedef struct pli_parameter_value {
    const char *name;
    double value;
} pli_parameter_value;

/// Constraints of one type on one deformable, from a generator or from a list.
typedef struct pli_constraint_set_def {
    uint32_t size;   ///< Bytes of this struct; set by the default function.
    uint32_t cookie; ///< Set by the default function.
    pli_deformable deformable;
    const char *name;                      ///< For messages and live edits; null means the type's name. Copied.
    const char *type;                      ///< Name of a row of pli_constraint_type_at, or of a registered type.
    const char *generator;                 ///< Null means the type's own.
    const pli_parameter_value *parameters; ///< Others keep their defaults.
    int32_t parameter_count;
    const int32_t *particles; ///< Explicit list instead of a generator: cardinality indices each. Copied.
    int32_t constraint_count; ///< Constraints of the explicit list.
    /// Keep the mean XPBD multipliers so that pli_constraint_set_at can report them (8 bytes per value of C, and the
    /// time to add them up). Default false.
    bool keep_lambda;
} pli_constraint_set_def;

/// Fills `size` bytes of a definition with its defaults; see pli_constraint_set_def_default.
PLI_API void pli_constraint_set_def_init(pli_constraint_set_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_constraint_set_def pli_constraint_set_def_default(void)
{
    pli_constraint_set_def def;
    pli_constraint_set_def_init(&def, sizeof def);
    return def;
}
/// Generates the stencils, computes rest values on the rest shape, and schedules. Linear in the mesh but for types
/// that say otherwise. Sets are projected in the order they were made. Errors: NOT_FOUND (type, generator, parameter;
/// the message names the nearest one), INVALID_ARGUMENT, INVALID_MESH, OUT_OF_MEMORY.
PLI_API pli_status pli_constraint_set_create(pli_world *world, const pli_constraint_set_def *def,
                                             pli_constraint_set *set, pli_error *error);
PLI_API pli_status pli_constraint_set_destroy(pli_world *world, pli_constraint_set set, pli_error *error);
/// The i-th set in order of creation over the whole world.
PLI_API pli_constraint_set pli_world_constraint_set_at(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_constraint_set_count(const pli_world *world);
/// The first set of that name, or the null handle.
PLI_API pli_constraint_set pli_world_constraint_set_find(const pli_world *world, const char *name);

/// The definition and size of a set. Strings are borrowed from the world.
typedef struct pli_constraint_set_info {
    const char *name;
    const pli_constraint_type *type;
    const char *generator; ///< Null for explicit lists.
    pli_deformable deformable;
    int32_t constraint_count;
    int32_t degenerate_count; ///< Constraints skipped because their rest state is degenerate.
    int32_t colour_count;     ///< 0 in sequential order, and on grids, whose order needs none.
    uint64_t memory;          ///< Bytes.
} pli_constraint_set_info;

PLI_API pli_status pli_constraint_set_get_info_sized(const pli_world *world, pli_constraint_set set,
                                                     pli_constraint_set_info *info, size_t size, pli_error *error);
static inline pli_status pli_constraint_set_get_info(const pli_world *world, pli_constraint_set set,
                                                     pli_constraint_set_info *info, pli_error *error)
{
    return pli_constraint_set_get_info_sized(world, set, info, sizeof *info, error);
}
/// Reads and changes a parameter by name while the world runs.
PLI_API pli_status pli_constraint_set_read_parameter(const pli_world *world, pli_constraint_set set, const char *name,
                                                     double *value, pli_error *error);
PLI_API pli_status pli_constraint_set_write_parameter(pli_world *world, pli_constraint_set set, const char *name,
                                                      double value, pli_error *error);

/// Constraint violation at the current positions, in the unit of C; inequalities count when violated.
typedef struct pli_residual {
    double rms, max;
    int32_t count;
    int32_t worst; ///< Index of the constraint with the largest, in order of creation; -1 if none.
} pli_residual;
PLI_API pli_status pli_constraint_set_residual_sized(const pli_world *world, pli_constraint_set set,
                                                     pli_residual *residual, size_t size, pli_error *error);
static inline pli_status pli_constraint_set_residual(const pli_world *world, pli_constraint_set set,
                                                     pli_residual *residual, pli_error *error)
{
    return pli_constraint_set_residual_sized(world, set, residual, sizeof *residual, error);
}
/// Elastic energy of a set at the current positions [J]: the sum of 1/2 C^T S^-1 C with the compliance S that acts, as set, painted or
/// given by a rigidity; inequalities count when violated. What has no compliance is rigid and stores none, and so does PBD, whose
/// stiffness is no force. A solved set has the energy of its type too. Errors: NOT_FOUND. From the thread that steps.
PLI_API pli_status pli_constraint_set_energy(const pli_world *world, pli_constraint_set set, double *energy,
                                             pli_error *error);
/// Particles and rest values of constraint `index`, in order of creation. Any out pointer may be NULL.
/// `particles` and `rest` need room for the cardinality and the rest count (variable types: the vertex count + 6).
/// `lambda` is the mean over the substeps of the last step (XPBD; zeros before the first step and under PBD): divided by
/// the squared length of a substep it is the constraint's mean force during the step. INVALID_ARGUMENT when it is asked
/// for and not kept: a set made without `keep_lambda`, of a deformable that does not tear by `force`.
PLI_API pli_status pli_constraint_set_at(const pli_world *world, pli_constraint_set set, int32_t index,
                                         int32_t *particles, int32_t *particle_count, float *rest, float *lambda,
                                         pli_error *error);
/// All constraints of a set in the order in which a forward sweep projects them, for a host that projects them elsewhere, on a
/// graphics card for example: a backward sweep is the exact opposite, and constraints that share no particle may change places.
/// `order` has the index of each in order of creation. The other arrays, which may be NULL, follow that order: `particles`
/// (cardinality times the constraint count) and `rest` (rest count times that) as pli_constraint_set_at gives them; `scales`
/// is s of the compliance s / B that a rigidity B stands for, 0 for types without. The order changes when the
/// deformable is cut or tears. UNSUPPORTED when particles or rest values are asked for of a type of variable cardinality.
PLI_API pli_status pli_constraint_set_sequence(const pli_world *world, pli_constraint_set set, int32_t *order,
                                               int32_t *particles, float *rest, float *scales, pli_error *error);
/// Which batch each constraint is in, in order of creation: `batches` has room for all. Constraints of one batch share no particle
/// and are projected at the same time, batch after batch from 0 on; -1 is for those in none: the ones left over, which are projected
/// one by one, all in sequential order, and those of a regular grid, which go row by row.
PLI_API pli_status pli_constraint_set_batches(const pli_world *world, pli_constraint_set set, int32_t *batches,
                                              pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
