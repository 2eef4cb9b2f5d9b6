// What is wrong in a scene: diagnostics, each with its line, column and JSON path.
#ifndef PLI_IO_SCENE_DIAGNOSTICS_H
#define PLI_IO_SCENE_DIAGNOSTICS_H

#include "scene_format/json_locations.h"

#include <pliant/scene.h>

// The diagnostics of one load. They go into the caller's array while it lasts; the first error is kept in any case.
typedef struct scene_diagnostics {
    const pli_scene_load_def *def;
    scene_places places;
    int count, errors;
    pli_status status; // Of the first error.
    pli_error first;
} scene_diagnostics;

// Adds a diagnostic about the value at `path`. A warning does not make the load fail.
void scene_report(scene_diagnostics *diagnostics, pli_status status, bool warning, const char *path, const char *format,
                  ...) __attribute__((format(printf, 5, 6)));

#endif
