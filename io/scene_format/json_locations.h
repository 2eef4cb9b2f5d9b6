// Where each value stands in the text: jansson checks the syntax but keeps no places.
#ifndef PLI_IO_JSON_LOCATIONS_H
#define PLI_IO_JSON_LOCATIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct scene_place {
    char *path; // "deformables[0].mesh.file"
    int line, column;
} scene_place;

typedef struct scene_places {
    scene_place *items;
    int count, capacity;
} scene_places;

// Notes the place of every key and list item of a text that is valid JSON. False when memory runs out.
bool scene_places_find(scene_places *places, const char *text, size_t size);
// The place of a path, or of the nearest path around it; null when there is none.
const scene_place *scene_places_at(const scene_places *places, const char *path);
void scene_places_release(scene_places *places);

#endif
