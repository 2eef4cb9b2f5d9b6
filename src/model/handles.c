#define _POSIX_C_SOURCE 200809L
// Lists of objects, handles and parallel ranges.
#include "model/handles.h"

#include "model/model.h"

#include <string.h>

bool pli_world_is_in_call(const pli_world *world) { return world->memory.asking > 0; }

bool pli_world_may_change(const pli_world *world, pli_error *error)
{
    if (!pli_world_is_in_call(world))
        return true;
    pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
             "a callback cannot change its world while the call that invoked it is running; change it after that call");
    return false;
}

void *pli_list_find(const pli_list *list, uint32_t id)
{
    int32_t low = 0, high = list->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (*list->items[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && id != 0 && *list->items[low] == id ? list->items[low] : NULL;
}

bool pli_list_add(pli_memory *memory, pli_list *list, void *item)
{
    if (!pli_reserve(memory, &list->items, &list->capacity, (int64_t)list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = item;
    return true;
}

void pli_list_remove(pli_list *list, const void *item)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; i++)
        if (list->items[i] != item)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

pli_deformable_data *pli_deformable_get(const pli_world *world, pli_deformable handle, pli_error *error)
{
    pli_deformable_data *deformable = handle.world == world->tag ? pli_list_find(&world->deformables, handle.id) : NULL;
    if (!deformable)
        pli_fail(error, PLI_STATUS_NOT_FOUND,
                 "no such deformable: the handle is null or of another world, or its deformable was destroyed");
    return deformable;
}

pli_constraints_data *pli_constraints_get(const pli_world *world, pli_constraints handle, pli_error *error)
{
    pli_constraints_data *set = handle.world == world->tag ? pli_list_find(&world->sets, handle.id) : NULL;
    if (!set)
        pli_fail(error, PLI_STATUS_NOT_FOUND,
                 "no such constraint set: the handle is null or of another world, or its set was destroyed");
    return set;
}

pli_attachment_data *pli_attachment_get(const pli_world *world, pli_attachment handle, pli_error *error)
{
    pli_attachment_data *attachment = handle.world == world->tag ? pli_list_find(&world->attachments, handle.id) : NULL;
    if (!attachment)
        pli_fail(error, PLI_STATUS_NOT_FOUND,
                 "no such attachment: the handle is null or of another world, or it was destroyed");
    return attachment;
}

pli_collider_data *pli_collider_data_of(const pli_world *world, pli_collider handle, pli_error *error)
{
    pli_collider_data *collider = handle.world == world->tag ? pli_list_find(&world->colliders, handle.id) : NULL;
    if (!collider)
        pli_fail(error, PLI_STATUS_NOT_FOUND,
                 "no such collider: the handle is null or of another world, or its collider was destroyed");
    return collider;
}

pli_rigid_body_data *pli_rigid_get(const pli_world *world, pli_rigid_body handle, pli_error *error)
{
    pli_rigid_body_data *rigid = handle.world == world->tag ? pli_list_find(&world->rigids, handle.id) : NULL;
    if (!rigid)
        pli_fail(error, PLI_STATUS_NOT_FOUND,
                 "no such rigid body: the handle is null or of another world, or its body was destroyed");
    return rigid;
}
