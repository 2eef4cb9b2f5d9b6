// Rules of bodies and joints, and the body that a key names.
#ifndef PLI_IO_SCENE_RULES_BODIES_H
#define PLI_IO_SCENE_RULES_BODIES_H

#include "scene_format/scene_diagnostics.h"

#include <jansson.h>

// Checks the rules of bodies, of joints, and of keys that name a body.
void scene_check_bodies(scene_diagnostics *diagnostics, json_t *root, double *total);
// Index of the body called `name`; -1 for none.
int scene_body_index(json_t *root, const char *name);

#endif
