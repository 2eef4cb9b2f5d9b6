// Contacts of a particle with another layer of the same cloth.
#ifndef PLI_COLLISION_PARTICLE_CONTACT_LAYER_CONTACT_H
#define PLI_COLLISION_PARTICLE_CONTACT_LAYER_CONTACT_H

#include "collision/particle_contact/particle_contact.h"
#include "collision/state/collision_state.h"

// Contacts are made up to this multiple of the distance to keep.
#define PLI_PARTICLE_CLOSE 1.05f

// Does an edge join the two vertices?
bool pli_particles_joined(const pli_contact_mesh *surface, int32_t a, int32_t b);
bool pli_either_moves(const pli_collision *collision, const pli_contact_mesh *surface, int32_t a, int32_t b);
// The distance that two vertices keep: at most PLI_REST_SHARE of their rest distance; 0 for coinciding ones, which have no
// separating direction [m].
float pli_particles_keep(const pli_contact_mesh *surface, float distance, int32_t a, int32_t b);
// Are two vertices so far apart at rest that the triangles around one may keep the full distance from the other?
float pli_layers_least(const pli_contact_mesh *surface, float distance); // Rest distance from which they are [m].
bool pli_layers_are_apart(const pli_contact_mesh *surface, float distance, int32_t a, int32_t b);
// Distance within which a particle that touches a layer finds one of its particles [m].
float pli_layer_reach(const pli_contact_mesh *surface, float distance);
// Lists the triangles around each vertex. Returns false when out of memory.
bool pli_fans_build(pli_memory *memory, const pli_contact_mesh *surface, pli_fans *fans);
// Does the pair glide, flat layer over flat layer? Then each particle touches the triangles around the other one, unless a
// neighbour of the other one is nearer: at most 2 contacts.
bool pli_layers_glide(const pli_collision *collision, int32_t number, const pli_particle_pair *pair,
                      pli_surface_contact made[2], int32_t *count);

#endif
