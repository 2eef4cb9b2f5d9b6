// Contact of a deformable with itself by particles, which keep apart as balls of one size would: what lies between
// particles is not looked at. A small part of the cost of contact between surfaces (Mueller 2022, Ten Minute Physics 15).
#ifndef PLI_COLLISION_PARTICLE_CONTACT_PARTICLE_CONTACT_H
#define PLI_COLLISION_PARTICLE_CONTACT_PARTICLE_CONTACT_H

#include "collision/particle_contact/particle_groups.h"
#include "collision/state/slack.h"

typedef struct pli_particle_pair {
    int32_t at[2];       // Places in the store, the lower one first.
    float rest_distance; // Distance to keep [m].
    float gap;           // How near they come on straight trajectories [m].
} pli_particle_pair;

// The pairs of a deformable that come near while every particle keeps within `budget` of a straight way.
typedef struct pli_particle_list {
    float distance;                   // That particles keep [m].
    pli_particle_pair *pairs, *spare; // By their places.
    int32_t count, capacity, spare_capacity;
    pli_groups groups; // Their trajectories.
    float joined;      // What is nearer at rest is joined by an edge; 0 while that is not known [m].
    pli_slack slack;
    int32_t held; // For how long the last list did [substeps].

    pli_particle_contact_pair *found;
    pli_particle_pair *loose; // What is found, in that order; those to be left out keep 0 m.
    struct pli_sort_item *sorting;
    int32_t found_count, reserve_found;
    int32_t found_capacity, loose_capacity, sorting_capacity;
} pli_particle_list;

struct pli_collision;
struct pli_contact_mesh;

void pli_particle_list_release(pli_memory *memory, pli_particle_list *list);
// Frees a surface with its list of particle pairs; null is nothing.
void pli_contact_mesh_free(pli_memory *memory, struct pli_contact_mesh *surface);

// At the start of a substep: finds the lists again that do not hold. Sets `starved` when memory ran out.
void pli_collision_find_particles(struct pli_collision *collision);
// Appends the contacts of this substep. False when memory ran out.
bool pli_collision_build_particle_contacts(struct pli_collision *collision);

#endif
