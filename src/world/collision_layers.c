// Groups of equal layers and masks: two groups are tested once, however many deformables they have.
#include "world/collision_layers.h"

#include "base/layers.h"
#include "rigid/coupling/rigid_proxy.h"
#include "sweep/crowd.h"

static bool meet(const pli_layer_group *a, const pli_layer_group *b)
{
    return pli_layers_meet(a->layers, a->mask, b->layers, b->mask);
}

// The group of a layer and a mask, added if it is new. Groups are few, whatever the number of deformables.
static pli_layer_group *layer_group_of(pli_world *world, uint32_t layers, uint32_t mask)
{
    for (int32_t i = 0; i < world->during.layers.count; i++)
        if (world->during.layers.groups[i].layers == layers && world->during.layers.groups[i].mask == mask)
            return &world->during.layers.groups[i];
    if (!pli_reserve(&world->memory, &world->during.layers.groups, &world->during.layers.capacity,
                     (int64_t)world->during.layers.count + 1, sizeof *world->during.layers.groups))
        return NULL;
    pli_layer_group *group = &world->during.layers.groups[world->during.layers.count++];
    *group = (pli_layer_group){.layers = layers, .mask = mask};
    return group;
}

bool pli_world_group_layers(pli_world *world)
{
    world->during.layers.count = 0;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_def *def = &pli_deformable_at(world, i)->def;
        if (pli_deformable_at(world, i)->idle || pli_deformable_at(world, i)->isolated->active)
            continue;
        pli_layer_group *group = layer_group_of(world, def->layers, def->mask);
        if (!group)
            return false;
        group->deformable_count++;
    }
    for (int32_t i = 0; i < world->colliders.count; i++) {
        const pli_collider_data *collider = pli_collider_at(world, i);
        pli_layer_group *group = collider->surface ? layer_group_of(world, collider->def.layers, collider->def.mask)
                                                   : NULL;
        if (collider->surface && !group)
            return false;
        if (group)
            *(collider->rigid ? &group->carried : &group->still) = true;
    }
    return true;
}

bool pli_world_needs_surface(const pli_world *world, const pli_deformable_data *deformable)
{
    const pli_layer_group own = {.layers = deformable->def.layers, .mask = deformable->def.mask};
    if (deformable->def.self_collision)
        return true;
    for (int32_t i = 0; i < world->during.layers.count; i++) {
        const pli_layer_group *group = &world->during.layers.groups[i];
        bool same = group->layers == own.layers && group->mask == own.mask;
        if ((group->carried || group->still || group->deformable_count > same) && meet(&own, group))
            return true;
    }
    return false;
}

// Marks the lists of pairs that the deformables of group a may have with members of group b.
static void note_pair(const pli_layer_group *a, const pli_layer_group *b, bool has_pairs[PLI_LIST_COUNT])
{
    if (a->deformable_count == 0 || !meet(a, b))
        return;
    has_pairs[PLI_LIST_COLLIDERS] = has_pairs[PLI_LIST_COLLIDERS] || b->still;
    if (b->carried || b->deformable_count > (a == b))
        has_pairs[PLI_LIST_DEFORMABLES] = true;
}

void pli_world_note_pair_lists(pli_world *world, bool has_pairs[PLI_LIST_COUNT])
{
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        has_pairs[list] = false;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_def *def = &pli_deformable_at(world, i)->def;
        if (!pli_deformable_at(world, i)->idle && def->self_collision && def->self_contact == PLI_SELF_CONTACT_SURFACES)
            has_pairs[PLI_LIST_DEFORMABLES] = true;
    }
    for (int32_t a = 0; a < world->during.layers.count; a++)
        for (int32_t b = 0; b < world->during.layers.count; b++)
            note_pair(&world->during.layers.groups[a], &world->during.layers.groups[b], has_pairs);
}
