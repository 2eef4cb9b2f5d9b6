// One constraint for each vertex and each of its straightest pairs of neighbours: the corrected rule of Fig. 6.
//
//   Kelager, Niebe, Erleben 2010, section 4.1, Fig. 6, whose two printed texts lose or degenerate
//   constraints (docs/errata.md E3-E5). Here: for every v and neighbour vi the neighbour b with the
//   smallest cosine below -0.05; the undirected pairs {vi, b}, each once. The result is invariant to
//   rotation and, up to ties, to renumbering.
//
//     vi ---- v ---- b       stencil (vi, b, v)
#include "generators/triples.h"

#include "base/text.h"
#include "generators/straightest.h"

#include <stdlib.h>

// Right angles give no triple, whatever the rounding: the angle must exceed 92.8 degrees.
#define LEAST_STRAIGHT (-0.05)
// Cosines closer than this are equal: positions are rounded to float.
#define COSINE_TOLERANCE 1e-6

// Pairs up to which insertion sort is used, and neighbours that fit into the buffer of every piece.
enum { SMALL_FAN = 32, USUAL_FAN = 64 };

static int compare(const void *a, const void *b)
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

/* ---- the walk ------------------------------------------------------------------------------------ */

typedef struct walk {
    const pli_topology *topology;
    pli_triple_visit visit;
    int32_t *best;   // [ring vertices] index of the straightest neighbour of each neighbour, ascending; or -1.
    int32_t *counts; // [pieces] number of distinct pairs.
    // [pieces] 1 where a vertex exceeds the buffer of a piece: such pieces run serially on the shared fan.
    uint8_t *crowded;
    pli_fan fan;         // Shared memory for the largest degree of the mesh.
    int32_t (*pairs)[2]; // The same for its pairs.
} walk;

// The memory of a piece in which every vertex has at most USUAL_FAN neighbours.
typedef struct fan_buffer {
    int32_t vertices[USUAL_FAN], pairs[USUAL_FAN][2];
    double directions[USUAL_FAN][3];
} fan_buffer;

static pli_fan fan_of(const walk *w, int32_t piece, fan_buffer *buffer)
{
    return w->crowded[piece] ? w->fan : (pli_fan){0, buffer->vertices, buffer->directions};
}

// Counts a pair whose members are each other's straightest neighbour once.
static int32_t count_pairs(const int32_t *best, int32_t count)
{
    int32_t pairs = 0;
    for (int32_t i = 0; i < count; i++)
        pairs += best[i] >= 0 && !(best[i] < i && best[best[i]] == i);
    return pairs;
}

static void find_piece(const walk *w, int32_t piece)
{
    fan_buffer buffer;
    pli_fan fan = fan_of(w, piece, &buffer);
    int32_t begin = piece * PLI_PIECE, vertices = w->topology->vertex_count;
    int32_t end = vertices - begin > PLI_PIECE ? begin + PLI_PIECE : vertices;
    for (int32_t v = begin; v < end; v++) {
        int32_t *best = w->best + w->topology->ring_offsets[v];
        pli_fan_load(&fan, w->topology, v);
        pli_fan_load_directions(&fan, w->topology, v);
        for (int32_t i = 0; i < fan.count; i++)
            best[i] = pli_fan_straightest(&fan, i, LEAST_STRAIGHT, COSINE_TOLERANCE);
        w->counts[piece] += count_pairs(best, fan.count);
    }
}

static void find_pieces(void *data, int32_t begin, int32_t end)
{
    const walk *w = data;
    w->crowded[begin / PLI_PIECE] = pli_fan_max_degree(w->topology, begin, end) > USUAL_FAN;
    if (!w->crowded[begin / PLI_PIECE])
        find_piece(w, begin / PLI_PIECE);
}

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

static void visit_piece(const void *data, pli_piece *piece)
{
    const walk *w = data;
    fan_buffer buffer;
    int32_t number = piece->begin / PLI_PIECE;
    pli_fan fan = fan_of(w, number, &buffer);
    int32_t(*pairs)[2] = w->crowded[number] ? w->pairs : buffer.pairs;
    pli_triple_site site = {.topology = w->topology, .neighbours = fan.vertices, .pairs = (const int32_t(*)[2])pairs};
    for (int32_t v = piece->begin; v < piece->end; v++) {
        pli_fan_load(&fan, w->topology, v);
        site.vertex = v, site.neighbour_count = fan.count;
        site.count = distinct_pairs(w->best + w->topology->ring_offsets[v], fan.count, pairs);
        w->visit(piece, &site);
    }
}

static bool find(walk *w, pli_memory *memory, const pli_task_hooks *tasks)
{
    int32_t vertices = w->topology->vertex_count, pieces = pli_piece_count(vertices, PLI_PIECE);
    int32_t max_degree = pli_fan_max_degree(w->topology, 0, vertices);
    w->best = PLI_ALLOCATE_UNSET(memory, int32_t, w->topology->ring_offsets[vertices]);
    w->counts = PLI_ALLOCATE(memory, int32_t, pieces);
    w->crowded = PLI_ALLOCATE(memory, uint8_t, pieces);
    w->pairs = pli_allocate(memory, (size_t)max_degree, sizeof *w->pairs);
    if (!pli_fan_reserve(memory, &w->fan, max_degree) || !w->best || !w->counts || !w->crowded || !w->pairs)
        return false;
    pli_run_pieces(tasks, vertices, PLI_PIECE, find_pieces, w);
    for (int32_t i = 0; i < pieces; i++)
        if (w->crowded[i])
            find_piece(w, i);
    return true;
}

pli_status pli_triples_generate(const pli_mesh *mesh, int32_t cardinality, pli_triple_visit visit,
                                pli_stencils *stencils, pli_error *error)
{
    pli_memory memory = pli_memory_make(&stencils->hooks);
    walk w = {.topology = pli_mesh_topology(mesh), .visit = visit};
    pli_status status = PLI_STATUS_OUT_OF_MEMORY;
    if (find(&w, &memory, &stencils->tasks)) {
        const pli_recipe recipe = {.cardinality = cardinality,
                                   .areas = cardinality > 2,
                                   .make = visit_piece,
                                   .data = &w,
                                   .count = w.topology->vertex_count,
                                   .max_counts = w.counts,
                                   .serial = w.crowded};
        status = cardinality == 2 ? pli_recipe_finish_pairs(&recipe, stencils, error)
                                  : pli_recipe_finish(&recipe, stencils, error);
    } else {
        pli_fail_memory(error);
    }
    pli_fan_release(&memory, &w.fan);
    void *arrays[] = {w.best, w.counts, w.crowded, w.pairs};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(&memory, arrays[i]);
    return status;
}

bool pli_triple_holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    (void)count;
    return pli_fabric_joined(fabric, v[0], v[2]) && pli_fabric_joined(fabric, v[1], v[2]);
}

// With n directions spread evenly, sum cos^4 over them is 3n/8 on average; each triple then stands for 8/(3n) of the
// vertex's area, and two or fewer for all of it (docs/decisions/0004).
double pli_triple_area(const pli_triple_site *site)
{
    double share = site->count > 2 ? 8.0 / (3.0 * site->count) : 1.0;
    return share * (double)site->topology->vertex_areas[site->vertex];
}

static void add_triples(pli_piece *piece, const pli_triple_site *site)
{
    double area = pli_triple_area(site);
    for (int32_t i = 0; i < site->count; i++) {
        const int32_t *pair = site->pairs[i];
        int32_t triple[3] = {site->neighbours[pair[0]], site->neighbours[pair[1]], site->vertex};
        pli_piece_add(piece, 3, triple, area);
    }
}

static pli_status generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
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
    .generate = generate,
    .survives_cut = pli_triple_holds,
    .reversible_pairs = 1,
};
