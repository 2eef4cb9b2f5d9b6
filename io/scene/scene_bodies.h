// Rigid bodies of a scene: their shapes, and the bodies and joints of a world.
#ifndef PLI_IO_SCENE_BODIES_H
#define PLI_IO_SCENE_BODIES_H

#include "scene_format/scene_diagnostics.h"
#include "scene_format/scene_private.h"

#include <pliant/rigid.h>

// A shape of a rigid body.
typedef struct scene_body_shape {
    json_t *json, *body; // The shape and its body; equal for a body of one shape.
    pli_mesh *mesh;      // Mesh of a hull; NULL for other shapes.
} scene_body_shape;

typedef struct pli_ode pli_ode;

// Fills scene->body_shapes, reads the meshes of hulls, and creates the bodies and joints once in a temporary world, so that their
// errors are found while loading.
void scene_find_body_shapes(pli_scene *scene, scene_diagnostics *diagnostics);
void scene_release_body_shapes(pli_scene *scene);

// Finds the world's body that the key "body" of an object names; null when there is no such key.
pli_rigid_body scene_body_of(const pli_scene *scene, const pli_world *world, json_t *object);

// Creates all bodies and joints; `path` receives the path of the failing one. `*ode` is NULL when there are none. This and the next
// function need libpliant_ode, and return UNSUPPORTED if it cannot be loaded.
pli_status scene_make_bodies(const pli_scene *scene, pli_world *world, pli_ode **ode, char path[SCENE_BODY_PATH],
                             pli_error *error);
// Makes bodies collide with this collider.
pli_status scene_add_obstacle(pli_ode *ode, pli_collider collider, pli_error *error);

#endif
