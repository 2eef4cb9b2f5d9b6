// Checks a scene against the tables of its keys, and then against the rules.
#ifndef PLI_IO_SCENE_CHECK_H
#define PLI_IO_SCENE_CHECK_H

#include "scene_format/scene_diagnostics.h"

#include <jansson.h>

// Checks a tree against the tables and, if it passes, against the rules that involve several keys.
void scene_check(scene_diagnostics *diagnostics, json_t *root);

#endif
