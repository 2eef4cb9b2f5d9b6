// The lists and the factorisation of solved sets, made from their constraints, the rest shape and the masses.
#ifndef PLI_BENDING_BENDS_BUILD_H
#define PLI_BENDING_BENDS_BUILD_H

#include "bending/bends.h"
#include "constraints/solved/solved_form.h"
#include "bending/implicit.h"

// Solved sets are valid as long as their key does not change.
typedef struct pli_bends_key {
    float seconds; // H.
    int32_t interval, count, capacity, sets;
    uint64_t hash; // The hash covers the sets, their compliances, and their particles if these may change.
} pli_bends_key;

typedef struct pli_bends_set {
    const pli_constraints_data *set;
    const pli_solved_form *form;
    int32_t first, count; // Its constraints.
    bool is_flat;         // All shapes are 0.
} pli_bends_set;

typedef struct pli_bends_state {
    pli_bends_key key;
    pli_implicit system;
    pli_bends_set *sets;    // [key.sets]
    int32_t count;          // Constraints.
    int32_t *begins;        // [count + 1] the first index in `members` of each constraint.
    int32_t *members;       // Particles of each constraint.
    float *weights;         // K of each particle.
    float *stiffnesses;     // [count] 1 / (alpha g); 0 for constraints without a form.
    float *shapes;          // [count * PLI_FORM_SHAPES]
    pli_particle *forces;   // [count] f.
    pli_particle *coasting; // [particles] x + H v, where targets are evaluated; it excludes gravity in the interval.
    int32_t *pull_begins;   // [particles + 1] ranges of the constraints that act on each particle.
    int32_t *pulls;         // The index of the constraint.
    float *pull_weights;    // Its K for the particle.
} pli_bends_state;

// alpha of the constraint in a slot, without the squared substep.
double pli_bends_compliance(const pli_constraints_data *set, int32_t slot);
// Fills a zeroed state whose key is set, for the base of the deformable.
pli_factor_result pli_bends_build(pli_world *world, const pli_deformable_data *deformable, pli_bends_state *state);
void pli_bends_clear(pli_memory *memory, pli_bends_state *state);

#endif
