// The straightest triples at each vertex (triples.c), shared by the generators that build on them.
#ifndef PLI_MESH_GENERATORS_TRIPLES_H
#define PLI_MESH_GENERATORS_TRIPLES_H

#include "mesh/generators/recipe.h"
#include "mesh/fabric/fabric.h"

// A vertex with its neighbours, ascending, and its distinct straightest pairs, ascending, as indices b0 < b1 into the
// neighbours.
typedef struct pli_triple_site {
    const pli_topology *topology;
    int32_t vertex;
    const int32_t *neighbours;
    int32_t neighbour_count;
    const int32_t (*pairs)[2];
    int32_t count;
} pli_triple_site;

// Adds the constraints of one vertex: at most one for each pair.
typedef void (*pli_triple_visit)(pli_stencil_piece *piece, const pli_triple_site *site);

// Visits every vertex and fills the stencils. Pairs (cardinality 2) that repeat an earlier pair are omitted.
pli_status pli_triples_generate(const pli_mesh *mesh, int32_t cardinality, pli_triple_visit visit,
                                pli_stencils *stencils, pli_error *error);

// Whether b0 and b1 are still joined to v by edges of the cut surface.
bool pli_triple_holds(const pli_fabric *fabric, const int32_t *vertices, int32_t count);

// Returns the area that each triple at a vertex represents [m2].
double pli_triple_area(const pli_triple_site *site);

#endif
