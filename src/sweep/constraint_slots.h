// Slots of a constraint set. The data of a constraint (particles, rest values, multipliers) are at its slot in parallel arrays, colour by
// colour:
//
//   slot        0  1  2  3  4 ..      15 | 16 17 ..
//   index[0]    a0 a1 a2 d  d ..      d  | b0 b1 ..        d: padding, which acts on the dummy particle
//   index[1]    a0 a1 a2 d  d ..      d  | b0 b1 ..
//   rest[0]     a0 a1 a2 a0 a0 ..     a0 | b0 b1 ..
#ifndef PLI_SWEEP_CONSTRAINT_SLOTS_H
#define PLI_SWEEP_CONSTRAINT_SLOTS_H

#include "model/attributes.h"

// Slot of constraint i, in order of creation.
static inline int32_t pli_constraints_slot(const pli_constraints_data *set, int32_t i)
{
    return set->slot_of ? set->slot_of[i] : i;
}

// Particles (internal indices) of constraint i; returns their number.
int32_t pli_constraints_particles(const pli_constraints_data *set, int32_t i, const int32_t **variable,
                                  int32_t fixed[PLI_CARDINALITY_MAX]);
// Particles of the constraint in a slot, for a type of fixed cardinality.
void pli_constraints_slot_particles(const pli_constraints_data *set, int32_t slot, int32_t places[PLI_CARDINALITY_MAX]);

// Painted compliance scales by slot, 1 / factor, of a set whose type has no rigidity; null if none are painted. For a type with a
// rigidity, the painted factors are part of the scale from its geometry.
static inline const float *pli_constraints_painted_scales(const pli_constraints_data *set)
{
    return set->base_scale && !set->type->compliance_scale ? set->compliance_scale : NULL;
}

// Whether the rest values of the set are positions relative to the world's origin: targets of built-in types. A user type receives
// positions in the user's coordinates in double, and defines its rest values itself.
static inline bool pli_constraints_has_targets(const pli_constraints_data *set)
{
    return set->row && set->type->world_anchored;
}
// Sets the targets of a set made from a list to the positions of its particles in the mesh. Targets of attachments follow their frames.
void pli_constraints_place_targets(const pli_world *world, pli_constraints_data *set);
// The point to add to positions before the set's type receives them.
static inline pli_dvec3 pli_constraints_origin(const pli_world *world, const pli_constraints_data *set)
{
    return set->row ? (pli_dvec3){0, 0, 0} : world->origin;
}

// Whether an attribute of a set was painted or derived from a sheet, so that cooking does not restore it.
static inline bool pli_constraints_is_painted_by(const pli_constraints_data *set, const pli_attribute *row)
{
    const size_t scale = offsetof(pli_constraints_data, compliance_scale);
    return row->painted || row->offset == offsetof(pli_constraints_data, base_scale) ||
           (row->offset == scale && !set->type->compliance_scale);
}
// Whether the set's optional attributes go together: factors need their base, and bends the first rest value.
static inline bool pli_constraints_fits(const pli_constraints_data *set)
{
    return (!set->stiffness || set->base_scale) && (!set->base_scale || set->compliance_scale) &&
           (!set->compliance_scale || set->base_scale || set->type->compliance_scale) &&
           (!set->bends == !set->first_rest) && (set->type->bend || !(set->bends || set->yield || set->hardening)) &&
           (set->count == 0 || set->type->cardinality > 0 || set->type->compliance_scale || !set->damping);
}
// Slots that an array of the set needs memory for: those that cuts add, and full registers of kernels for runs.
int64_t pli_constraints_capacity(const pli_constraints_data *set);
// Copies the painted attributes of the same constraints from another set. False when memory ran out.
bool pli_constraints_carry(pli_memory *memory, pli_constraints_data *to, const pli_constraints_data *from);

// Fills the padding after the constraints of each colour. Fixed cardinality only.
void pli_constraints_fill_padding(const pli_constraints_data *set);
// Writes the compliance scales of a painted set into its slots, with or without the painted factors.
void pli_constraints_write_scales(const pli_constraints_data *set, bool painted);
// Allocates the set's multipliers, and their means if these are read, unless it has them. False when memory ran out.
bool pli_constraints_reserve_multipliers(pli_world *world, pli_constraints_data *set, bool means);
// Allocates the arrays that a set needs to keep bends, unless it has them. False when memory ran out.
bool pli_constraints_reserve_bends(pli_world *world, pli_constraints_data *set);
// Whether a bend has remained since the set was created or reset.
bool pli_constraints_is_bent(const pli_constraints_data *set);
// Updates whether the rest value that follows bends is 0 in all slots, which kernels check.
void pli_constraints_mark_bends(pli_constraints_data *set);
// Restores the rest values from cooking.
void pli_constraints_forget_bends(pli_constraints_data *set);
// Copies the bends of constraint i, and the rest value that follows them, from another set of the same type.
void pli_constraints_copy_bend(pli_constraints_data *to, const pli_constraints_data *from, int32_t i);
// Frees the arrays by slot, but neither the set nor its name.
void pli_constraints_release_slots(pli_world *world, pli_constraints_data *set);
// Frees a set that neither the world nor its deformable lists.
void pli_constraints_release(pli_world *world, pli_constraints_data *set);

#endif
