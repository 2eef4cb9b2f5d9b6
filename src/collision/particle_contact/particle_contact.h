// Self-contact by particles: particles keep one distance from each other, and the triangles between them are
// ignored. It costs a fraction of contact between surfaces. Mueller 2022, Ten Minute Physics 15, Self-Collisions.
#ifndef PLI_COLLISION_PARTICLE_CONTACT_PARTICLE_CONTACT_H
#define PLI_COLLISION_PARTICLE_CONTACT_PARTICLE_CONTACT_H

#include "base/array.h"
#include "collision/particle_contact/particle_groups.h"
#include "collision/state/slack.h"

typedef struct pli_particle_pair {
    int32_t at[2];       // Particles in the store, the lower one first.
    float rest_distance; // Distance to keep [m].
    float gap;           // Least distance on their trajectories [m].
    float reach;         // Particles further apart than this make no contact [m].
    bool layers;         // They belong to different layers, which stay apart as surfaces (layer_contact.h).
} pli_particle_pair;

// The triangles around each vertex.
typedef struct pli_fans {
    int32_t *begins; // [vertex_count + 1] first triangle of each vertex.
    int32_t *sides;  // [2 * 3 * triangle_count] the two other vertices of each triangle.
    int32_t begin_capacity, side_capacity;
} pli_fans;

// Candidate pairs of one deformable; they hold while every particle is within the slack of its trajectory (slack.h).
typedef struct pli_particle_list {
    float distance; // Rest distance of particles [m].
    float reach;    // Distance up to which particles of two layers can make a contact [m].
    pli_fans fans;
    PLI_ARRAY(pli_particle_pair) pairs; // Pairs sorted by their particles.
    PLI_ARRAY(pli_particle_pair) spare; // The buffer into which they are merged.
    pli_groups groups;                  // Groups of particles with their trajectories.
    float joined;                       // Particles nearer at rest than this are adjacent; 0 while unknown [m].
    pli_slack slack;
    int32_t last_lifetime; // How long the last list was valid [substeps].

    PLI_ARRAY(pli_particle_rank_pair) found;
    PLI_ARRAY(pli_particle_pair) completed; // Pairs in the order found; a pair without contact has rest distance 0.
    PLI_ARRAY(struct pli_sort_item) sorting;
    int32_t chunk_capacity;
} pli_particle_list;

struct pli_collision;
struct pli_contact_mesh;

// Frees a surface and its list of particle pairs; does nothing for null.
void pli_contact_mesh_free(pli_memory *memory, struct pli_contact_mesh *surface);

// Searches again, at the start of a substep, for lists that are no longer valid. Sets `out_of_memory` on failure.
void pli_collision_update_particle_pairs(struct pli_collision *collision);
// Appends the contacts of this substep. Returns false when out of memory.
bool pli_collision_build_particle_contacts(struct pli_collision *collision);

#endif
