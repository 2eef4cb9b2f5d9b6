#define _POSIX_C_SOURCE 200809L
// Lists of objects, handles and nearest names.
#include "solver/world.h"

#include <string.h>

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

pli_body *pli_body_get(const pli_world *world, pli_deformable handle, pli_error *error)
{
    pli_body *body = pli_list_find(&world->bodies, handle.id);
    if (!body)
        pli_fail(error, PLI_STATUS_NOT_FOUND, "no such deformable: the handle is null or its deformable was destroyed");
    return body;
}

pli_set *pli_set_get(const pli_world *world, pli_constraint_set handle, pli_error *error)
{
    pli_set *set = pli_list_find(&world->sets, handle.id);
    if (!set)
        pli_fail(error, PLI_STATUS_NOT_FOUND, "no such constraint set: the handle is null or its set was destroyed");
    return set;
}

pli_rigid *pli_rigid_get(const pli_world *world, pli_rigid_body handle, pli_error *error)
{
    pli_rigid *rigid = pli_list_find(&world->rigids, handle.id);
    if (!rigid)
        pli_fail(error, PLI_STATUS_NOT_FOUND, "no such rigid body: the handle is null or its body was destroyed");
    return rigid;
}

enum { NAME_MAX_LENGTH = 63 };

// Levenshtein's distance between the first letters of two names.
static int32_t difference(const char *a, const char *b)
{
    int32_t row[NAME_MAX_LENGTH + 1];
    int32_t width = (int32_t)strnlen(b, NAME_MAX_LENGTH);
    for (int32_t j = 0; j <= width; j++)
        row[j] = j;
    for (int32_t i = 0; a[i] && i < NAME_MAX_LENGTH; i++) {
        int32_t diagonal = row[0];
        row[0] = i + 1;
        for (int32_t j = 0; j < width; j++) {
            int32_t replace = diagonal + (a[i] != b[j]);
            int32_t insert = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = replace < insert ? replace : insert;
        }
    }
    return row[width];
}

const char *pli_nearest_name(const char *name, const char *const *names, int32_t count)
{
    const char *nearest = "";
    int32_t least = INT32_MAX;
    for (int32_t i = 0; i < count; i++) {
        int32_t distance = difference(name, names[i]);
        if (distance < least) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
