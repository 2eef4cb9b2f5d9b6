// Particles in rows of cells along the longest side of what holds them, for a search of what comes near what.
#ifndef PLI_COLLISION_ROWS_H
#define PLI_COLLISION_ROWS_H

#include "base/memory.h"
#include "base/tasks.h"
#include "collision/bounds.h"
#include "simd/wide.h"
#include "wide/balls.h"

// What is sorted: where particles start, and how far each goes in a substep.
typedef struct pli_row_source {
    const pli_particle *starts, *ways;
    const float *rest; // [3 * count]
    float joined;      // What is nearer at rest is not looked for [m].
    int32_t count;
    int32_t lifetime; // Substeps.
    float reach;      // How near is near [m].
} pli_row_source;

typedef struct pli_rows {
    int32_t *order;       // [count] particle by rank.
    int32_t *begins;      // [across * up + 1] first rank of each row.
    int32_t *cells[2];    // [count] of each particle: along its row, and the row.
    int32_t *sorted;      // [count] half sorted.
    int32_t *counts;      // Of cells along rows.
    float *values[10];    // By rank, as pli_balls has them: where from, which way, where at rest, and along.
    int32_t across, up;   // Rows.
    pli_balls balls;
    int32_t order_room, begin_room, cell_room[2], sorted_room, count_room, value_room[10];
} pli_rows;

// Sorts them. `starts` and `ways` are bounds of theirs, finite. False when memory ran out.
bool pli_rows_sort(pli_memory *memory, pli_tasks *tasks, pli_rows *rows, const pli_row_source *source,
                   const pli_bounds *starts, const pli_bounds *ways);
// Pairs of one in a row and one in that or a later row. Writes at most `room`, and says how many there are.
int32_t pli_rows_meet(const pli_rows *rows, const pli_ball_kernels *kernels, int32_t row, pli_ball_pair *out,
                      int32_t room);
void pli_rows_release(pli_memory *memory, pli_rows *rows);

#endif
