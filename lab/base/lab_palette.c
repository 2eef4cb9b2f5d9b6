// Median cut (Heckbert 1982, Color Image Quantization for Frame Buffer Display): the box of colours with the largest
// spread is cut at its median until there are enough boxes; each pixel takes the mean of its box. Pixels are counted by
// colours of 6 bits a channel, with the sums that give the means exactly.
#include "base/lab_palette.h"

#include "base/lab_memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 6, LEVELS = 1 << BITS, CELLS = LEVELS * LEVELS * LEVELS };

// Pixels whose colours agree in their upper bits.
typedef struct cell {
    int64_t count, sum[3];
    double squares[3];
    uint8_t key[3], colour[3]; // Upper bits, and the colour that replaces them.
} cell;

// A range of cells.
typedef struct box {
    int32_t start, count;
    double error; // Sum of squares about the mean along the axis with the largest.
    int32_t axis;
} box;

static int32_t key_of(const uint8_t *pixel)
{
    return (pixel[0] >> (8 - BITS)) << 2 * BITS | (pixel[1] >> (8 - BITS)) << BITS | pixel[2] >> (8 - BITS);
}

static void count_pixels(const uint8_t *pixels, int32_t count, cell *cells)
{
    for (int32_t i = 0; i < count; i++) {
        cell *c = &cells[key_of(&pixels[4 * i])];
        c->count++;
        for (int32_t k = 0; k < 3; k++) {
            c->key[k] = pixels[4 * i + k] >> (8 - BITS);
            c->sum[k] += pixels[4 * i + k];
            c->squares[k] += (double)pixels[4 * i + k] * pixels[4 * i + k];
        }
    }
}

static void measure(box *b, cell *const *cells)
{
    b->error = 0.0;
    b->axis = 0;
    for (int32_t k = 0; k < 3; k++) {
        double count = 0.0, sum = 0.0, squares = 0.0;
        for (int32_t i = b->start; i < b->start + b->count; i++) {
            count += (double)cells[i]->count;
            sum += (double)cells[i]->sum[k];
            squares += cells[i]->squares[k];
        }
        double error = squares - sum * sum / count;
        if (b->count > 1 && error > b->error) {
            b->error = error;
            b->axis = k;
        }
    }
}

static int by_key(const cell *a, const cell *b, int32_t axis)
{
    for (int32_t k = 0; k < 3; k++) {
        int32_t i = (axis + k) % 3;
        if (a->key[i] != b->key[i])
            return a->key[i] < b->key[i] ? -1 : 1;
    }
    return 0;
}

static int by_red(const void *a, const void *b) { return by_key(*(cell *const *)a, *(cell *const *)b, 0); }
static int by_green(const void *a, const void *b) { return by_key(*(cell *const *)a, *(cell *const *)b, 1); }
static int by_blue(const void *a, const void *b) { return by_key(*(cell *const *)a, *(cell *const *)b, 2); }

// Cuts a box at the median of its pixels along its axis; the second half is returned.
static box cut(box *b, cell **cells)
{
    static int (*const orders[3])(const void *, const void *) = {by_red, by_green, by_blue};
    qsort(&cells[b->start], (size_t)b->count, sizeof(cell *), orders[b->axis]);
    int64_t all = 0, below = 0;
    for (int32_t i = 0; i < b->count; i++)
        all += cells[b->start + i]->count;
    int32_t half = 0;
    while (half < b->count - 1 && (half == 0 || 2 * (below + cells[b->start + half]->count) <= all))
        below += cells[b->start + half++]->count;
    box upper = {.start = b->start + half, .count = b->count - half};
    b->count = half;
    measure(b, cells);
    measure(&upper, cells);
    return upper;
}

static void colour(const box *b, cell *const *cells)
{
    for (int32_t k = 0; k < 3; k++) {
        int64_t count = 0, sum = 0;
        for (int32_t i = b->start; i < b->start + b->count; i++) {
            count += cells[i]->count;
            sum += cells[i]->sum[k];
        }
        for (int32_t i = b->start; i < b->start + b->count; i++)
            cells[i]->colour[k] = (uint8_t)((sum + count / 2) / count);
    }
}

void lab_palette_apply(uint8_t *pixels, int32_t count)
{
    cell *cells = lab_grow(NULL, CELLS, sizeof *cells);
    cell **used = lab_grow(NULL, CELLS, sizeof *used);
    box boxes[LAB_PALETTE_MAX] = {{0}};
    int32_t found = 1;
    memset(cells, 0, CELLS * sizeof *cells);
    count_pixels(pixels, count, cells);
    for (int32_t i = 0; i < CELLS; i++)
        if (cells[i].count > 0)
            used[boxes[0].count++] = &cells[i];
    measure(&boxes[0], used);
    while (found < LAB_PALETTE_MAX) {
        box *worst = &boxes[0];
        for (int32_t i = 1; i < found; i++)
            worst = boxes[i].error > worst->error ? &boxes[i] : worst;
        if (worst->count < 2)
            break;
        boxes[found++] = cut(worst, used);
    }
    for (int32_t i = 0; i < found; i++)
        colour(&boxes[i], used);
    for (int32_t i = 0; i < count; i++)
        memcpy(&pixels[4 * i], cells[key_of(&pixels[4 * i])].colour, 3);
    free(cells);
    free(used);
}
