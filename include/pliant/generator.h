/// Pliant, generators: algorithms that find the stencils of constraints in a mesh.
///
///     pli_stencils stencils;
///     if (pli_stencils_generate(mesh, "hinges", &stencils, &error) == PLI_STATUS_OK)
///         for (int32_t i = 0; i < stencils.count; i++)
///             use(stencils.particles + stencils.cardinality * i);
///     pli_stencils_release(&stencils);
///
/// A constraint set names its generator or takes that of its type (pliant/constraint_set.h); this header is for
/// programs that want the stencils themselves. Results depend on the mesh alone, not on threads.
#ifndef PLIANT_GENERATOR_H
#define PLIANT_GENERATOR_H

#include "constraint_type.h"
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Output of a generator: the vertex indices of each constraint to create.
typedef struct pli_stencils {
    /// Bytes of this struct as the caller knows it; pli_stencils_generate sets it. Who calls a generator's own `generate`
    /// may leave it 0: then `part` is not read, nor `part_count` written.
    uint32_t size;

    int32_t count;             ///< Constraints.
    int32_t cardinality;       ///< Particles of each, or 0 when `offsets` says.
    int32_t *offsets;          ///< [count + 1] into particles, when cardinality is 0; else null.
    int32_t *particles;        ///< Vertices, constraint after constraint.
    int32_t *triangle_offsets; ///< [count + 1] into triangles / 3; null when there are none.
    int32_t *triangles;        ///< Triangles, as indices into each constraint's own particles.
    double *areas;             ///< [count] area each stands for [m2]; null when unknown.
    int32_t degenerate_count;  ///< Rejected as degenerate (a repeated vertex, zero length).
    int32_t duplicate_count;   ///< Skipped because an equal one exists.
    pli_hooks hooks;           ///< That the arrays came from.
    pli_task_hooks tasks;      ///< That generators run loops on; the caller's thread without `run`. The same result.
    /// From 1: only this part of the stencils is asked for, of the `part_count` that a generator then says there are; parts
    /// beyond those are empty. A generator that leaves `part_count` 0 makes all at once.
    int32_t part, part_count;
} pli_stencils;

/// Faces that may be cut; opaque.
typedef struct pli_fabric pli_fabric;

/// A generator: an algorithm from topology to constraints.
typedef struct pli_generator {
    const char *name;    ///< Such as "edges".
    const char *label;   ///< As a menu shows it; null: the name.
    const char *summary; ///< The stencils it makes, in one full sentence.
    const char *source;  ///< Paper and section.
    int32_t cardinality; ///< Particles of each stencil; 0 means variable.
    /// Fills `stencils`, which arrives zeroed but for its hooks and tasks. Refuses with INVALID_MESH a mesh it cannot
    /// serve.
    pli_status (*generate)(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error);
    /// After a cut: false if the stencil now spans it. May look at the neighbourhood of these vertices only. NULL:
    /// cuts never remove its stencils.
    bool (*survives_cut)(const pli_fabric *fabric, const int32_t *vertices, int32_t count);
    const char *cut_warning; ///< Warning logged once per set when a cut removes one of its constraints; NULL for none.
    /// Number of leading particle pairs (0,1), (2,3) that may be swapped together without changing the constraint;
    /// lets the engine reorder vertices.
    int32_t reversible_pairs;
} pli_generator;

PLI_API int32_t pli_generator_count(void);
PLI_API const pli_generator *pli_generator_at(int32_t i);
PLI_API const pli_generator *pli_generator_find(const char *name);

/// Runs a generator by name. The caller releases the stencils.
PLI_API pli_status pli_stencils_generate_sized(const pli_mesh *mesh, const char *generator, pli_stencils *stencils,
                                               size_t size, pli_error *error);
static inline pli_status pli_stencils_generate(const pli_mesh *mesh, const char *generator, pli_stencils *stencils,
                                               pli_error *error)
{
    return pli_stencils_generate_sized(mesh, generator, stencils, sizeof *stencils, error);
}
/// Frees the arrays and zeroes the struct. Null and zeroed structs are allowed.
PLI_API void pli_stencils_release(pli_stencils *stencils);
/// How many stencils that a generator made of this mesh have no rest values for a type with its initial parameters, so
/// that a set leaves them out. Needs no world, and far less memory than a set. Any thread. Errors: OUT_OF_MEMORY.
PLI_API pli_status pli_stencils_count_degenerate(const pli_mesh *mesh, const pli_constraint_type *type,
                                                 const pli_stencils *stencils, int32_t *degenerate, pli_error *error);

/// Constraints of one type that a generator would make. This struct does not grow.
typedef struct pli_constraint_count {
    int32_t made;       ///< Constraints of the set.
    int32_t degenerate; ///< Left out by the generator as degenerate, or by the type: pli_stencils_count_degenerate.
    int32_t duplicate;  ///< Left out because an equal one exists.
} pli_constraint_count;

/// Counts the constraints that a generator would make of this mesh for each of `type_count` types, with their initial
/// parameters, whose cardinality is the generator's. Most generators run part by part, so that their stencils are never in
/// memory all at once. The work is shared by `thread_count` threads, 1..64, with the caller's, for which the `rest` and
/// `compliance_scale` of types are called on several at a time; the counts do not depend on it. Any thread. Errors: those of the generator,
/// INVALID_ARGUMENT, OUT_OF_MEMORY.
PLI_API pli_status pli_generator_count_constraints(const pli_mesh *mesh, const char *generator,
                                                   const pli_constraint_type *const *types, int32_t type_count,
                                                   int32_t thread_count, pli_constraint_count *counts,
                                                   pli_error *error);

/// For the `generate` of a generator of yours: fills what it was handed with `count` constraints of `cardinality` particles each, 1 to 4.
/// `particles` has them constraint after constraint and is copied, and so is `areas`, one for each [m2], or NULL. A
/// constraint that has a particle twice is left out and counted as degenerate. Errors: INVALID_ARGUMENT for another cardinality
/// or a negative count; OUT_OF_MEMORY. The stencils are then empty.
PLI_API pli_status pli_stencils_fill(pli_stencils *stencils, int32_t cardinality, const int32_t *particles,
                                     const double *areas, int32_t count, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
