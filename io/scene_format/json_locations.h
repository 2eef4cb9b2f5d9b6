// Line and column of every value in a JSON text, which jansson does not keep.
#ifndef PLI_IO_JSON_LOCATIONS_H
#define PLI_IO_JSON_LOCATIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct scene_place {
    char *path; // "deformables[0].mesh.file"
    int line, column;
    const char *setting; // Borrowed: "path=value" where the value was set from outside, and has no line. Else NULL.
} scene_place;

typedef struct scene_places {
    scene_place *items;
    int count, capacity;
} scene_places;

// Records the location of every key and list item of a valid JSON text. False when memory runs out.
bool scene_places_find(scene_places *places, const char *text, size_t size);
// Declares that the value at a path, with all values inside, comes from a setting. False when memory runs out.
bool scene_places_set(scene_places *places, const char *path, const char *setting);
// Location of a path, or of its nearest recorded parent; NULL when there is none.
const scene_place *scene_places_at(const scene_places *places, const char *path);
void scene_places_release(scene_places *places);

#endif
