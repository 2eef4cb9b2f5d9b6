#include "lessons/neighbors.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const pli_view_row *left = a, *right = b;
    const int32_t differences[] = {left->low - right->low, left->high - right->high, left->edge - right->edge};
    for (int i = 0; i < 3; i++)
        if (differences[i] != 0)
            return differences[i];
    return 0;
}

pli_view_row *pli_view_rows_make(const pli_topology *t, int32_t walked, int32_t stride)
{
    const int32_t count = 3 * t->triangle_count;
    pli_view_row *rows = calloc((size_t)count + 1, sizeof *rows);
    for (int32_t i = 0; rows && i < count; i++) {
        const int32_t a = t->triangles[i], b = t->triangles[i % 3 == 2 ? i - 2 : i + 1];
        rows[i] = (pli_view_row){a < b ? a : b, a < b ? b : a, i, false};
    }
    if (!rows)
        return NULL;
    qsort(rows, (size_t)count, sizeof *rows, compare);
    for (int32_t i = 0; i + 1 < count && i < walked;) {
        const bool same = rows[i].low == rows[i + 1].low && rows[i].high == rows[i + 1].high;
        rows[i].shared = rows[i].shared || same;
        rows[i + 1].shared = rows[i + 1].shared || same;
        i += same ? 2 : stride;
    }
    return rows;
}

int32_t pli_view_rows_found(const pli_view_row *rows, int32_t count)
{
    int32_t found = 0;
    for (int32_t i = 0; rows && i < count; i++)
        found += rows[i].shared;
    return found / 2;
}
