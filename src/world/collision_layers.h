// Which deformables and colliders may meet, by what they say of layers, without looking at each two of them.
#ifndef PLI_WORLD_COLLISION_LAYERS_H
#define PLI_WORLD_COLLISION_LAYERS_H

#include "model/model.h"

// All that say the same.
typedef struct pli_layer_group {
    uint32_t layers, mask;
    int32_t deformable_count;
    bool carried, still; // Whether there are colliders that collide as surfaces, by whether rigid bodies carry them.
} pli_layer_group;

// Before the calls below, in each step. False when memory ran out.
bool pli_world_group_layers(pli_world *world);
// Whether anything else may meet the surface of a deformable, or this does itself.
bool pli_world_needs_surface(const pli_world *world, const pli_deformable_data *deformable);
// Whether any two surfaces may meet, by list of pairs.
void pli_world_note_cluster_pairs(pli_world *world, bool has_pairs[PLI_LIST_COUNT]);

#endif
