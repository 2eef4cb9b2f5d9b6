/// Pliant, generators: algorithms that find the stencils of constraints in a mesh.
///
///     pli_stencils stencils;
///     if (pli_stencils_generate(mesh, "hinges", &stencils, &error) == PLI_STATUS_OK)
///         for (int32_t i = 0; i < stencils.count; i++)
///             use(stencils.particles + stencils.cardinality * i);
///     pli_stencils_release(&stencils);
///
/// A constraint set names a generator or uses the default generator of its type (pliant/constraints.h). This header is for
/// applications that need the stencils themselves. Results depend only on the mesh, not on the number of threads.
#ifndef PLIANT_GENERATOR_H
#define PLIANT_GENERATOR_H

#include "constraint_type.h"
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Output of a generator: the vertices of each constraint to create.
typedef struct pli_stencils {
    int32_t count;             ///< Number of constraints.
    int32_t cardinality;       ///< Particles per constraint; 0 if variable, see `offsets`.
    int32_t *offsets;          ///< [count + 1] into particles if cardinality is 0; otherwise null.
    int32_t *particles;        ///< Vertex indices, constraint by constraint.
    int32_t *triangle_offsets; ///< [count + 1] into triangles / 3; null if there are no triangles.
    int32_t *triangles;        ///< Triangles, as indices into the particles of their constraint.
    double *areas;             ///< [count] rest area of each constraint [m2]; null if unknown.
    int32_t degenerate_count;  ///< Constraints rejected as degenerate (a repeated vertex, zero length).
    int32_t duplicate_count;   ///< Constraints skipped because an equal one exists.
    pli_hooks hooks;           ///< Memory hooks that allocated the arrays.
    pli_task_hooks tasks;      ///< Tasks that run the loops; without `run`, the caller's thread. Same result.
    /// `part` > 0 requests only this part of the stencils. A generator that supports parts writes their number to
    /// `part_count`; parts beyond it are empty. A generator that leaves `part_count` 0 returns all stencils.
    int32_t part, part_count;
} pli_stencils;

/// The faces of a deformable after cuts; opaque.
typedef struct pli_fabric pli_fabric;

/// A generator: an algorithm that makes constraints from the topology of a mesh.
typedef struct pli_generator {
    const char *name;    ///< Such as "edges".
    const char *label;   ///< Text in menus; null: the name.
    const char *summary; ///< The stencils that it generates, in one full sentence.
    const char *source;  ///< Paper and section.
    int32_t cardinality; ///< Particles of each stencil; 0 means variable.
    /// Fills `stencils`, whose fields are zero except `part`, the hooks and the tasks. Returns INVALID_MESH for a mesh
    /// that it does not support.
    pli_status (*generate)(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error);
    /// Called after a cut: returns false if the cut now separates the stencil. May read only the neighbourhood of these
    /// vertices. NULL: cuts never remove its stencils.
    bool (*survives_cut)(const pli_fabric *fabric, const int32_t *vertices, int32_t count);
    const char *cut_warning; ///< Warning logged once per set when a cut removes one of its constraints; NULL for none.
    /// Number of leading particle pairs (0,1), (2,3) that may be swapped together without a change of the constraint. The
    /// engine uses this to reorder vertices.
    int32_t reversible_pairs;
} pli_generator;

/// The number of built-in generators.
PLI_API int32_t pli_generator_count(void);
/// The i-th built-in generator, or null if out of range.
PLI_API const pli_generator *pli_generator_at(int32_t i);
/// The built-in generator with this name, or null.
PLI_API const pli_generator *pli_generator_find(const char *name);

/// Runs a built-in generator by name. The caller releases the stencils. Errors: NOT_FOUND; as `generate` of the generator.
PLI_API pli_status pli_stencils_generate(const pli_mesh *mesh, const char *generator, pli_stencils *stencils,
                                         pli_error *error);
/// Frees the arrays and zeroes the struct. Null and zeroed structs are allowed.
PLI_API void pli_stencils_release(pli_stencils *stencils);
/// Counts the stencils of this mesh that have no rest values for a type with its initial parameters. A set skips these
/// stencils. Needs no world, and far less memory than a set. Any thread. Errors: OUT_OF_MEMORY.
PLI_API pli_status pli_stencils_count_degenerate(const pli_mesh *mesh, const pli_constraint_type *type,
                                                 const pli_stencils *stencils, int32_t *degenerate, pli_error *error);

/// Number of constraints of one type that a generator would make. This struct does not grow.
typedef struct pli_constraint_count {
    int32_t made;       ///< Constraints of the set.
    int32_t degenerate; ///< Skipped as degenerate by the generator or the type (pli_stencils_count_degenerate).
    int32_t duplicate;  ///< Skipped because an equal constraint exists.
} pli_constraint_count;

/// Counts the constraints that a generator would make of this mesh for each of `type_count` types with their initial
/// parameters. The cardinality of the types must be the cardinality of the generator. Most generators run part by part, so
/// their stencils are never in memory all together. `thread_count` threads, 1..64, including the caller's, share the work and
/// call `rest` and `compliance_scale` of the types simultaneously. The counts do not depend on `thread_count`. Any thread.
/// Errors: NOT_FOUND; as `generate` of the generator; INVALID_ARGUMENT for a thread count out of range; OUT_OF_MEMORY.
PLI_API pli_status pli_generator_count_constraints(const pli_mesh *mesh, const char *generator,
                                                   const pli_constraint_type *const *types, int32_t type_count,
                                                   int32_t thread_count, pli_constraint_count *counts,
                                                   pli_error *error);

/// For `generate` of your own generator: fills `stencils` with `count` constraints of `cardinality` particles each, 1 to 4.
/// `particles` lists the particles constraint by constraint, and `areas` has one area per constraint [m2] or is NULL; both are
/// copied. A constraint with a repeated particle is skipped and counted as degenerate. Errors: INVALID_ARGUMENT for another
/// cardinality or a negative count; OUT_OF_MEMORY. On an error the stencils are empty.
PLI_API pli_status pli_stencils_fill(pli_stencils *stencils, int32_t cardinality, const int32_t *particles,
                                     const double *areas, int32_t count, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
