// Building of the levels of the multilevel stretch solver (stretch/levels.h): nodes, who follows them, and pairs. None of it
// depends on masses or on what is held, so that levels stay when these change (stretch/levels_weigh.h).
//
//   finer level --coarsen--> seeds, pairs, parents and weights      membrane/coarsen.c, membrane/coarsen_grid.c
//               --lists----> members of each node, which it is to be the centre of mass of
//               --weigh----> greatest distance of each pair         as if all particles were alike, to see how curved it is
//               --colours--> slots of the pairs, as in a constraint set
#include "base/vector.h"
#include "constraints/projection.h"
#include "stretch/levels_weigh.h"
#include "schedule/colouring.h"

#include <math.h>
#include <string.h>

_Static_assert((int)PLI_LEVEL_PARENTS == (int)PLI_PARENTS && (int)PLI_STRIDE == (int)PLI_INTERLEAVE,
               "kernels and generators count alike");

// Levels with fewer nodes are not coarsened further.
enum { FEWEST = 24 };
// Sweeps over the pairs of a level. Coarser levels have few nodes, and no finer level can make up for errors that they
// leave. The finest level has the most nodes, and little is left to correct where the next level is complete.
enum { COARSEST_SWEEPS = 6, COARSE_SWEEPS = 4, FINEST_SWEEPS = 2 };

// The nodes of a level while the next one is built from them.
typedef struct stage {
    pli_world *world;
    const pli_deformable_data *deformable;
    pli_dvec3 *normals; // Unit normals of all particles at rest.
    pli_graph graph;
    double (*positions)[3]; // Rest positions of the nodes [m].
    int32_t *pairs;
} stage;

static bool allocate(stage *s, int32_t count, int32_t pair_count)
{
    pli_memory *memory = &s->world->memory;
    s->graph.count = count, s->graph.pair_count = pair_count;
    s->positions = pli_allocate(memory, (size_t)count, sizeof *s->positions);
    s->pairs = PLI_ALLOCATE(memory, int32_t, 2 * (int64_t)pair_count);
    s->graph.positions = (const double(*)[3])s->positions;
    s->graph.pairs = s->pairs;
    return s->positions && s->pairs;
}

static void release(stage *s)
{
    pli_release(&s->world->memory, s->positions);
    pli_release(&s->world->memory, s->pairs);
}

// Loads the particles in internal order as the finest level.
static bool load_particles(stage *s)
{
    const pli_deformable_data *deformable = s->deformable;
    const pli_faces *f = &deformable->shape;
    s->normals = PLI_ALLOCATE(&s->world->memory, pli_dvec3, deformable->count);
    if (!s->normals || !allocate(s, deformable->count, f->edge_count))
        return false;
    for (int32_t i = 0; i < deformable->count; i++) {
        for (int32_t k = 0; k < 3; k++)
            s->positions[i][k] = (double)f->positions[3 * pli_vertex(deformable, i) + k];
        s->normals[i] = pli_rest_normal(deformable, i);
    }
    for (int32_t i = 0; i < 2 * f->edge_count; i++)
        s->pairs[i] = pli_place(deformable, f->edges[i]);
    return true;
}

/* ---- pairs of lists ------------------------------------------------------------------------------- */

// Pairs beyond 63 at one node find no colour and are left out: the other 63 bound the node as well.
static bool fill_slots(pli_memory *memory, const pli_schedule *schedule, const int32_t *ends, pli_level *level)
{
    int32_t colours = schedule->overflow < 0 ? schedule->colour_count : schedule->overflow;
    int32_t slots = level->pair_count + schedule->colour_count * PLI_BATCH;
    level->index[0] = PLI_ALLOCATE(memory, pli_index, slots);
    level->index[1] = PLI_ALLOCATE(memory, pli_index, slots);
    level->rest = PLI_ALLOCATE(memory, float, slots);
    level->colour_offsets = PLI_ALLOCATE(memory, int32_t, (int64_t)schedule->colour_count + 1);
    if (!level->index[0] || !level->index[1] || !level->rest || !level->colour_offsets)
        return false;
    for (int32_t colour = 0, slot = 0; colour < colours; colour++) {
        for (int32_t i = schedule->colour_offsets[colour]; i < schedule->colour_offsets[colour + 1]; i++, slot++) {
            int32_t pair = schedule->order[i];
            level->index[0][slot] = pli_index_of(ends[2 * pair]);
            level->index[1][slot] = pli_index_of(ends[2 * pair + 1]);
        }
        for (; slot % PLI_BATCH != 0; slot++)
            level->index[0][slot] = level->index[1][slot] = pli_index_of(level->count);
        level->colour_offsets[++level->colour_count] = slot;
    }
    return true;
}

static bool build_pairs(pli_memory *memory, const pli_coarse *c, pli_level *level)
{
    int32_t *ends = PLI_ALLOCATE(memory, int32_t, 2 * (int64_t)c->pair_count);
    pli_schedule schedule = {.overflow = -1};
    for (int32_t i = 0; ends && i < c->pair_count; i++) {
        if (!(pli_level_length(level, c->pairs[2 * i], c->pairs[2 * i + 1]) > 0.0))
            continue;
        ends[2 * level->pair_count] = c->pairs[2 * i], ends[2 * level->pair_count++ + 1] = c->pairs[2 * i + 1];
    }
    bool complete = ends &&
                    pli_schedule_colour(memory, ends, NULL, 2, NULL, level->pair_count, level->count, &schedule) &&
                    fill_slots(memory, &schedule, ends, level);
    pli_schedule_release(memory, &schedule);
    pli_release(memory, ends);
    return complete;
}

/* ---- levels ------------------------------------------------------------------------------------- */

static void release_level(pli_memory *memory, pli_level *level)
{
    pli_level_lists *l = &level->lists;
    pli_level_nodes *n = &level->nodes;
    void *arrays[] = {l->nodes,
                      l->displacements,
                      l->offsets,
                      l->members,
                      l->shares,
                      l->parents,
                      l->weights,
                      level->index[0],
                      level->index[1],
                      level->rest,
                      level->colour_offsets,
                      n->centres,
                      n->normals,
                      n->masses,
                      n->fixed,
                      n->touched};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    pli_grid_levels_free(memory, level->grid_levels);
    *level = (pli_level){0};
}

static bool allocate_nodes(pli_memory *memory, pli_level *level)
{
    pli_level_nodes *n = &level->nodes;
    n->centres = PLI_ALLOCATE(memory, pli_dvec3, level->count);
    n->normals = PLI_ALLOCATE(memory, pli_dvec3, level->count);
    n->masses = PLI_ALLOCATE(memory, double, level->count);
    n->fixed = PLI_ALLOCATE(memory, uint8_t, level->count);
    n->touched = PLI_ALLOCATE(memory, uint8_t, level->count);
    return n->centres && n->normals && n->masses && n->fixed && n->touched;
}

static int32_t in_batches(int32_t count) { return (count + PLI_BATCH - 1) / PLI_BATCH * PLI_BATCH; }

// Lists the finer nodes that follow each node, in their order. All nodes of a batch get as many as the node with the most; padding
// names the dummy, and has fraction 0. `counts` is scratch by node.
static bool build_members(pli_memory *memory, const pli_coarse *c, int32_t *counts, pli_level_lists *l)
{
    int32_t batches = in_batches(l->count) / PLI_BATCH;
    if (!(l->offsets = PLI_ALLOCATE(memory, int32_t, (int64_t)batches + 1)))
        return false;
    for (int32_t i = 0; i < PLI_PARENTS * l->finer_count; i++) {
        int32_t node = c->parents[i];
        if (node < 0)
            continue;
        int32_t count = ++counts[node], *most = &l->offsets[node / PLI_BATCH + 1];
        *most = count > *most ? count : *most;
    }
    for (int32_t batch = 0; batch < batches; batch++)
        l->offsets[batch + 1] += l->offsets[batch];
    int64_t size = (int64_t)l->offsets[batches] * PLI_BATCH;
    l->members = PLI_ALLOCATE(memory, int32_t, size);
    l->shares = PLI_ALLOCATE(memory, float, size);
    if (!l->members || !l->shares)
        return false;
    for (int64_t i = 0; i < size; i++)
        l->members[i] = l->finer_dummy;
    memset(counts, 0, (size_t)l->count * sizeof *counts);
    for (int32_t i = 0; i < PLI_PARENTS * l->finer_count; i++) {
        int32_t node = c->parents[i];
        if (node >= 0)
            l->members[((int64_t)l->offsets[node / PLI_BATCH] + counts[node]++) * PLI_BATCH + node % PLI_BATCH] =
                i / PLI_PARENTS;
    }
    return true;
}

// Transposes parents and weights to batches of PLI_BATCH finer nodes; a missing parent becomes the dummy with weight 0.
static bool build_parents(pli_memory *memory, const pli_coarse *c, pli_level_lists *l)
{
    int64_t size = (int64_t)PLI_PARENTS * in_batches(l->finer_count);
    l->parents = PLI_ALLOCATE(memory, int32_t, size);
    l->weights = PLI_ALLOCATE(memory, float, size);
    for (int64_t i = 0; l->parents && l->weights && i < size; i++) {
        int64_t finer = i / (PLI_PARENTS * PLI_BATCH) * PLI_BATCH + i % PLI_BATCH;
        int64_t at = finer * PLI_PARENTS + i / PLI_BATCH % PLI_PARENTS;
        bool has = finer < l->finer_count && c->parents[at] >= 0;
        l->parents[i] = has ? c->parents[at] : l->count;
        l->weights[i] = has ? c->weights[at] : 0.0f;
    }
    return l->parents && l->weights;
}

// Nodes of the finer level end with dummies. The address of the particles is set when they are projected.
static bool build_lists(pli_memory *memory, const pli_coarse *c, pli_level *finer, int32_t dummy, pli_level *level)
{
    pli_level_lists *l = &level->lists;
    l->count = level->count, l->finer_count = level->finer_count;
    l->finer = finer ? finer->lists.nodes : NULL, l->finer_dummy = dummy;
    l->nodes = PLI_ALLOCATE(memory, pli_particle, l->count + PLI_BATCH);
    l->displacements = PLI_ALLOCATE(memory, pli_particle, l->count + PLI_BATCH);
    int32_t *counts = PLI_ALLOCATE(memory, int32_t, l->count);
    bool complete = l->nodes && l->displacements && counts && build_members(memory, c, counts, l) &&
                    build_parents(memory, c, l);
    pli_release(memory, counts);
    return complete;
}

static bool build_grid(pli_memory *memory, const pli_coarse *c, const pli_grid_levels *finer, pli_level *level)
{
    level->grid_levels = PLI_ALLOCATE(memory, pli_grid_levels_layer, 1);
    return level->grid_levels && pli_grid_levels_build(memory, finer, c, level->grid_levels);
}

// Sees how curved the surface is between the nodes, as if all particles were alike.
static void look_at_curvature(const stage *s, const pli_coarse *c, pli_level *finer, pli_level *level)
{
    const pli_finer alike = {finer, s->deformable, true, s->normals};
    int32_t left_out = 0;
    memset(level->nodes.touched, 1, (size_t)level->count);
    pli_level_weigh(&alike, level);
    memset(level->nodes.touched, 0, (size_t)level->count);
    for (int32_t i = 0; i < c->pair_count; i++)
        left_out += !(pli_level_length(level, c->pairs[2 * i], c->pairs[2 * i + 1]) > 0.0);
    level->complete = left_out <= c->pair_count / 8;
}

// Builds the level over the last one, or over the particles.
static bool make_level(const stage *s, const pli_coarse *c, pli_hierarchy *h, stage *coarse)
{
    pli_memory *memory = &s->world->memory;
    pli_level *finer = h->count > 0 ? &h->levels[h->count - 1] : NULL, *level = &h->levels[h->count++];
    level->count = c->count, level->finer_count = s->graph.count;
    if (!allocate(coarse, c->count, c->pair_count) || !allocate_nodes(memory, level))
        return false;
    for (int32_t j = 0; j < c->count; j++)
        memcpy(coarse->positions[j], s->positions[c->seeds[j]], sizeof coarse->positions[j]);
    memcpy(coarse->pairs, c->pairs, 2 * (size_t)c->pair_count * sizeof *c->pairs);
    memcpy(coarse->graph.sides, c->sides, sizeof c->sides);
    bool in_grid = c->sides[0] > 0;
    if (!(in_grid ? build_grid(memory, c, finer ? &finer->grid_levels->level.nodes : &h->particles, level)
                  : build_lists(memory, c, finer, finer ? finer->count : s->deformable->capacity, level)))
        return false;
    look_at_curvature(s, c, finer, level);
    return in_grid || build_pairs(memory, c, level);
}

static bool make_coarser(stage *s, int32_t stride, pli_hierarchy *h, stage *coarse)
{
    pli_coarse c;
    if (!(s->graph.sides[0] > 0 ? pli_coarsen_grid(&s->world->memory, &s->graph, &c)
                                : pli_coarsen(&s->world->memory, &s->graph, stride, false, &c)))
        return false;
    bool worth = c.pair_count > 0 && c.count < s->graph.count;
    bool complete = !worth || make_level(s, &c, h, coarse);
    pli_coarse_release(&s->world->memory, &c);
    return complete;
}

// Builds the next level; where the surface is too curved for the full stride, with half of it.
static bool make_next(stage *s, pli_hierarchy *h)
{
    const stage empty = {.world = s->world, .deformable = s->deformable, .normals = s->normals};
    int32_t before = h->count;
    stage coarse = empty;
    bool complete = make_coarser(s, PLI_STRIDE, h, &coarse);
    if (complete && h->count > before && !h->levels[before].complete && s->graph.sides[0] == 0) {
        release_level(&s->world->memory, &h->levels[before]);
        release(&coarse);
        h->count = before;
        coarse = empty;
        complete = make_coarser(s, PLI_STRIDE / 2, h, &coarse);
    }
    release(s);
    *s = coarse;
    return complete;
}

static int32_t sweeps_of(const pli_hierarchy *h, int32_t level)
{
    if (level > 0)
        return level + 1 == h->count ? COARSEST_SWEEPS : COARSE_SWEEPS;
    return h->count > 1 && h->levels[1].complete ? FINEST_SWEEPS : COARSE_SWEEPS;
}

static bool make_levels(stage *s, int32_t most, pli_hierarchy *h)
{
    for (int32_t made = -1; made < h->count && h->count < most && s->graph.count >= FEWEST;) {
        made = h->count;
        if (!make_next(s, h))
            return false;
    }
    for (int32_t l = 0; l < h->count; l++)
        h->levels[l].sweeps = sweeps_of(h, l);
    return true;
}

pli_hierarchy *pli_hierarchy_make(pli_world *world, const pli_deformable_data *deformable, int32_t most)
{
    pli_hierarchy *h = PLI_ALLOCATE(&world->memory, pli_hierarchy, 1);
    stage s = {.world = world, .deformable = deformable};
    bool complete = h && load_particles(&s);
    pli_dvec3 *normals = s.normals;
    if (complete && deformable->grid) {
        h->particles = pli_grid_levels_of(deformable->grid);
        s.graph.sides[0] = deformable->grid->rows, s.graph.sides[1] = deformable->grid->columns;
    }
    complete = complete && make_levels(&s, most, h) &&
               pli_hierarchy_weigh(&world->memory, deformable, NULL, normals, h);
    release(&s);
    pli_release(&world->memory, normals);
    if (complete)
        return h;
    pli_hierarchy_free(&world->memory, h);
    return NULL;
}

void pli_hierarchy_free(pli_memory *memory, pli_hierarchy *h)
{
    for (int32_t l = 0; h && l < h->count; l++)
        release_level(memory, &h->levels[l]);
    pli_release(memory, h);
}
