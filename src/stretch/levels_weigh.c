// Masses, centres of mass and lengths of levels: stretch/levels_weigh.h.
//
//   particle --weights--> nodes that it follows --weights--> nodes of the next level --> ...
//      changed               touched                            touched
//
// A node sums over the finer nodes that follow it in their order, so that it is the same whether it was touched alone or with
// all others.
#include "stretch/levels_weigh.h"

#include <math.h>
#include <string.h>

// A length that nothing exceeds, for pairs of lists that have none now. It is finite, since it is multiplied by masses of 0.
#define BEYOND 1e30f

static const struct {
    int32_t down, right;
} patterns[PLI_GRID_LEVELS_PATTERNS] = PLI_GRID_LEVELS_OFFSETS;

/* ---- the finer nodes ----------------------------------------------------------------------------- */

pli_dvec3 pli_rest_normal(const pli_deformable_data *deformable, int32_t place)
{
    const pli_faces *f = &deformable->shape;
    int32_t vertex = pli_vertex(deformable, place);
    pli_dvec3 sum = {0, 0, 0};
    for (int32_t i = f->triangle_begins[vertex]; i < f->triangle_ends[vertex]; i++) {
        pli_dvec3 x[3];
        for (int32_t k = 0; k < 3; k++) {
            const float *p = f->positions + 3 * f->triangles[3 * f->vertex_triangles[i] + k];
            x[k] = (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
        }
        sum = pli_dadd(sum, pli_dcross(pli_dsub(x[1], x[0]), pli_dsub(x[2], x[0])));
    }
    double length = pli_dlength(sum);
    return length > 0.0 ? (pli_dvec3){sum.x / length, sum.y / length, sum.z / length} : sum;
}

static bool is_fixed(const pli_finer *f, int32_t i)
{
    if (f->level)
        return f->level->nodes.fixed[i];
    return !f->plain && f->deformable->particles[i].w == 0.0f;
}

static double mass_of(const pli_finer *f, int32_t i)
{
    if (f->level)
        return f->level->nodes.masses[i];
    float w = f->deformable->particles[i].w;
    return f->plain ? 1.0 : w > 0.0f ? 1.0 / (double)w : 0.0;
}

static pli_dvec3 centre_of(const pli_finer *f, int32_t i)
{
    if (f->level)
        return f->level->nodes.centres[i];
    const float *p = f->deformable->shape.positions + 3 * pli_vertex(f->deformable, i);
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

static pli_dvec3 normal_of(const pli_finer *f, int32_t i)
{
    if (f->level)
        return f->level->nodes.normals[i];
    return f->normals ? f->normals[i] : pli_rest_normal(f->deformable, i);
}

/* ---- who follows whom ------------------------------------------------------------------------------ */

static int32_t grid_parents(const pli_level *level, int32_t finer, int32_t *parents, float *weights)
{
    const pli_grid_level *g = &level->grid_levels->level;
    int32_t row = finer / g->finer->columns, column = finer % g->finer->columns;
    return pli_coarse_grid_parents(row, column, g->nodes.columns, g->row_shares[row],
                                   g->column_shares[column % PLI_INTERLEAVE * g->pitch + column / PLI_INTERLEAVE],
                                   parents, weights);
}

int32_t pli_level_parents(const pli_level *level, int32_t finer, int32_t parents[PLI_PARENTS],
                          float weights[PLI_PARENTS])
{
    if (level->grid_levels)
        return grid_parents(level, finer, parents, weights);
    const pli_level_lists *l = &level->lists;
    int32_t count = 0;
    for (; count < PLI_PARENTS; count++) {
        size_t at = ((size_t)(finer / PLI_BATCH) * PLI_PARENTS + (size_t)count) * PLI_BATCH +
                    (size_t)(finer % PLI_BATCH);
        if (l->parents[at] >= level->count)
            break;
        parents[count] = l->parents[at], weights[count] = l->weights[at];
    }
    return count;
}

// The finer nodes that may follow a node, in their order: a block of a grid, or rows of a list.
typedef struct followers {
    int32_t count, columns, first_row, first_column, stride; // A block of a grid.
    const int32_t *list;                                     // The rows of a list, every PLI_BATCH-th; NULL for grids.
    int32_t none;                                            // The number that stands for none in them.
} followers;

static followers followers_of(const pli_level *level, int32_t node)
{
    if (!level->grid_levels) {
        const pli_level_lists *l = &level->lists;
        int32_t batch = node / PLI_BATCH;
        return (followers){.count = l->offsets[batch + 1] - l->offsets[batch],
                           .list = l->members + (size_t)l->offsets[batch] * PLI_BATCH + (size_t)(node % PLI_BATCH),
                           .none = l->finer_dummy};
    }
    const pli_grid_level *g = &level->grid_levels->level;
    int32_t ends[2], begins[2], place[2] = {node / g->nodes.columns, node % g->nodes.columns};
    int32_t sides[2] = {g->finer->rows, g->finer->columns};
    for (int k = 0; k < 2; k++) {
        begins[k] = place[k] > 0 ? PLI_STRIDE * (place[k] - 1) : 0;
        ends[k] = PLI_STRIDE * (place[k] + 1) < sides[k] ? PLI_STRIDE * (place[k] + 1) : sides[k];
    }
    int32_t columns = ends[1] - begins[1];
    return (followers){(ends[0] - begins[0]) * columns, columns, begins[0], begins[1], sides[1], NULL, -1};
}

static int32_t follower(const followers *f, int32_t k)
{
    if (f->list) {
        int32_t item = f->list[(size_t)k * PLI_BATCH];
        return item == f->none ? -1 : item;
    }
    return (f->first_row + k / f->columns) * f->stride + f->first_column + k % f->columns;
}

// The mass that a finer node gives to a node. A fixed node is the centre of the fixed finer nodes whose chief parent, the one of
// the largest weight, it is; free finer nodes do not count there, nor fixed ones in a free node.
static double part_of(const pli_finer *finer, const pli_level *level, int32_t node, bool fixed, int32_t i)
{
    int32_t parents[PLI_PARENTS], chief = 0, own = -1;
    float weights[PLI_PARENTS];
    if (is_fixed(finer, i) != fixed)
        return 0.0;
    int32_t count = pli_level_parents(level, i, parents, weights);
    for (int32_t k = 0; k < count; k++) {
        chief = weights[k] > weights[chief] ? k : chief;
        own = parents[k] == node ? k : own;
    }
    if (own < 0)
        return 0.0;
    return fixed ? (double)(own == chief) : mass_of(finer, i) * (double)weights[own];
}

/* ---- nodes --------------------------------------------------------------------------------------- */

static void keep_mass(pli_level *level, int32_t node)
{
    double mass = level->nodes.masses[node], inverse = mass > 0.0 ? 1.0 / mass : 0.0;
    if (level->grid_levels)
        pli_grid_levels_set_mass(level->grid_levels, node, (float)inverse);
    else
        level->lists.nodes[node].w = (float)inverse;
}

static void weigh_node(const pli_finer *finer, pli_level *level, int32_t node)
{
    followers f = followers_of(level, node);
    float *shares = level->grid_levels ? NULL : level->lists.shares + (f.list - level->lists.members);
    bool fixed = false;
    double mass = 0.0;
    for (int32_t k = 0; k < f.count && !fixed; k++) {
        int32_t i = follower(&f, k);
        fixed = i >= 0 && is_fixed(finer, i) && part_of(finer, level, node, true, i) > 0.0;
    }
    for (int32_t k = 0; k < f.count; k++) {
        int32_t i = follower(&f, k);
        mass += i >= 0 ? part_of(finer, level, node, fixed, i) : 0.0;
    }
    pli_dvec3 centre = {0, 0, 0}, normal = {0, 0, 0};
    for (int32_t k = 0; k < f.count; k++) {
        int32_t i = follower(&f, k);
        double part = i >= 0 ? part_of(finer, level, node, fixed, i) : 0.0;
        float share = part > 0.0 ? (float)(part / mass) : 0.0f;
        if (shares)
            shares[(size_t)k * PLI_BATCH] = share;
        if (!(part > 0.0))
            continue;
        centre = pli_dadd(centre, pli_dscale(centre_of(finer, i), (double)share));
        normal = pli_dadd(normal, pli_dscale(normal_of(finer, i), (double)share));
    }
    level->nodes.fixed[node] = fixed;
    level->nodes.masses[node] = fixed ? 0.0 : mass;
    level->nodes.centres[node] = centre, level->nodes.normals[node] = normal;
    keep_mass(level, node);
}

void pli_level_weigh(const pli_finer *finer, pli_level *level)
{
    for (int32_t j = 0; j < level->count; j++)
        if (level->nodes.touched[j])
            weigh_node(finer, level, j);
}

/* ---- lengths ------------------------------------------------------------------------------------- */

// Greatest distance of two centres of mass on a surface that bends but does not stretch; 0 for none. On a cylinder or a
// ball, points are radius times normal, so a centre lies inside of the surface by the length c of its mean normal, and
// the arc between two centres whose normals turn by an angle is (angle / 2) / sin(angle / 2) / c times their chord. The
// component of the chord across the turn, along a tube, keeps its length. There is no bound where normals turn by more
// than 60 degrees or a mean normal is shorter than 0.9.
double pli_level_length(const pli_level *level, int32_t a, int32_t b)
{
    const pli_level_nodes *nodes = &level->nodes;
    if (nodes->fixed[a] && nodes->fixed[b])
        return 0.0;
    pli_dvec3 m = nodes->normals[a], n = nodes->normals[b], chord = pli_dsub(nodes->centres[a], nodes->centres[b]);
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

static void measure_lists(pli_level *level)
{
    const uint8_t *touched = level->nodes.touched;
    for (int32_t slot = 0; slot < level->colour_offsets[level->colour_count]; slot++) {
        int32_t a = pli_index_place(level->index[0][slot]), b = pli_index_place(level->index[1][slot]);
        if (a >= level->count || !(touched[a] || touched[b]))
            continue;
        double length = pli_level_length(level, a, b);
        level->rest[slot] = length > 0.0 ? (float)length : BEYOND;
    }
}

static void measure_grid(pli_level *level)
{
    pli_grid_levels_layer *layer = level->grid_levels;
    int32_t rows = layer->level.nodes.rows, columns = layer->level.nodes.columns;
    const uint8_t *touched = level->nodes.touched;
    for (int32_t a = 0; a < level->count; a++)
        for (int32_t k = 0; k < (layer->diagonals ? PLI_GRID_LEVELS_PATTERNS : 2); k++) {
            int32_t row = a / columns + patterns[k].down, column = a % columns + patterns[k].right;
            if (row >= rows || column < 0 || column >= columns)
                continue;
            int32_t b = row * columns + column;
            if (touched[a] || touched[b])
                pli_grid_levels_set_length(layer, k, a, pli_level_length(level, a, b));
        }
}

// Lists where the fixed nodes of a grid are, which its kernels leave out.
static bool list_fixed(pli_memory *memory, const pli_finer *finer, pli_level *level)
{
    pli_grid_levels_layer *layer = level->grid_levels;
    pli_grid_levels_clear_fixed(layer);
    for (int32_t j = 0; j < level->count; j++) {
        if (!level->nodes.fixed[j])
            continue;
        followers f = followers_of(level, j);
        double mass = 0.0;
        for (int32_t k = 0; k < f.count; k++)
            mass += part_of(finer, level, j, true, follower(&f, k));
        for (int32_t k = 0; k < f.count; k++) {
            double part = part_of(finer, level, j, true, follower(&f, k));
            if (part > 0.0 && !pli_grid_levels_add_member(memory, layer, follower(&f, k), (float)(part / mass)))
                return false;
        }
        if (!pli_grid_levels_add_fixed(memory, layer, j))
            return false;
    }
    return true;
}

bool pli_level_measure(pli_memory *memory, const pli_finer *finer, pli_level *level)
{
    if (!level->grid_levels) {
        measure_lists(level);
        return true;
    }
    measure_grid(level);
    return list_fixed(memory, finer, level);
}

/* ---- all levels ----------------------------------------------------------------------------------- */

static void touch(const pli_finer *finer, pli_level *level, int32_t i)
{
    int32_t parents[PLI_PARENTS];
    float weights[PLI_PARENTS];
    int32_t count = pli_level_parents(level, i, parents, weights);
    for (int32_t k = 0; k < count; k++)
        level->nodes.touched[parents[k]] = 1;
    if (level->grid_levels)
        pli_grid_levels_set_finer_mass(level->grid_levels, i, (float)mass_of(finer, i));
}

bool pli_hierarchy_weigh(pli_memory *memory, const pli_deformable_data *deformable, const float *before,
                         const pli_dvec3 *normals, pli_hierarchy *h)
{
    bool complete = true;
    for (int32_t l = 0; l < h->count; l++) {
        pli_level *level = &h->levels[l], *below = l > 0 ? &h->levels[l - 1] : NULL;
        const pli_finer finer = {below, deformable, false, normals};
        for (int32_t i = 0; i < level->finer_count; i++)
            if (below ? below->nodes.touched[i] : !before || before[i] != deformable->particles[i].w)
                touch(&finer, level, i);
        pli_level_weigh(&finer, level);
        complete = complete && pli_level_measure(memory, &finer, level);
    }
    for (int32_t l = 0; l < h->count; l++)
        memset(h->levels[l].nodes.touched, 0, (size_t)h->levels[l].count);
    return complete;
}
