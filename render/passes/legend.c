// Draws the colour legend; its letters are a bitmap font of five by seven dots.
#include "passes/legend.h"

#include "gl/colour_map.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct glyph {
    char letter;
    unsigned char rows[7]; // Top first; bit 4 is the leftmost dot.
} glyph;

static const glyph glyphs[] = {
    {'0', {14, 17, 19, 21, 25, 17, 14}}, {'1', {4, 12, 4, 4, 4, 4, 14}},      {'2', {14, 17, 1, 6, 8, 16, 31}},
    {'3', {30, 1, 1, 14, 1, 1, 30}},     {'4', {2, 6, 10, 18, 31, 2, 2}},     {'5', {31, 16, 30, 1, 1, 17, 14}},
    {'6', {6, 8, 16, 30, 17, 17, 14}},   {'7', {31, 1, 2, 4, 8, 8, 8}},       {'8', {14, 17, 17, 14, 17, 17, 14}},
    {'9', {14, 17, 17, 15, 1, 2, 12}},   {'.', {0, 0, 0, 0, 0, 12, 12}},      {'-', {0, 0, 0, 31, 0, 0, 0}},
    {'+', {0, 4, 4, 31, 4, 4, 0}},       {'%', {24, 25, 2, 4, 8, 19, 3}},     {'/', {1, 1, 2, 4, 8, 16, 16}},
    {'a', {0, 0, 14, 1, 15, 17, 15}},    {'b', {16, 16, 30, 17, 17, 17, 30}}, {'c', {0, 0, 14, 17, 16, 17, 14}},
    {'d', {1, 1, 15, 17, 17, 17, 15}},   {'e', {0, 0, 14, 17, 31, 16, 14}},   {'f', {6, 9, 8, 28, 8, 8, 8}},
    {'g', {0, 15, 17, 17, 15, 1, 14}},   {'h', {16, 16, 30, 17, 17, 17, 17}}, {'i', {4, 0, 12, 4, 4, 4, 14}},
    {'j', {2, 0, 6, 2, 2, 18, 12}},      {'k', {16, 16, 18, 20, 24, 20, 18}}, {'l', {12, 4, 4, 4, 4, 4, 14}},
    {'m', {0, 0, 26, 21, 21, 21, 21}},   {'n', {0, 0, 30, 17, 17, 17, 17}},   {'o', {0, 0, 14, 17, 17, 17, 14}},
    {'p', {0, 0, 30, 17, 30, 16, 16}},   {'q', {0, 0, 15, 17, 15, 1, 1}},     {'r', {0, 0, 22, 25, 16, 16, 16}},
    {'s', {0, 0, 15, 16, 14, 1, 30}},    {'t', {8, 8, 28, 8, 8, 9, 6}},       {'u', {0, 0, 17, 17, 17, 17, 15}},
    {'v', {0, 0, 17, 17, 17, 10, 4}},    {'w', {0, 0, 17, 21, 21, 21, 10}},   {'x', {0, 0, 17, 10, 4, 10, 17}},
    {'y', {0, 17, 17, 17, 15, 1, 14}},   {'z', {0, 0, 31, 2, 4, 8, 31}},      {'[', {14, 8, 8, 8, 8, 8, 14}},
    {']', {14, 2, 2, 2, 2, 2, 14}},      {',', {0, 0, 0, 0, 12, 4, 8}},       {':', {0, 12, 12, 0, 12, 12, 0}},
    {'(', {2, 4, 8, 8, 8, 4, 2}},        {')', {8, 4, 2, 2, 2, 4, 8}},        {'=', {0, 0, 31, 0, 31, 0, 0}},
    {'_', {0, 0, 0, 0, 0, 0, 31}},       {'N', {17, 25, 21, 19, 17, 17, 17}},
};

enum { BAR_STEPS = 48, DOT_VERTICES = 6, TEXT_MAX = 40 };

typedef struct sheet {
    pli_vertex *vertices;
    int32_t count, capacity;
    float width, height;
    bool failed;
} sheet;

// A rectangle in pixels from the upper left corner.
static void add_rectangle(sheet *s, float x, float y, float w, float h, pli_vec3 low, pli_vec3 high)
{
    if (s->count + DOT_VERTICES > s->capacity) {
        int32_t capacity = 2 * s->capacity + 1024;
        pli_vertex *grown = realloc(s->vertices, (size_t)capacity * sizeof *grown);
        if (!grown) {
            s->failed = true;
            return;
        }
        s->vertices = grown;
        s->capacity = capacity;
    }
    const float left = 2.0f * x / s->width - 1.0f, right = 2.0f * (x + w) / s->width - 1.0f;
    const float top = 1.0f - 2.0f * y / s->height, bottom = 1.0f - 2.0f * (y + h) / s->height;
    const float corners[DOT_VERTICES][2] = {{left, bottom}, {right, bottom}, {left, top},
                                            {left, top},    {right, bottom}, {right, top}};
    for (int i = 0; i < DOT_VERTICES; i++) {
        pli_vec3 c = corners[i][1] == top ? high : low;
        s->vertices[s->count++] = (pli_vertex){
            {corners[i][0], corners[i][1], 0.0f}, {c.x, c.y, c.z}, 0.0f, {0.0f, 0.0f}, {0.0f, 0.0f}};
    }
}

// Letters without their own glyph use the glyph of the lower-case letter.
static const glyph *glyph_of(char letter)
{
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
        if (glyphs[i].letter == letter)
            return &glyphs[i];
    return isupper((unsigned char)letter) ? glyph_of((char)tolower((unsigned char)letter)) : NULL;
}

static void add_text(sheet *s, const char *text, float x, float y, float dot, pli_vec3 ink)
{
    for (size_t i = 0; i < TEXT_MAX && text[i]; i++) {
        const glyph *g = glyph_of(text[i]);
        for (int row = 0; g && row < 7; row++)
            for (int column = 0; column < 5; column++)
                if (g->rows[row] & (16 >> column))
                    add_rectangle(s, x + dot * (float)(6 * (int)i + column), y + dot * (float)row, dot, dot, ink, ink);
    }
}

static const pli_vec3 ink = {0.02f, 0.025f, 0.03f};

static float bar_height_of(const sheet *s) { return roundf(0.45f * s->height); }

static void add_bar(sheet *s, const pli_render_frame *f, float dot)
{
    const float bar_height = bar_height_of(s), bar_width = 9.0f * dot, x = 12.0f * dot,
                y = floorf(0.5f * (s->height - bar_height));
    add_text(s, f->legend, x, y - 16.0f * dot, dot, ink);
    add_rectangle(s, x - dot, y - dot, bar_width + 2.0f * dot, bar_height + 2.0f * dot, ink, ink);
    for (int i = 0; i < BAR_STEPS; i++) {
        float low = (float)i / BAR_STEPS, high = (float)(i + 1) / BAR_STEPS;
        add_rectangle(s, x, y + (1.0f - high) * bar_height, bar_width, bar_height / BAR_STEPS, pli_colour_map(low),
                      pli_colour_map(high));
    }
    for (int i = 0; i < 3; i++) {
        char number[32];
        float t = 0.5f * (float)i;
        snprintf(number, sizeof number, "%.3g",
                 (double)(f->legend_minimum + (f->legend_maximum - f->legend_minimum) * t));
        add_text(s, number, x + bar_width + 4.0f * dot, roundf(y + (1.0f - t) * bar_height - 3.5f * dot), dot, ink);
    }
}

// A list in the upper left corner, where pictures usually have little content, next to the bar and its title if there is one.
static void add_keys(sheet *s, const pli_render_frame *f, float dot)
{
    const float title = f->legend ? dot * (6.0f * (float)strlen(f->legend) + 12.0f) : 0.0f;
    const float row = 13.0f * dot, x = 12.0f * dot + title;
    for (int32_t i = 0; i < f->key_count; i++) {
        const float y = 12.0f * dot + row * (float)i;
        add_rectangle(s, x - dot, y - dot, 11.0f * dot, 9.0f * dot, ink, ink);
        add_rectangle(s, x, y, 9.0f * dot, 7.0f * dot, f->keys[i].colour, f->keys[i].colour);
        add_text(s, f->keys[i].name, x + 13.0f * dot, y, dot, ink);
    }
}

pli_vertex *pli_legend_make(const pli_render_frame *frame, int32_t width, int32_t height, int32_t *count)
{
    sheet s = {.width = (float)width, .height = (float)height};
    const float dot = height >= 400 ? 2.0f : 1.0f;
    if (frame->legend)
        add_bar(&s, frame, dot);
    add_keys(&s, frame, dot);
    *count = s.count;
    if (!s.failed)
        return s.vertices;
    free(s.vertices);
    return NULL;
}
