// Writes a scene file with the user's changes to the world: controls, pins and moved objects. Everything else keeps the text of the
// original scene.
#ifndef PLI_VIEW_SCENE_COPY_H
#define PLI_VIEW_SCENE_COPY_H

#include "session/brush.h"
#include "session/values.h"

#include <stdint.h>

// The values that the user can change, as they were at the start of the scene.
typedef struct pli_view_baseline {
    pli_session_values values;
    struct pli_view_held {
        pli_attachment handle;
        int32_t particle_count;
        bool enabled;
    } * held; // Attachments.
    int32_t held_count;
    pli_transform *poses; // Poses of the colliders.
    int32_t collider_count;
    void *text; // Text of the scene's file at loading, since the file may be overwritten; null without a file.
    size_t text_size;
} pli_view_baseline;

// `collider_count` is the number of the scene's colliders, which are the first ones of the world. `path` is the scene's file, whose
// text is stored; null for a baseline that is not saved.
pli_status pli_view_baseline_read(pli_view_baseline *baseline, const pli_world *world, int32_t collider_count,
                                  const char *path, pli_error *error);
void pli_view_baseline_release(pli_view_baseline *baseline);

typedef struct pli_view_copy_def {
    const pli_settings *settings;   // Settings of the world without temporary changes by tools.
    const pli_session_paint *paint; // Values that a brush has painted; null for none.
} pli_view_copy_def;

// Writes the text of the baseline with all differences from the baseline to the file `to`, which may be the scene's own file. `changes`
// gets the number of changed values. Numbers and poses that the scene animates keep the scene's values. After a failure, an existing
// file `to` is unchanged.
pli_status pli_view_scene_copy(const pli_view_baseline *baseline, const pli_world *world, const pli_view_copy_def *def,
                               const char *to, int32_t *changes, pli_error *error);

#endif
