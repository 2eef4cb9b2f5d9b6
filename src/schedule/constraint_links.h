// Which constraints of a set are on which particle, and the changes that cuts make to a set: taking one
// away, moving one to another particle, adding one beside another. Costs depend on what is around
// the particles alone, but for room, which is made in shares of what there is.
#ifndef PLI_SCHEDULE_CONSTRAINT_LINKS_H
#define PLI_SCHEDULE_CONSTRAINT_LINKS_H

#include "model/model.h"

typedef struct pli_links {
    int32_t *heads;         // [particle_room] first entry of each particle, -1 for none.
    int32_t *next;          // [entries] a constraint's particles are entries side by side; -1 ends a list.
    int32_t *owners;        // [members] constraint of each entry of variable types; null for others.
    int32_t *constraint_of; // [slot_room] null in sequential order.
    uint32_t *marks, stamp; // [colour_room] colours that the particles of a new constraint are in.
    int32_t reserve_particle, slot_capacity, count_capacity, colour_capacity;
    bool (*holds)(const pli_fabric *fabric, const int32_t *vertices, int32_t count); // Null: no cut takes it away.
    int32_t *origins;      // [slot_count] variable types: what each was when the set was made, and
    pli_span *first_spans; // [3 * constraints] its members, rest values and triangles then.
    int32_t first_count;
    pli_constraint_set_data *staged; // Of a snapshot that is being read, and its bytes there.
    size_t staged_size;
    const char *loss; // Said once when one is taken away; null for nothing.
    bool told;
} pli_links;

// Lists the particles and leaves room in each colour. Needs body->torn. False when memory ran out.
bool pli_links_build(pli_world *world, pli_constraint_set_data *set);
void pli_links_free(pli_world *world, pli_constraint_set_data *set);
// After the room for particles has grown: the dummy has moved from `dummy` to its new place.
bool pli_links_widen(pli_world *world, pli_constraint_set_data *set);
void pli_links_move_dummy(pli_constraint_set_data *set, int32_t dummy);
// Makes sure that `constraints` can be added. False when memory ran out, with nothing changed.
bool pli_links_reserve(pli_world *world, pli_constraint_set_data *set, int32_t constraints);

// The constraints on a particle: for (e = first; e >= 0; e = links->next[e]).
static inline int32_t pli_links_first(const pli_constraint_set_data *set, int32_t place)
{
    return set->links->heads[place];
}
static inline int32_t pli_links_constraint(const pli_constraint_set_data *set, int32_t entry)
{
    return set->links->owners ? set->links->owners[entry] : entry / set->type->cardinality;
}

// Particle k of a constraint becomes `place`.
void pli_links_move(pli_constraint_set_data *set, int32_t constraint, int32_t k, int32_t place);
// A constraint like `constraint` between other particles, copies of those at `origins`, whose constraints may
// still come after them: it gets a colour that these are not in. Fixed cardinality only.
void pli_links_add(pli_constraint_set_data *set, int32_t constraint, const int32_t *places, const int32_t *origins);
// Takes one away; the last in order of creation takes its number.
void pli_links_remove(pli_constraint_set_data *set, int32_t constraint);

#endif
