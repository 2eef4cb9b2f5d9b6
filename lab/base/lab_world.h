// Worlds of one deformable, as most experiments need them.
#ifndef PLI_LAB_WORLD_H
#define PLI_LAB_WORLD_H

#include "base/report.h"

#include <pliant/scene.h>

enum { LAB_SETS_MAX = 4, LAB_VALUES_MAX = 4 };

// Definition of a constraint set.
typedef struct lab_set {
    const char *name; // Name in reports; NULL: that of the type.
    const char *type;
    const char *generator;                      // NULL: the type's own.
    pli_parameter_value values[LAB_VALUES_MAX]; // Ended by the first without a name.
    const int32_t *particles;                   // A list instead of a generator, with its number of constraints.
    int32_t constraint_count;
    bool keep_lambda; // Multipliers can be read.
} lab_set;

typedef struct lab_body_def {
    const pli_mesh *mesh;
    const float *positions; // Start positions; NULL: at rest.
    pli_settings settings;  // Settings, from lab_settings.
    pli_order order;
    pli_simd simd;
    float density;      // 0: the library's default.
    pli_transform pose; // Pose of the rest shape; all zeros for none.
    pli_vec3 velocity;  // At the start [m/s].
    bool self_collision;
    pli_self_contact self_contact;
    float thickness, friction;  // 0: the library's default.
    pli_stretch stretch;        // PLI_STRETCH_AUTO, which is 0, is swept, as in the papers,
    bool automatic;             // or, with this, the library's choice.
    pli_plate plate;            // Default none.
    float tearing;              // Stretch beyond which edges tear; 0 for never.
    lab_set sets[LAB_SETS_MAX]; // Ended by the first without a type.
} lab_body_def;

// A world with its deformable. All handles are null after a failure.
typedef struct lab_body {
    pli_world *world;
    pli_deformable deformable;
    const pli_mesh *mesh;
    int32_t count; // Number of particles.
    pli_constraints sets[LAB_SETS_MAX];
} lab_body;

// The library's hooks without warnings: reports say how much of a stiffness each model holds.
pli_hooks lab_hooks(void);
// Default settings without gravity.
pli_settings lab_settings(pli_method method, int32_t substeps, int32_t iterations);
// Settings of the papers' programs: PBD, Algorithm 1 as printed (sweeps one way, no momenta restored), one substep,
// scalar, in order of creation.
lab_body_def lab_paper_def(const pli_mesh *mesh, int32_t iterations);
// A set of a paper's model: its projections are not limited, as ours are by default (docs/decisions/bending.md).
lab_set lab_paper_set(const char *type);
// Says in the report that the papers' settings are in use.
void lab_say_paper(lab *l, int32_t iterations);

// Meshes and bodies live until the lab's end, or until it is released to an earlier mark.
const pli_mesh *lab_grid(lab *l, int32_t columns, int32_t rows, float width, float depth, pli_grid_pattern pattern);
const pli_mesh *lab_sphere(lab *l, int32_t subdivisions, float radius);
const pli_mesh *lab_mesh_file(lab *l, const char *name, float scale);
// A mesh of triangles.
const pli_mesh *lab_mesh_make(lab *l, const float *positions, int32_t count, const int32_t *triangles,
                              int32_t triangle_count);
// Takes ownership of a new mesh.
const pli_mesh *lab_mesh_keep(lab *l, pli_mesh *mesh);
lab_body lab_body_make(lab *l, const lab_body_def *def);
// Adds a deformable to a body's world; its settings, order and instructions are that world's.
lab_body lab_body_add(lab *l, pli_world *world, const lab_body_def *def);

// Loads a shipped scene, with settings such as "frames=10", and its world at the start. Both are null after a failure.
typedef struct lab_scene {
    pli_scene *scene;
    pli_world *world;
} lab_scene;
lab_scene lab_scene_open(lab *l, const char *name, const char *const *settings, int32_t count);
// Steps from `frame` to the next, with the keyframes of that time. Returns the processor time as lab_step does.
double lab_scene_step(lab *l, const lab_scene *s, int32_t frame);
// Deformable i of a world with the constraint sets created for it.
lab_body lab_body_of(lab *l, pli_world *world, int32_t i);

// Adds a plane at height 0, and other colliders.
void lab_ground(lab *l, const lab_body *body, float friction);
pli_collider lab_collider(lab *l, const lab_body *body, const pli_collider_def *def);

// Steps once, and returns the processor time that it took [s]: unlike time on the wall it does not grow when other
// programs want the same core, so that claims on speed do not hang on them.
double lab_step(lab *l, pli_world *world, float dt);
// Steps once. False when the simulation diverged, which is not a failure of the lab: the world is restored.
bool lab_try_step(lab *l, pli_world *world, float dt);
// The motion of a body's particles that are not fixed.
typedef struct lab_motion {
    double mass;                    // [kg]
    double centre[3];               // The centre of mass [m].
    double momentum[3], angular[3]; // [kg m/s], about the origin [kg m2/s].
    double energy;                  // Kinetic [J].
} lab_motion;
lab_motion lab_motion_of(const lab_body *body);
// Copies positions out, 3 floats per particle.
void lab_positions(const lab_body *body, float *positions);
void lab_place(lab *l, const lab_body *body, const float *positions);
// Scales all velocities, 0 to stop: unlike the library's damping it affects rigid motion, such as swinging, too.
void lab_stop(lab *l, const lab_body *body);
void lab_slow(lab *l, const lab_body *body, double left);
void lab_hold(lab *l, const lab_body *body, int32_t particle);
pli_residual lab_residual(lab *l, const lab_body *body, int32_t set);
int32_t lab_set_count(lab *l, const lab_body *body, int32_t set);
void lab_set_parameter(lab *l, const lab_body *body, int32_t set, const char *name, double value);
pli_statistics lab_statistics(const lab *l, const lab_body *body);

#endif
