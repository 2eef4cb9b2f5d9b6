// The corrected rule of Fig. 6, shared by the generators that build on it.
#ifndef PLI_GENERATORS_TRIPLES_H
#define PLI_GENERATORS_TRIPLES_H

#include "generators/build.h"
#include "generators/straightest.h"

// A triple (b0, b1, v) by places of b0 < b1 in the fan of v.
typedef void (*pli_triple_visit)(void *data, const pli_topology *topology, const pli_fan *fan, int32_t v,
                                 const int32_t (*pairs)[2], int32_t count);

// Visits every vertex with its distinct pairs of straightest neighbours, ascending. False when
// memory ran out.
bool pli_triples_visit(pli_memory *memory, const pli_topology *topology, pli_triple_visit visit, void *data);

// Makes room for as many as a mesh has where every neighbour has its straightest one.
void pli_triples_expect(pli_builder *builder, const pli_topology *topology, bool areas);

// Whether b0 and b1 are still joined to v.
bool pli_triple_holds(const pli_fabric *fabric, const int32_t *vertices, int32_t count);

// Area that each of `count` triples at v stands for [m2].
double pli_triple_area(const pli_topology *topology, int32_t v, int32_t count);

#endif
