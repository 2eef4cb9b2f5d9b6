// Every second vertex: the two ends of each straight triple (triples.h), where no edge joins them.
// Jakobsen 2001; Kelager, Niebe, Erleben 2010, section 3 ("every second, non-connected, vertex").
#include "base/text.h"
#include "mesh/generators/straightest.h"
#include "mesh/generators/triples.h"

// Searches the neighbours of one vertex or, where both have many, the sorted edges.
static bool connected(const pli_topology *topology, int32_t a, int32_t b)
{
    int32_t degree = topology->ring_offsets[a + 1] - topology->ring_offsets[a], begin = 0, end = topology->edge_count;
    if (degree > PLI_USUAL_FAN) {
        int32_t low = a < b ? a : b, high = a < b ? b : a;
        while (begin < end) {
            int32_t middle = begin + (end - begin) / 2;
            const int32_t *edge = topology->edges + 2 * (size_t)middle;
            if (edge[0] < low || (edge[0] == low && edge[1] < high))
                begin = middle + 1;
            else
                end = middle;
        }
        return begin < topology->edge_count && topology->edges[2 * begin] == low &&
               topology->edges[2 * begin + 1] == high;
    }
    for (int32_t i = topology->ring_offsets[a]; i < topology->ring_offsets[a + 1]; i++)
        if (topology->ring_vertices[i] == b)
            return true;
    return false;
}

static void add_pairs(pli_stencil_piece *piece, const pli_triple_site *site)
{
    for (int32_t i = 0; i < site->count; i++) {
        int32_t pair[2] = {site->neighbours[site->pairs[i][0]], site->neighbours[site->pairs[i][1]]};
        if (!connected(site->topology, pair[0], pair[1]))
            pli_piece_add(piece, 2, pair, 0.0);
    }
}

static pli_status second_neighbours_generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    return pli_triples_generate(mesh, 2, add_pairs, stencils, error);
}

static bool second_neighbours_holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    (void)count;
    return pli_fabric_second(fabric, v[0], v[1]);
}

const pli_generator pli_generator_row_second_neighbours = {
    .name = "second_neighbours",
    .label = PLI_TEXT("Second neighbours"),
    .summary = PLI_TEXT("Each straight triple gives its two ends, unless an edge joins them."),
    .source = PLI_TEXT("Jakobsen 2001; Kelager, Niebe, Erleben 2010, section 3"),
    .cardinality = 2,
    .generate = second_neighbours_generate,
    .survives_cut = second_neighbours_holds,
    .reversible_pairs = 1,
};
