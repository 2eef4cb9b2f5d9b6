// Optimal string alignment: Levenshtein's distance with swaps of neighbours (Damerau 1964).
#include "base/nearest_name.h"

enum { LETTERS_MAX = 63 };

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

static int32_t length_of(const char *text)
{
    int32_t length = 0;
    while (length < LETTERS_MAX && text[length])
        length++;
    return length;
}

int32_t pli_edit_distance(const char *a, const char *b)
{
    int32_t rows[3][LETTERS_MAX + 1]; // Distances of the last two letters of `a` and of this one.
    int32_t height = length_of(a), width = length_of(b);
    for (int32_t j = 0; j <= width; j++)
        rows[0][j] = j;
    for (int32_t i = 1; i <= height; i++) {
        int32_t *row = rows[i % 3];
        const int32_t *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (int32_t j = 1; j <= width; j++) {
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[height % 3][width];
}

const char *pli_nearest_name(const char *name, const char *const *names, int32_t count)
{
    const char *nearest = "";
    int32_t shortest = INT32_MAX;
    for (int32_t i = 0; i < count; i++) {
        int32_t distance = pli_edit_distance(name, names[i]);
        if (distance < shortest) {
            shortest = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

int32_t pli_slips_allowed(const char *name)
{
    int32_t third = length_of(name) / 3 + 1;
    return third < 2 ? 2 : third;
}
