// Borders of a factorisation: base/sparse/border.h. All sums run in one order, on one thread.
#include "base/sparse/border.h"

#include <math.h>
#include <string.h>

typedef struct bordering {
    pli_memory *memory;
    const pli_factor *factor;
    const pli_panel_kernels *kernels;
    const pli_border_columns *columns;
    pli_particle *vector, *panel;
    pli_border *border;
    int32_t *nodes; // [node_count] nodes on the paths to the root, ascending.
    int32_t node_count;
    double *complement; // [count * 2 count] S next to the identity matrix, which elimination replaces by its inverse.
} bordering;

static float *coordinate(pli_particle *p, int32_t k) { return k == 0 ? &p->x : k == 1 ? &p->y : &p->z; }

/* ---- where there are entries -------------------------------------------------------------------- */

static int32_t node_of(const pli_factor *factor, int32_t place)
{
    int32_t low = 0, high = factor->dissection.node_count - 1;
    while (low < high) {
        const int32_t middle = (low + high) / 2;
        if (factor->nodes[middle].first + factor->nodes[middle].count > place)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool find_nodes(bordering *b)
{
    const pli_dissection *d = &b->factor->dissection;
    uint8_t *marks = PLI_ALLOCATE(b->memory, uint8_t, d->node_count);
    b->nodes = PLI_ALLOCATE(b->memory, int32_t, d->node_count);
    const bool enough = marks && b->nodes;
    for (int32_t k = 0; enough && k < b->columns->offsets[b->columns->count]; k++)
        for (int32_t i = node_of(b->factor, b->columns->places[k]); i >= 0 && !marks[i]; i = d->nodes[i].parent)
            marks[i] = 1;
    for (int32_t i = 0; enough && i < d->node_count; i++)
        if (marks[i] && d->nodes[i].count > 0) {
            b->nodes[b->node_count++] = i;
            b->border->place_count += d->nodes[i].count;
        }
    pli_release(b->memory, marks);
    return enough;
}

static bool border_reserve(bordering *b)
{
    pli_border *border = b->border;
    const size_t count = (size_t)b->columns->count, places = (size_t)border->place_count;
    border->places = PLI_ALLOCATE(b->memory, int32_t, places);
    border->forward = PLI_ALLOCATE(b->memory, float, places *count);
    border->scaled = PLI_ALLOCATE(b->memory, float, places *count);
    border->inverse = PLI_ALLOCATE(b->memory, float, count *count);
    b->complement = PLI_ALLOCATE(b->memory, double, 2 * count * count);
    if (!border->places || !border->forward || !border->scaled || !border->inverse || !b->complement)
        return false;
    int32_t at = 0;
    for (int32_t i = 0; i < b->node_count; i++) {
        const pli_factor_node *node = b->factor->nodes + b->nodes[i];
        for (int32_t k = 0; k < node->count; k++)
            border->places[at++] = node->first + k;
    }
    return true;
}

/* ---- F, three columns at a time ------------------------------------------------------------------ */

static void border_clear(const bordering *b)
{
    for (int32_t i = 0; i < b->border->place_count; i++)
        b->vector[b->border->places[i]] = (pli_particle){0};
}

static void border_forward(const bordering *b, const pli_factor_node *node)
{
    const int32_t *rows = b->factor->places + node->places + node->count;
    const pli_particle *products = pli_node_product(b->factor, b->kernels, node, false, b->vector, b->panel);
    for (int32_t r = 0; r < node->row_count; r++) {
        pli_particle *to = b->vector + rows[r];
        to->x -= products[r].x, to->y -= products[r].y, to->z -= products[r].z;
    }
}

static void take_rows(const bordering *b, float *rows, const pli_particle *from, int32_t first, int32_t count)
{
    for (int32_t k = first; k < b->columns->count && k < first + 3; k++)
        for (int32_t i = 0; i < count; i++) {
            pli_particle value = from[i];
            rows[(size_t)i * (size_t)b->columns->count + (size_t)k] = *coordinate(&value, k - first);
        }
}

// D^-1 y for one node: the vector is 0 at the node's rows meanwhile.
static void scale_node(const bordering *b, const pli_factor_node *node, int32_t at, int32_t first)
{
    const size_t count = (size_t)b->columns->count, row = (size_t)at * count;
    for (int32_t k = first; k < b->columns->count && k < first + 3; k++)
        for (int32_t i = 0; i < node->count; i++)
            *coordinate(b->vector + node->first + i,
                        k - first) = b->border->forward[row + (size_t)i * count + (size_t)k];
    const pli_particle *products = pli_node_product(b->factor, b->kernels, node, true, b->vector, b->panel);
    take_rows(b, b->border->scaled + row, products, first, node->count);
    memset(b->vector + node->first, 0, (size_t)node->count * sizeof *b->vector);
}

static void eliminate_columns(const bordering *b, int32_t first)
{
    const pli_border_columns *columns = b->columns;
    border_clear(b);
    for (int32_t c = first; c < columns->count && c < first + 3; c++)
        for (int32_t k = columns->offsets[c]; k < columns->offsets[c + 1]; k++)
            *coordinate(b->vector + columns->places[k], c - first) += (float)columns->values[k];
    for (int32_t i = 0; i < b->node_count; i++)
        border_forward(b, b->factor->nodes + b->nodes[i]);
    for (int32_t i = 0, at = 0; i < b->node_count; at += b->factor->nodes[b->nodes[i++]].count)
        take_rows(b, b->border->forward + (size_t)at * (size_t)columns->count,
                  b->vector + b->factor->nodes[b->nodes[i]].first, first, b->factor->nodes[b->nodes[i]].count);
    border_clear(b);
    for (int32_t i = 0, at = 0; i < b->node_count; at += b->factor->nodes[b->nodes[i++]].count)
        scale_node(b, b->factor->nodes + b->nodes[i], at, first);
}

/* ---- S ------------------------------------------------------------------------------------------- */

static void fill_complement(const bordering *b)
{
    const size_t n = (size_t)b->columns->count;
    for (size_t i = 0; i < n; i++) {
        memcpy(b->complement + 2 * n * i, b->columns->corner + n * i, n * sizeof(double));
        b->complement[2 * n * i + n + i] = 1.0;
    }
    for (int32_t k = 0; k < b->border->place_count; k++) {
        const float *f = b->border->forward + (size_t)k * n, *g = b->border->scaled + (size_t)k * n;
        for (size_t i = 0; i < n; i++) {
            double *row = b->complement + 2 * n * i;
            const double weight = (double)f[i];
            for (size_t j = 0; weight != 0.0 && j < n; j++)
                row[j] -= weight * (double)g[j];
        }
    }
}

static void swap_rows(double *a, double *b, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const double value = a[k];
        a[k] = b[k], b[k] = value;
    }
}

// Gauss-Jordan elimination with column pivoting. False if the matrix is singular.
static bool invert_complement(const bordering *b)
{
    const size_t n = (size_t)b->columns->count, width = 2 * n;
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(b->complement[width * i + k]) > fabs(b->complement[width * best + k]))
                best = i;
        double *pivot = b->complement + width * k;
        if (best != k)
            swap_rows(pivot, b->complement + width * best, width);
        if (!(fabs(pivot[k]) > 0.0) || !isfinite(1.0 / pivot[k]))
            return false;
        const double scale = 1.0 / pivot[k];
        for (size_t j = k; j < width; j++)
            pivot[j] *= scale;
        for (size_t i = 0; i < n; i++) {
            double *row = b->complement + width * i;
            const double weight = row[k];
            for (size_t j = k; i != k && weight != 0.0 && j < width; j++)
                row[j] -= weight * pivot[j];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            b->border->inverse[n * i + j] = (float)b->complement[width * i + n + j];
            if (!isfinite(b->border->inverse[n * i + j]))
                return false;
        }
    return true;
}

/* ---- border --------------------------------------------------------------------------------------- */

pli_factor_result pli_border_make(pli_memory *memory, const pli_factor *factor, const pli_panel_kernels *kernels,
                                  const pli_border_columns *columns, pli_particle *vector, pli_particle *panel,
                                  pli_border *border)
{
    *border = (pli_border){.count = columns->count};
    bordering b = {
        .memory = memory,
        .factor = factor,
        .kernels = kernels,
        .columns = columns,
        .vector = vector,
        .panel = panel,
        .border = border,
    };
    pli_factor_result result = find_nodes(&b) && border_reserve(&b) ? PLI_FACTOR_OK : PLI_FACTOR_NO_MEMORY;
    for (int32_t first = 0; result == PLI_FACTOR_OK && first < columns->count; first += 3)
        eliminate_columns(&b, first);
    if (result == PLI_FACTOR_OK) {
        fill_complement(&b);
        result = invert_complement(&b) ? PLI_FACTOR_OK : PLI_FACTOR_NOT_POSITIVE;
    }
    pli_release(memory, b.nodes);
    pli_release(memory, b.complement);
    if (result != PLI_FACTOR_OK)
        pli_border_free(memory, border);
    return result;
}

// Sums with three coordinates for each column.
typedef struct column_sums {
    float x[PLI_BORDER_MOST], y[PLI_BORDER_MOST], z[PLI_BORDER_MOST];
} column_sums;

static void border_project(const pli_border *border, const pli_particle *vector, column_sums *sums)
{
    const int32_t n = border->count;
    for (int32_t k = 0; k < border->place_count; k++) {
        const pli_particle y = vector[border->places[k]];
        const float *row = border->scaled + (size_t)k * (size_t)n;
        for (int32_t c = 0; c < n; c++)
            sums->x[c] -= row[c] * y.x, sums->y[c] -= row[c] * y.y, sums->z[c] -= row[c] * y.z;
    }
}

void pli_border_apply(const pli_border *border, pli_particle *vector, pli_particle *corner)
{
    const int32_t n = border->count;
    column_sums sums;
    for (int32_t c = 0; c < n; c++)
        sums.x[c] = corner[c].x, sums.y[c] = corner[c].y, sums.z[c] = corner[c].z;
    border_project(border, vector, &sums);
    for (int32_t i = 0; i < n; i++) {
        pli_particle z = {0};
        for (int32_t c = 0; c < n; c++) {
            const float weight = border->inverse[i * n + c];
            z.x += weight * sums.x[c], z.y += weight * sums.y[c], z.z += weight * sums.z[c];
        }
        corner[i] = z;
    }
    for (int32_t k = 0; k < border->place_count; k++) {
        pli_particle *y = vector + border->places[k];
        const float *row = border->forward + (size_t)k * (size_t)n;
        for (int32_t c = 0; c < n; c++)
            y->x -= row[c] * corner[c].x, y->y -= row[c] * corner[c].y, y->z -= row[c] * corner[c].z;
    }
}

void pli_border_free(pli_memory *memory, pli_border *border)
{
    pli_release(memory, border->places);
    pli_release(memory, border->forward);
    pli_release(memory, border->scaled);
    pli_release(memory, border->inverse);
    *border = (pli_border){0};
}
