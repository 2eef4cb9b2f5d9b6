// Groups of an import, found by their names through a hash table.
#define _POSIX_C_SOURCE 200809L
#include "soup/soup_groups.h"

#include "soup/soup_layers.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash_of(int32_t kind, const char *name, int32_t length)
{
    uint32_t hash = 2166136261u ^ (uint32_t)kind;
    for (int32_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash ^ hash >> 15;
}

static bool is_it(const pli_soup_group *group, int32_t kind, const char *name, int32_t length)
{
    return group->kind == kind && strncmp(group->name, name, (size_t)length) == 0 && group->name[length] == '\0';
}

// The bucket of that name, or the free one for inserting it.
static int32_t *bucket_of(const pli_soup_groups *groups, int32_t kind, const char *name, int32_t length)
{
    uint32_t mask = (uint32_t)groups->bucket_count - 1, i = hash_of(kind, name, length) & mask;
    while (groups->buckets[i] >= 0 && !is_it(&groups->items[groups->buckets[i]], kind, name, length))
        i = (i + 1) & mask;
    return &groups->buckets[i];
}

static bool grow_buckets(pli_soup_groups *groups)
{
    if (2 * (groups->count + 1) <= groups->bucket_count)
        return true;
    int32_t count = groups->bucket_count ? 2 * groups->bucket_count : 16;
    int32_t *buckets = count > 0 ? malloc((size_t)count * sizeof *buckets) : NULL;
    if (!buckets)
        return false;
    memset(buckets, 0xff, (size_t)count * sizeof *buckets);
    free(groups->buckets);
    groups->buckets = buckets;
    groups->bucket_count = count;
    for (int32_t i = 0; i < groups->count; i++)
        *bucket_of(groups, groups->items[i].kind, groups->items[i].name, (int32_t)strlen(groups->items[i].name)) = i;
    return true;
}

int32_t pli_soup_group_named(pli_soup_groups *groups, int32_t kind, const char *name, int32_t length)
{
    if (!grow_buckets(groups))
        return -1;
    length = (int32_t)strnlen(name, (size_t)length); // Names in files may contain zero bytes, which end our copy.
    int32_t *bucket = bucket_of(groups, kind, name, length);
    if (*bucket >= 0)
        return *bucket;
    char *copy = strndup(name, (size_t)length);
    if (!copy || !pli_soup_reserve((void **)&groups->items, &groups->capacity, (int64_t)groups->count + 1,
                                   sizeof *groups->items)) {
        free(copy);
        return -1;
    }
    *bucket = groups->count;
    groups->items[groups->count] = (pli_soup_group){.name = copy, .kind = kind};
    return groups->count++;
}

bool pli_soup_group_add(pli_soup_groups *groups, int32_t index, int32_t element)
{
    pli_soup_group *group = &groups->items[index];
    if (!pli_soup_reserve((void **)&group->elements, &group->capacity, (int64_t)group->count + 1, sizeof(int32_t)))
        return false;
    group->elements[group->count++] = element;
    return true;
}

bool pli_soup_group_add_weighted(pli_soup_groups *groups, int32_t index, int32_t element, float weight)
{
    pli_soup_group *group = &groups->items[index];
    if (!pli_soup_reserve((void **)&group->weights, &group->weight_capacity, (int64_t)group->count + 1, sizeof(float)))
        return false;
    group->weights[group->count] = weight;
    return pli_soup_group_add(groups, index, element);
}

void pli_soup_groups_release(pli_soup_groups *groups)
{
    for (int32_t i = 0; i < groups->count; i++) {
        free(groups->items[i].name);
        free(groups->items[i].elements);
        free(groups->items[i].weights);
    }
    free(groups->items);
    free(groups->buckets);
    *groups = (pli_soup_groups){0};
}
