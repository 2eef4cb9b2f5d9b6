// Meshes and worlds of the sheet scenes.
#ifndef BENCH_SHEET_WORLD_H
#define BENCH_SHEET_WORLD_H

#include "bench/bench.h"

// The mesh of a sheet, kept in the run until another is needed. Null with the error.
pli_mesh *bench_mesh(bench_run *run, const bench_scene *scene, pli_error *error);

// The cooked form of a world, which the next world reads.
typedef struct bench_cooked {
    void *bytes; // Null for none.
    size_t size;
} bench_cooked;

// Creates a world of the scene with `mesh`; its sets are read from `cooked` where that is not null. Null with the
// error.
pli_world *bench_world(const bench_scene *scene, const pli_mesh *mesh, const bench_cooked *cooked, pli_error *error);

#endif
