// Optimal string alignment: Levenshtein's distance with swaps of neighbours (Damerau 1964).
#include "base/nearest_name.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LETTERS_MAX = 63 };

static int32_t least_of_two(int32_t a, int32_t b) { return a < b ? a : b; }

static int32_t length_of(const char *text)
{
    int32_t length = 0;
    while (length < LETTERS_MAX && text[length])
        length++;
    return length;
}

int32_t pli_edit_distance(const char *a, const char *b)
{
    int32_t rows[3][LETTERS_MAX + 1]; // Distances for the last two letters of `a` and for the current letter.
    int32_t height = length_of(a), width = length_of(b);
    for (int32_t j = 0; j <= width; j++)
        rows[0][j] = j;
    for (int32_t i = 1; i <= height; i++) {
        int32_t *row = rows[i % 3];
        const int32_t *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (int32_t j = 1; j <= width; j++) {
            row[j] = least_of_two(least_of_two(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least_of_two(row[j], before[j - 2] + 1);
        }
    }
    return rows[height % 3][width];
}

int32_t pli_slips(const char *word, const char *name)
{
    size_t length = strlen(word);
    bool begins = length >= 3 && strncmp(name, word, length) == 0;
    return begins ? 1 : pli_edit_distance(word, name);
}

int32_t pli_slips_allowed(const char *word)
{
    int32_t length = length_of(word);
    return least_of_two(length / 3 + 1, length - 1);
}

const char *pli_meant_name(const char *word, const char *const *names, int32_t count)
{
    const char *meant = NULL;
    int32_t shortest = pli_slips_allowed(word) + 1;
    for (int32_t i = 0; i < count; i++) {
        int32_t slips = pli_slips(word, names[i]);
        if (slips < shortest) {
            shortest = slips;
            meant = names[i];
        }
    }
    return meant;
}

void pli_list_names(char list[PLI_NAME_LIST], const char *const *names, int32_t count)
{
    enum { FULL = PLI_NAME_LIST - 40 };
    list[0] = '\0';
    for (int32_t i = 0, more = 1; i < count && more; i++) {
        size_t used = strlen(list);
        more = used + strlen(names[i]) < FULL;
        snprintf(list + used, PLI_NAME_LIST - used, "%s%s", i ? ", " : "", more ? names[i] : "...");
    }
}
