// Numbers and places in the text of a scene that is written.
#ifndef PLI_VIEW_SCENE_NUMBERS_H
#define PLI_VIEW_SCENE_NUMBERS_H

#include <jansson.h>

// The shortest decimal that gives the same float; whole ones have no point.
json_t *pli_view_json_number(double value);
// What is under a key, made there as `type` where there is none of it; null without a parent or without memory.
json_t *pli_view_json_item(json_t *parent, const char *key, json_type type);
// The text of a scene: two blanks a level, and lists of numbers on a line; null without memory, to be freed.
char *pli_view_json_text(const json_t *root);

#endif
