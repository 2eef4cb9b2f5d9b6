// How a hierarchy is made: nodes, who follows whom, centres of mass, and the lengths between them.
#include "base/vector.h"
#include "constraints/projection.h"
#include "solver/hierarchy.h"
#include "solver/schedule.h"

#include <math.h>
#include <string.h>

// Levels with fewer nodes than this are not made coarser.
enum { FEWEST = 24 };

// Nodes of the finer level while the next is made.
typedef struct stage {
    pli_world *world;
    pli_graph graph;
    double (*positions)[3]; // Of the nodes themselves,
    double (*centres)[3];   // of their centres of mass, and
    double (*normals)[3];   // means of unit normals, all at rest.
    double *masses;         // [kg]; 0 of those that are held.
    uint8_t *held;
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
    s->held = PLI_ALLOCATE(memory, uint8_t, count);
    s->pairs = PLI_ALLOCATE(memory, int32_t, 2 * (int64_t)pair_count);
    s->graph.positions = (const double(*)[3])s->positions;
    s->graph.held = s->held, s->graph.pairs = s->pairs;
    return s->positions && s->centres && s->normals && s->masses && s->held && s->pairs;
}

static void release(stage *s)
{
    void *arrays[] = {s->positions, s->centres, s->normals, s->masses, s->held, s->pairs};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(&s->world->memory, arrays[i]);
}

static void add_normal(stage *s, const pli_body *body, const int32_t *corners)
{
    const double *x[3];
    for (int32_t k = 0; k < 3; k++)
        x[k] = s->positions[pli_place(body, corners[k])];
    pli_dvec3 a = pli_dmake(x[0]), n = pli_dcross(pli_dsub(pli_dmake(x[1]), a), pli_dsub(pli_dmake(x[2]), a));
    for (int32_t k = 0; k < 3; k++) {
        double *sum = s->normals[pli_place(body, corners[k])];
        sum[0] += n.x, sum[1] += n.y, sum[2] += n.z;
    }
}

static void make_unit(double *v)
{
    double length = pli_dlength(pli_dmake(v));
    for (int32_t k = 0; k < 3 && length > 0.0; k++)
        v[k] /= length;
}

// The particles, in their order in memory.
static bool load_particles(stage *s, const pli_body *body)
{
    const pli_faces *f = &body->shape;
    if (!allocate(s, body->count, f->edge_count))
        return false;
    for (int32_t v = 0; v < body->count; v++) {
        int32_t i = pli_place(body, v);
        float w = body->particles[i].w;
        for (int32_t k = 0; k < 3; k++)
            s->positions[i][k] = s->centres[i][k] = (double)f->positions[3 * v + k];
        s->held[i] = (uint8_t)(w == 0.0f);
        s->masses[i] = w > 0.0f ? 1.0 / (double)w : 0.0;
    }
    for (int32_t i = 0; i < 2 * f->edge_count; i++)
        s->pairs[i] = pli_place(body, f->edges[i]);
    for (int32_t t = 0; t < f->triangle_count; t++)
        add_normal(s, body, f->triangles + 3 * t);
    for (int32_t i = 0; i < body->count; i++)
        make_unit(s->normals[i]);
    return true;
}

/* ---- centres ------------------------------------------------------------------------------------ */

static bool is_held(const stage *s, const pli_coarse *c, int32_t node) { return s->held[c->seeds[node]] != 0; }

static void count_members(const stage *s, const pli_coarse *c, pli_level *level)
{
    for (int32_t i = 0; i < PLI_PARENTS * level->finer_count; i++)
        if (c->parents[i] >= 0 && s->masses[i / PLI_PARENTS] > 0.0 && !is_held(s, c, c->parents[i]))
            level->offsets[c->parents[i] + 1]++;
    for (int32_t j = 0; j < level->count; j++)
        if (level->offsets[j + 1] == 0)
            level->offsets[j + 1] = 1;
    for (int32_t j = 0; j < level->count; j++)
        level->offsets[j + 1] += level->offsets[j];
}

// Held nodes, and those that nothing free follows, are where their seed is.
static bool list_members(stage *s, const pli_coarse *c, pli_level *level, stage *coarse)
{
    pli_memory *memory = &s->world->memory;
    count_members(s, c, level);
    level->members = PLI_ALLOCATE(memory, int32_t, level->offsets[level->count]);
    level->shares = PLI_ALLOCATE(memory, float, level->offsets[level->count]);
    int32_t *filled = PLI_ALLOCATE(memory, int32_t, level->count);
    if (!level->members || !level->shares || !filled) {
        pli_release(memory, filled);
        return false;
    }
    for (int32_t i = 0; i < PLI_PARENTS * level->finer_count; i++) {
        int32_t parent = c->parents[i];
        if (parent >= 0 && s->masses[i / PLI_PARENTS] > 0.0 && !is_held(s, c, parent))
            coarse->masses[parent] += s->masses[i / PLI_PARENTS] * (double)c->weights[i];
    }
    for (int32_t i = 0; i < PLI_PARENTS * level->finer_count; i++) {
        int32_t parent = c->parents[i];
        if (parent < 0 || !(s->masses[i / PLI_PARENTS] > 0.0) || is_held(s, c, parent))
            continue;
        int32_t at = level->offsets[parent] + filled[parent]++;
        level->members[at] = i / PLI_PARENTS;
        level->shares[at] = (float)(s->masses[i / PLI_PARENTS] * (double)c->weights[i] / coarse->masses[parent]);
    }
    for (int32_t j = 0; j < level->count; j++)
        if (filled[j] == 0)
            level->members[level->offsets[j]] = c->seeds[j], level->shares[level->offsets[j]] = 1.0f;
    pli_release(memory, filled);
    return true;
}

static void measure_nodes(const stage *s, const pli_coarse *c, const pli_level *level, stage *coarse)
{
    for (int32_t j = 0; j < level->count; j++) {
        memcpy(coarse->positions[j], s->positions[c->seeds[j]], sizeof coarse->positions[j]);
        coarse->held[j] = (uint8_t)!(coarse->masses[j] > 0.0);
        level->nodes[j].w = coarse->held[j] ? 0.0f : (float)(1.0 / coarse->masses[j]);
        for (int32_t i = level->offsets[j]; i < level->offsets[j + 1]; i++)
            for (int32_t k = 0; k < 3; k++) {
                coarse->centres[j][k] += (double)level->shares[i] * s->centres[level->members[i]][k];
                coarse->normals[j][k] += (double)level->shares[i] * s->normals[level->members[i]][k];
            }
    }
}

/* ---- lengths ------------------------------------------------------------------------------------ */

// The greatest distance of two centres on a surface that can be bent. On a cylinder or a ball points are radius times
// normal, so a centre lies inside the surface by the length c of its mean normal, and the arc between two whose normals
// turn by an angle is (angle / 2) / sin(angle / 2) / c times their chord. What lies across the way normals turn, along
// a tube, is as long as it seems. Where normals turn by more than 60 degrees, or a mean is shorter than 0.9, there is
// none: 0.
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
    // asin(x) / x by its series: 1e-4 off at most.
    around *= (1.0 + square / 6.0 + 3.0 * square * square / 40.0 + 5.0 * square * square * square / 112.0);
    around /= 0.5 * (of_m + of_n);
    return sqrt(around * around + across);
}

static bool lay_pairs(stage *coarse, const pli_coarse *c, pli_level *level)
{
    pli_memory *memory = &coarse->world->memory;
    double *lengths = PLI_ALLOCATE(memory, double, c->pair_count);
    int32_t *ends = PLI_ALLOCATE(memory, int32_t, 2 * (int64_t)c->pair_count);
    pli_schedule schedule = {0};
    for (int32_t i = 0; lengths && ends && i < c->pair_count; i++) {
        int32_t a = c->pairs[2 * i], b = c->pairs[2 * i + 1];
        coarse->pairs[2 * i] = a, coarse->pairs[2 * i + 1] = b;
        double length = coarse->held[a] && coarse->held[b] ? 0.0 : greatest_length(coarse, a, b);
        if (!(length > 0.0))
            continue;
        ends[2 * level->pair_count] = a, ends[2 * level->pair_count + 1] = b;
        lengths[level->pair_count++] = length;
    }
    bool complete = lengths && ends &&
                    pli_schedule_colour(memory, ends, NULL, 2, level->pair_count, level->count, &schedule);
    int32_t slots = level->pair_count + schedule.colour_count * PLI_BATCH;
    if (complete) {
        level->index[0] = PLI_ALLOCATE(memory, int32_t, slots);
        level->index[1] = PLI_ALLOCATE(memory, int32_t, slots);
        level->rest = PLI_ALLOCATE(memory, float, slots);
        level->colour_offsets = PLI_ALLOCATE(memory, int32_t, (int64_t)schedule.colour_count + 1);
        complete = level->index[0] && level->index[1] && level->rest && level->colour_offsets;
    }
    for (int32_t colour = 0, slot = 0; complete && colour < schedule.colour_count; colour++) {
        for (int32_t i = schedule.colour_offsets[colour]; i < schedule.colour_offsets[colour + 1]; i++, slot++) {
            int32_t pair = schedule.order[i];
            level->index[0][slot] = ends[2 * pair], level->index[1][slot] = ends[2 * pair + 1];
            level->rest[slot] = (float)lengths[pair];
        }
        for (; slot % PLI_BATCH != 0; slot++)
            level->index[0][slot] = level->index[1][slot] = level->count;
        level->colour_offsets[++level->colour_count] = slot;
    }
    pli_schedule_release(memory, &schedule);
    pli_release(memory, lengths);
    pli_release(memory, ends);
    return complete;
}

/* ---- levels ------------------------------------------------------------------------------------- */

static bool make_level(stage *s, pli_coarse *c, pli_level *level, stage *coarse)
{
    pli_memory *memory = &s->world->memory;
    level->count = c->count, level->finer_count = s->graph.count;
    level->offsets = PLI_ALLOCATE(memory, int32_t, (int64_t)level->count + 1);
    level->nodes = PLI_ALLOCATE(memory, pli_particle, (int64_t)level->count + 1);
    level->moves = PLI_ALLOCATE(memory, pli_particle, (int64_t)level->count + 1);
    if (!level->offsets || !level->nodes || !level->moves || !allocate(coarse, c->count, c->pair_count) ||
        !list_members(s, c, level, coarse))
        return false;
    measure_nodes(s, c, level, coarse);
    if (!lay_pairs(coarse, c, level))
        return false;
    level->parents = c->parents, level->weights = c->weights;
    c->parents = NULL, c->weights = NULL;
    for (int32_t i = 0; i < PLI_PARENTS * level->finer_count; i++)
        if (level->parents[i] < 0)
            level->parents[i] = level->count;
    return true;
}

static bool make_levels(pli_world *world, stage *s, int32_t most, pli_hierarchy *h)
{
    while (h->count < most && s->graph.count >= FEWEST) {
        pli_coarse c;
        stage coarse = {.world = world};
        if (!pli_coarsen(&world->memory, &s->graph, &c))
            return false;
        bool worth = c.pair_count > 0 && c.count < s->graph.count;
        bool complete = !worth || make_level(s, &c, &h->levels[h->count], &coarse);
        h->count += worth;
        pli_coarse_release(&world->memory, &c);
        release(s);
        *s = coarse;
        if (!worth || !complete)
            return complete;
    }
    return true;
}

pli_hierarchy *pli_hierarchy_make(pli_world *world, const pli_body *body, int32_t most)
{
    pli_hierarchy *h = PLI_ALLOCATE(&world->memory, pli_hierarchy, 1);
    stage s = {.world = world};
    bool complete = h && load_particles(&s, body) && make_levels(world, &s, most, h);
    release(&s);
    if (complete)
        return h;
    pli_hierarchy_free(&world->memory, h);
    return NULL;
}

void pli_hierarchy_free(pli_memory *memory, pli_hierarchy *h)
{
    for (int32_t l = 0; h && l < h->count; l++) {
        pli_level *level = &h->levels[l];
        void *arrays[] = {level->nodes,          level->moves,   level->parents,  level->weights, level->offsets, level->members,
                          level->shares,         level->index[0], level->index[1], level->rest,    level->colour_offsets};
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
            pli_release(memory, arrays[i]);
    }
    pli_release(memory, h);
}
