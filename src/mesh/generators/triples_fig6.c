// Fig. 6 as printed, in its two transcriptions, for comparison with the corrected rule.
//
//   Kelager, Niebe, Erleben 2010, section 4.1. Text A makes a constraint when index(vi) <
//   index(vbest), and so loses pairs that are straightest in one direction only (docs/errata.md E3).
//   Text B keeps a map cons[] over the whole mesh instead, and makes a degenerate (vi, vi, v)
//   where nothing lies straight ahead (E4); these are counted and rejected.
#include "base/text.h"
#include "mesh/generators/straightest.h"
#include "mesh/generators/triples.h"
#include "mesh/mesh.h"

typedef bool (*fig6_test)(int32_t *cons, int32_t vi, int32_t best);

static bool text_a(int32_t *cons, int32_t vi, int32_t best)
{
    (void)cons;
    return vi < best;
}

static bool text_b(int32_t *cons, int32_t vi, int32_t best)
{
    if (cons[best] == vi)
        return false;
    cons[vi] = best;
    return true;
}

static void visit_vertex(pli_builder *builder, const pli_topology *topology, pli_fan *fan, int32_t *cons, int32_t v,
                         fig6_test test)
{
    pli_fan_load(fan, topology, v);
    pli_fan_load_directions(fan, topology, v);
    for (int32_t i = 0; i < fan->count; i++) {
        int32_t vi = fan->vertices[i];
        int32_t found = pli_fan_straightest(fan, i, 0.0, 0.0);
        int32_t best = found < 0 ? vi : fan->vertices[found];
        int32_t triple[3] = {vi, best, v};
        if (test(cons, vi, best))
            pli_builder_add_area(builder, triple, (double)topology->vertex_areas[v]);
    }
}

static pli_status triples_fig6_generate(const pli_mesh *mesh, pli_stencils *stencils, fig6_test test, pli_error *error)
{
    const pli_topology *topology = pli_mesh_base(mesh);
    pli_builder builder = pli_builder_make(stencils, 3);
    pli_fan fan = {0};
    int32_t *cons = PLI_ALLOCATE(&builder.memory, int32_t, topology->vertex_count);
    builder.failed = !pli_fan_reserve(&builder.memory, &fan, pli_fan_max_degree(topology, 0, topology->vertex_count)) ||
                     !cons;
    for (int32_t v = 0; v < topology->vertex_count && !builder.failed; v++)
        cons[v] = -1;
    for (int32_t v = 0; v < topology->vertex_count && !builder.failed; v++)
        visit_vertex(&builder, topology, &fan, cons, v, test);
    pli_fan_release(&builder.memory, &fan);
    pli_release(&builder.memory, cons);
    return pli_builder_finish(&builder, error);
}

static pli_status generate_a(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    return triples_fig6_generate(mesh, stencils, text_a, error);
}

static pli_status generate_b(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    return triples_fig6_generate(mesh, stencils, text_b, error);
}

const pli_generator pli_generator_row_triples_fig6a = {
    .name = "triples_fig6a",
    .label = PLI_TEXT("Triples of Fig. 6, text A"),
    .summary = PLI_TEXT(
        "Each vertex gives triples by Fig. 6 with the test index(vi) < index(vbest), as printed, which loses "
        "pairs that hold one way only."),
    .source = PLI_TEXT("Kelager, Niebe, Erleben 2010, Fig. 6, text A"),
    .cardinality = 3,
    .generate = generate_a,
    .survives_cut = pli_triple_holds,
};

const pli_generator pli_generator_row_triples_fig6b = {
    .name = "triples_fig6b",
    .label = PLI_TEXT("Triples of Fig. 6, text B"),
    .summary = PLI_TEXT(
        "Each vertex gives triples by Fig. 6 with the map cons[], as printed; its degenerate triples are rejected."),
    .source = PLI_TEXT("Kelager, Niebe, Erleben 2010, Fig. 6, text B"),
    .cardinality = 3,
    .generate = generate_b,
    .survives_cut = pli_triple_holds,
};
