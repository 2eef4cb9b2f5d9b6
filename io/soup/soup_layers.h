// Layers of numbers that a mesh file gives to its vertices, corners or faces: texture coordinates, colours, others.
#ifndef PLI_IO_SOUP_LAYERS_H
#define PLI_IO_SOUP_LAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum pli_layer_domain {
    PLI_LAYER_VERTEX, // One value per vertex.
    PLI_LAYER_FACE,   // One value per face.
    PLI_LAYER_CORNER, // A separate list of values, and one index into it per corner.
} pli_layer_domain;

enum { PLI_LAYER_WIDTH_MAX = 4 };

typedef struct pli_soup_layer {
    char *name;
    pli_layer_domain domain;
    int32_t width; // Numbers in a value, 1..PLI_LAYER_WIDTH_MAX.
    float *values;
    int32_t count, capacity; // Values.
    int32_t *corners;        // Index of the value of each corner, -1 for none; of corner layers only.
    int32_t corner_count, corner_capacity;
} pli_soup_layer;

typedef struct pli_soup_layers {
    pli_soup_layer *items;
    int32_t count, capacity;
} pli_soup_layers;

// The layer of that name, domain and width, created if there is none. NULL when memory runs out.
pli_soup_layer *pli_layer_named(pli_soup_layers *layers, const char *name, int32_t length, pli_layer_domain domain,
                                int32_t width);
// Sets a value; skipped values before it become zero. False when memory runs out.
bool pli_layer_set(pli_soup_layer *layer, int32_t element, const float *value);
// Sets the value index of a corner; skipped corners before it become -1.
bool pli_layer_set_corner(pli_soup_layer *layer, int32_t corner, int32_t value);
// The value of a corner of a vertex; zeros if the file gives none.
const float *pli_layer_at(const pli_soup_layer *layer, int32_t vertex, int32_t corner);
void pli_soup_layers_release(pli_soup_layers *layers);

// Reserves memory for `needed` elements of `size` bytes. False when memory or the range of int32_t runs out.
bool pli_soup_reserve(void **array, int32_t *capacity, int64_t needed, size_t size);

#endif
