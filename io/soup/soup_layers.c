// Layers of an import, grown element by element.
#define _POSIX_C_SOURCE 200809L
#include "soup/soup_layers.h"

#include <stdlib.h>
#include <string.h>

bool pli_soup_reserve(void **array, int32_t *capacity, int64_t needed, size_t size)
{
    if (needed <= *capacity)
        return true;
    int64_t room = needed + needed / 2 + 16;
    if (needed > INT32_MAX / 4)
        return false;
    void *grown = realloc(*array, (size_t)room * size);
    if (!grown)
        return false;
    *array = grown;
    *capacity = (int32_t)room;
    return true;
}

pli_soup_layer *pli_layer_named(pli_soup_layers *layers, const char *name, int32_t length, pli_layer_domain domain,
                                int32_t width)
{
    for (int32_t i = 0; i < layers->count; i++) {
        pli_soup_layer *item = &layers->items[i];
        if (item->domain == domain && item->width == width && strncmp(item->name, name, (size_t)length) == 0 &&
            item->name[length] == '\0')
            return item;
    }
    char *copy = strndup(name, (size_t)length);
    if (!copy || !pli_soup_reserve((void **)&layers->items, &layers->capacity, (int64_t)layers->count + 1,
                                   sizeof *layers->items)) {
        free(copy);
        return NULL;
    }
    pli_soup_layer *made = &layers->items[layers->count++];
    *made = (pli_soup_layer){.name = copy, .domain = domain, .width = width};
    return made;
}

bool pli_layer_set(pli_soup_layer *layer, int32_t element, const float *value)
{
    size_t size = (size_t)layer->width * sizeof(float);
    if (!pli_soup_reserve((void **)&layer->values, &layer->capacity, (int64_t)element + 1, size))
        return false;
    if (element > layer->count)
        memset(layer->values + (size_t)layer->count * (size_t)layer->width, 0, (size_t)(element - layer->count) * size);
    memcpy(layer->values + (size_t)element * (size_t)layer->width, value, size);
    layer->count = element < layer->count ? layer->count : element + 1;
    return true;
}

bool pli_layer_set_corner(pli_soup_layer *layer, int32_t corner, int32_t value)
{
    if (!pli_soup_reserve((void **)&layer->corners, &layer->corner_capacity, (int64_t)corner + 1, sizeof(int32_t)))
        return false;
    while (layer->corner_count < corner)
        layer->corners[layer->corner_count++] = -1;
    layer->corners[corner] = value;
    layer->corner_count = corner < layer->corner_count ? layer->corner_count : corner + 1;
    return true;
}

const float *pli_layer_at(const pli_soup_layer *layer, int32_t vertex, int32_t corner)
{
    static const float none[PLI_LAYER_WIDTH_MAX] = {0};
    int32_t element = vertex;
    if (layer->domain == PLI_LAYER_CORNER)
        element = corner >= 0 && corner < layer->corner_count ? layer->corners[corner] : -1;
    return element >= 0 && element < layer->count ? layer->values + (size_t)element * (size_t)layer->width : none;
}

void pli_soup_layers_release(pli_soup_layers *layers)
{
    for (int32_t i = 0; i < layers->count; i++) {
        free(layers->items[i].name);
        free(layers->items[i].values);
        free(layers->items[i].corners);
    }
    free(layers->items);
    *layers = (pli_soup_layers){0};
}
