// What a kernel is given: the arrays of one constraint set and the numbers of this sweep.
#ifndef PLI_CONSTRAINTS_PROJECTION_H
#define PLI_CONSTRAINTS_PROJECTION_H

#include "pliant/constraint.h"
#include "simd/wide.h"

// Where what belongs to a constraint of variable cardinality lies.
typedef struct pli_span {
    int32_t begin, end;
} pli_span;

// Constraints of variable cardinality, by slot.
typedef struct pli_variable {
    const pli_span *member_spans;
    const int32_t *members; // particles
    const pli_span *rest_spans;
    const float *rest;
    const pli_span *triangle_spans; // in triangles; null for types without
    const int32_t *triangles;       // particles, 3 each
    double *scratch;                // [3 * particles of the deformable]; constraints of a colour use disjoint parts
} pli_variable;

// Particles by coordinate instead of one by one.
typedef struct pli_soa {
    float *x, *y, *z, *w;
} pli_soa;

// Constraints in the slots slot..slot+count-1 whose particles lie one after the other: particle k of slot s is at
// at[k] + s - slot in columns. No two of them share a particle.
typedef struct pli_slot_run {
    int32_t slot, count;
    int32_t at[PLI_CARDINALITY_MAX];
} pli_slot_run;

// Arrays are indexed by slot: the place of a constraint in the schedule. Slots come in batches
// padded to PLI_BATCH with constraints between dummy particles of inverse mass 0.
typedef struct pli_projection {
    pli_particle *particles;              // Positions being corrected, with inverse masses.
    const pli_particle *previous;         // Positions at the start of the substep.
    pli_soa columns, previous_columns;    // The same two for kernels that go by runs.
    const pli_slot_run *runs;             // What they are asked to project, by number of the run.
    int32_t at[PLI_CARDINALITY_MAX], end; // Of the run at work: places of slot 0, and behind its last slot.
    const pli_particle *normals;          // At the start of the substep; null unless the type needs them.
    const pli_index *index[PLI_CARDINALITY_MAX];
    const uint8_t
        *contiguous_batches;    // By batch: whether it is in contiguous batches (contiguous batches.h). Null: none is.
    bool in_contiguous_batches; // Those at work are.
    const float *rest[PLI_REST_MAX];
    const float *compliance_scale; // Null unless rigidity acts.
    float *state;                  // Signs; null unless the type keeps one.
    float *lambda[3];              // Null when multipliers are not kept (classic PBD).
    pli_variable variable;
    const pli_constraint_type *type;
    const float *parameters; // The type's own.
    uint32_t zero_rest;      // Bit j: rest value j is 0 in every constraint of the set.
    pli_sense sense;
    bool anchored;          // Tethers: the second particle is an anchor, which is read and not moved.
    bool first;             // First sweep of the substep, or no multipliers are kept: they start from zero.
    bool plain;             // An equality without damping or rigidity whose multipliers are not kept.
    float stiffness;        // k' = 1-(1-k)^(1/n); 1 under XPBD.
    float compliance;       // alpha / h^2; 0 under PBD.
    float inverse_rigidity; // 1 / (B h^2), or 0.
    float damping;          // gamma = damping time / h; 0 under PBD.
} pli_projection;

#define PLI_BATCH 16 // Slots: the widest back end, so that the schedule is the same for all.

// Projects the slots begin..end-1 in their order. Both are multiples of PLI_BATCH, or anything in
// the scalar back end. Kernels that go by runs project the runs begin..end-1.
typedef void (*pli_project)(const pli_projection *projection, int32_t begin, int32_t end);

// A row of the internal table: a type and its kernels. A null `project` means the plain kernel
// that calls type->evaluate. `prepare`, if any, runs at the start of each substep.
typedef struct pli_constraint_row {
    const pli_constraint_type *type;
    pli_project project;
    pli_project prepare;
} pli_constraint_row;

#define PLI_TYPE_COUNT_MAX 32

// The rows of one back end; `count` of them.
typedef struct pli_constraint_table {
    const pli_constraint_row *const *rows;
    int32_t count;
} pli_constraint_table;

#endif
