// The lists of a membrane's system: triangles, patterns of matrices, coarse levels. See stretch/membrane_system.h.
#include "base/hash.h"
#include "base/sort.h"
#include "constraints/membrane_values.h"
#include "stretch/membrane_volume.h"
#include "model/parallel.h"
#include "sweep/constraint_slots.h"

#include <string.h>

static uint64_t hash_volumes(uint64_t hash, const pli_constraints_data *set)
{
    hash = pli_hash_mix(pli_hash_mix(hash, set->id), (uint64_t)set->count);
    for (int32_t i = 0; i < set->count; i++) {
        const int32_t slot = pli_constraints_slot(set, i);
        hash = pli_hash_mix(hash, (uint64_t)slot);
        hash = pli_hash_mix(hash,
                            (uint64_t)(set->variable.member_spans[slot].end - set->variable.member_spans[slot].begin));
    }
    return hash;
}

static uint64_t membrane_key(const pli_deformable_data *deformable)
{
    uint64_t hash = pli_hash_mix(PLI_HASH_START, (uint64_t)deformable->count);
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next) {
        if (pli_constraints_is_volume(set))
            hash = hash_volumes(hash, set);
        if (!pli_constraints_is_solved(set))
            continue;
        hash = pli_hash_mix(pli_hash_mix(hash, set->id), (uint64_t)set->count);
        for (int32_t i = 0; i < set->count; i++) {
            int32_t places[PLI_CARDINALITY_MAX];
            pli_constraints_slot_particles(set, pli_constraints_slot(set, i), places);
            for (int32_t k = 0; k < set->type->cardinality; k++)
                hash = pli_hash_mix(hash, (uint64_t)places[k]);
        }
    }
    return hash;
}

bool pli_membrane_is_current(const pli_deformable_data *deformable, const pli_membrane *membrane)
{
    return membrane && membrane->key == membrane_key(deformable);
}

int64_t pli_membrane_constraints(const pli_membrane *membrane) { return membrane ? membrane->triangle_count : 0; }

/* ---- triangles ------------------------------------------------------------------------------------ */

// A constraint of a set, its particles, and the rows from PLI_SHEET_P1 on.
typedef struct listed {
    pli_membrane_triangle triangle;
    int32_t places[3];
    float weights[4];
} listed;

static listed listed_triangle(const pli_constraints_data *set, int32_t index, int32_t i)
{
    static const int32_t rest[4] = {PLI_MEMBRANE_B00, PLI_MEMBRANE_B10, PLI_MEMBRANE_B01, PLI_MEMBRANE_B11};
    const int32_t slot = pli_constraints_slot(set, i);
    const bool is_edge = pli_constraints_is_edges(set);
    const float root = set->rest[is_edge ? 0 : PLI_MEMBRANE_ROOT][slot];
    listed t = {.triangle = {index, slot, root * root, is_edge}};
    int32_t places[PLI_CARDINALITY_MAX];
    pli_constraints_slot_particles(set, slot, places);
    if (is_edge)
        places[2] = places[1];
    for (int32_t k = 0; k < 4 && !is_edge; k++)
        t.weights[k] = set->rest[rest[k]][slot];
    memcpy(t.places, places, sizeof t.places);
    return t;
}

static int32_t lowest_place(const int32_t *places)
{
    const int32_t low = places[0] < places[1] ? places[0] : places[1];
    return low < places[2] ? low : places[2];
}

// Fills the constant rows of triangle i.
static void place_triangle(pli_membrane *m, int32_t i, const listed *t)
{
    const int32_t batch = i / PLI_BATCH, lane = i % PLI_BATCH;
    m->triangles[i] = t->triangle;
    m->sheets.edges = m->sheets.edges || t->triangle.is_edge;
    const bool is_tether = m->sets[t->triangle.set]->type->sense == PLI_SENSE_AT_MOST;
    for (int32_t k = 0; k < 3; k++)
        m->sheets.corners[(3 * batch + k) * PLI_BATCH + lane] = t->places[k];
    for (int32_t k = 0; k < 4; k++)
        m->sheets.sheets[(PLI_SHEET_ROWS * batch + PLI_SHEET_P1 + k) * PLI_BATCH + lane] = t->weights[k];
    m->sheets.sheets[(PLI_SHEET_ROWS * batch + PLI_SHEET_TETHER) * PLI_BATCH + lane] = is_tether ? 1.0f : 0.0f;
}

// Triangles in the order of their particles, so that neighbours are close in memory.
static bool list_triangles(pli_memory *memory, const pli_deformable_data *deformable, pli_membrane *m)
{
    listed *all = pli_allocate_unset(memory, (size_t)m->triangle_count + 1, sizeof *all);
    pli_sort_item *items = PLI_ALLOCATE_UNSET(memory, pli_sort_item, m->triangle_count + 1);
    bool complete = all && items;
    int32_t at = 0, index = 0;
    for (pli_constraints_data *set = deformable->first_set; complete && set; set = set->next) {
        if (!pli_constraints_is_solved(set))
            continue;
        for (int32_t i = 0; i < set->count; i++, at++) {
            all[at] = listed_triangle(set, index, i);
            items[at] = (pli_sort_item){(uint64_t)lowest_place(all[at].places), at};
        }
        m->sets[index++] = set;
    }
    complete = complete && pli_sort(memory, items, m->triangle_count);
    for (int32_t i = 0; complete && i < m->triangle_count; i++)
        place_triangle(m, i, &all[items[i].value]);
    pli_release(memory, all), pli_release(memory, items);
    return complete;
}

// The index of a triangle's value in arrays with `rows` rows a batch.
static int32_t row_place(int32_t triangle, int32_t rows, int32_t row)
{
    return (rows * (triangle / PLI_BATCH) + row) * PLI_BATCH + triangle % PLI_BATCH;
}

static bool list_corners(pli_memory *memory, pli_membrane *m)
{
    m->corner_offsets = PLI_ALLOCATE(memory, int32_t, m->count + 2);
    if (!m->corner_offsets)
        return false;
    for (int32_t t = 0; t < 3 * m->triangle_count; t++)
        m->corner_offsets[m->sheets.corners[row_place(t / 3, 3, t % 3)] + 2]++;
    for (int32_t i = 0; i < m->count; i++)
        m->corner_offsets[i + 2] += m->corner_offsets[i + 1];
    for (int32_t t = 0; t < 3 * m->triangle_count; t++) {
        const int32_t row = row_place(t / 3, 3, t % 3);
        m->sheets.places[row] = m->corner_offsets[m->sheets.corners[row] + 1]++;
    }
    for (int32_t t = 3 * m->triangle_count; t < 3 * PLI_BATCH * m->batch_count; t++)
        m->sheets.places[row_place(t / 3, 3, t % 3)] = 3 * m->triangle_count;
    return true;
}

/* ---- the finest matrix ---------------------------------------------------------------------------- */

static inline uint64_t entry_key(int32_t row, int32_t column) { return (uint64_t)row << 32 | (uint64_t)column; }

// Lists entries above the diagonal by row and column, with their index in sheets.aside, and the diagonal ones with -1. Returns their
// number.
static int32_t list_entries(const pli_membrane *m, pli_sort_item *items)
{
    static const int32_t first[3] = {0, 0, 1}, second[3] = {1, 2, 2};
    int32_t count = 0;
    for (int32_t i = 0; i < m->count; i++)
        items[count++] = (pli_sort_item){entry_key(i, i), -1};
    for (int32_t t = 0; t < m->triangle_count; t++)
        for (int32_t pair = 0; pair < (m->triangles[t].is_edge ? 1 : 3); pair++) {
            const int32_t a = m->sheets.corners[row_place(t, 3, first[pair])];
            const int32_t b = m->sheets.corners[row_place(t, 3, second[pair])];
            items[count++] = (pli_sort_item){a < b ? entry_key(a, b) : entry_key(b, a),
                                             2 * row_place(t, 9, 3 * pair) + (a < b ? 0 : 1)};
        }
    return count;
}

// The pattern of the sorted entries and of their mirror images.
static bool make_pattern(pli_memory *memory, const pli_sort_item *items, int32_t count, int32_t rows,
                         pli_block_matrix *matrix)
{
    int32_t *offsets = PLI_ALLOCATE(memory, int32_t, rows + 2), *columns = NULL;
    for (int32_t i = 0; offsets && i < count; i++) {
        const int32_t row = (int32_t)(items[i].key >> 32), column = (int32_t)(items[i].key & UINT32_MAX);
        if (i > 0 && items[i].key == items[i - 1].key)
            continue;
        offsets[row + 2]++;
        if (row != column)
            offsets[column + 2]++;
    }
    for (int32_t i = 0; offsets && i < rows; i++)
        offsets[i + 2] += offsets[i + 1];
    columns = offsets ? PLI_ALLOCATE(memory, int32_t, offsets[rows + 1] + 1) : NULL;
    if (!columns) {
        pli_release(memory, offsets);
        return false;
    }
    // By row and column: the entries below the diagonal are added to a row before the others, in the order of their columns.
    for (int32_t i = 0; i < count; i++) {
        const int32_t row = (int32_t)(items[i].key >> 32), column = (int32_t)(items[i].key & UINT32_MAX);
        if (i > 0 && items[i].key == items[i - 1].key)
            continue;
        columns[offsets[row + 1]++] = column;
        if (row != column)
            columns[offsets[column + 1]++] = row;
    }
    return pli_block_matrix_make(memory, rows, offsets, columns, matrix);
}

static bool make_finest(pli_memory *memory, pli_membrane *m)
{
    pli_sort_item *items = PLI_ALLOCATE_UNSET(memory, pli_sort_item, 3 * m->triangle_count + m->count + 1);
    const int32_t count = items ? list_entries(m, items) : 0;
    pli_block_matrix *matrix = &m->hierarchy.levels[0].matrix;
    bool complete = items && pli_sort(memory, items, count) && make_pattern(memory, items, count, m->count, matrix);
    const int32_t blocks = complete ? matrix->offsets[m->count] : 0;
    m->block_offsets = PLI_ALLOCATE(memory, int32_t, blocks + 1);
    m->block_sources = PLI_ALLOCATE_UNSET(memory, int32_t, count + 1);
    complete = complete && m->block_offsets && m->block_sources;
    int32_t at = 0, sources = 0;
    for (int32_t i = 0; complete && i < m->count; i++)
        for (int32_t k = matrix->offsets[i]; k < matrix->offsets[i + 1]; k++) {
            m->block_offsets[k] = sources;
            for (; at < count && items[at].key == entry_key(i, matrix->columns[k]); at++)
                if (items[at].value >= 0)
                    m->block_sources[sources++] = items[at].value;
        }
    if (complete)
        m->block_offsets[blocks] = sources;
    pli_release(memory, items);
    return complete;
}

/* ---- levels --------------------------------------------------------------------------------------- */

static bool list_children(pli_memory *memory, pli_membrane_level *level, int32_t coarse)
{
    pli_membrane_transfer *t = &level->transfer;
    const int32_t entries = PLI_PARENTS * level->matrix.count;
    t->child_offsets = PLI_ALLOCATE(memory, int32_t, coarse + 2);
    t->children = PLI_ALLOCATE(memory, int32_t, entries + 1);
    t->follow = PLI_ALLOCATE(memory, pli_block, PLI_PARENTS * (level->matrix.count + PLI_BATCH));
    if (!t->child_offsets || !t->children || !t->follow)
        return false;
    for (int32_t i = 0; i < entries; i++)
        if (t->parents[i] >= 0)
            t->child_offsets[t->parents[i] + 2]++;
    for (int32_t i = 0; i < coarse; i++)
        t->child_offsets[i + 2] += t->child_offsets[i + 1];
    for (int32_t i = 0; i < entries; i++)
        if (t->parents[i] >= 0)
            t->children[t->child_offsets[t->parents[i] + 1]++] = i;
    return true;
}

// The parent or child in a slot of a row, as an index into `parents`; -1 after the last one.
static int32_t entry_of(const pli_membrane_transfer *t, const pli_block_rows *rows, int32_t row, int32_t slot)
{
    if (row >= rows->count)
        return -1;
    if (rows == &t->prolongation)
        return slot < PLI_PARENTS && t->parents[PLI_PARENTS * row + slot] >= 0 ? PLI_PARENTS * row + slot : -1;
    const int32_t child = t->child_offsets[row] + slot;
    return child < t->child_offsets[row + 1] ? t->children[child] : -1;
}

static bool make_rows(pli_memory *memory, const pli_membrane_level *level, pli_block_rows *rows, int32_t count)
{
    const pli_membrane_transfer *t = &level->transfer;
    const int32_t batches = pli_piece_count(count, PLI_BATCH),
                  last = PLI_PARENTS * (level->matrix.count + PLI_BATCH) - 1;
    const bool prolongs = rows == &t->prolongation;
    rows->count = count, rows->from = t->follow;
    if (!(rows->spans = PLI_ALLOCATE(memory, int32_t, batches + 1)))
        return false;
    for (int32_t b = 0; b < batches; b++) {
        int32_t most = 0;
        for (int32_t lane = 0; lane < PLI_BATCH; lane++)
            while (entry_of(t, rows, b * PLI_BATCH + lane, most) >= 0)
                most++;
        rows->spans[b + 1] = rows->spans[b] + most;
    }
    const int64_t lanes = PLI_BATCH * (int64_t)rows->spans[batches];
    rows->sources = PLI_ALLOCATE(memory, int32_t, lanes + 1);
    rows->columns = PLI_ALLOCATE(memory, int32_t, lanes + 1);
    rows->values = PLI_ALLOCATE(memory, float, 9 * lanes + 1);
    if (!rows->sources || !rows->columns || !rows->values)
        return false;
    for (int32_t b = 0; b < batches; b++)
        for (int32_t slot = rows->spans[b]; slot < rows->spans[b + 1]; slot++)
            for (int32_t lane = 0; lane < PLI_BATCH; lane++) {
                const int32_t row = b * PLI_BATCH + lane, nth = slot - rows->spans[b], at = slot * PLI_BATCH + lane;
                const int32_t entry = entry_of(t, rows, row, nth);
                rows->sources[at] = prolongs ? PLI_PARENTS * row + nth : entry < 0 ? last : entry;
                rows->columns[at] = entry < 0 ? 0 : prolongs ? t->parents[entry] : entry / PLI_PARENTS;
            }
    return true;
}

static bool list_weights(pli_memory *memory, pli_membrane_transfer *t, const float *weights)
{
    const pli_block_rows *rows = &t->prolongation;
    const int32_t slots = PLI_BATCH * rows->spans[pli_piece_count(rows->count, PLI_BATCH)];
    if (!(t->weights = PLI_ALLOCATE_UNSET(memory, float, slots + 1)))
        return false;
    for (int32_t i = 0; i < slots; i++) {
        const int32_t entry = rows->sources[i];
        t->weights[i] = entry < PLI_PARENTS * rows->count && t->parents[entry] >= 0 ? weights[entry] : -1.0f;
    }
    return true;
}

// The columns in each row of a sparse product, while they are collected.
typedef struct block_pattern {
    pli_memory *memory;
    int32_t *found;   // [columns] 1 + the last row in which each column was found.
    int32_t *columns; // The columns of all rows so far, ascending in each row.
    int32_t count, capacity, first;
} block_pattern;

static bool find_column(block_pattern *p, int32_t row, int32_t column)
{
    if (p->found[column] == row + 1)
        return true;
    if (!pli_reserve(p->memory, &p->columns, &p->capacity, (int64_t)p->count + 1, sizeof *p->columns))
        return false;
    p->found[column] = row + 1;
    p->columns[p->count++] = column;
    return true;
}

// The pattern of A P, and which block each product adds to.
static bool make_products(pli_memory *memory, pli_membrane_level *level, block_pattern *p)
{
    pli_membrane_transfer *t = &level->transfer;
    const pli_block_matrix *fine = &level->matrix;
    t->product_offsets = PLI_ALLOCATE(memory, int32_t, fine->count + 1);
    t->product_targets = PLI_ALLOCATE(memory, int32_t, PLI_PARENTS * (int64_t)fine->offsets[fine->count] + 1);
    bool complete = t->product_offsets && t->product_targets;
    for (int32_t row = 0; complete && row < fine->count; row++) {
        const int32_t first = t->product_offsets[row] = p->count, begin = PLI_PARENTS * fine->offsets[row];
        for (int32_t e = begin; complete && e < PLI_PARENTS * fine->offsets[row + 1]; e++) {
            const int32_t parent = t->parents[PLI_PARENTS * fine->columns[e / PLI_PARENTS] + e % PLI_PARENTS];
            complete = parent < 0 || find_column(p, row, parent);
        }
        if (!complete)
            break;
        pli_sort_integers(p->columns + first, p->count - first);
        t->product_offsets[row + 1] = p->count;
        for (int32_t e = begin; e < PLI_PARENTS * fine->offsets[row + 1]; e++) {
            const int32_t parent = t->parents[PLI_PARENTS * fine->columns[e / PLI_PARENTS] + e % PLI_PARENTS];
            if (parent >= 0)
                t->product_targets[e] = pli_sorted_place(p->columns + first, p->count - first, parent);
        }
    }
    t->product_columns = p->columns, p->columns = NULL;
    t->products = complete ? PLI_ALLOCATE(memory, pli_block, p->count + 1) : NULL;
    return complete && t->products;
}

// The pattern of P^T A P.
static bool find_coarse(pli_memory *memory, const pli_membrane_level *level, int32_t coarse, block_pattern *p,
                        int32_t **offsets)
{
    const pli_membrane_transfer *t = &level->transfer;
    bool complete = (*offsets = PLI_ALLOCATE(memory, int32_t, coarse + 1)) != NULL;
    for (int32_t row = 0; complete && row < coarse; row++) {
        for (int32_t c = t->child_offsets[row]; c < t->child_offsets[row + 1]; c++) {
            const int32_t child = t->children[c] / PLI_PARENTS;
            for (int32_t k = t->product_offsets[child]; complete && k < t->product_offsets[child + 1]; k++)
                complete = find_column(p, row, t->product_columns[k]);
        }
        pli_sort_integers(p->columns + (*offsets)[row], p->count - (*offsets)[row]);
        (*offsets)[row + 1] = p->count;
    }
    return complete;
}

// Lists the terms of each block of the coarse matrix; the first pass counts them.
static bool list_terms(pli_memory *memory, pli_membrane_level *level)
{
    pli_membrane_transfer *t = &level->transfer;
    const pli_block_matrix *coarse = &level[1].matrix;
    const int32_t blocks = coarse->offsets[coarse->count];
    for (int32_t pass = 0; pass < 2; pass++) {
        for (int32_t row = 0; row < coarse->count; row++)
            for (int32_t c = t->child_offsets[row]; c < t->child_offsets[row + 1]; c++) {
                const int32_t child = t->children[c] / PLI_PARENTS, first = coarse->offsets[row];
                for (int32_t k = t->product_offsets[child]; k < t->product_offsets[child + 1]; k++) {
                    if (t->product_columns[k] < row)
                        continue;
                    const int32_t block = first + pli_sorted_place(coarse->columns + first,
                                                                   coarse->offsets[row + 1] - first,
                                                                   t->product_columns[k]);
                    const int64_t at = t->term_offsets[block + 1 + (pass == 0)]++;
                    if (pass == 1)
                        t->terms[2 * at] = t->children[c], t->terms[2 * at + 1] = k;
                }
            }
        for (int32_t i = 0; pass == 0 && i < blocks; i++)
            t->term_offsets[i + 2] += t->term_offsets[i + 1];
        const int64_t count = t->term_offsets[blocks + 1];
        if (pass == 0 && !(t->terms = pli_allocate_unset(memory, 2 * (size_t)count + 1, sizeof *t->terms)))
            return false;
    }
    return true;
}

static bool make_coarse(pli_memory *memory, pli_membrane_level *level, int32_t coarse)
{
    int32_t *offsets = NULL;
    block_pattern products = {.memory = memory, .found = PLI_ALLOCATE(memory, int32_t, coarse + 1)};
    block_pattern sums = {.memory = memory, .found = PLI_ALLOCATE(memory, int32_t, coarse + 1)};
    bool complete = products.found && sums.found && make_products(memory, level, &products) &&
                    find_coarse(memory, level, coarse, &sums, &offsets);
    if (complete)
        complete = pli_block_matrix_make(memory, coarse, offsets, sums.columns, &level[1].matrix);
    else
        pli_release(memory, offsets), pli_release(memory, sums.columns);
    const int32_t blocks = complete ? offsets[coarse] : 0;
    level->transfer.term_offsets = PLI_ALLOCATE(memory, int64_t, blocks + 2);
    complete = complete && level->transfer.term_offsets && list_terms(memory, level);
    pli_release(memory, products.found), pli_release(memory, sums.found);
    return complete;
}

static bool allocate_vectors(pli_memory *memory, pli_membrane_level *level)
{
    const int32_t count = level->matrix.count + PLI_BATCH;
    level->right = PLI_ALLOCATE(memory, pli_particle, count);
    level->solution = PLI_ALLOCATE(memory, pli_particle, count);
    level->left = PLI_ALLOCATE(memory, pli_particle, count);
    level->points = PLI_ALLOCATE(memory, pli_particle, count);
    return level->right && level->solution && level->left && level->points;
}

// Builds the level after the last one. Sets *made to false if it would hardly be coarser.
static bool add_level(pli_memory *memory, pli_membrane *m, const pli_graph *graph, pli_coarse *coarse, bool *made)
{
    pli_membrane_level *level = &m->hierarchy.levels[m->hierarchy.level_count - 1];
    if (!pli_coarsen(memory, graph, PLI_MEMBRANE_STRIDE, coarse))
        return false;
    *made = coarse->count > 0 && 4 * coarse->count <= 3 * graph->count;
    if (!*made)
        return true;
    level->transfer.parents = coarse->parents, level->transfer.seeds = coarse->seeds;
    coarse->parents = NULL, coarse->seeds = NULL;
    m->hierarchy.level_count++;
    return list_children(memory, level, coarse->count) &&
           make_rows(memory, level, &level->transfer.prolongation, level->matrix.count) &&
           list_weights(memory, &level->transfer, coarse->weights) &&
           make_rows(memory, level, &level->transfer.restriction, coarse->count) &&
           make_coarse(memory, level, coarse->count) && allocate_vectors(memory, level + 1);
}

// The edges of the finest matrix's graph, each once.
static bool list_pairs(pli_memory *memory, const pli_block_matrix *matrix, int32_t **pairs, int32_t *pair_count)
{
    *pairs = PLI_ALLOCATE_UNSET(memory, int32_t, matrix->offsets[matrix->count] + 1);
    *pair_count = 0;
    for (int32_t i = 0; *pairs && i < matrix->count; i++)
        for (int32_t k = matrix->offsets[i]; k < matrix->offsets[i + 1]; k++)
            if (matrix->columns[k] > i)
                (*pairs)[2 * *pair_count] = i, (*pairs)[2 * (*pair_count)++ + 1] = matrix->columns[k];
    return *pairs != NULL;
}

static bool make_levels(pli_memory *memory, const pli_deformable_data *deformable, pli_membrane *m)
{
    double(*points)[3] = pli_allocate_unset(memory, (size_t)m->count + 1, sizeof *points);
    int32_t *pairs = NULL, pair_count = 0;
    bool complete = points && list_pairs(memory, &m->hierarchy.levels[0].matrix, &pairs, &pair_count), more = true;
    for (int32_t i = 0; complete && i < m->count; i++)
        for (int32_t k = 0; k < 3; k++)
            points[i][k] = (double)deformable->shape.positions[3 * (int64_t)pli_vertex(deformable, i) + k];
    pli_graph graph = {
        .count = m->count, .pair_count = pair_count, .positions = (const double(*)[3])points, .pairs = pairs};
    while (complete && more && graph.count > PLI_MEMBRANE_COARSEST && m->hierarchy.level_count < PLI_MEMBRANE_LEVELS) {
        pli_coarse coarse;
        complete = add_level(memory, m, &graph, &coarse, &more);
        const int32_t *seeds =
            m->hierarchy.levels[m->hierarchy.level_count > 1 ? m->hierarchy.level_count - 2 : 0].transfer.seeds;
        for (int32_t i = 0; complete && more && i < coarse.count; i++)
            memcpy(points[i], points[seeds[i]], sizeof *points);
        pli_release(memory, pairs);
        pairs = coarse.pairs, coarse.pairs = NULL;
        graph.pairs = pairs, graph.pair_count = coarse.pair_count, graph.count = coarse.count;
        pli_coarse_release(memory, &coarse);
    }
    pli_release(memory, points), pli_release(memory, pairs);
    return complete;
}

/* ---- public --------------------------------------------------------------------------------------- */

static bool allocate_sheets(pli_memory *memory, pli_membrane *m)
{
    const int64_t lanes = PLI_BATCH * (int64_t)m->batch_count;
    pli_sheets *s = &m->sheets;
    s->corners = PLI_ALLOCATE(memory, int32_t, 3 * lanes + 1);
    s->sheets = PLI_ALLOCATE(memory, float, PLI_SHEET_ROWS *lanes + 1);
    s->shapes = PLI_ALLOCATE(memory, float, PLI_SHAPE_ROWS *lanes + 1);
    s->gains = PLI_ALLOCATE(memory, float, lanes + 1);
    s->places = PLI_ALLOCATE(memory, int32_t, 3 * lanes + 1);
    s->pulls = PLI_ALLOCATE(memory, pli_particle, 3 * lanes + 1);
    s->diagonal = PLI_ALLOCATE(memory, pli_particle, 2 * (3 * lanes + 1));
    s->aside = PLI_ALLOCATE(memory, pli_particle, 9 * lanes + 1);
    return s->gains && s->corners && s->sheets && s->shapes && s->places && s->pulls && s->diagonal && s->aside;
}

static bool allocate_particles(pli_memory *memory, pli_membrane *m)
{
    m->inverse = PLI_ALLOCATE(memory, pli_particle, 2 * (m->count + PLI_BATCH));
    m->starts = PLI_ALLOCATE(memory, pli_particle, m->count + 1);
    m->predicted = PLI_ALLOCATE(memory, pli_particle, m->count + PLI_BATCH);
    m->sums = PLI_ALLOCATE(memory, double, 2 * (int64_t)pli_piece_count(m->count, PLI_PARTICLE_GRAIN) + 1);
    m->products = PLI_ALLOCATE(memory, float,
                               3 * PLI_BATCH * (int64_t)pli_piece_count(m->count, PLI_PARTICLE_GRAIN) + 1);
    m->support.items = PLI_ALLOCATE(memory, pli_membrane_support, m->count + 1);
    m->support.of = PLI_ALLOCATE(memory, int32_t, m->count + 1);
    m->support.grips = PLI_ALLOCATE(memory, pli_membrane_grip, m->count + 1);
    m->hierarchy.made = PLI_ALLOCATE(memory, uint8_t, m->count + 1);
    m->hierarchy.joins = PLI_ALLOCATE(memory, float, m->count + PLI_BATCH);
    m->contact.diagonal = PLI_ALLOCATE(memory, pli_particle, 2 * ((int64_t)m->count + 1));
    for (int32_t i = 0; m->support.of && i < m->count; i++)
        m->support.of[i] = -1;
    return m->support.items && m->support.of && m->support.grips && m->hierarchy.made && m->hierarchy.joins &&
           m->contact.diagonal && m->inverse && m->starts && m->predicted && m->sums && m->products;
}

// False when memory ran out.
static bool build_membrane_arrays(pli_memory *memory, const pli_deformable_data *deformable, pli_membrane *m)
{
    m->key = membrane_key(deformable);
    m->count = deformable->count;
    m->hierarchy.level_count = 1;
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next)
        if (pli_constraints_is_solved(set))
            m->set_count++, m->triangle_count += set->count;
    m->batch_count = (m->triangle_count + PLI_BATCH - 1) / PLI_BATCH;
    m->sets = PLI_ALLOCATE(memory, pli_constraints_data *, m->set_count + 1);
    m->laws = PLI_ALLOCATE(memory, pli_membrane_law, m->set_count + 1);
    m->triangles = PLI_ALLOCATE(memory, pli_membrane_triangle, m->triangle_count + 1);
    if (!m->sets || !m->laws || !m->triangles || !allocate_sheets(memory, m) || !allocate_particles(memory, m) ||
        !list_triangles(memory, deformable, m) || !list_corners(memory, m) || !make_finest(memory, m) ||
        !pli_membrane_list_volumes(memory, deformable, m) || !allocate_vectors(memory, &m->hierarchy.levels[0]) ||
        !make_levels(memory, deformable, m))
        return false;
    m->hierarchy.levels[0].transfer.prolongation.joins = m->hierarchy.joins;
    const int64_t unknowns = 3 * (int64_t)m->hierarchy.levels[m->hierarchy.level_count - 1].matrix.count;
    if (unknowns > 3 * 4 * PLI_MEMBRANE_COARSEST)
        return true; // The mesh has many pieces: sweeps replace the factor.
    m->hierarchy.factor = PLI_ALLOCATE(memory, double, unknowns *unknowns + 1);
    m->hierarchy.coarsest = PLI_ALLOCATE(memory, double, unknowns + 1);
    return m->hierarchy.factor && m->hierarchy.coarsest;
}

static void free_level(pli_memory *memory, pli_membrane_level *level)
{
    pli_membrane_transfer *t = &level->transfer;
    void *const arrays[] = {level->right,       level->solution,    level->left, t->parents,
                            t->weights,         t->seeds,           t->follow,   t->child_offsets,
                            t->children,        t->term_offsets,    t->terms,    level->points,
                            t->product_offsets, t->product_columns, t->products, t->product_targets};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    const pli_block_rows *const rows[] = {&t->prolongation, &t->restriction};
    for (size_t i = 0; i < 2; i++) {
        pli_release(memory, rows[i]->spans), pli_release(memory, rows[i]->sources);
        pli_release(memory, rows[i]->columns), pli_release(memory, rows[i]->values);
    }
    pli_block_matrix_free(memory, &level->matrix);
}

void pli_membrane_free(pli_memory *memory, pli_membrane *m)
{
    if (!m)
        return;
    const pli_sheets *s = &m->sheets;
    void *const arrays[] = {m->sets,
                            m->laws,
                            m->triangles,
                            s->gains,
                            s->corners,
                            s->sheets,
                            s->shapes,
                            s->pulls,
                            s->diagonal,
                            s->aside,
                            m->inverse,
                            m->block_offsets,
                            m->corner_offsets,
                            m->block_sources,
                            m->hierarchy.factor,
                            m->hierarchy.coarsest,
                            m->support.items,
                            m->support.grips,
                            m->contact.diagonal,
                            m->support.of,
                            m->starts,
                            m->predicted,
                            m->sums,
                            s->places,
                            m->products,
                            m->hierarchy.made,
                            m->hierarchy.joins};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    pli_membrane_free_volumes(memory, m);
    for (int32_t l = 0; l < PLI_MEMBRANE_LEVELS; l++)
        free_level(memory, &m->hierarchy.levels[l]);
    pli_release(memory, m);
}

pli_membrane *pli_membrane_make(pli_world *world, const pli_deformable_data *deformable)
{
    pli_membrane *m = PLI_ALLOCATE(&world->memory, pli_membrane, 1);
    if (m && !build_membrane_arrays(&world->memory, deformable, m)) {
        pli_membrane_free(&world->memory, m);
        m = NULL;
    }
    return m;
}
