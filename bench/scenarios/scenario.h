// Scenes as people have them, at the engine's default settings: cloth on a ball, a curtain, capes on
// characters, irregular meshes, the bunny. A scenario is one row of the table in scenarios.c and one
// function that makes its world; all else (cases, measuring, columns, the page) follows from the row.
#ifndef BENCH_SCENARIO_H
#define BENCH_SCENARIO_H

#include <pliant/pliant.h>

typedef struct bench_scenario bench_scenario;

enum { BENCH_ACTORS_MAX = 64 };

// One object that moves by itself: a character with its cloth, or a clip of a curtain.
typedef struct bench_actor {
    struct bench_character *character; // Null: a clip.
    pli_attachment attachment;
    pli_transform from, to; // A clip's poses.
} bench_actor;

// A running scenario.
typedef struct bench_live {
    const bench_scenario *scenario;
    pli_world *world;
    bench_actor actors[BENCH_ACTORS_MAX];
    int32_t actor_count;
} bench_live;

struct bench_scenario {
    const char *name;    // "ball-10k"
    const char *summary; // For tables; no commas, since it is a column of CSV files.
    pli_status (*build)(bench_live *live, int32_t size, pli_error *error);
    int32_t size;         // For `build`: vertices along a side, or altogether, or how many characters.
    int32_t warm, frames; // Frames before the first that is measured, and those that are.
    bool is_quick;        // In the short list too.
};

int32_t bench_scenario_count(void);
const bench_scenario *bench_scenario_at(int32_t i);

// Creates the world of a scenario for `threads` threads. Null with the error.
bench_live *bench_live_create(const bench_scenario *scenario, int32_t threads, pli_simd simd, pli_error *error);
void bench_live_destroy(bench_live *live);
// Sets the targets of moving objects for `time` [s], which the next step reaches.
pli_status bench_live_move(bench_live *live, double time, pli_error *error);

/* ---- builders, each in a file of its own --------------------------------------------------------- */

// A square sheet of `side` x `side` vertices falls onto a ball that lies on the ground: over a regular grid,
// over a Delaunay triangulation, and over one that also keeps clear of itself.
pli_status bench_build_ball(bench_live *live, int32_t side, pli_error *error);
pli_status bench_build_remeshed(bench_live *live, int32_t side, pli_error *error);
pli_status bench_build_delaunay(bench_live *live, int32_t side, pli_error *error);
// An irregular sphere of about `count` vertices, kept at its volume, falls onto the ball.
pli_status bench_build_closed(bench_live *live, int32_t count, pli_error *error);
// A sheet hangs from clips that are drawn together, so that it folds into itself.
pli_status bench_build_curtain(bench_live *live, int32_t side, pli_error *error);
// A cape on the shoulders of a walking character; small capes on `count` characters.
pli_status bench_build_cape(bench_live *live, int32_t columns, pli_error *error);
pli_status bench_build_crowd(bench_live *live, int32_t count, pli_error *error);
// A cloth falls over the bunny; the bunny is blown up and falls.
pli_status bench_build_bunny_draped(bench_live *live, int32_t side, pli_error *error);
pli_status bench_build_bunny_inflated(bench_live *live, int32_t unused, pli_error *error);

/* ---- shared by builders -------------------------------------------------------------------------- */

// Edges that keep their length, and bending as of cotton (rigidity 1e-4 N m by the isometric model).
pli_status bench_add_cloth_sets(pli_world *world, pli_deformable cloth, pli_error *error);
// The sets of a balloon: edges of this compliance [m/N], the bending of cotton, and `pressure` times the volume.
pli_status bench_add_balloon_sets(pli_world *world, pli_deformable balloon, double compliance, double pressure,
                                  pli_error *error);
// A deformable of cloth in `mesh` at `pose`; the mesh is released, also after a failure before this (null).
pli_status bench_add_cloth(bench_live *live, pli_mesh *mesh, pli_transform pose, bool self_collision,
                           pli_deformable *cloth, pli_error *error);
pli_status bench_add_shape(pli_world *world, pli_shape shape, float radius, pli_vec3 position, pli_error *error);
// The ground at y = 0.
pli_status bench_add_ground(pli_world *world, pli_error *error);
// Holds particles in a frame and gives it to the actor.
pli_status bench_hold(bench_live *live, pli_deformable cloth, const int32_t *particles, int32_t count,
                      pli_transform pose, bench_actor *actor, pli_error *error);

#endif
