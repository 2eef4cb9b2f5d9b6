// What the finders of pairs share.
#ifndef PLI_COLLISION_FIND_H
#define PLI_COLLISION_FIND_H

#include "collision/space.h"

// Of the rest distance, what two parts of a surface keep at most; and, of the mean edge, below which
// they count as joined.
#define PLI_REST_SHARE 0.9
#define PLI_SEAM_SHARE 1e-4f

// A search: surfaces before `surface_count` are those of deformables, then of what rigid bodies carry, in
// the order of the space. Behind them are colliders with a hierarchy.
typedef struct pli_find {
    pli_space *space;
    float reach;          // Largest distance that any pair keeps, and twice the budget [m].
    float mean_edge;
    pli_vec3 common;      // Way of all in a substep, which brings nothing together.
    float lifetime;       // [substeps]
    int32_t surface_count;
    int32_t *vertex_bases, *triangle_bases, *edge_bases; // [surface_count + 1]
} pli_find;

// A search over the surfaces of the space with no budget yet. False when memory ran out.
bool pli_find_begin(pli_space *space, pli_find *find);
// Which of `count` owners has an item, by where theirs begin.
int32_t pli_find_owner(const int32_t *bases, int32_t count, int32_t item);

// Completes a pair whose primitives are known. False when it is too far apart, or never touches.
bool pli_find_complete(const pli_find *find, pli_pair *pair);
void pli_find_vertex_triangle(const pli_find *find, pli_pair *pair, int32_t a, int32_t vertex, int32_t b,
                              int32_t triangle);
void pli_find_edge_edge(const pli_find *find, pli_pair *pair, int32_t a, int32_t edge, int32_t b, int32_t other);
// Where a particle is and will be, but for the common way.
void pli_find_include(const pli_find *find, pli_bounds *box, int32_t i);
pli_bounds pli_find_triangle_box(const pli_find *find, const pli_surface *s, int32_t triangle);

// Fills the grids of vertices and edges of deformables. False when memory ran out.
bool pli_find_boxes(pli_find *find);

// Runs `ask` for each chunk on the space's threads and puts its pairs one after the other into the
// list. `ask` writes at most `room` pairs and says how many there are.
typedef void (*pli_find_chunk)(void *find, int32_t chunk, pli_pair *out, int32_t room, int32_t *count);
bool pli_find_gather(pli_find *find, pli_pair_list *list, int32_t chunk_count, pli_find_chunk ask);

bool pli_find_deformables(pli_find *find);
bool pli_find_colliders(pli_find *find);

#endif
