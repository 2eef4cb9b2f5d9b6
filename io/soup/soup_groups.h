// Named groups of faces or vertices of an import.
#ifndef PLI_IO_SOUP_GROUPS_H
#define PLI_IO_SOUP_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct pli_soup_group {
    char *name;
    int32_t kind; // A pli_mesh_group_kind.
    int32_t *elements;
    float *weights; // NULL unless given.
    int32_t count, capacity, weight_capacity;
} pli_soup_group;

typedef struct pli_soup_groups {
    pli_soup_group *items; // In the order of their first use.
    int32_t count, capacity;
    int32_t *buckets; // A hash table of item indices, for fast lookup among many groups; -1 is free.
    int32_t bucket_count;
} pli_soup_groups;

// Index of the group of that name and kind, created if there is none. -1 when memory runs out.
int32_t pli_soup_group_named(pli_soup_groups *groups, int32_t kind, const char *name, int32_t length);
// Appends an element. False when memory runs out.
bool pli_soup_group_add(pli_soup_groups *groups, int32_t group, int32_t element);
bool pli_soup_group_add_weighted(pli_soup_groups *groups, int32_t group, int32_t element, float weight);
void pli_soup_groups_release(pli_soup_groups *groups);

#endif
