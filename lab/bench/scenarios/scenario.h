// Typical scenes at the engine's default settings: what contact costs, cloth on a ball, a curtain, capes
// on characters, irregular meshes, the bunny. A scenario is one row of the table in scenarios.c, and one function or
// one scene file that makes its world; all else (cases, measuring, columns, the page) follows from the row.
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
    struct pli_scene *scene; // Null unless a scene file made the world.
    bench_actor actors[BENCH_ACTORS_MAX];
    int32_t actor_count;
} bench_live;

struct bench_scenario {
    const char *name;    // "ball-10k"
    const char *summary; // For tables; no commas, since it is a column of CSV files.
    pli_status (*build)(bench_live *live, int32_t size, pli_error *error); // Null: a scene file makes the world.
    int32_t size;         // For `build`: vertices along a side, or altogether, or how many characters.
    int32_t warm, frames; // Frames before the first that is measured, and those that are.
    bool is_quick;        // In the short list too.
    int32_t substeps;     // 0: the default.
    const char *file;     // A scene file as it is shipped, or null; it is a case where this file can be read.
};

#endif
