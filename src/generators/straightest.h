// The neighbour most straight ahead through a vertex: the search inside Fig. 6.
#ifndef PLI_GENERATORS_STRAIGHTEST_H
#define PLI_GENERATORS_STRAIGHTEST_H

#include "generators/build.h"

// Neighbours of a vertex in ascending order with unit directions to them.
typedef struct pli_fan {
    int32_t count, capacity;
    int32_t *vertices;
    double (*directions)[3]; // Zero for neighbours at the vertex's own place.
} pli_fan;

// Loads the fan of vertex v; room is kept from call to call. False when memory ran out.
bool pli_fan_load(pli_memory *memory, pli_fan *fan, const pli_topology *topology, int32_t v);
void pli_fan_release(pli_memory *memory, pli_fan *fan);

// Place in the fan of the neighbour whose direction has the smallest cosine with that of `from`,
// below `bound`; -1 if there is none. Cosines within `tie` of each other count as equal, and the
// lower vertex wins.
int32_t pli_fan_straightest(const pli_fan *fan, int32_t from, double bound, double tie);

#endif
