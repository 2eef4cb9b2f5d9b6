// One constraint for each vertex and each of its straightest pairs of neighbours: the corrected rule of Fig. 6.
//
//   Kelager, Niebe, Erleben 2010, section 4.1, Fig. 6, whose two printed texts lose or degenerate
//   constraints (docs/errata.md E3-E5). Here: for every v and neighbour vi the neighbour b with the
//   smallest cosine below -0.05; the undirected pairs {vi, b}, each once. The result is invariant to
//   rotation and, up to ties, to renumbering.
//
//     vi ---- v ---- b       stencil (vi, b, v)
#include "mesh/generators/triples.h"

#include "base/text.h"
#include "mesh/generators/straightest.h"
#include "mesh/mesh.h"

#include <stdlib.h>

// Right angles give no triple, whatever the rounding: the angle must exceed 92.8 degrees.
#define TRIPLES_LEAST_STRAIGHT (-0.05)
// Cosines closer than this are equal: positions are rounded to float.
#define COSINE_TOLERANCE 1e-6

// Insertion sort is used up to this number of pairs.
enum { SMALL_FAN = 32 };

static int triples_compare(const void *a, const void *b)
{
    const int32_t *left = a, *right = b;
    if (left[0] != right[0])
        return left[0] < right[0] ? -1 : 1;
    return (left[1] > right[1]) - (left[1] < right[1]);
}

// Insertion sort, except for vertices of very high degree.
static void sort_pairs(int32_t (*pairs)[2], int32_t count)
{
    if (count > SMALL_FAN) {
        qsort(pairs, (size_t)count, sizeof *pairs, triples_compare);
        return;
    }
    for (int32_t i = 1; i < count; i++) {
        int32_t pair[2] = {pairs[i][0], pairs[i][1]}, k = i;
        for (; k > 0 && triples_compare(pairs[k - 1], pair) > 0; k--)
            pairs[k][0] = pairs[k - 1][0], pairs[k][1] = pairs[k - 1][1];
        pairs[k][0] = pair[0], pairs[k][1] = pair[1];
    }
}

/* ---- the walk ------------------------------------------------------------------------------------ */

typedef struct triples_walk {
    const pli_topology *topology;
    pli_triple_visit visit;
    // Memory for the largest degree, when a vertex exceeds the buffer of a piece. Pieces then run one after another.
    bool crowded;
    pli_fan fan;
    int32_t *best, (*pairs)[2]; // The straightest neighbours, and the pairs.
} triples_walk;

// Memory of a piece in which every vertex has at most PLI_USUAL_FAN neighbours.
typedef struct fan_buffer {
    int32_t vertices[PLI_USUAL_FAN], best[PLI_USUAL_FAN], pairs[PLI_USUAL_FAN][2];
    double directions[PLI_USUAL_FAN][3];
} fan_buffer;

// A pair whose members are each other's straightest neighbours appears once.
static int32_t distinct_pairs(const int32_t *best, int32_t neighbours, int32_t (*pairs)[2])
{
    int32_t count = 0;
    for (int32_t i = 0; i < neighbours; i++) {
        if (best[i] < 0 || (best[i] < i && best[best[i]] == i))
            continue;
        pairs[count][0] = i < best[i] ? i : best[i];
        pairs[count][1] = i < best[i] ? best[i] : i;
        count++;
    }
    sort_pairs(pairs, count);
    return count;
}

static void visit_piece(const void *data, pli_stencil_piece *piece)
{
    const triples_walk *w = data;
    fan_buffer buffer;
    pli_fan fan = w->crowded ? w->fan : (pli_fan){.vertices = buffer.vertices, .directions = buffer.directions};
    int32_t *best = w->crowded ? w->best : buffer.best, (*pairs)[2] = w->crowded ? w->pairs : buffer.pairs;
    pli_triple_site site = {.topology = w->topology, .neighbours = fan.vertices, .pairs = (const int32_t(*)[2])pairs};
    for (int32_t v = piece->begin; v < piece->end; v++) {
        pli_fan_load(&fan, w->topology, v);
        pli_fan_load_directions(&fan, w->topology, v);
        for (int32_t i = 0; i < fan.count; i++)
            best[i] = pli_fan_straightest(&fan, i, TRIPLES_LEAST_STRAIGHT, COSINE_TOLERANCE);
        site.vertex = v, site.neighbour_count = fan.count;
        site.count = distinct_pairs(best, fan.count, pairs);
        w->visit(piece, &site);
    }
}

pli_status pli_triples_generate(const pli_mesh *mesh, int32_t cardinality, pli_triple_visit visit,
                                pli_stencils *stencils, pli_error *error)
{
    pli_memory memory = pli_memory_make(&stencils->hooks);
    const pli_topology *topology = pli_mesh_base(mesh);
    if (cardinality == 2)
        pli_ask_for_all(stencils);
    const pli_part part = pli_part_of(stencils, topology->vertex_count);
    int32_t most = pli_fan_max_degree(topology, part.begin, part.end);
    triples_walk w = {.topology = topology,
                      .visit = visit,
                      .crowded = most > PLI_USUAL_FAN,
                      .best = PLI_ALLOCATE(&memory, int32_t, most),
                      .pairs = pli_allocate(&memory, (size_t)most, sizeof *w.pairs)};
    const pli_recipe recipe = {.cardinality = cardinality,
                               .areas = cardinality > 2,
                               .make = visit_piece,
                               .data = &w,
                               .count = topology->vertex_count,
                               .offsets = topology->ring_offsets,
                               .serial = w.crowded};
    pli_status status = PLI_STATUS_OUT_OF_MEMORY;
    if (!pli_fan_reserve(&memory, &w.fan, most) || !w.best || !w.pairs)
        pli_fail_memory(error);
    else if (cardinality == 2)
        status = pli_recipe_finish_pairs(&recipe, topology->vertex_count, stencils, error);
    else
        status = pli_recipe_finish(&recipe, stencils, error);
    pli_fan_release(&memory, &w.fan);
    pli_release(&memory, w.best);
    pli_release(&memory, w.pairs);
    return status;
}

bool pli_triple_holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    (void)count;
    return pli_fabric_joined(fabric, v[0], v[2]) && pli_fabric_joined(fabric, v[1], v[2]);
}

// With n directions spread evenly, sum cos^4 over them is 3n/8 on average. Each triple then represents 8/(3n) of the
// area of the vertex, and two or fewer triples represent all of it (docs/decisions/bending.md).
double pli_triple_area(const pli_triple_site *site)
{
    double share = site->count > 2 ? 8.0 / (3.0 * site->count) : 1.0;
    return share * (double)site->topology->vertex_areas[site->vertex];
}

static void add_triples(pli_stencil_piece *piece, const pli_triple_site *site)
{
    double area = pli_triple_area(site);
    for (int32_t i = 0; i < site->count; i++) {
        const int32_t *pair = site->pairs[i];
        int32_t triple[3] = {site->neighbours[pair[0]], site->neighbours[pair[1]], site->vertex};
        pli_piece_add(piece, 3, triple, area);
    }
}

static pli_status triples_generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    return pli_triples_generate(mesh, 3, add_triples, stencils, error);
}

const pli_generator pli_generator_row_triples = {
    .name = "triples",
    .label = PLI_TEXT("Straightest triples"),
    .summary = PLI_TEXT(
        "Each vertex gives a triple with each of its straightest pairs of neighbours: Fig. 6 corrected, so that "
        "none is lost, repeated or degenerate."),
    .source = PLI_TEXT("Kelager, Niebe, Erleben 2010, Fig. 6, with errata E3-E5"),
    .cardinality = 3,
    .generate = triples_generate,
    .survives_cut = pli_triple_holds,
    .reversible_pairs = 1,
};
