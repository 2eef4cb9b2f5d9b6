// Diagnostics of a scene: errors and warnings, each with line, column and JSON path.
#ifndef PLI_IO_SCENE_DIAGNOSTICS_H
#define PLI_IO_SCENE_DIAGNOSTICS_H

#include "scene_format/json_locations.h"

#include <pliant/scene.h>

// The diagnostics of one load. They fill the caller's array up to its capacity; the first error is always kept.
typedef struct scene_diagnostics {
    const pli_scene_load_def *def;
    scene_places places;
    int count, errors;
    pli_status status; // Status of the first error.
    pli_error first;
} scene_diagnostics;

// Size of the text of a path such as "bodies[3].shapes[0]".
enum { SCENE_BODY_PATH = 200 };

// Writes a diagnostic to the caller's array if it has room after the `count` existing ones.
void scene_diagnostics_keep(const scene_diagnostics *diagnostics, const pli_scene_diagnostic *message);
// Adds a diagnostic about the value at `path`. A warning does not make the load fail.
void scene_report(scene_diagnostics *diagnostics, pli_status status, bool warning, const char *path, const char *format,
                  ...) __attribute__((format(printf, 5, 6)));
// Adds an error: `what` and the unknown name, then the most similar known name, or all known names if none is similar.
void scene_report_unknown(scene_diagnostics *diagnostics, const char *path, const char *what, const char *name,
                          const char *const *names, int count);

#endif
