// Every second vertex: the two ends of each straight triple, where no edge joins them.
// Jakobsen 2001; Kelager, Niebe, Erleben 2010, section 3 ("every second, non-connected, vertex").
#include "generators/triples.h"

#include "tearing/fabric.h"

static bool connected(const pli_topology *topology, int32_t a, int32_t b)
{
    for (int32_t i = topology->ring_offsets[a]; i < topology->ring_offsets[a + 1]; i++)
        if (topology->ring_vertices[i] == b)
            return true;
    return false;
}

static void add_pairs(void *data, const pli_topology *topology, const pli_fan *fan, int32_t v,
                      const int32_t (*pairs)[2], int32_t count)
{
    (void)v;
    for (int32_t i = 0; i < count; i++) {
        int32_t pair[2] = {fan->vertices[pairs[i][0]], fan->vertices[pairs[i][1]]};
        if (!connected(topology, pair[0], pair[1]))
            pli_builder_add(data, pair);
    }
}

static pli_status generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    pli_builder builder = pli_builder_make(stencils, 2);
    pli_triples_expect(&builder, pli_mesh_topology(mesh), false);
    bool complete = pli_triples_visit(&builder.memory, pli_mesh_topology(mesh), add_pairs, &builder);
    builder.failed = builder.failed || !complete;
    pli_builder_drop_equal_pairs(&builder);
    return pli_builder_finish(&builder, error);
}

static bool holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    (void)count;
    return pli_fabric_second(fabric, v[0], v[1]);
}

const pli_generator pli_generator_second_neighbours = {
    .name = "second_neighbours",
    .summary = "the ends of every straight triple that no edge joins",
    .source = "Jakobsen 2001; Kelager, Niebe, Erleben 2010, section 3",
    .cardinality = 2,
    .generate = generate,
    .holds = holds,
    .reversible_pairs = 1,
};
