// The triples of the corrected rule, each with a third neighbour c that carries the offset of v from its chord
// (docs/decisions/bending.md). The neighbour that reaches farthest to the side of v is taken, so that its weight is small.
//
//          c
//          |  v             stencil (b0, b1, v, c)
//       b0 ------ b1
#include "base/text.h"
#include "mesh/generators/straightest.h"
#include "mesh/generators/triples.h"

#include "base/vector.h"

#include <math.h>

static pli_dvec3 relative_position(const pli_topology *topology, int32_t vertex, int32_t origin)
{
    const float *p = topology->positions + 3 * vertex, *o = topology->positions + 3 * origin;
    return (pli_dvec3){(double)p[0] - (double)o[0], (double)p[1] - (double)o[1], (double)p[2] - (double)o[2]};
}

static pli_dvec3 reject_from(pli_dvec3 a, pli_dvec3 direction, double square)
{
    return pli_dsub(a, pli_dscale(direction, pli_ddot(a, direction) / square));
}

// Candidates for the third neighbour: all neighbours or, if there are many, the ones that reach farthest in one of 26
// directions, since the neighbour farthest from a line is a corner of the convex hull.
typedef struct linear_choice {
    int32_t count, far[26];
    bool all;
} linear_choice;

static void choose_far(const pli_triple_site *site, linear_choice *c)
{
    c->all = site->neighbour_count <= PLI_USUAL_FAN;
    c->count = c->all ? site->neighbour_count : 0;
    for (int code = 0; code < 27 && !c->all; code++) {
        const pli_dvec3 direction = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
        double most = -1.0;
        int32_t farthest = -1;
        for (int32_t i = 0; i < site->neighbour_count && code != 13; i++) {
            double reach = pli_ddot(relative_position(site->topology, site->neighbours[i], site->vertex), direction);
            if (farthest >= 0 && reach <= most)
                continue;
            most = reach;
            farthest = i;
        }
        if (farthest >= 0)
            c->far[c->count++] = farthest;
    }
}

// Returns the index of the third neighbour, or -1 when the vertex has only two neighbours.
static int32_t third_neighbour(const pli_triple_site *site, const linear_choice *c, const int32_t *pair)
{
    const pli_topology *topology = site->topology;
    int32_t b0 = site->neighbours[pair[0]];
    pli_dvec3 chord = relative_position(topology, site->neighbours[pair[1]], b0);
    double square = pli_ddot(chord, chord), best_score = -1.0;
    int32_t best = -1;
    if (!(square > 0.0))
        return -1;
    pli_dvec3 offset = reject_from(relative_position(topology, site->vertex, b0), chord, square);
    for (int32_t k = 0; k < c->count; k++) {
        int32_t i = c->all ? k : c->far[k];
        if (i == pair[0] || i == pair[1])
            continue;
        pli_dvec3 side = reject_from(relative_position(topology, site->neighbours[i], b0), chord, square);
        double along = pli_ddot(side, offset), reach = pli_dlength(side);
        double score = reach + (along > 0.0 ? 1e3 * along / (pli_dlength(offset) + 1e-6 * sqrt(square)) : 0.0);
        if (score > best_score * (1.0 + 1e-6)) {
            best_score = score;
            best = i;
        }
    }
    return best;
}

static void add_stencils(pli_stencil_piece *piece, const pli_triple_site *site)
{
    double area = pli_triple_area(site);
    linear_choice candidates;
    choose_far(site, &candidates);
    for (int32_t i = 0; i < site->count; i++) {
        const int32_t *pair = site->pairs[i];
        int32_t third = third_neighbour(site, &candidates, pair), v = site->vertex;
        if (third < 0)
            continue;
        int32_t stencil[4] = {site->neighbours[pair[0]], site->neighbours[pair[1]], v, site->neighbours[third]};
        pli_piece_add(piece, 4, stencil, area);
    }
}

static pli_status triples_linear_generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    return pli_triples_generate(mesh, 4, add_stencils, stencils, error);
}

static bool triples_linear_holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    return pli_triple_holds(fabric, v, count) && pli_fabric_joined(fabric, v[2], v[3]);
}

const pli_generator pli_generator_row_triples_linear = {
    .name = "triples_linear",
    .label = PLI_TEXT("Triples with a third neighbour"),
    .summary = PLI_TEXT(
        "Each straightest triple is joined by a third neighbour, so that its weights vanish in the rest shape."),
    .source = PLI_TEXT("after Kelager, Niebe, Erleben 2010, Fig. 6 (errata E8)"),
    .cardinality = 4,
    .generate = triples_linear_generate,
    .survives_cut = triples_linear_holds,
    .reversible_pairs = 1,
};
