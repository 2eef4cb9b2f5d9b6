// Attributes of a mesh in the form for callers.
#include <pliant/mesh_attributes.h>

#include <stdlib.h>
#include <string.h>

pli_mesh_attributes pli_mesh_attributes_default(void) { return (pli_mesh_attributes){0}; }

void pli_mesh_attributes_destroy(pli_mesh_attributes *a)
{
    if (!a)
        return;
    for (int32_t i = 0; i < a->attribute_count; i++) {
        free((char *)a->attributes[i].name);
        free((float *)a->attributes[i].values);
    }
    for (int32_t i = 0; i < a->group_count; i++) {
        free((char *)a->groups[i].name);
        free((int32_t *)a->groups[i].elements);
        free((float *)a->groups[i].weights);
    }
    free((int32_t *)a->vertex_map);
    free((int32_t *)a->corners);
    free((int32_t *)a->triangles);
    free((pli_mesh_attribute *)a->attributes);
    free((pli_mesh_group *)a->groups);
    free(a);
}

const pli_mesh_attribute *pli_mesh_attribute_named(const pli_mesh_attributes *a, const char *name)
{
    for (int32_t i = 0; a && name && i < a->attribute_count; i++)
        if (strcmp(a->attributes[i].name, name) == 0)
            return &a->attributes[i];
    return NULL;
}

const pli_mesh_group *pli_mesh_group_named(const pli_mesh_attributes *a, const char *name, pli_mesh_group_kind kind)
{
    for (int32_t i = 0; a && name && i < a->group_count; i++)
        if (a->groups[i].kind == kind && strcmp(a->groups[i].name, name) == 0)
            return &a->groups[i];
    return NULL;
}
