// A loaded scene: its tree, and the data from the files that it names.
#ifndef PLI_IO_SCENE_PRIVATE_H
#define PLI_IO_SCENE_PRIVATE_H

#include "files/place.h"
#include "scene_format/scene_plugins.h"

#include <jansson.h>
#include <pliant/scene.h>

struct pli_scene {
    json_t *root;
    char *folder, *path; // Folder of its files: the real one on disk, and "" at the top of a file source.
    bool allow_outside;
    pli_place place;                        // The place of its files, while loading.
    const pli_scene_host_mesh *host_meshes; // While loading.
    int32_t host_mesh_count;
    scene_plugins plugins;            // The scene owns the list.
    pli_mesh **meshes;                // One per deformable, read while loading.
    pli_mesh_attributes **attributes; // Attributes of those meshes; NULL if there are none.
    int mesh_count;
    struct scene_collider_mesh *collider_meshes; // One per collider.
    int collider_mesh_count;
    struct scene_body_shape *body_shapes; // Shapes of rigid bodies, in the order of the file.
    int body_shape_count;
    struct scene_attachment *attachments; // In the order of the file.
    int attachment_count;
    struct scene_image *images; // Images of paints and appearances.
    uint64_t hash;
    pli_hooks hooks;
};

#endif
