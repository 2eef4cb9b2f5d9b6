// The arrays that the constraints of a set lie in, slot by slot.
#ifndef PLI_SCHEDULE_CONSTRAINT_SLOTS_H
#define PLI_SCHEDULE_CONSTRAINT_SLOTS_H

#include "model/model.h"

static inline int32_t pli_constraint_set_slot(const pli_constraint_set_data *set, int32_t i)
{
    return set->slot_of ? set->slot_of[i] : i;
}

// Particles (internal places) of constraint i; returns how many.
int32_t pli_constraint_set_particles(const pli_constraint_set_data *set, int32_t i, const int32_t **variable,
                                     int32_t fixed[PLI_CARDINALITY_MAX]);
// The particles of a slot, of a type of fixed cardinality.
void pli_constraint_set_slot_particles(const pli_constraint_set_data *set, int32_t slot,
                                       int32_t places[PLI_CARDINALITY_MAX]);

// Fills the slots behind the constraints of each colour. Fixed cardinality only.
void pli_constraint_set_fill_padding(const pli_constraint_set_data *set);
// Makes room for the set's multipliers. False when memory ran out.
bool pli_constraint_set_reserve_lambda(pli_world *world, pli_constraint_set_data *set);
// Frees what lies slot by slot: particles of PLI_CARDINALITY_MAX, rest values of PLI_REST_MAX, multipliers of three.
void pli_release_words(pli_memory *memory, pli_index **index, float **rest, float **lambda);
// Frees the arrays that its constraints lie in, and nothing else of it.
void pli_constraint_set_release_slots(pli_world *world, pli_constraint_set_data *set);
// Frees a set that neither the world nor its deformable lists.
void pli_constraint_set_release(pli_world *world, pli_constraint_set_data *set);

#endif
