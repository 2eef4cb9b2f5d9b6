// What the files of the scene loader share.
#ifndef PLI_IO_SCENE_PRIVATE_H
#define PLI_IO_SCENE_PRIVATE_H

#include "io_error.h"
#include "scene_place.h"
#include "scene_table.h"

#include <jansson.h>

struct pli_scene {
    json_t *root;
    char *folder, *path;
    bool allow_outside;
    pli_mesh **meshes; // One a deformable, read while loading.
    int mesh_count;
    struct scene_model *models; // One a collider.
    int model_count;
    struct scene_part *parts; // Shapes of bodies, in the order of the file.
    int part_count;
    struct scene_tie *ties; // In the order of the file.
    int tie_count;
    uint64_t hash;
    pli_hooks hooks;
};

// Where findings go.
typedef struct scene_findings {
    const pli_scene_load_def *def;
    scene_places places;
    int count, errors;
    pli_status status; // Of the first error.
    pli_error first;
} scene_findings;

// Writes a finding to where the caller wants them, if there is room. `f->count` of them are there.
void scene_findings_keep(const scene_findings *findings, const pli_scene_diagnostic *message);
void scene_find(scene_findings *findings, pli_status status, bool warning, const char *path, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// Checks a tree against the tables and, when they hold, against the rules that tables cannot say.
void scene_check(scene_findings *findings, json_t *root);
void scene_check_rules(scene_findings *findings, json_t *root);
// Whether a mesh has one source, and the vertices that generators make are within bounds, counted from mesh to mesh.
void scene_check_mesh(scene_findings *findings, const char *path, json_t *mesh, double *total);
// What the tables cannot say of bodies and joints, and of what names a body.
void scene_check_bodies(scene_findings *findings, json_t *root, double *total);
const pli_parameter *scene_find_parameter(const pli_constraint_type *type, const char *name);
// Applies "path=value" to the tree before the check.
void scene_apply_setting(scene_findings *findings, json_t *root, const char *setting);

// The value at a path such as "deformables.cloth.constraints[0].kappa", where list items may also
// go by their name (or type); null when there is none. `parent` and `last` tell where a new key would go.
json_t *scene_at(json_t *root, const char *path, json_t **parent, char last[64]);

// Values of a checked tree, with their defaults.
double scene_number(json_t *object, const char *key, double initial);
bool scene_boolean(json_t *object, const char *key, bool initial);
const char *scene_text(json_t *object, const char *key, const char *initial);
int scene_choice(json_t *object, const char *key, const scene_table *table, int initial);
// False when the key is missing; `values` is then untouched.
bool scene_numbers(json_t *object, const char *key, float *values, int count);
pli_vec3 scene_vector(json_t *object, const char *key, pli_vec3 initial);
pli_transform scene_pose(json_t *object);
// Bits of the layer that a thing is in, and of those that it collides with.
void scene_layers(json_t *object, uint32_t *layers, uint32_t *mask);
// A collider but for its pose: kind and sizes as `shape` says, what touching it is like as `surface` says.
pli_collider_def scene_collider_def(json_t *shape, json_t *surface, const pli_mesh *mesh);
// Turn by degrees about an axis of any length; a zero axis does not turn.
pli_quat scene_turn(pli_vec3 axis, double degrees);
pli_quat scene_quat_product(pli_quat a, pli_quat b);

// Pose of a moving thing at a time, from its start; `centre` is its own when the motion has none.
pli_transform scene_motion_at(json_t *motion, pli_transform start, pli_vec3 centre, double time);
// Value of [[time, value], ...] at a time; of vectors, one component.
double scene_pairs_at(json_t *pairs, double time, size_t component);

// The real path of a file that the scene names, inside its folder unless allowed; free with free(). Null with
// a finding.
char *scene_file(const pli_scene *scene, const char *name, scene_findings *findings, const char *path);
// What a "mesh" object describes. Null with a finding.
pli_mesh *scene_make_mesh(const pli_scene *scene, json_t *json, scene_findings *findings, const char *path);
// Reads the rest shape of every deformable into scene->meshes, and what colliders have into scene->models.
void scene_read_meshes(pli_scene *scene, scene_findings *findings);
void scene_release_meshes(pli_scene *scene);

#endif
