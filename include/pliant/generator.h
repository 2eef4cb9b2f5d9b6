/// Pliant, generators: algorithms from topology to constraints.
#ifndef PLIANT_GENERATOR_H
#define PLIANT_GENERATOR_H

#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Constraints to be made: what a generator returns.
typedef struct pli_stencils {
    int32_t count;             ///< Constraints.
    int32_t cardinality;       ///< Particles of each, or 0 when `offsets` says.
    int32_t *offsets;          ///< [count + 1] into particles, when cardinality is 0; else null.
    int32_t *particles;        ///< Vertices, constraint after constraint.
    int32_t *triangle_offsets; ///< [count + 1] into triangles / 3; null when there are none.
    int32_t *triangles;        ///< Of each constraint's own particle indices.
    double *areas;             ///< [count] area each stands for [m2]; null when unknown.
    int32_t degenerate_count;  ///< Refused: a vertex twice, a zero length.
    int32_t duplicate_count;   ///< Left out because an equal one was made already.
    pli_hooks hooks;           ///< That the arrays came from.
    pli_task_hooks tasks;      ///< That generators run loops on; the caller's thread without `run`. The same result.
} pli_stencils;

/// Faces that may be cut; opaque.
typedef struct pli_fabric pli_fabric;

/// A generator: an algorithm from topology to constraints.
typedef struct pli_generator {
    const char *name;    ///< Such as "edges".
    const char *label;   ///< As a menu shows it; null: the name.
    const char *summary; ///< What it makes, in one full sentence.
    const char *source;  ///< Paper and section.
    int32_t cardinality; ///< Of the stencils it makes; 0 means variable.
    /// Fills `stencils`, which arrives zeroed but for its hooks and tasks. Refuses with INVALID_MESH a mesh it cannot
    /// serve.
    pli_status (*generate)(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error);
    /// Whether the surface still carries a stencil on these vertices after a cut near them: none may
    /// span a cut. Looks around the vertices only. Null when no cut concerns its stencils.
    bool (*survives_cut)(const pli_fabric *fabric, const int32_t *vertices, int32_t count);
    const char *cut_warning; ///< Logged when a cut takes a stencil of a set away, once a set; null for nothing.
    /// Pairs of particles, 0 with 1, 2 with 3, that may change places all at once: the stencil stays the same. A
    /// deformable that keeps its vertices in another order does so, where it is faster; 0: it does not.
    int32_t reversible_pairs;
} pli_generator;

PLI_API int32_t pli_generator_count(void);
PLI_API const pli_generator *pli_generator_at(int32_t i);
PLI_API const pli_generator *pli_generator_find(const char *name);

/// Runs a generator by name. The caller releases the stencils.
PLI_API pli_status pli_stencils_generate(const pli_mesh *mesh, const char *generator, pli_stencils *stencils,
                                         pli_error *error);
/// Frees the arrays and zeroes the struct. Null and zeroed structs are allowed.
PLI_API void pli_stencils_release(pli_stencils *stencils);

#ifdef __cplusplus
}
#endif
#endif
