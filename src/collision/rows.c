#include "collision/rows.h"

// Cells along a row at most; rows at most, for each particle and besides.
enum { ALONG = 4096, ROWS_EACH = 2, ROWS_LEAST = 64, GRAIN = 2048, VALUES = 10 };

// Cells are so much larger than they must be: more than rounding can shift anything.
#define LARGER 1.001f

typedef struct axis {
    int32_t number; // 0..2: x, y or z.
    float low, inverse, most;
} axis;

typedef struct sorting {
    pli_rows *rows;
    const pli_row_source *source;
    axis along, across, up;
} sorting;

static float along(pli_vec3 v, int32_t number)
{
    return number == 0 ? v.x : number == 1 ? v.y : v.z;
}

// Half way.
static float middle(const pli_row_source *s, int32_t i, int32_t number)
{
    const pli_particle *p = &s->starts[i], *way = &s->ways[i];
    return along((pli_vec3){p->x, p->y, p->z}, number) +
           0.5f * (float)s->lifetime * along((pli_vec3){way->x, way->y, way->z}, number);
}

// What is no number goes to the first cell.
static int32_t cell_of(const sorting *s, const axis *a, int32_t i)
{
    float cell = (middle(s->source, i, a->number) - a->low) * a->inverse;
    cell = cell > 0.0f ? cell : 0.0f;
    return (int32_t)(cell < a->most ? cell : a->most);
}

// Where all are half way, within what bounds of starts and ways say.
static float low_of(const pli_row_source *s, const pli_bounds *starts, const pli_bounds *ways, int k)
{
    return along(starts->low, k) + 0.5f * (float)s->lifetime * along(ways->low, k);
}

static float extent_of(const pli_row_source *s, const pli_bounds *starts, const pli_bounds *ways, int k)
{
    return along(starts->high, k) + 0.5f * (float)s->lifetime * along(ways->high, k) - low_of(s, starts, ways, k);
}

// How far apart two that come near can be half way.
static float apart_of(const pli_row_source *s, const pli_bounds *ways, int k)
{
    return LARGER * (s->reach + 0.5f * (float)s->lifetime * (along(ways->high, k) - along(ways->low, k)));
}

static axis axis_of(int32_t number, float low, float extent, float size)
{
    return (axis){number, low, 1.0f / size, floorf(extent / size)};
}

// Rows lie along the longest side, in cells as wide as two can be apart that come near, or wider if these were too many.
static void lay_out(sorting *s, const pli_bounds *starts, const pli_bounds *ways)
{
    const pli_row_source *source = s->source;
    float extent[3], apart[3];
    int32_t longest = 0;
    for (int k = 0; k < 3; k++) {
        extent[k] = extent_of(source, starts, ways, k), apart[k] = apart_of(source, ways, k);
        longest = extent[k] > extent[longest] ? k : longest;
    }
    int32_t a = (longest + 1) % 3, b = (longest + 2) % 3;
    float most = (float)ROWS_EACH * (float)source->count + (float)ROWS_LEAST;
    while ((extent[a] / apart[a] + 1.0f) * (extent[b] / apart[b] + 1.0f) > most)
        apart[a] *= 1.5f, apart[b] *= 1.5f;
    int32_t cells = source->count < ALONG ? source->count : ALONG;
    float loose = extent[longest] > 0.0f ? LARGER * extent[longest] / (float)cells : 1.0f;
    s->along = axis_of(longest, low_of(source, starts, ways, longest), extent[longest], loose);
    s->across = axis_of(a, low_of(source, starts, ways, a), extent[a], apart[a]);
    s->up = axis_of(b, low_of(source, starts, ways, b), extent[b], apart[b]);
    s->rows->across = (int32_t)s->across.most + 1;
    s->rows->up = (int32_t)s->up.most + 1;
    s->rows->balls = (pli_balls){.loose = loose, .window = apart[longest], .reach = source->reach, .joined = source->joined};
}

static bool reserve(pli_memory *memory, const sorting *s)
{
    pli_rows *r = s->rows;
    int64_t count = s->source->count, rows = (int64_t)r->across * r->up;
    bool complete = pli_reserve(memory, &r->order, &r->order_room, count, sizeof(int32_t)) &&
                    pli_reserve(memory, &r->begins, &r->begin_room, rows + 1, sizeof(int32_t)) &&
                    pli_reserve(memory, &r->sorted, &r->sorted_room, count, sizeof(int32_t)) &&
                    pli_reserve(memory, &r->counts, &r->count_room, (int64_t)s->along.most + 2, sizeof(int32_t));
    for (int k = 0; k < 2; k++)
        complete = complete && pli_reserve(memory, &r->cells[k], &r->cell_room[k], count, sizeof(int32_t));
    for (int k = 0; k < VALUES; k++)
        complete = complete &&
                   pli_reserve(memory, &r->values[k], &r->value_room[k], count + PLI_BALLS_ROOM, sizeof(float));
    return complete;
}

static int32_t chunk_count(const sorting *s) { return (s->source->count + GRAIN - 1) / GRAIN; }

static int32_t chunk_end(const sorting *s, int32_t chunk)
{
    return (chunk + 1) * GRAIN < s->source->count ? (chunk + 1) * GRAIN : s->source->count;
}

static void choose_cells(void *data, int32_t chunk)
{
    const sorting *s = data;
    for (int32_t i = chunk * GRAIN; i < chunk_end(s, chunk); i++) {
        s->rows->cells[0][i] = cell_of(s, &s->along, i);
        s->rows->cells[1][i] = cell_of(s, &s->up, i) * s->rows->across + cell_of(s, &s->across, i);
    }
}

// Sorts items, all when null, by their cells: those of one stay in their order. `begins` has a place more than there
// are cells; afterwards it says where each begins.
static void sort_by(const int32_t *cells, const int32_t *items, int32_t count, int32_t *begins, int32_t cell_count,
                    int32_t *to)
{
    for (int32_t k = 0; k <= cell_count; k++)
        begins[k] = 0;
    for (int32_t i = 0; i < count; i++)
        begins[cells[i]]++;
    int32_t sum = 0;
    for (int32_t k = 0; k <= cell_count; k++) {
        int32_t here = begins[k];
        begins[k] = sum;
        sum += here;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t item = items ? items[i] : i;
        to[begins[cells[item]]++] = item;
    }
    for (int32_t k = cell_count; k > 0; k--)
        begins[k] = begins[k - 1];
    begins[0] = 0;
}

static void fill_values(void *data, int32_t chunk)
{
    const sorting *s = data;
    pli_rows *r = s->rows;
    float lifetime = (float)s->source->lifetime;
    for (int32_t rank = chunk * GRAIN; rank < chunk_end(s, chunk); rank++) {
        int32_t i = r->order[rank];
        const pli_particle *from = &s->source->starts[i], *way = &s->source->ways[i];
        r->values[0][rank] = from->x, r->values[1][rank] = from->y, r->values[2][rank] = from->z;
        r->values[3][rank] = way->x * lifetime, r->values[4][rank] = way->y * lifetime;
        r->values[5][rank] = way->z * lifetime;
        for (int k = 0; k < 3; k++)
            r->values[6 + k][rank] = s->source->rest[3 * (int64_t)i + k];
        r->values[9][rank] = middle(s->source, i, s->along.number);
    }
}

bool pli_rows_sort(pli_memory *memory, pli_tasks *tasks, pli_rows *rows, const pli_row_source *source,
                   const pli_bounds *starts, const pli_bounds *ways)
{
    sorting s = {.rows = rows, .source = source};
    lay_out(&s, starts, ways);
    if (!reserve(memory, &s))
        return false;
    pli_tasks_run(tasks, chunk_count(&s), choose_cells, &s);
    sort_by(rows->cells[0], NULL, source->count, rows->counts, (int32_t)s.along.most + 1, rows->sorted);
    sort_by(rows->cells[1], rows->sorted, source->count, rows->begins, rows->across * rows->up, rows->order);
    pli_tasks_run(tasks, chunk_count(&s), fill_values, &s);
    for (int k = 0; k < 3; k++)
        rows->balls.from[k] = rows->values[k], rows->balls.way[k] = rows->values[3 + k],
        rows->balls.rest[k] = rows->values[6 + k];
    rows->balls.along = rows->values[9];
    return true;
}

typedef struct finding {
    const pli_rows *rows;
    const pli_ball_kernels *kernels;
    int32_t row;
    pli_ball_pair *out;
    int32_t room, count;
} finding;

static void meet(finding *f, int32_t other)
{
    pli_ball_run ones = {f->rows->begins[f->row], f->rows->begins[f->row + 1]};
    pli_ball_run others = {f->rows->begins[other], f->rows->begins[other + 1]};
    bool full = f->count >= f->room;
    if (ones.begin < ones.end && others.begin < others.end)
        f->count += f->kernels->meet(&f->rows->balls, ones, others, full ? NULL : f->out + f->count,
                                     full ? 0 : f->room - f->count);
}

int32_t pli_rows_meet(const pli_rows *rows, const pli_ball_kernels *kernels, int32_t row, pli_ball_pair *out,
                      int32_t room)
{
    finding f = {rows, kernels, row, out, room, 0};
    int32_t across = row % rows->across;
    meet(&f, row);
    if (across + 1 < rows->across)
        meet(&f, row + 1);
    for (int32_t k = -1; k <= 1 && row / rows->across + 1 < rows->up; k++)
        if (across + k >= 0 && across + k < rows->across)
            meet(&f, row + rows->across + k);
    return f.count;
}

void pli_rows_release(pli_memory *memory, pli_rows *rows)
{
    void *arrays[] = {rows->order, rows->begins, rows->sorted, rows->counts, rows->cells[0], rows->cells[1]};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    for (int k = 0; k < VALUES; k++)
        pli_release(memory, rows->values[k]);
}
