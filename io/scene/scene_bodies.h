// Rigid bodies of a scene: their shapes, and the bodies and joints of a world.
#ifndef PLI_IO_SCENE_BODIES_H
#define PLI_IO_SCENE_BODIES_H

#include "scene_format/scene_private.h"

#include <pliant/rigid.h>

// A shape of a body.
typedef struct scene_body_shape {
    json_t *json, *body; // The same for a body of one shape.
    pli_mesh *mesh;      // Of hulls.
} scene_body_shape;

typedef struct pli_ode pli_ode;

// Fills scene->body_shapes, reads the meshes of hulls, and makes the bodies and joints once for trial, so that
// what is wrong with them is found here.
void scene_find_body_shapes(pli_scene *scene, scene_diagnostics *diagnostics);
void scene_release_body_shapes(pli_scene *scene);

// The world's body that the key "body" of an object names; null when there is no such key.
pli_rigid_body scene_body_of(const pli_scene *scene, const pli_world *world, json_t *object);

// Makes all bodies and joints, and says which of them failed. `*ode` is null when there are none. These two are
// made by ODE where it is there, and refuse otherwise.
pli_status scene_make_bodies(const pli_scene *scene, pli_world *world, pli_ode **ode, char path[SCENE_BODY_PATH],
                             pli_error *error);
// Bodies touch this collider.
pli_status scene_add_obstacle(pli_ode *ode, pli_collider collider, pli_error *error);

#endif
