// The corrected rule of Fig. 6, shared by the generators that build on it.
#ifndef PLI_GENERATORS_TRIPLES_H
#define PLI_GENERATORS_TRIPLES_H

#include "generators/recipe.h"
#include "mesh/fabric/fabric.h"

// A vertex with its neighbours, ascending, and its distinct pairs of straightest ones, ascending: places b0 < b1 among
// the neighbours.
typedef struct pli_triple_site {
    const pli_topology *topology;
    int32_t vertex;
    const int32_t *neighbours;
    int32_t neighbour_count;
    const int32_t (*pairs)[2];
    int32_t count;
} pli_triple_site;

// Adds what is made of a vertex, at most one constraint for each pair.
typedef void (*pli_triple_visit)(pli_piece *piece, const pli_triple_site *site);

// Visits every vertex and fills the stencils with what is added; pairs (cardinality 2) that come twice are dropped.
pli_status pli_triples_generate(const pli_mesh *mesh, int32_t cardinality, pli_triple_visit visit,
                                pli_stencils *stencils, pli_error *error);

// Whether b0 and b1 are still joined to v.
bool pli_triple_holds(const pli_fabric *fabric, const int32_t *vertices, int32_t count);

// Area that each of the triples at a vertex stands for [m2].
double pli_triple_area(const pli_triple_site *site);

#endif
