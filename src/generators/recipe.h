// Generators that go through vertices, edges or hinges piece by piece, on all threads. What they make does not depend
// on how many there are.
#ifndef PLI_GENERATORS_RECIPE_H
#define PLI_GENERATORS_RECIPE_H

#include "base/pieces.h"
#include "generators/build.h"

#include <string.h>

enum { PLI_PIECE = 4096 };

// A piece of the things begin..end-1, and where it puts its constraints.
typedef struct pli_piece {
    int32_t begin, end;
    int32_t *particles;
    double *areas; // Or null.
    int32_t count, degenerate_count;
} pli_piece;

typedef struct pli_recipe {
    int32_t cardinality;
    bool areas;
    int32_t count;        // Things.
    const int32_t *most;  // Constraints that each piece makes at most; null for one a thing.
    const uint8_t *alone; // Pieces that are made one by one, after the others; or null.
    void (*make)(const void *data, pli_piece *piece);
    const void *data;
} pli_recipe;

// Fills the stencils, piece after piece. OUT_OF_MEMORY leaves them empty.
pli_status pli_recipe_finish(const pli_recipe *recipe, pli_stencils *stencils, pli_error *error);

// For pairs: without those between the same two particles as an earlier one, which are counted.
pli_status pli_recipe_finish_pairs(const pli_recipe *recipe, pli_stencils *stencils, pli_error *error);

// Adds a constraint between `count` particles. One that uses a particle twice is refused and counted.
static inline __attribute__((always_inline)) void pli_piece_add(pli_piece *piece, int32_t count,
                                                                const int32_t *particles, double area)
{
    bool twice = false;
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < i; j++)
            twice |= particles[i] == particles[j];
    if (twice) {
        piece->degenerate_count++;
        return;
    }
    memcpy(piece->particles + (size_t)piece->count * (size_t)count, particles, (size_t)count * sizeof *particles);
    if (piece->areas)
        piece->areas[piece->count] = area;
    piece->count++;
}

#endif
