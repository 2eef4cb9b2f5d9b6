// Functions that the writers of mesh formats share.
#include "formats/mesh_write.h"

#include <stdlib.h>
#include <string.h>

const pli_mesh_attribute *pli_writing_attribute(const pli_mesh_writing *w, const char *name,
                                                pli_attribute_domain domain, int32_t width)
{
    for (int32_t i = 0; w->attributes && i < w->attributes->attribute_count; i++) {
        const pli_mesh_attribute *attribute = &w->attributes->attributes[i];
        if (attribute->domain == domain && attribute->width >= width && strcmp(attribute->name, name) == 0)
            return attribute;
    }
    return NULL;
}

static int32_t *absent(int32_t count)
{
    int32_t *array = malloc(((size_t)count + 1) * sizeof *array);
    for (int32_t i = 0; array && i < count; i++)
        array[i] = -1;
    return array;
}

int32_t *pli_writing_firsts(const pli_mesh_writing *w)
{
    int32_t *firsts = absent(w->topology->vertex_count);
    for (int32_t i = firsts && w->attributes ? w->attributes->vertex_count - 1 : -1; i >= 0; i--)
        firsts[w->attributes->vertex_map[i]] = i;
    return firsts;
}

int32_t *pli_writing_face_groups(const pli_mesh_writing *w, pli_mesh_group_kind kind)
{
    int32_t *groups = absent(w->topology->face_count);
    for (int32_t i = 0; groups && w->attributes && i < w->attributes->group_count; i++)
        for (int32_t k = 0; w->attributes->groups[i].kind == kind && k < w->attributes->groups[i].count; k++)
            groups[w->attributes->groups[i].elements[k]] = i;
    return groups;
}

void pli_writing_put_name(FILE *stream, const char *name, bool blanks)
{
    for (; *name; name++)
        fputc((unsigned char)*name < ' ' || *name == '#' || *name == '\\' || (*name == ' ' && !blanks) ? '_' : *name,
              stream);
}
