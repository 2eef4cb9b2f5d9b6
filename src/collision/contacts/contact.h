// Contacts of surfaces: built from the candidate pairs, kept from substep to substep, and projected.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_H
#define PLI_COLLISION_CONTACTS_CONTACT_H

#include "collision/state/collision_state.h"

// Is the candidate pair exempt from contact and CCD? It is exempt if both sides belong to intersections, if the cloth is inside the
// collider, or if it is behind a one-sided collider.
bool pli_pair_exempt(const pli_collision *collision, const pli_candidate_pair *pair);

// Builds the contacts from all candidate pairs, particle pairs and one-sided contacts, and colours them.
void pli_collision_build_contacts(pli_collision *collision);

// Replaces `normal`, the direction between the closest points of a pair, by the normal of the side that is flat there:
// the flatter one if both are flat. Returns that side, or -1 if neither is flat and nothing is replaced.
int32_t pli_plane_at_contact(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *closest,
                             pli_dvec3 *normal);

// Removes contacts with a flat side that contacts of vertices with its triangles imply. Returns false when out of
// memory.
bool pli_surface_contacts_cull(pli_collision *collision);

// Colours the contacts such that no two contacts of a colour share a movable particle, and fills the blocks. Contacts
// with a rigid body are solved last, one at a time. Returns false when out of memory.
bool pli_surface_contacts_colour(pli_collision *collision);

// One position sweep over all contacts, or, with `again`, over the contacts of sinking islands only.
void pli_collision_project(pli_collision *collision, bool again);
// Finds the islands of surfaces in contact in which loose cloth is pressed deeper than contacts recover in a substep and still sinks. Call
// it again after each sweep: it then finds those of the islands that sink less than before. Returns whether there are any.
bool pli_collision_find_sinking(pli_collision *collision, bool first);
// Marks and links the surfaces that pushed each other in this substep.
void pli_collision_mark_touched(pli_collision *collision);
// Velocity pass; approaches slower than `bounce` [m/s] are not reflected.
void pli_collision_rebound(pli_collision *collision, float bounce);

// Contacts that persist for several substeps: if two clusters hardly move relative to one another, their contacts from
// the previous substep are reused at the current positions.

// Leaves only persistent contacts in the list of contacts, and updates them. Their cluster pairs have a nonzero `made`;
// the contacts of all other pairs must be built. Returns false when out of memory.
bool pli_contacts_keep(pli_collision *collision);
// Sorts contacts in the order of their cluster pairs. Returns false when out of memory.
bool pli_contacts_order(pli_collision *collision);
// Records that all contacts were made or kept, and at which positions. Returns false when out of memory.
bool pli_contacts_note_made(pli_collision *collision);
// Forces all contacts to be rebuilt in the next substep.
void pli_contacts_forget(pli_collision *collision);

// Returns pli_surface_contact.owner for a cluster pair of a list.
static inline int32_t pli_contact_owner(int32_t list, int32_t cluster_pair)
{
    return list == PLI_LIST_DEFORMABLES ? cluster_pair + 1 : -(cluster_pair + 1);
}

#endif
