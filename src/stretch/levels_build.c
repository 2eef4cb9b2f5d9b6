// Building of the levels of the multilevel stretch solver (stretch/levels.h): nodes, parents, centres of mass, and
// greatest lengths between nodes.
//
//   finer level --coarsen--> seeds, pairs, parents and weights      stretch/coarsen.c, stretch/coarsen_grid.c
//               --centres--> members and their fractions of mass    each node is the centre of mass of its members
//               --lengths--> greatest distance of each pair         measured on the rest shape, along its curvature
//               --colours--> slots of the pairs, as in a constraint set
#include "base/vector.h"
#include "constraints/projection.h"
#include "stretch/levels.h"
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

// The finer level while the next one is built.
typedef struct stage {
    pli_world *world;
    pli_graph graph;
    double (*positions)[3]; // Rest positions of the nodes [m].
    double (*centres)[3];   // Rest positions of their centres of mass [m].
    double (*normals)[3];   // Means of the unit normals of their members at rest.
    double *masses;         // Masses; 0 for fixed nodes [kg].
    uint8_t *fixed;
    int32_t *pairs;
} stage;

static bool allocate(stage *s, int32_t count, int32_t pair_count)
{
    pli_memory *memory = &s->world->memory;
    s->graph.count = count, s->graph.pair_count = pair_count;
    s->positions = pli_allocate(memory, (size_t)count, sizeof *s->positions);
    s->centres = pli_allocate(memory, (size_t)count, sizeof *s->centres);
    s->normals = pli_allocate(memory, (size_t)count, sizeof *s->normals);
    s->masses = PLI_ALLOCATE(memory, double, count);
    s->fixed = PLI_ALLOCATE(memory, uint8_t, count);
    s->pairs = PLI_ALLOCATE(memory, int32_t, 2 * (int64_t)pair_count);
    s->graph.positions = (const double(*)[3])s->positions;
    s->graph.fixed = s->fixed, s->graph.pairs = s->pairs;
    return s->positions && s->centres && s->normals && s->masses && s->fixed && s->pairs;
}

static void release(stage *s)
{
    void *arrays[] = {s->positions, s->centres, s->normals, s->masses, s->fixed, s->pairs};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(&s->world->memory, arrays[i]);
}

static void add_normal(stage *s, const pli_deformable_data *deformable, const int32_t *corners)
{
    const double *x[3];
    for (int32_t k = 0; k < 3; k++)
        x[k] = s->positions[pli_place(deformable, corners[k])];
    pli_dvec3 a = pli_dmake(x[0]), n = pli_dcross(pli_dsub(pli_dmake(x[1]), a), pli_dsub(pli_dmake(x[2]), a));
    for (int32_t k = 0; k < 3; k++) {
        double *sum = s->normals[pli_place(deformable, corners[k])];
        sum[0] += n.x, sum[1] += n.y, sum[2] += n.z;
    }
}

static void make_unit(double *v)
{
    double length = pli_dlength(pli_dmake(v));
    for (int32_t k = 0; k < 3 && length > 0.0; k++)
        v[k] /= length;
}

// Loads the particles in internal order as the finest level.
static bool load_particles(stage *s, const pli_deformable_data *deformable)
{
    const pli_faces *f = &deformable->shape;
    if (!allocate(s, deformable->count, f->edge_count))
        return false;
    for (int32_t v = 0; v < deformable->count; v++) {
        int32_t i = pli_place(deformable, v);
        float w = deformable->particles[i].w;
        for (int32_t k = 0; k < 3; k++)
            s->positions[i][k] = s->centres[i][k] = (double)f->positions[3 * v + k];
        s->fixed[i] = (uint8_t)(w == 0.0f);
        s->masses[i] = w > 0.0f ? 1.0 / (double)w : 0.0;
    }
    for (int32_t i = 0; i < 2 * f->edge_count; i++)
        s->pairs[i] = pli_place(deformable, f->edges[i]);
    for (int32_t t = 0; t < f->triangle_count; t++)
        add_normal(s, deformable, f->triangles + 3 * t);
    for (int32_t i = 0; i < deformable->count; i++)
        make_unit(s->normals[i]);
    return true;
}

/* ---- centres of mass ------------------------------------------------------------------------------ */

// The parent with the largest weight; -1 for none.
static int32_t chief_parent(const pli_coarse *c, int32_t finer)
{
    const int32_t *parents = c->parents + (size_t)PLI_PARENTS * (size_t)finer;
    const float *weights = c->weights + (size_t)PLI_PARENTS * (size_t)finer;
    int32_t chief = 0;
    for (int32_t k = 1; k < PLI_PARENTS && parents[k] >= 0; k++)
        chief = weights[k] > weights[chief] ? k : chief;
    return parents[chief];
}

static void fix_nodes(const stage *s, const pli_coarse *c, stage *coarse)
{
    for (int32_t i = 0; i < s->graph.count; i++)
        if (s->fixed[i] && chief_parent(c, i) >= 0)
            coarse->fixed[chief_parent(c, i)] = 1;
}

// Weight of a finer node in the centre of mass of its k-th parent. A fixed node is the centre of the fixed finer nodes
// whose chief parent it is.
static double part_of(const stage *s, const pli_coarse *c, const stage *coarse, int32_t finer, int32_t k)
{
    size_t at = (size_t)PLI_PARENTS * (size_t)finer + (size_t)k;
    int32_t parent = c->parents[at];
    if (parent < 0 || s->fixed[finer] != coarse->fixed[parent])
        return 0.0;
    if (s->fixed[finer])
        return parent == chief_parent(c, finer) ? 1.0 : 0.0;
    return s->masses[finer] * (double)c->weights[at];
}

// Members of each node, in compressed rows, and their fractions of its mass.
typedef struct members {
    int32_t *offsets, *items;
    float *shares;
} members;

static void release_members(pli_memory *memory, members *m)
{
    pli_release(memory, m->offsets);
    pli_release(memory, m->items);
    pli_release(memory, m->shares);
}

// Lists the members of each node and adds up the masses of nodes. False when memory ran out.
static bool list_members(const stage *s, const pli_coarse *c, stage *coarse, members *m)
{
    pli_memory *memory = &s->world->memory;
    int32_t *offsets = m->offsets = PLI_ALLOCATE(memory, int32_t, (int64_t)c->count + 1), *filled = NULL;
    for (int32_t i = 0; offsets && i < PLI_PARENTS * s->graph.count; i++) {
        double part = part_of(s, c, coarse, i / PLI_PARENTS, i % PLI_PARENTS);
        if (!(part > 0.0))
            continue;
        offsets[c->parents[i] + 1]++;
        coarse->masses[c->parents[i]] += part;
    }
    for (int32_t j = 0; offsets && j < c->count; j++)
        offsets[j + 1] += offsets[j];
    m->items = PLI_ALLOCATE(memory, int32_t, offsets ? offsets[c->count] : 0);
    m->shares = PLI_ALLOCATE(memory, float, offsets ? offsets[c->count] : 0);
    filled = PLI_ALLOCATE(memory, int32_t, c->count);
    bool complete = offsets && m->items && m->shares && filled;
    for (int32_t i = 0; complete && i < PLI_PARENTS * s->graph.count; i++) {
        double part = part_of(s, c, coarse, i / PLI_PARENTS, i % PLI_PARENTS);
        if (!(part > 0.0))
            continue;
        int32_t at = offsets[c->parents[i]] + filled[c->parents[i]]++;
        m->items[at] = i / PLI_PARENTS;
        m->shares[at] = (float)(part / coarse->masses[c->parents[i]]);
    }
    pli_release(memory, filled);
    return complete;
}

// Centres of mass and mean normals of the nodes at rest.
static void measure_nodes(const stage *s, const pli_coarse *c, const members *m, stage *coarse)
{
    for (int32_t j = 0; j < c->count; j++) {
        memcpy(coarse->positions[j], s->positions[c->seeds[j]], sizeof coarse->positions[j]);
        coarse->masses[j] = coarse->fixed[j] ? 0.0 : coarse->masses[j];
        for (int32_t i = m->offsets[j]; i < m->offsets[j + 1]; i++)
            for (int32_t k = 0; k < 3; k++) {
                coarse->centres[j][k] += (double)m->shares[i] * s->centres[m->items[i]][k];
                coarse->normals[j][k] += (double)m->shares[i] * s->normals[m->items[i]][k];
            }
    }
}

/* ---- lengths ------------------------------------------------------------------------------------ */

// Greatest distance of two centres of mass on a surface that bends but does not stretch; 0 for none. On a cylinder or a
// ball, points are radius times normal, so a centre lies inside of the surface by the length c of its mean normal, and
// the arc between two centres whose normals turn by an angle is (angle / 2) / sin(angle / 2) / c times their chord. The
// component of the chord across the turn, along a tube, keeps its length. There is no bound where normals turn by more
// than 60 degrees or a mean normal is shorter than 0.9.
static double greatest_length(const stage *coarse, int32_t a, int32_t b)
{
    pli_dvec3 m = pli_dmake(coarse->normals[a]), n = pli_dmake(coarse->normals[b]);
    pli_dvec3 chord = pli_dsub(pli_dmake(coarse->centres[a]), pli_dmake(coarse->centres[b]));
    double of_m = pli_dlength(m), of_n = pli_dlength(n);
    if (!(of_m > 0.9 && of_n > 0.9))
        return 0.0;
    pli_dvec3 turn = pli_dsub(pli_dscale(m, 1.0 / of_m), pli_dscale(n, 1.0 / of_n));
    double twice = pli_dlength(turn), half_sine = 0.5 * twice, square = half_sine * half_sine;
    if (half_sine > 0.5)
        return 0.0;
    if (!(twice > 1e-3))
        return pli_dlength(chord);
    double around = pli_ddot(chord, turn) / twice, across = fmax(pli_ddot(chord, chord) - around * around, 0.0);
    // asin(x) / x by its series, with an error of 1e-4 at most.
    around *= (1.0 + square / 6.0 + 3.0 * square * square / 40.0 + 5.0 * square * square * square / 112.0);
    around /= 0.5 * (of_m + of_n);
    return sqrt(around * around + across);
}

// Greatest lengths of all pairs; 0 where a pair has none.
static double *find_lengths(stage *coarse, const pli_coarse *c, bool *complete)
{
    int32_t left_out = 0;
    double *lengths = PLI_ALLOCATE(&coarse->world->memory, double, c->pair_count);
    for (int32_t i = 0; lengths && i < c->pair_count; i++) {
        int32_t a = c->pairs[2 * i], b = c->pairs[2 * i + 1];
        coarse->pairs[2 * i] = a, coarse->pairs[2 * i + 1] = b;
        if (coarse->fixed[a] && coarse->fixed[b])
            continue;
        lengths[i] = greatest_length(coarse, a, b);
        left_out += !(lengths[i] > 0.0);
    }
    *complete = left_out <= c->pair_count / 8;
    return lengths;
}

// Pairs beyond 63 at one node find no colour and are left out: the other 63 bound the node as well.
static bool fill_slots(pli_memory *memory, const pli_schedule *schedule, const int32_t *ends, const double *lengths,
                       pli_level *level)
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
            level->rest[slot] = (float)lengths[pair];
        }
        for (; slot % PLI_BATCH != 0; slot++)
            level->index[0][slot] = level->index[1][slot] = pli_index_of(level->count);
        level->colour_offsets[++level->colour_count] = slot;
    }
    return true;
}

static bool build_pairs(pli_memory *memory, const pli_coarse *c, double *lengths, pli_level *level)
{
    int32_t *ends = PLI_ALLOCATE(memory, int32_t, 2 * (int64_t)c->pair_count);
    pli_schedule schedule = {.overflow = -1};
    for (int32_t i = 0; ends && i < c->pair_count; i++) {
        if (!(lengths[i] > 0.0))
            continue;
        ends[2 * level->pair_count] = c->pairs[2 * i], ends[2 * level->pair_count + 1] = c->pairs[2 * i + 1];
        lengths[level->pair_count++] = lengths[i];
    }
    bool complete = ends &&
                    pli_schedule_colour(memory, ends, NULL, 2, NULL, level->pair_count, level->count, &schedule) &&
                    fill_slots(memory, &schedule, ends, lengths, level);
    pli_schedule_release(memory, &schedule);
    pli_release(memory, ends);
    return complete;
}

/* ---- levels ------------------------------------------------------------------------------------- */

static void release_lists(pli_memory *memory, pli_level *level)
{
    pli_level_lists *l = &level->lists;
    void *arrays[] = {l->nodes,        l->displacements, l->offsets,           l->members,
                      l->shares,       l->parents,       l->weights,           level->index[0],
                      level->index[1], level->rest,      level->colour_offsets};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
}

static int32_t in_batches(int32_t count) { return (count + PLI_BATCH - 1) / PLI_BATCH * PLI_BATCH; }

// All nodes of a batch get as many members as the node with the most; padding members have fraction 0.
static bool build_members(pli_memory *memory, const members *m, pli_level_lists *l)
{
    int32_t batches = in_batches(l->count) / PLI_BATCH;
    if (!(l->offsets = PLI_ALLOCATE(memory, int32_t, (int64_t)batches + 1)))
        return false;
    for (int32_t j = 0; j < l->count; j++) {
        int32_t count = m->offsets[j + 1] - m->offsets[j], *most = &l->offsets[j / PLI_BATCH + 1];
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
    for (int32_t j = 0; j < l->count; j++)
        for (int32_t i = m->offsets[j]; i < m->offsets[j + 1]; i++) {
            int64_t row = l->offsets[j / PLI_BATCH] + i - m->offsets[j], at = row * PLI_BATCH + j % PLI_BATCH;
            l->members[at] = m->items[i], l->shares[at] = m->shares[i];
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
static bool build_lists(const stage *coarse, const pli_coarse *c, const members *m, double *lengths, pli_level *finer,
                        int32_t dummy, pli_level *level)
{
    pli_memory *memory = &coarse->world->memory;
    pli_level_lists *l = &level->lists;
    l->count = level->count, l->finer_count = level->finer_count;
    l->finer = finer ? finer->lists.nodes : NULL, l->finer_dummy = dummy;
    l->nodes = PLI_ALLOCATE(memory, pli_particle, l->count + PLI_BATCH);
    l->displacements = PLI_ALLOCATE(memory, pli_particle, l->count + PLI_BATCH);
    for (int32_t j = 0; l->nodes && j < l->count; j++)
        l->nodes[j].w = coarse->fixed[j] ? 0.0f : (float)(1.0 / coarse->masses[j]);
    return l->nodes && l->displacements && build_members(memory, m, l) && build_parents(memory, c, l) &&
           build_pairs(memory, c, lengths, level);
}

static bool build_grid_levels(const stage *s, const stage *coarse, const pli_coarse *c, const members *m,
                              const double *lengths, const pli_grid_levels *finer, pli_level *level)
{
    pli_grid_levels_plan plan = {finer, c, s->masses, coarse->masses, lengths, m->offsets, m->items, m->shares};
    level->grid_levels = PLI_ALLOCATE(&s->world->memory, pli_grid_levels_layer, 1);
    return level->grid_levels && pli_grid_levels_build(&s->world->memory, &plan, level->grid_levels);
}

// Builds the level over the last one, or over the particles.
static bool make_level(const stage *s, const pli_coarse *c, const pli_deformable_data *deformable, pli_hierarchy *h,
                       stage *coarse)
{
    pli_memory *memory = &s->world->memory;
    pli_level *finer = h->count > 0 ? &h->levels[h->count - 1] : NULL, *level = &h->levels[h->count++];
    members m = {0};
    double *lengths = NULL;
    bool complete = allocate(coarse, c->count, c->pair_count);
    level->count = c->count, level->finer_count = s->graph.count;
    if (complete) {
        fix_nodes(s, c, coarse);
        complete = list_members(s, c, coarse, &m);
    }
    if (complete) {
        measure_nodes(s, c, &m, coarse);
        memcpy(coarse->graph.sides, c->sides, sizeof c->sides);
        complete = (lengths = find_lengths(coarse, c, &level->complete)) != NULL;
    }
    if (complete && c->sides[0] > 0)
        complete = build_grid_levels(s, coarse, c, &m, lengths,
                                     finer ? &finer->grid_levels->level.nodes : &h->particles, level);
    else if (complete)
        complete = build_lists(coarse, c, &m, lengths, finer, finer ? finer->count : deformable->capacity, level);
    pli_release(memory, lengths);
    release_members(memory, &m);
    return complete;
}

static bool make_coarser(stage *s, const pli_deformable_data *deformable, int32_t stride, pli_hierarchy *h,
                         stage *coarse)
{
    pli_coarse c;
    if (!(s->graph.sides[0] > 0 ? pli_coarsen_grid(&s->world->memory, &s->graph, &c)
                                : pli_coarsen(&s->world->memory, &s->graph, stride, &c)))
        return false;
    bool worth = c.pair_count > 0 && c.count < s->graph.count;
    bool complete = !worth || make_level(s, &c, deformable, h, coarse);
    pli_coarse_release(&s->world->memory, &c);
    return complete;
}

// Builds the next level; where the surface is too curved for the full stride, with half of it.
static bool make_next(stage *s, const pli_deformable_data *deformable, pli_hierarchy *h)
{
    int32_t before = h->count;
    stage coarse = {.world = s->world};
    bool complete = make_coarser(s, deformable, PLI_STRIDE, h, &coarse);
    if (complete && h->count > before && !h->levels[before].complete && s->graph.sides[0] == 0) {
        release_lists(&s->world->memory, &h->levels[before]);
        release(&coarse);
        h->levels[before] = (pli_level){0}, h->count = before;
        coarse = (stage){.world = s->world};
        complete = make_coarser(s, deformable, PLI_STRIDE / 2, h, &coarse);
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

static bool make_levels(stage *s, const pli_deformable_data *deformable, int32_t most, pli_hierarchy *h)
{
    for (int32_t made = -1; made < h->count && h->count < most && s->graph.count >= FEWEST;) {
        made = h->count;
        if (!make_next(s, deformable, h))
            return false;
    }
    for (int32_t l = 0; l < h->count; l++)
        h->levels[l].sweeps = sweeps_of(h, l);
    return true;
}

pli_hierarchy *pli_hierarchy_make(pli_world *world, const pli_deformable_data *deformable, int32_t most)
{
    pli_hierarchy *h = PLI_ALLOCATE(&world->memory, pli_hierarchy, 1);
    stage s = {.world = world};
    bool complete = h && load_particles(&s, deformable);
    if (complete && deformable->grid) {
        h->particles = pli_grid_levels_of(deformable->grid);
        s.graph.sides[0] = deformable->grid->rows, s.graph.sides[1] = deformable->grid->columns;
    }
    complete = complete && make_levels(&s, deformable, most, h);
    release(&s);
    if (complete)
        return h;
    pli_hierarchy_free(&world->memory, h);
    return NULL;
}

void pli_hierarchy_free(pli_memory *memory, pli_hierarchy *h)
{
    for (int32_t l = 0; h && l < h->count; l++) {
        release_lists(memory, &h->levels[l]);
        pli_grid_levels_free(memory, h->levels[l].grid_levels);
    }
    pli_release(memory, h);
}
