// Worlds of one deformable, as most experiments need them.
#ifndef PLI_LAB_WORLD_H
#define PLI_LAB_WORLD_H

#include "lab/report.h"

#include <pliant/scene.h>

enum { LAB_SETS_MAX = 4, LAB_VALUES_MAX = 4 };

// A constraint set to be made.
typedef struct lab_set {
    const char *name; // As reports call it; null means the type's.
    const char *type;
    const char *generator;                      // Null means the type's own.
    pli_parameter_value values[LAB_VALUES_MAX]; // Up to the first without a name.
} lab_set;

typedef struct lab_body_def {
    const pli_mesh *mesh;
    const float *positions; // To start from; null means at rest.
    pli_settings settings;  // Of lab_settings.
    pli_order order;
    pli_simd simd;
    float density;      // 0 means the library's.
    pli_transform pose; // Of the rest shape; all zeros means none.
    bool self_collision;
    float thickness, friction;  // 0 means the library's.
    pli_stretch_kind limit;     // Of its stretch; 0 means none, as in the papers.
    float tearing;              // Stretch beyond which edges tear; 0 means never.
    lab_set sets[LAB_SETS_MAX]; // Up to the first without a type.
} lab_body_def;

// A world with its deformable. All null after a failure.
typedef struct lab_body {
    pli_world *world;
    pli_deformable deformable;
    const pli_mesh *mesh;
    int32_t count; // Particles.
    pli_constraint_set sets[LAB_SETS_MAX];
} lab_body;

// Without gravity.
pli_settings lab_settings(pli_method method, int32_t substeps, int32_t iterations);
// As the papers' programs: PBD, one substep, scalar and in order of creation.
lab_body_def lab_paper_def(const pli_mesh *mesh, int32_t iterations);

// Meshes and bodies live until the lab's end, or until it is released to an earlier mark.
const pli_mesh *lab_grid(lab *l, int32_t columns, int32_t rows, float width, float depth, pli_grid_pattern pattern);
const pli_mesh *lab_sphere(lab *l, int32_t subdivisions, float radius);
const pli_mesh *lab_mesh_file(lab *l, const char *name, float scale);
// Keeps a mesh just made.
const pli_mesh *lab_mesh_keep(lab *l, pli_mesh *mesh);
lab_body lab_body_make(lab *l, const lab_body_def *def);

// A shipped scene, with settings such as "frames=10", and its world at the start. Both null after a failure.
typedef struct lab_scene {
    pli_scene *scene;
    pli_world *world;
} lab_scene;
lab_scene lab_scene_open(lab *l, const char *name, const char *const *settings, int32_t count);
// The step from `frame` to the next, with the keyframes of that time.
void lab_scene_step(lab *l, const lab_scene *s, int32_t frame);
// Deformable i of a world as a body; its sets are those made for it.
lab_body lab_body_of(lab *l, pli_world *world, int32_t i);

// A plane at the height 0, and other colliders.
void lab_ground(lab *l, const lab_body *body, float friction);
pli_collider lab_collider(lab *l, const lab_body *body, const pli_collider_def *def);

void lab_step(lab *l, pli_world *world, float dt);
// False when the state blew up, which is then no failure: the world is where it was before the step.
bool lab_try_step(lab *l, pli_world *world, float dt);
// Copies positions out, 3 floats a particle.
void lab_positions(const lab_body *body, float *positions);
void lab_place(lab *l, const lab_body *body, const float *positions);
// Stops all motion, or leaves a part of it: the library's damping spares rigid motion, such as swinging.
void lab_stop(lab *l, const lab_body *body);
void lab_slow(lab *l, const lab_body *body, double left);
void lab_hold(lab *l, const lab_body *body, int32_t particle);
pli_residual lab_residual(lab *l, const lab_body *body, int32_t set);
int32_t lab_set_count(lab *l, const lab_body *body, int32_t set);
void lab_set_parameter(lab *l, const lab_body *body, int32_t set, const char *name, double value);
pli_statistics lab_statistics(const lab *l, const lab_body *body);

#endif
