// Links between particles and the constraints of a set, and the changes that a cut makes to the set: removing a constraint, moving one to
// another particle, adding a copy of one.
//
// Each particle heads a linked list of entries; the particles of constraint c are the entries c * cardinality + k:
//
//   heads[p] --> entry 7 --next--> entry 12 --next--> -1      entry 7 of a set of edges: particle 1 of constraint 3
//
//   split of vertex p into p and q:
//       a---p---b      =>      a---p   q---b       constraint (p, b) moves to (q, b)
//
// The cost of each change is proportional to the number of constraints on its particles. Only growing the arrays costs more; they grow by
// a fraction of their size, so this is rare.
#ifndef PLI_SWEEP_CONSTRAINT_LINKS_H
#define PLI_SWEEP_CONSTRAINT_LINKS_H

#include "model/model.h"

typedef struct pli_links {
    int32_t *heads; // [particle_capacity] first entry of each particle, -1 for none.
    // [entries] next entry of the same particle, -1 for none. The entries of a constraint are contiguous.
    int32_t *next;
    int32_t *owners;        // [members] constraint of each entry for types of variable cardinality; NULL for others.
    int32_t *constraint_of; // [slot_capacity] constraint in each slot; NULL in sequential order, where it is the slot.
    uint32_t *marks, stamp; // [colour_capacity] equal to `stamp` for the colours that a new constraint must not have.
    // Sizes of the arrays above; number of constraints for which memory is reserved.
    int32_t particle_capacity, slot_capacity, count_capacity, colour_capacity;
    int32_t wide_count; // Colours from before the cut, with capacity for all constraints that it adds.
    // Whether a constraint still acts on the cut surface; NULL when no cut removes any.
    bool (*survives_cut)(const pli_fabric *fabric, const int32_t *vertices, int32_t count);
    int32_t *origins;             // [slot_count] variable cardinality: number of the constraint when the set was made.
    pli_span *original_spans;     // [3 * original_count] its members, rest values and triangles at that time.
    int32_t original_count;       // Constraints when the set was made.
    pli_constraints_data *staged; // Set that the check of a snapshot has read but not yet applied; NULL for none.
    size_t staged_size;           // Bytes of that set in the snapshot.
    const char *warning;          // Logged once when a cut removes a constraint of the set; NULL for none.
    bool warned;                  // The warning has been logged.
} pli_links;

// Builds the lists and reserves spare slots in each colour. Needs the deformable's tear_state. False when memory ran
// out.
bool pli_links_build(pli_world *world, pli_constraints_data *set);
void pli_links_free(pli_world *world, pli_constraints_data *set);
// Grows the heads to the deformable's present particle capacity (false when memory ran out), and redirects padding from the former dummy
// particle `dummy` to the present one.
bool pli_links_widen(pli_world *world, pli_constraints_data *set);
void pli_links_move_dummy(pli_constraints_data *set, int32_t dummy);
// Reserves memory so that up to `constraints` constraints can be added on up to `copies` new particles, without failing.
// False when memory ran out, with nothing changed.
bool pli_links_reserve(pli_world *world, pli_constraints_data *set, int32_t constraints, int32_t copies);

// Iterates over the constraints on a particle: for (e = pli_links_first(...); e >= 0; e = links->next[e]).
static inline int32_t pli_links_first(const pli_constraints_data *set, int32_t place)
{
    return set->links->heads[place];
}
static inline int32_t pli_links_constraint(const pli_constraints_data *set, int32_t entry)
{
    return set->links->owners ? set->links->owners[entry] : entry / set->type->cardinality;
}

// Replaces particle k of a constraint by `place`.
void pli_links_move(pli_constraints_data *set, int32_t constraint, int32_t k, int32_t place);
// Adds a copy of `constraint` between the particles `places`, which are copies of the particles `origins`. No constraint on
// either has its colour, since constraints on the origins may still move to the copies. Fixed cardinality only.
void pli_links_add(pli_constraints_data *set, int32_t constraint, const int32_t *places, const int32_t *origins);
// Removes a constraint; the last one in order of creation takes its number.
void pli_links_remove(pli_constraints_data *set, int32_t constraint);

#endif
