// Values of a checked scene: numbers, choices, poses, motion and definitions.
#ifndef PLI_IO_SCENE_VALUES_H
#define PLI_IO_SCENE_VALUES_H

#include "scene_format/scene_table.h"

#include <jansson.h>

// Values of a checked tree, with their defaults.
double scene_number(json_t *object, const char *key, double initial);
bool scene_boolean(json_t *object, const char *key, bool initial);
const char *scene_text(json_t *object, const char *key, const char *initial);
int scene_choice(json_t *object, const char *key, const scene_table *table, int initial);
// Writes the object's values of a group's properties into its definition; missing ones stay.
void scene_properties(json_t *object, const pli_descriptor_group *group, void *definition);
// False when the key is missing; `values` is then unchanged.
bool scene_numbers(json_t *object, const char *key, float *values, int count);
pli_vec3 scene_vector(json_t *object, const char *key, pli_vec3 initial);
pli_transform scene_pose(json_t *object);
// A collider definition without its pose: shape and sizes from `shape`, friction and other contact keys from `surface`.
pli_collider_def scene_collider_def(json_t *shape, json_t *surface, const pli_mesh *mesh);
// Rotation by degrees about an axis of any length; the identity for a zero axis.
pli_quat scene_turn(pli_vec3 axis, double degrees);
// Rotates by a unit quaternion as q v q*, an order of operations that pinned states of scenes depend on.
pli_vec3 scene_rotate(pli_quat q, pli_vec3 v);

// Pose of a moving object at a time, from its start pose; `centre` is the default centre of rotation.
pli_transform scene_motion_at(json_t *motion, pli_transform start, pli_vec3 centre, double time);
// Value of [[time, value], ...] at a time; one component of vectors.
double scene_pairs_at(json_t *pairs, double time, size_t component);

const pli_property *scene_find_parameter(const pli_constraint_type *type, const char *name);

#endif
