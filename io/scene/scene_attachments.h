// Attachments of a scene with their selected particles.
#ifndef PLI_IO_SCENE_ATTACHMENTS_H
#define PLI_IO_SCENE_ATTACHMENTS_H

#include "scene_format/scene_diagnostics.h"
#include "scene_format/scene_private.h"

typedef struct scene_attachment {
    json_t *json;
    int deformable;
    int32_t *particles;
    int32_t count;
    pli_vec3 centre; // Mean of the particles' start positions.
    double until;    // [s], infinite when never.
} scene_attachment;

// Fills scene->attachments, selecting particles of the meshes.
void scene_find_attachments(pli_scene *scene, scene_diagnostics *diagnostics);
void scene_release_attachments(pli_scene *scene);

#endif
