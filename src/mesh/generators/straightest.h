// The neighbour that continues an edge most straightly through a vertex: the inner search of Fig. 6 of Kelager, Niebe,
// Erleben 2010.
//
//         b1   b2          from -> v: among the neighbours of v the one whose direction has the smallest cosine
//           \  |           with the direction of `from` continues it best; here b2 (cosine near -1).
//            \ |
//     b0 ----- v ----- b3
//              |
//             from
#ifndef PLI_MESH_GENERATORS_STRAIGHTEST_H
#define PLI_MESH_GENERATORS_STRAIGHTEST_H

#include "mesh/generators/build.h"
#include "mesh/generators/direction_tree.h"

// Up to this number of neighbours, all of them are compared.
enum { PLI_USUAL_FAN = 64 };

// The neighbours of a vertex in ascending order, and unit directions to them.
typedef struct pli_fan {
    int32_t count;
    int32_t *vertices;
    double (*directions)[3]; // Zero for neighbours at the position of the vertex.
    pli_direction_tree tree; // Filled for a vertex with more than PLI_USUAL_FAN neighbours.
} pli_fan;

// Returns the largest number of neighbours of the vertices begin..end-1.
int32_t pli_fan_max_degree(const pli_topology *topology, int32_t begin, int32_t end);

// Allocates memory for `most` neighbours. Returns false when memory ran out; release the fan in both cases.
bool pli_fan_reserve(pli_memory *memory, pli_fan *fan, int32_t most);
void pli_fan_release(pli_memory *memory, pli_fan *fan);

// Loads the neighbours of vertex v, at most the reserved number; the second function loads their directions.
void pli_fan_load(pli_fan *fan, const pli_topology *topology, int32_t v);
void pli_fan_load_directions(pli_fan *fan, const pli_topology *topology, int32_t v);

// Returns the index in the fan of the neighbour whose direction has the smallest cosine with the direction of `from`,
// below `bound`; -1 if there is none. Among cosines within `tolerance` of each other the lower vertex wins, so rounding
// does not decide.
int32_t pli_fan_straightest(const pli_fan *fan, int32_t from, double bound, double tolerance);

#endif
