// The features of a deformable. Each feature has its state in a struct of its own, behind one pointer of the deformable, and one row:
// a constant `pli_feature_NAME` in the file that implements it. All code that applies to every feature (creation, cuts, resets,
// snapshots, ...) is a loop over the rows in the order of this table; null entries of a row do nothing.
//
// A new feature is one file with its state and its row, and one line here (docs/architecture.md).
#ifndef PLI_MODEL_FEATURES_H
#define PLI_MODEL_FEATURES_H

#include "base/memory.h"
#include "base/simd/wide.h"
#include "base/stream.h"
#include "base/vector.h"
#include "pliant/deformable.h"

#include <stddef.h>

// FEATURE(type of the state, name of the pointer and the row). A row may use the states of the rows above it.
#define PLI_FEATURES(FEATURE)                                                                                          \
    FEATURE(pli_grid_layout, grid)                                                                                     \
    FEATURE(pli_momentum, momentum)                                                                                    \
    FEATURE(pli_sleep, sleep)                                                                                          \
    FEATURE(pli_stuck, stuck)                                                                                          \
    FEATURE(pli_moving_out, moving_out)                                                                                \
    FEATURE(pli_history, history)                                                                                      \
    FEATURE(pli_membrane, membrane)                                                                                    \
    FEATURE(pli_plastic, plastic)                                                                                      \
    FEATURE(pli_plate_state, plate)                                                                                    \
    FEATURE(pli_plate_expectation, expected)                                                                           \
    FEATURE(pli_bends_state, bends)                                                                                    \
    FEATURE(pli_implicit_base, base)                                                                                   \
    FEATURE(pli_user_view, view)                                                                                       \
    FEATURE(pli_tear_state, tear_state)                                                                                \
    FEATURE(pli_contact_pool, pool)                                                                                    \
    FEATURE(pli_normals, normals)                                                                                      \
    FEATURE(pli_air, air)                                                                                              \
    FEATURE(pli_wavefronts, wavefronts)                                                                                \
    FEATURE(pli_isolated, isolated)

struct pli_world;
struct pli_deformable_data;

// A rigid transformation of a deformable without motion in between.
typedef struct pli_jump {
    double turn[4]; // Unit quaternion x y z w.
    bool keeps_velocities;
} pli_jump;

// A velocity of the deformable after the jump.
pli_vec3 pli_jump_turn(const pli_jump *jump, pli_vec3 velocity);

// An array of a feature with `per` elements of `size` bytes for each particle and `extra` elements; null while it is not needed. It is
// in internal order, unless it is by vertex. It grows with the deformable and is released with it. If it is inherited, a particle that
// a cut has created receives the elements of its source; if it is of motion, a reset sets it to 0.
typedef struct pli_feature_array {
    size_t at; // Offset of its pointer in the state.
    int32_t size, per, extra;
    bool by_vertex, inherited, of_motion;
} pli_feature_array;

typedef struct pli_feature {
    const char *name;
    // Offset of the pointer to its state in the deformable, and the size of the state, which exists as long as the deformable and
    // starts as 0. A feature of size 0 allocates its state when it needs it.
    size_t at, size;
    const pli_feature_array *arrays;
    int32_t array_count;

    // Checks a definition before it is used.
    pli_status (*check)(const struct pli_world *world, const pli_deformable_def *def, pli_error *error);
    // Allocates what the deformable needs from the start; and what a definition needs that will replace the present one, or that a new
    // deformable starts with. Both return false when memory ran out.
    bool (*create)(struct pli_world *world, struct pli_deformable_data *deformable);
    bool (*configure)(struct pli_world *world, struct pli_deformable_data *deformable, const pli_deformable_def *def);
    // Releases everything except the state and the arrays above.
    void (*destroy)(struct pli_world *world, struct pli_deformable_data *deformable);
    // Bytes for the statistics of the deformable.
    size_t (*memory)(const struct pli_deformable_data *deformable);

    // A step of the world, in the order of step/step.c. `begin` is first; `ready` follows once all else is prepared, and `start` when
    // the state has been saved (again if the step is repeated to find an error). `finish` is after the substeps, and `publish` after
    // time has advanced. `undo` restores the state of the world; the step may be repeated. `ready` returns false when memory ran out.
    pli_status (*begin)(struct pli_world *world, float dt, pli_error *error);
    bool (*ready)(struct pli_world *world);
    void (*start)(struct pli_world *world, float dt);
    void (*finish)(struct pli_world *world, float dt);
    void (*publish)(struct pli_world *world, float dt);
    void (*undo)(struct pli_world *world, bool repeats);
    // Before a step: allocates and updates. `prepare` follows with the length of a substep [s], for deformables that are not idle.
    // False when memory ran out.
    bool (*reserve)(struct pli_world *world, struct pli_deformable_data *deformable);
    bool (*prepare)(struct pli_world *world, struct pli_deformable_data *deformable, float step);
    // Saves the state before a step, and restores it to undo the step.
    void (*save)(struct pli_world *world, struct pli_deformable_data *deformable);
    void (*restore)(struct pli_deformable_data *deformable);

    // The triangles, or the number of particles, changed. New particles are last, and their arrays are complete.
    void (*cut)(struct pli_deformable_data *deformable);
    // Positions or velocities changed other than by motion: the past says nothing about the future.
    void (*jump)(struct pli_deformable_data *deformable);
    // The application wrote particle `place`.
    void (*write)(struct pli_deformable_data *deformable, int32_t place);
    // The deformable returned to its start. `jump` was called.
    void (*reset)(struct pli_deformable_data *deformable);
    // The deformable was moved. `jump` was called.
    void (*teleport)(struct pli_deformable_data *deformable, const pli_jump *jump);
    // Passes the state through a snapshot of `count` particles (base/stream.h).
    void (*pass)(pli_stream *s, struct pli_world *world, struct pli_deformable_data *deformable, int32_t count);
} pli_feature;

// Entries of a row and of its arrays.
#define PLI_FEATURE_STATE(type, member) .at = offsetof(pli_deformable_data, member), .size = sizeof(type)
#define PLI_FEATURE_ARRAY(type, member, elements)                                                                      \
    .at = offsetof(type, member), .size = sizeof(*((type *)0)->member), .per = elements
#define PLI_FEATURE_ARRAYS(list) .arrays = list, .array_count = sizeof list / sizeof *list

int32_t pli_feature_count(void);
const pli_feature *pli_feature_at(int32_t i);

// A new deformable with the states of all features, in one allocation; null when memory ran out.
struct pli_deformable_data *pli_deformable_allocate(pli_memory *memory);

// Each calls the entry of the same name in all rows.
pli_status pli_features_check(const struct pli_world *world, const pli_deformable_def *def, pli_error *error);
bool pli_features_create(struct pli_world *world, struct pli_deformable_data *deformable);
bool pli_features_configure(struct pli_world *world, struct pli_deformable_data *deformable,
                            const pli_deformable_def *def);
void pli_features_destroy(struct pli_world *world, struct pli_deformable_data *deformable);
size_t pli_features_memory(const struct pli_deformable_data *deformable);
pli_status pli_features_begin(struct pli_world *world, float dt, pli_error *error);
bool pli_features_ready(struct pli_world *world);
void pli_features_start(struct pli_world *world, float dt);
void pli_features_finish(struct pli_world *world, float dt);
void pli_features_publish(struct pli_world *world, float dt);
void pli_features_undo(struct pli_world *world, bool repeats);
bool pli_features_reserve(struct pli_world *world, struct pli_deformable_data *deformable);
bool pli_features_prepare(struct pli_world *world, struct pli_deformable_data *deformable, float step);
void pli_features_save(struct pli_world *world, struct pli_deformable_data *deformable);
void pli_features_restore(struct pli_deformable_data *deformable);
void pli_features_cut(struct pli_deformable_data *deformable);
void pli_features_jump(struct pli_deformable_data *deformable);
void pli_features_write(struct pli_deformable_data *deformable, int32_t place);
void pli_features_reset(struct pli_deformable_data *deformable);
void pli_features_teleport(struct pli_deformable_data *deformable, const pli_jump *jump);
void pli_features_pass(pli_stream *s, struct pli_world *world, struct pli_deformable_data *deformable, int32_t count);

// Passes a position or a velocity, whose w is not negative.
void pli_pass_particle(pli_stream *s, pli_particle *p);
// Passes a vector and checks that it is finite.
void pli_pass_finite_vector(pli_stream *s, pli_dvec3 *v);

// Grows an array at *(void **)array; null stays null. False when memory ran out.
bool pli_grow_array(pli_memory *memory, void *array, const pli_feature_array *a, int32_t before, int32_t after);
// Makes room in all arrays of features for `capacity` particles. False when memory ran out.
bool pli_features_grow(pli_memory *memory, struct pli_deformable_data *deformable, int32_t capacity);
// Copies the inherited elements of a particle to a particle that a cut has created.
void pli_features_inherit(struct pli_deformable_data *deformable, int32_t source, int32_t copy);

#endif
