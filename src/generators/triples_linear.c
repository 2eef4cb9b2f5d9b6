// The triples of the corrected rule, each with a third neighbour that carries the offset of v from
// its chord (docs/decisions/0003). The neighbour is the one that reaches farthest to the side to
// which v lies, so that its weight is small.
#include "generators/triples.h"

#include "base/vector.h"
#include "tearing/fabric.h"

#include <math.h>

static pli_dvec3 relative(const pli_topology *topology, int32_t vertex, int32_t origin)
{
    const float *p = topology->positions + 3 * vertex, *o = topology->positions + 3 * origin;
    return (pli_dvec3){(double)p[0] - (double)o[0], (double)p[1] - (double)o[1], (double)p[2] - (double)o[2]};
}

static pli_dvec3 without(pli_dvec3 a, pli_dvec3 direction, double square)
{
    return pli_dsub(a, pli_dscale(direction, pli_ddot(a, direction) / square));
}

// Place of the third neighbour, or -1 when the fan has only two.
static int32_t third_neighbour(const pli_topology *topology, const pli_fan *fan, int32_t v, const int32_t *pair)
{
    int32_t b0 = fan->vertices[pair[0]];
    pli_dvec3 chord = relative(topology, fan->vertices[pair[1]], b0);
    double square = pli_ddot(chord, chord), best_score = -1.0;
    int32_t best = -1;
    if (!(square > 0.0))
        return -1;
    pli_dvec3 offset = without(relative(topology, v, b0), chord, square);
    for (int32_t i = 0; i < fan->count; i++) {
        if (i == pair[0] || i == pair[1])
            continue;
        pli_dvec3 side = without(relative(topology, fan->vertices[i], b0), chord, square);
        double along = pli_ddot(side, offset), reach = pli_dlength(side);
        double score = reach + (along > 0.0 ? 1e3 * along / (pli_dlength(offset) + 1e-6 * sqrt(square)) : 0.0);
        if (score > best_score * (1.0 + 1e-6)) {
            best_score = score;
            best = i;
        }
    }
    return best;
}

static void add_stencils(void *data, const pli_topology *topology, const pli_fan *fan, int32_t v,
                         const int32_t (*pairs)[2], int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t third = third_neighbour(topology, fan, v, pairs[i]);
        if (third < 0)
            continue;
        int32_t stencil[4] = {fan->vertices[pairs[i][0]], fan->vertices[pairs[i][1]], v, fan->vertices[third]};
        pli_builder_add_area(data, stencil, pli_triple_area(topology, v, count));
    }
}

static pli_status generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    pli_builder builder = pli_builder_make(stencils, 4);
    pli_triples_expect(&builder, pli_mesh_topology(mesh), true);
    bool complete = pli_triples_visit(&builder.memory, pli_mesh_topology(mesh), add_stencils, &builder);
    builder.failed = builder.failed || !complete;
    return pli_builder_finish(&builder, error);
}

static bool holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    return pli_triple_holds(fabric, v, count) && pli_fabric_joined(fabric, v[2], v[3]);
}

const pli_generator pli_generator_triples_linear = {
    .name = "triples_linear",
    .summary = "the triples, each with a third neighbour for weights that vanish in the rest shape",
    .source = "after Kelager, Niebe, Erleben 2010, Fig. 6 (errata E8)",
    .cardinality = 4,
    .generate = generate,
    .holds = holds,
    .reversible_pairs = 1,
};
