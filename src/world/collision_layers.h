// Finds the deformables and colliders that may collide by their layers and masks, without testing each pair.
#ifndef PLI_WORLD_COLLISION_LAYERS_H
#define PLI_WORLD_COLLISION_LAYERS_H

#include "model/model.h"

// All deformables and colliders with the same layers and mask.
typedef struct pli_layer_group {
    uint32_t layers, mask;
    int32_t deformable_count;
    bool carried, still; // Whether it has colliders with surfaces: carried by rigid bodies, and other ones.
} pli_layer_group;

// Builds the groups, once before each step. False when memory ran out.
bool pli_world_group_layers(pli_world *world);
// Whether the surface of a deformable may collide with anything, itself included.
bool pli_world_needs_surface(const pli_world *world, const pli_deformable_data *deformable);
// Sets, for each list of pairs, whether any two surfaces of it may collide.
void pli_world_note_pair_lists(pli_world *world, bool has_pairs[PLI_LIST_COUNT]);

#endif
