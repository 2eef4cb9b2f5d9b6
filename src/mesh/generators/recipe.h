// Generators that visit vertices, edges or hinges in pieces, on all threads. Pieces have a fixed size and write in
// order, so the stencils do not depend on the number of threads.
#ifndef PLI_MESH_GENERATORS_RECIPE_H
#define PLI_MESH_GENERATORS_RECIPE_H

#include "base/pieces.h"
#include "mesh/generators/build.h"

#include <string.h>

enum { PLI_PIECE = 4096, PLI_PART = 32 * PLI_PIECE };

// A range begin..end-1 of elements, and the arrays that receive its constraints.
typedef struct pli_stencil_piece {
    int32_t begin, end;
    int32_t *particles;
    double *areas; // Area of each constraint [m2]; null when not requested.
    int32_t count, degenerate_count;
    int32_t capacity; // Constraints that fit into the memory.
    bool is_full;     // Another constraint was added, and omitted.
} pli_stencil_piece;

typedef struct pli_recipe {
    int32_t cardinality;
    bool areas;
    int32_t count; // Number of elements: vertices, edges or hinges.
    // Elements begin..end-1 make at most offsets[end] - offsets[begin] constraints; null means one for each element.
    const int32_t *offsets;
    bool serial; // Pieces run one after another, since they share memory.
    void (*make)(const void *data, pli_stencil_piece *piece);
    const void *data;
} pli_recipe;

// A range begin..end-1 of the elements of a generator.
typedef struct pli_part {
    int32_t begin, end;
} pli_part;

// Returns the part of `count` elements that the stencils request and sets their number of parts; all elements when they request no part.
pli_part pli_part_of(pli_stencils *stencils, int32_t count);

// Requests all parts, for generators whose parts depend on each other.
void pli_ask_for_all(pli_stencils *stencils);

// Fills the stencils in the order of the pieces. OUT_OF_MEMORY leaves them empty, and so does INVALID_ARGUMENT, which
// reports elements that make more constraints than the recipe allows.
pli_status pli_recipe_finish(const pli_recipe *recipe, pli_stencils *stencils, pli_error *error);

// Does the same for pairs of particles. Pairs that repeat an earlier pair are omitted and counted, which requires all parts.
pli_status pli_recipe_finish_pairs(const pli_recipe *recipe, int32_t particle_count, pli_stencils *stencils,
                                   pli_error *error);

// Adds a constraint between `count` particles. A stencil that uses a particle twice is omitted and counted as
// degenerate. A constraint beyond the capacity makes the recipe fail.
static inline __attribute__((always_inline)) void pli_piece_add(pli_stencil_piece *piece, int32_t count,
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
    if (piece->count >= piece->capacity) {
        piece->is_full = true;
        return;
    }
    memcpy(piece->particles + (size_t)piece->count * (size_t)count, particles, (size_t)count * sizeof *particles);
    if (piece->areas)
        piece->areas[piece->count] = area;
    piece->count++;
}

#endif
