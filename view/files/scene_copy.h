// A scene file of the world as hands have left it: knobs, pins, what was moved. What hands have not touched is the scene's own text.
#ifndef PLI_VIEW_SCENE_COPY_H
#define PLI_VIEW_SCENE_COPY_H

#include <pliant/pliant.h>

#include <stdint.h>

// What could be changed by hand, as it was when the scene began.
typedef struct pli_view_baseline {
    pli_settings settings;
    double *parameters; // Of all constraint sets, one after the other.
    int32_t parameter_count;
    double *deformable_values; // Of all deformables, one after the other (files/deformable_values.h).
    int32_t deformable_count;
    struct pli_view_held {
        pli_attachment handle;
        int32_t particle_count;
        bool enabled;
    } * held; // Attachments.
    int32_t held_count;
    pli_transform *poses; // Of colliders.
    int32_t collider_count;
    void *text; // Of the scene's file as it was loaded, since the file itself may be saved over; null without one.
    size_t text_size;
} pli_view_baseline;

// `collider_count` is the number of the scene's, the first of the world's. `path` is the scene's file, whose text is kept; null for a baseline
// that is not saved.
pli_status pli_view_baseline_read(pli_view_baseline *baseline, const pli_world *world, int32_t collider_count,
                                  const char *path, pli_error *error);
// Gives the world the settings, parameters and values of deformables of a baseline of its own.
pli_status pli_view_baseline_apply(const pli_view_baseline *baseline, pli_world *world, pli_error *error);
void pli_view_baseline_release(pli_view_baseline *baseline);

// Numbers that a brush has laid on a deformable, by vertex of its rest mesh; their name is that of the scene's key, or "stiffness".
typedef struct pli_view_painted {
    const char *name;
    pli_deformable deformable;
    const float *values;
    int32_t count;
    uint64_t sets; // A bit for each of the world's first 64 sets whose stiffness it is.
} pli_view_painted;

typedef struct pli_view_copy_def {
    const pli_settings *settings; // Those of the world without what a hand does for a moment.
    const pli_view_painted *painted;
    int32_t painted_count;
} pli_view_copy_def;

// Writes the scene of the baseline's text to the file `to`, which may be that of the scene, with what differs from the baseline. `changes` gets the
// number of values that were changed. Numbers that the scene moves by keyframes and poses that it moves keep what it says. The file
// that was at `to` is there still after a failure.
pli_status pli_view_scene_copy(const pli_view_baseline *baseline, const pli_world *world, const pli_view_copy_def *def,
                               const char *to, int32_t *changes, pli_error *error);

#endif
