// Writes a scene file with the user's changes to the world: controls, pins and moved objects. Everything else keeps the text of the
// original scene.
#ifndef PLI_VIEW_SCENE_COPY_H
#define PLI_VIEW_SCENE_COPY_H

#include <pliant/pliant.h>

#include <stdint.h>

// The values that the user can change, as they were at the start of the scene.
typedef struct pli_view_baseline {
    pli_settings settings;
    double *parameters; // Parameters of all constraint sets, concatenated.
    int32_t parameter_count;
    double *deformable_values; // Values of all deformables, concatenated (files/deformable_values.h).
    int32_t deformable_count;
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
// Applies the settings, parameters and deformable values of a baseline to the world that it was read from.
pli_status pli_view_baseline_apply(const pli_view_baseline *baseline, pli_world *world, pli_error *error);
void pli_view_baseline_release(pli_view_baseline *baseline);

// Values that a brush has painted on a deformable, for each vertex of its rest mesh; `name` is the scene's key.
typedef struct pli_view_painted {
    const char *name;
    pli_deformable deformable;
    const float *values;
    int32_t count;
} pli_view_painted;

typedef struct pli_view_copy_def {
    const pli_settings *settings; // Settings of the world without temporary changes by tools.
    const pli_view_painted *painted;
    int32_t painted_count;
} pli_view_copy_def;

// Writes the text of the baseline with all differences from the baseline to the file `to`, which may be the scene's own file. `changes`
// gets the number of changed values. Numbers and poses that the scene animates keep the scene's values. After a failure, an existing
// file `to` is unchanged.
pli_status pli_view_scene_copy(const pli_view_baseline *baseline, const pli_world *world, const pli_view_copy_def *def,
                               const char *to, int32_t *changes, pli_error *error);

#endif
