// A loaded scene: its tree, and what was read from the files that it names.
#ifndef PLI_IO_SCENE_PRIVATE_H
#define PLI_IO_SCENE_PRIVATE_H

#include <jansson.h>
#include <pliant/scene.h>

struct pli_scene {
    json_t *root;
    char *folder, *path;
    bool allow_outside;
    pli_mesh **meshes; // One per deformable, read while loading.
    int mesh_count;
    struct scene_collider_mesh *collider_meshes; // One per collider.
    int collider_mesh_count;
    struct scene_body_shape *body_shapes; // Shapes of rigid bodies, in the order of the file.
    int body_shape_count;
    struct scene_attachment *attachments; // In the order of the file.
    int attachment_count;
    uint64_t hash;
    pli_hooks hooks;
};

#endif
