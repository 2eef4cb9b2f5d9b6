// Triangle bending over each vertex and its straightest pairs of neighbours: the corrected rule.
//
//   Kelager, Niebe, Erleben 2010, section 4.1, Fig. 6, whose two printed texts lose or degenerate
//   constraints (docs/errata.md E3-E5). Here: for every v and neighbour vi the neighbour b with the
//   smallest cos below -0.05; the undirected pairs {vi, b}, each once. The same after any rotation
//   and, up to ties, any renumbering.
#include "generators/triples.h"

#include "tearing/fabric.h"

#include <stdlib.h>

// Right angles make no triple, whatever the rounding: just over 92.8 degrees.
#define LEAST_STRAIGHT (-0.05)
// Cosines this close are equal but for rounding of float positions.
#define TIE 1e-6

enum { SMALL_FAN = 32 };

static int compare(const void *a, const void *b)
{
    const int32_t *left = a, *right = b;
    if (left[0] != right[0])
        return left[0] < right[0] ? -1 : 1;
    return (left[1] > right[1]) - (left[1] < right[1]);
}

// By insertion, but for the hubs of a mesh.
static void sort_pairs(int32_t (*pairs)[2], int32_t count)
{
    if (count > SMALL_FAN) {
        qsort(pairs, (size_t)count, sizeof *pairs, compare);
        return;
    }
    for (int32_t i = 1; i < count; i++) {
        int32_t pair[2] = {pairs[i][0], pairs[i][1]}, k = i;
        for (; k > 0 && compare(pairs[k - 1], pair) > 0; k--)
            pairs[k][0] = pairs[k - 1][0], pairs[k][1] = pairs[k - 1][1];
        pairs[k][0] = pair[0], pairs[k][1] = pair[1];
    }
}

static int32_t distinct_pairs(const pli_fan *fan, int32_t (*pairs)[2])
{
    int32_t count = 0;
    for (int32_t i = 0; i < fan->count; i++) {
        int32_t best = pli_fan_straightest(fan, i, LEAST_STRAIGHT, TIE);
        if (best < 0)
            continue;
        pairs[count][0] = i < best ? i : best;
        pairs[count][1] = i < best ? best : i;
        count++;
    }
    sort_pairs(pairs, count);
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (i > 0 && compare(pairs[i], pairs[i - 1]) == 0)
            continue;
        pairs[kept][0] = pairs[i][0];
        pairs[kept][1] = pairs[i][1];
        kept++;
    }
    return kept;
}

bool pli_triples_visit(pli_memory *memory, const pli_topology *topology, pli_triple_visit visit, void *data)
{
    int32_t most = 0;
    for (int32_t v = 0; v < topology->vertex_count; v++) {
        int32_t count = topology->ring_offsets[v + 1] - topology->ring_offsets[v];
        most = count > most ? count : most;
    }
    pli_fan fan = {0};
    int32_t(*pairs)[2] = pli_allocate(memory, (size_t)most, sizeof *pairs);
    bool complete = pairs != NULL;
    for (int32_t v = 0; v < topology->vertex_count && complete; v++) {
        complete = pli_fan_load(memory, &fan, topology, v);
        if (!complete)
            break;
        int32_t count = distinct_pairs(&fan, pairs);
        visit(data, topology, &fan, v, (const int32_t(*)[2])pairs, count);
    }
    pli_fan_release(memory, &fan);
    pli_release(memory, pairs);
    return complete;
}

void pli_triples_expect(pli_builder *builder, const pli_topology *topology, bool areas)
{
    pli_builder_expect(builder, topology->ring_offsets[topology->vertex_count] / 2, areas);
}

bool pli_triple_holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    (void)count;
    return pli_fabric_joined(fabric, v[0], v[2]) && pli_fabric_joined(fabric, v[1], v[2]);
}

// With n directions spread evenly, sum cos^4 over them is 3n/8 on average; each then stands for
// 8/(3n) of the vertex's area, and two or fewer for all of it (docs/decisions/0004).
double pli_triple_area(const pli_topology *topology, int32_t v, int32_t count)
{
    double share = count > 2 ? 8.0 / (3.0 * count) : 1.0;
    return share * (double)topology->vertex_areas[v];
}

static void add_triples(void *data, const pli_topology *topology, const pli_fan *fan, int32_t v,
                        const int32_t (*pairs)[2], int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t triple[3] = {fan->vertices[pairs[i][0]], fan->vertices[pairs[i][1]], v};
        pli_builder_add_area(data, triple, pli_triple_area(topology, v, count));
    }
}

static pli_status generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    pli_builder builder = pli_builder_make(stencils, 3);
    pli_triples_expect(&builder, pli_mesh_topology(mesh), true);
    bool complete = pli_triples_visit(&builder.memory, pli_mesh_topology(mesh), add_triples, &builder);
    builder.failed = builder.failed || !complete;
    return pli_builder_finish(&builder, error);
}

const pli_generator pli_generator_triples = {
    .name = "triples",
    .summary = "each vertex with its straightest pairs of neighbours: Fig. 6 corrected, none lost, twice or degenerate",
    .source = "Kelager, Niebe, Erleben 2010, Fig. 6, with errata E3-E5",
    .cardinality = 3,
    .generate = generate,
    .holds = pli_triple_holds,
    .reversible_pairs = 1,
};
