// The neighbour most straight ahead through a vertex: the search inside Fig. 6.
#ifndef PLI_GENERATORS_STRAIGHTEST_H
#define PLI_GENERATORS_STRAIGHTEST_H

#include "generators/build.h"

// Neighbours of a vertex in ascending order with unit directions to them.
typedef struct pli_fan {
    int32_t count;
    int32_t *vertices;
    double (*directions)[3]; // Zero for neighbours at the vertex's own place.
} pli_fan;

// Neighbours that any of the vertices begin..end-1 has at most.
int32_t pli_fan_most(const pli_topology *topology, int32_t begin, int32_t end);

// Makes room for that many neighbours. False when memory ran out; release in both cases.
bool pli_fan_make(pli_memory *memory, pli_fan *fan, int32_t most);
void pli_fan_release(pli_memory *memory, pli_fan *fan);

// Loads the neighbours of vertex v, for which there is room, and then the directions to them.
void pli_fan_load(pli_fan *fan, const pli_topology *topology, int32_t v);
void pli_fan_aim(pli_fan *fan, const pli_topology *topology, int32_t v);

// Place in the fan of the neighbour whose direction has the smallest cosine with that of `from`,
// below `bound`; -1 if there is none. Cosines within `tie` of each other count as equal, and the
// lower vertex wins.
int32_t pli_fan_straightest(const pli_fan *fan, int32_t from, double bound, double attachment);

#endif
