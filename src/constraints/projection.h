// The arguments of a kernel: the arrays of one constraint set and the coefficients of this sweep.
#ifndef PLI_CONSTRAINTS_PROJECTION_H
#define PLI_CONSTRAINTS_PROJECTION_H

#include "pliant/constraint_type.h"
#include "pliant/generator.h"
#include "base/simd/wide.h"

// The range of a constraint's entries in a list of variable cardinality.
typedef struct pli_span {
    int32_t begin, end;
} pli_span;

// Constraints of variable cardinality, indexed by slot.
typedef struct pli_variable {
    const pli_span *member_spans;
    const int32_t *members; // Particle indices.
    const pli_span *rest_spans;
    const float *rest;
    const pli_span *triangle_spans; // Ranges of triangles; null for types without triangles.
    const int32_t *triangles;       // Particle indices, 3 for each triangle.
    double *scratch;                // [3 * particles of the deformable]; constraints of one colour use disjoint parts.
} pli_variable;

// Particles as arrays of coordinates.
typedef struct pli_soa {
    float *x, *y, *z, *w;
} pli_soa;

// Constraints in the slots slot..slot+count-1 with contiguous particles: particle k of slot s is at at[k] + s - slot in the columns. No
// two of them share a particle.
typedef struct pli_slot_run {
    int32_t slot, count;
    int32_t at[PLI_CARDINALITY_MAX];
} pli_slot_run;

// The factors of a projection, which depend on the substep.
typedef struct pli_coefficients {
    float stiffness;        // k' = 1-(1-k)^(1/n), 0..1; 1 under XPBD.
    float compliance;       // alpha / h^2; 0 under PBD.
    float inverse_rigidity; // 1 / (B h^2), or 0.
    float damping;          // gamma = damping time / h; 0 under PBD.
    float per_square;       // 1 / h^2, by which types scale compliances of their own; 0 under PBD.
    float step;             // h [s]; 0 under PBD.
} pli_coefficients;

// Arrays are indexed by slot: the position of a constraint in the schedule. Slots come in batches, padded to PLI_BATCH
// with constraints between dummy particles of inverse mass 0.
typedef struct pli_projection {
    pli_particle *particles;      // Positions being corrected, with inverse masses.
    const pli_particle *previous; // Positions at the start of the substep.
    pli_particle *lost;           // Moves lost to rounding in this substep; null if substeps are long.
    // The same three arrays for kernels that work by runs.
    pli_soa columns, previous_columns, lost_columns;
    const pli_slot_run *runs; // The runs to project.
    // Present run: places of its particles at slot 0, and the slot after its last.
    int32_t at[PLI_CARDINALITY_MAX], end;
    const pli_particle *normals; // Normals at the start of the substep; null unless the type needs them.
    const pli_index *index[PLI_CARDINALITY_MAX];
    const uint8_t *contiguous_batches; // [batches] 1 for contiguous batches; null when there are none.
    bool is_contiguous;                // The batches of this loop are contiguous.
    const float *rest[PLI_REST_MAX];
    const float *compliance_scale; // [slots] scale a of the compliance a / B; null if no rigidity acts.
    const float *damping_scale;    // [slots] painted factors on `damping`; or null.
    float *state;                  // [slots] signs; null unless the type keeps one.
    float *lambda[3];              // Null if multipliers are not kept (classic PBD).
    pli_variable variable;
    const pli_constraint_type *type;
    const float *parameters; // The type's own parameters.
    double origin[3];        // Origin of the positions, for user types [m]; 0 for others.
    uint32_t zero_rest;      // Bit j: rest value j is 0 in every constraint of the set.
    pli_sense sense;
    bool first;    // First sweep of the substep, or no multipliers are kept: they start from zero.
    bool backward; // From the last slot or run to the first.
    int32_t block; // Number of slots from the first on that share no particle; at least a register is taken.
    bool plain;    // An equality without damping or rigidity whose multipliers and losses are not kept.
    pli_coefficients coefficients;
} pli_projection;

#define PLI_BATCH 16 // Slots of a batch: the widest back end, so that all have the same schedule.
#define PLI_BLOCK 64 // Most slots that kernels project together, in several passes over them.

// Slot i in the order of the projection, for kernels that work slot by slot.
static inline int32_t pli_slot_in_order(const pli_projection *p, int32_t begin, int32_t end, int32_t i)
{
    return p->backward ? end - 1 - (i - begin) : i;
}

// Projects the slots begin..end-1 in order, or in the opposite order. Both are multiples of PLI_BATCH, except in the scalar back end.
// Kernels that work by runs project the runs begin..end-1.
typedef void (*pli_project)(const pli_projection *projection, int32_t begin, int32_t end);

// A row of the internal table (PLI_ROW): a type and its kernels. A null `project` denotes the plain kernel, which calls type->evaluate.
// `prepare`, if any, runs at the start of each substep.
typedef struct pli_constraint_row {
    const pli_constraint_type *type;
    pli_project project;
    pli_project prepare;
    // Compliance of a vector constraint from its own parameters, 11 12 13 22 23 33 [(unit of C)^2/J]; null for other types.
    void (*soften)(const float *own, double compliance[6]);
} pli_constraint_row;

// A row. Its type is described once, by the row of the scalar back end, and null in others, so that a library contains its text and its
// functions in double only once. In a build without the scalar back end that row has no kernels: the kernels of the other back end then
// project the constraints one by one (constraints/one_by_one.h). Null pointers that refer to the omitted functions keep compilers from
// reporting them as unused.
#define PLI_LEFT_OUT(type, what) ((type)(0 * sizeof(what)))
#if PLI_BACKEND_ID == PLI_BACKEND_IS_scalar && !defined(PLI_RUNS)
#ifdef PLI_WITHOUT_SCALAR
#define PLI_ROW(type, project, prepare, soften)                                                                        \
    {                                                                                                                  \
        &(type), PLI_LEFT_OUT(pli_project, (pli_project)(project)), PLI_LEFT_OUT(pli_project, (pli_project)(prepare)), \
            (soften)                                                                                                   \
    }
#else
#define PLI_ROW(type, project, prepare, soften)                                                                        \
    {                                                                                                                  \
        &(type), (project), (prepare), (soften)                                                                        \
    }
#endif
#else
#define PLI_ROW(type, project, prepare, soften)                                                                        \
    {                                                                                                                  \
        PLI_LEFT_OUT(const pli_constraint_type *, type), (project), (prepare), (soften)                                \
    }
#endif

#define PLI_TYPE_COUNT_MAX 32

// The rows of one back end.
typedef struct pli_constraint_table {
    const pli_constraint_row *const *rows;
    int32_t count;
} pli_constraint_table;

#endif
