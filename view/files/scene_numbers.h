// Numbers and keys in the text of a saved scene.
#ifndef PLI_VIEW_SCENE_NUMBERS_H
#define PLI_VIEW_SCENE_NUMBERS_H

#include <jansson.h>

// The shortest decimal that gives the same float; whole ones have no point.
json_t *pli_view_json_number(double value);
// Returns the value of a key and creates it as `type` if there is none of that type; null without a parent or when memory runs out.
json_t *pli_view_json_item(json_t *parent, const char *key, json_type type);
// The text of a scene: indented by two blanks per level, each list of numbers on one line; to be freed. Null when memory runs out.
char *pli_view_json_text(const json_t *root);

#endif
