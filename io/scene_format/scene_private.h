// Declarations shared by the files of the scene loader.
#ifndef PLI_IO_SCENE_PRIVATE_H
#define PLI_IO_SCENE_PRIVATE_H

#include "files/io_error.h"
#include "scene_format/scene_diagnostics.h"
#include "scene_format/scene_table.h"

#include <jansson.h>

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

// Checks a tree against the tables and, if it passes, against the rules that involve several keys.
void scene_check(scene_diagnostics *diagnostics, json_t *root);
void scene_check_rules(scene_diagnostics *diagnostics, json_t *root);
// Checks that a mesh has one source and that generated vertices, added up over all meshes in `total`, stay in bounds.
void scene_check_mesh(scene_diagnostics *diagnostics, const char *path, json_t *mesh, double *total);
// Checks the mesh and the sizes of a shape against its row; `made` when the mesh comes from elsewhere too.
void scene_check_shape(scene_diagnostics *diagnostics, const char *path, json_t *shape, bool made, double *total);
// Checks the rules of bodies, of joints, and of keys that name a body.
void scene_check_bodies(scene_diagnostics *diagnostics, json_t *root, double *total);
enum { SCENE_BODY_PATH = 200 };
// Index of the body called `name`; -1 for none.
int scene_body_index(json_t *root, const char *name);
const pli_property *scene_find_parameter(const pli_constraint_type *type, const char *name);
// Renames former names of keys in the tree before the check.
void scene_rename_former_keys(scene_diagnostics *diagnostics, json_t *root);
// Applies "path=value" to the tree before the check.
void scene_apply_setting(scene_diagnostics *diagnostics, json_t *root, const char *setting);

// The value at a path such as "deformables.cloth.constraints[0].kappa", where list items may also
// be given by name (or type); NULL when there is none. `parent` and `last` receive where a new key would be added.
json_t *scene_at(json_t *root, const char *path, json_t **parent, char last[64]);

// Values of a checked tree, with their defaults.
double scene_number(json_t *object, const char *key, double initial);
bool scene_boolean(json_t *object, const char *key, bool initial);
const char *scene_text(json_t *object, const char *key, const char *initial);
int scene_choice(json_t *object, const char *key, const scene_table *table, int initial);
// Writes what the object has of a group's properties into its definition; what it lacks stays.
void scene_properties(json_t *object, const pli_descriptor_group *group, void *definition);
// False when the key is missing; `values` is then unchanged.
bool scene_numbers(json_t *object, const char *key, float *values, int count);
pli_vec3 scene_vector(json_t *object, const char *key, pli_vec3 initial);
pli_transform scene_pose(json_t *object);
// A collider definition without its pose: shape and sizes from `shape`, friction and other contact keys from `surface`.
pli_collider_def scene_collider_def(json_t *shape, json_t *surface, const pli_mesh *mesh);
// Rotation by degrees about an axis of any length; the identity for a zero axis.
pli_quat scene_turn(pli_vec3 axis, double degrees);

// Pose of a moving object at a time, from its start pose; `centre` is the default centre of rotation.
pli_transform scene_motion_at(json_t *motion, pli_transform start, pli_vec3 centre, double time);
// Value of [[time, value], ...] at a time; one component of vectors.
double scene_pairs_at(json_t *pairs, double time, size_t component);

// The real path of a file that the scene names, inside its folder unless allowed; free with free(). NULL with
// a diagnostic.
char *scene_file(const pli_scene *scene, const char *name, scene_diagnostics *diagnostics, const char *path);
// Creates the mesh that a "mesh" object describes. NULL with a diagnostic.
pli_mesh *scene_make_mesh(const pli_scene *scene, json_t *json, scene_diagnostics *diagnostics, const char *path);
// Reads the rest shape of every deformable into scene->meshes, and meshes of colliders into
// scene->collider_meshes.
void scene_read_meshes(pli_scene *scene, scene_diagnostics *diagnostics);
void scene_release_meshes(pli_scene *scene);

#endif
