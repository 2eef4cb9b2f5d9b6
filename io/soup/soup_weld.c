// Welds with a hash grid of cells that are four distances wide: the neighbours of a vertex are in its cell, or in the adjacent one if
// it is close to a side. The table contains only remaining vertices; they are farther apart than the distance, so a cell contains only
// a few.
#include "soup/soup_weld.h"

#include <pliant/mesh_attributes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NEAR = 1e-6, CELL = 4.0;

typedef struct cells {
    const float *positions;
    double low[3], distance, size;
    int32_t *heads, *next; // Remaining vertices, by bucket.
    uint32_t mask;
} cells;

static bool is_finite(const float *p) { return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]); }

static bool bounds_of(const float *positions, int32_t count, double low[3], double high[3])
{
    bool any = false;
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3 && is_finite(positions + 3 * (size_t)i); k++) {
            double x = (double)positions[3 * (size_t)i + (size_t)k];
            low[k] = any && low[k] < x ? low[k] : x;
            high[k] = any && high[k] > x ? high[k] : x;
            any = any || k == 2;
        }
    return any;
}

double pli_weld_distance(const float *positions, int32_t count)
{
    double low[3] = {0}, high[3] = {0}, sum = 0.0;
    bounds_of(positions, count, low, high);
    for (int k = 0; k < 3; k++)
        sum += (high[k] - low[k]) * (high[k] - low[k]);
    return NEAR * sqrt(sum);
}

static uint32_t bucket_of(const cells *c, const int64_t cell[3])
{
    uint64_t hash = 0;
    for (int k = 0; k < 3; k++)
        hash = (hash ^ (uint64_t)cell[k]) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(hash >> 32) & c->mask;
}

static void cell_at(const cells *c, const float *p, double shift, int64_t cell[3])
{
    for (int k = 0; k < 3; k++)
        cell[k] = c->size > 0.0 ? (int64_t)floor(((double)p[k] - c->low[k] + shift) / c->size) : 0;
}

static bool are_near(const cells *c, const float *a, const float *b)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    return sum <= c->distance * c->distance;
}

// The lowest remaining vertex near a position, or `else_this`.
static int32_t lowest_near(const cells *c, const float *p, int32_t else_this)
{
    int64_t first[3], last[3], at[3];
    int32_t lowest = else_this;
    cell_at(c, p, -c->distance, first);
    cell_at(c, p, c->distance, last);
    for (at[0] = first[0]; at[0] <= last[0]; at[0]++)
        for (at[1] = first[1]; at[1] <= last[1]; at[1]++)
            for (at[2] = first[2]; at[2] <= last[2]; at[2]++)
                for (int32_t i = c->heads[bucket_of(c, at)]; i >= 0; i = c->next[i])
                    if (i < lowest && are_near(c, p, c->positions + 3 * (size_t)i))
                        lowest = i;
    return lowest;
}

int32_t pli_weld_targets(const float *positions, int32_t count, double distance, int32_t *target)
{
    cells c = {.positions = positions, .distance = distance, .size = CELL * distance, .mask = 15};
    double high[3] = {0};
    bounds_of(positions, count, c.low, high);
    while (c.mask < 2 * (uint32_t)count)
        c.mask = 2 * c.mask + 1;
    c.heads = malloc(((size_t)c.mask + 1) * sizeof *c.heads);
    c.next = malloc(((size_t)count + 1) * sizeof *c.next);
    int32_t merged = c.heads && c.next ? 0 : -1;
    for (uint32_t b = 0; merged == 0 && b <= c.mask; b++)
        c.heads[b] = -1;
    for (int32_t i = 0; merged >= 0 && i < count; i++) {
        const float *p = positions + 3 * (size_t)i;
        int64_t cell[3];
        target[i] = i;
        if (!is_finite(p))
            continue;
        target[i] = lowest_near(&c, p, i);
        if (target[i] < i) {
            merged++;
            continue;
        }
        cell_at(&c, p, 0.0, cell);
        uint32_t bucket = bucket_of(&c, cell);
        c.next[i] = c.heads[bucket];
        c.heads[bucket] = i;
    }
    free(c.heads);
    free(c.next);
    return merged;
}

/* ---- faces ---------------------------------------------------------------------------------------- */

// Moves the layer data of corner or face `from` to `to`, which must not be above it.
static void move_layers(pli_soup_layers *layers, pli_layer_domain domain, int32_t from, int32_t to)
{
    for (int32_t i = 0; from != to && i < layers->count; i++) {
        pli_soup_layer *layer = &layers->items[i];
        size_t size = (size_t)layer->width * sizeof(float);
        if (layer->domain != domain)
            continue;
        if (domain == PLI_LAYER_CORNER && to < layer->corner_count)
            layer->corners[to] = from < layer->corner_count ? layer->corners[from] : -1;
        if (domain == PLI_LAYER_FACE && from < layer->count)
            memmove((char *)layer->values + size * (size_t)to, (char *)layer->values + size * (size_t)from, size);
        else if (domain == PLI_LAYER_FACE && to < layer->count)
            memset((char *)layer->values + size * (size_t)to, 0, size);
    }
}

// Renumbers the faces in groups; faces with the new number -1 are dropped.
static void renumber_groups(pli_soup_groups *groups, const int32_t *renumbered)
{
    for (int32_t g = 0; g < groups->count; g++) {
        pli_soup_group *group = &groups->items[g];
        int32_t kept = 0;
        if (group->kind == PLI_GROUP_VERTICES)
            continue;
        for (int32_t i = 0; i < group->count; i++) {
            int32_t face = renumbered[group->elements[i]];
            if (face < 0)
                continue;
            if (group->weights)
                group->weights[kept] = group->weights[i];
            group->elements[kept++] = face;
        }
        group->count = kept;
    }
}

// Whether welding merged a corner, of the face from `first` up to `end`, with the previous corner.
static bool is_lost(const pli_polygons *p, int32_t first, int32_t end, int32_t c)
{
    int32_t before = c > first ? c - 1 : end - 1;
    return p->corners[c] == p->corners[before] && p->file_corners[c] != p->file_corners[before];
}

static int32_t count_left(const pli_polygons *p, int32_t first, int32_t end)
{
    int32_t left = 0;
    for (int32_t c = first; c < end; c++)
        left += !is_lost(p, first, end, c);
    return left;
}

// Drops degenerate corners and faces, after `corners` have been set to welded vertices. Corners move down over those already processed.
static void drop_lost(pli_polygons *p, int32_t *renumbered)
{
    int32_t faces = 0, corners = 0, end = 0;
    for (int32_t f = 0; f < p->face_count; f++) {
        int32_t first = end, size = p->sizes[f];
        end += size;
        int32_t left = count_left(p, first, end);
        renumbered[f] = left >= 3 || left == size ? faces : -1;
        if (renumbered[f] < 0)
            continue;
        for (int32_t c = first; c < end; c++) {
            if (is_lost(p, first, end, c))
                continue;
            move_layers(&p->layers, PLI_LAYER_CORNER, c, corners);
            p->file_corners[corners] = p->file_corners[c];
            p->corners[corners++] = p->corners[c];
        }
        move_layers(&p->layers, PLI_LAYER_FACE, f, faces);
        p->sizes[faces++] = left;
    }
    p->face_count = faces;
    p->corner_count = corners;
    renumber_groups(&p->groups, renumbered);
}

// Converts targets to indices of the remaining vertices, and moves their positions. Returns the number of remaining vertices.
static int32_t keep_targets(pli_polygons *p, int32_t *target)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < p->vertex_count; i++) {
        if (target[i] != i) {
            target[i] = target[target[i]];
            continue;
        }
        memmove(p->positions + 3 * (size_t)kept, p->positions + 3 * (size_t)i, 3 * sizeof(float));
        target[i] = kept++;
    }
    return kept;
}

bool pli_polygons_weld(pli_polygons *p, pli_weld_counts *counts)
{
    p->merged = malloc(((size_t)p->vertex_count + 1) * sizeof *p->merged);
    p->file_corners = malloc(((size_t)p->corner_count + 1) * sizeof *p->file_corners);
    int32_t *renumbered = malloc(((size_t)p->face_count + 1) * sizeof *renumbered);
    *counts = (pli_weld_counts){0};
    if (p->merged && p->file_corners && renumbered)
        counts->merged = pli_weld_targets(p->positions, p->vertex_count,
                                          pli_weld_distance(p->positions, p->vertex_count), p->merged);
    bool fine = p->merged && p->file_corners && renumbered && counts->merged >= 0;
    if (fine) {
        p->file_vertex_count = p->vertex_count;
        p->vertex_count = keep_targets(p, p->merged);
        for (int32_t i = 0; i < p->corner_count; i++) {
            p->file_corners[i] = p->corners[i];
            if (p->corners[i] >= 0 && p->corners[i] < p->file_vertex_count)
                p->corners[i] = p->merged[p->corners[i]];
        }
        counts->dropped = p->face_count;
        drop_lost(p, renumbered);
        counts->dropped -= p->face_count;
    }
    free(renumbered);
    return fine;
}
