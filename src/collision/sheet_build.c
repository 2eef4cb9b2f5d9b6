#include "collision/sheet_build.h"

#include <stdlib.h>
#include <string.h>

// Relative errors of areas and lengths that still count as none.
#define FLAT 1e-6
#define WHOLE 1e-5
// Of a patch: what two that only touch may seem to overlap.
#define TOUCH 1e-5

// Directions in the plane along which patches are measured: what holds them is cut by as many pairs of lines.
enum { DIRECTIONS = 8 };

// From where to where something is along each direction.
typedef struct outline {
    double low[DIRECTIONS], high[DIRECTIONS];
} outline;

typedef struct patch_list {
    int32_t *patches, count;
} patch_list;

typedef struct builder {
    pli_memory *memory;
    const pli_near_kernels *kernels;
    pli_patches *patches;
    const pli_patch_source *source;
    pli_sheet *sheet;
    pli_dvec3 axes[2]; // Of the plane.
    double area;
    double *flat;      // [2 * vertex_count] in the plane.
    uint8_t *sides;    // [edge_count] triangles at each.
    pli_bounds *boxes; // [patches] in the plane, at rest.
    outline *outlines; // [patches]
    double directions[DIRECTIONS][2];
    float *steepest, *slimmest; // [patches] as the sheet's, of a patch alone.
    int32_t *slots;        // [patches] where it is among those about the patch that is looked at; -1 when it is not.
    patch_list near, both; // Those near a patch, and those that lie about two.
    int32_t place_count, place_capacity, weight_capacity;
    bool complete;
} builder;

static pli_dvec3 corner(const pli_patch_source *s, int32_t triangle, int k)
{
    const float *p = s->rest + 3 * s->triangles[3 * triangle + k];
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

// Whether all triangles lie in one plane and look the same way.
static bool find_plane(builder *b)
{
    pli_dvec3 sum = {0, 0, 0};
    double total = 0.0;
    for (int32_t t = 0; t < b->source->triangle_count; t++) {
        pli_dvec3 a = corner(b->source, t, 0);
        pli_dvec3 twice = pli_dcross(pli_dsub(corner(b->source, t, 1), a), pli_dsub(corner(b->source, t, 2), a));
        sum = pli_dadd(sum, twice);
        total += pli_dlength(twice);
    }
    double length = pli_dlength(sum);
    if (!(length > 0.0) || !(length >= (1.0 - FLAT) * total))
        return false;
    b->area = 0.5 * length;
    pli_dvec3 normal = pli_dscale(sum, 1.0 / length);
    pli_dvec3 any = fabs(normal.x) < 0.6 ? (pli_dvec3){1, 0, 0} : (pli_dvec3){0, 1, 0};
    b->axes[0] = pli_dcross(normal, any);
    b->axes[0] = pli_dscale(b->axes[0], 1.0 / pli_dlength(b->axes[0]));
    b->axes[1] = pli_dcross(normal, b->axes[0]);
    return true;
}

static void flatten(builder *b)
{
    for (int32_t v = 0; v < b->source->vertex_count; v++) {
        const float *p = b->source->rest + 3 * v;
        pli_dvec3 at = {(double)p[0], (double)p[1], (double)p[2]};
        for (int k = 0; k < 2; k++)
            b->flat[2 * v + k] = pli_ddot(at, b->axes[k]);
    }
}

static int by_place(const void *left, const void *right)
{
    const double *a = left, *b = right;
    int x = (a[0] > b[0]) - (a[0] < b[0]);
    return x != 0 ? x : (a[1] > b[1]) - (a[1] < b[1]);
}

// Twice the area to the left of a b c.
static double turn(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// One half of the hull of points that are sorted, `step` 1 or -1; the points of it go before `hull`. How many.
static int32_t half_hull(const double *points, int32_t count, int32_t step, double *hull)
{
    int32_t size = 0;
    for (int32_t i = 0; i < count; i++) {
        const double *p = points + 2 * (step > 0 ? i : count - 1 - i);
        while (size >= 2 && turn(hull + 2 * (size - 2), hull + 2 * (size - 1), p) <= 0.0)
            size--;
        hull[2 * size] = p[0], hull[2 * size + 1] = p[1];
        size++;
    }
    return size;
}

static double hull_area(const double *hull, int32_t size)
{
    double twice = 0.0;
    for (int32_t i = 2; i < size; i++)
        twice += turn(hull, hull + 2 * (i - 1), hull + 2 * i);
    return 0.5 * twice;
}

static double path_length(const double *hull, int32_t size)
{
    double length = 0.0;
    for (int32_t i = 1; i < size; i++)
        length += hypot(hull[2 * i] - hull[2 * i - 2], hull[2 * i + 1] - hull[2 * i - 1]);
    return length;
}

// Whether triangles cover the hull of the border once, and there is no border but the hull's: no hole, slit or seam.
static bool covers_hull(builder *b, double *points, int32_t count, double border)
{
    qsort(points, (size_t)count, 2 * sizeof *points, by_place);
    double *hull = points + 2 * count, area = 0.0, length = 0.0;
    for (int32_t step = 1; step >= -1; step -= 2) {
        int32_t size = half_hull(points, count, step, hull);
        area += hull_area(hull, size);
        length += path_length(hull, size);
    }
    return fabs(area - b->area) <= WHOLE * area && fabs(length - border) <= WHOLE * length;
}

static bool is_whole(builder *b)
{
    const pli_patch_source *s = b->source;
    for (int32_t i = 0; i < 3 * s->triangle_count; i++)
        if (b->sides[s->side_edges[i]] < 3)
            b->sides[s->side_edges[i]]++;
    int32_t count = 0;
    for (int32_t e = 0; e < s->edge_count; e++) {
        if (b->sides[e] != 1 && b->sides[e] != 2)
            return false;
        count += b->sides[e] == 1;
    }
    double *points = PLI_ALLOCATE(b->memory, double, 8 * (int64_t)count + 8), border = 0.0;
    b->complete = points != NULL;
    for (int32_t e = 0, at = 0; points && e < s->edge_count; e++) {
        if (b->sides[e] != 1)
            continue;
        const double *p = b->flat + 2 * s->edges[2 * e], *q = b->flat + 2 * s->edges[2 * e + 1];
        border += hypot(p[0] - q[0], p[1] - q[1]);
        memcpy(points + 4 * at, p, 2 * sizeof *p);
        memcpy(points + 4 * at++ + 2, q, 2 * sizeof *q);
    }
    bool whole = points && covers_hull(b, points, 2 * count, border);
    pli_release(b->memory, points);
    return whole;
}

// The largest factor by which a 2 x 2 matrix makes something longer.
static double factor_of(const double m[4])
{
    double square = m[0] * m[0] + m[1] * m[1] + m[2] * m[2] + m[3] * m[3], area = m[0] * m[3] - m[1] * m[2];
    return sqrt(0.5 * (square + sqrt(fmax(square * square - 4.0 * area * area, 0.0))));
}

// The inverse of the two sides from the first corner, as columns.
static bool invert(const builder *b, int32_t triangle, float out[4], double *factor)
{
    const int32_t *at = b->source->triangles + 3 * triangle;
    const double *p = b->flat + 2 * at[0], *q = b->flat + 2 * at[1], *r = b->flat + 2 * at[2];
    const double m[4] = {q[0] - p[0], r[0] - p[0], q[1] - p[1], r[1] - p[1]};
    double area = m[0] * m[3] - m[1] * m[2];
    const double inverse[4] = {m[3] / area, -m[1] / area, -m[2] / area, m[0] / area};
    *factor = factor_of(inverse);
    for (int k = 0; k < 4; k++)
        out[k] = (float)inverse[k];
    return area > 0.0 && *factor < 1e30;
}

// One over the least height: the longest side over twice the area.
static double slimness_of(const builder *b, int32_t triangle)
{
    const int32_t *at = b->source->triangles + 3 * triangle;
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        const double *p = b->flat + 2 * at[k], *q = b->flat + 2 * at[(k + 1) % 3];
        longest = fmax(longest, hypot(p[0] - q[0], p[1] - q[1]));
    }
    return longest / turn(b->flat + 2 * at[0], b->flat + 2 * at[1], b->flat + 2 * at[2]);
}

// Which of the patch's places a vertex is, and a new one if it is none yet.
static int32_t place_of(pli_slope_patch *patch, int32_t *places, int32_t vertex)
{
    for (int32_t i = 0; i < patch->count; i++)
        if (places[i] == vertex)
            return i;
    places[patch->count] = vertex;
    return patch->count++;
}

static void measure_directions(builder *b)
{
    for (int32_t i = 0; i < DIRECTIONS; i++) {
        b->directions[i][0] = cos(3.14159265358979 * i / DIRECTIONS);
        b->directions[i][1] = sin(3.14159265358979 * i / DIRECTIONS);
    }
}

static void include(const builder *b, int32_t patch, const double at[2])
{
    outline *o = &b->outlines[patch];
    pli_bounds_include(&b->boxes[patch], (pli_vec3){(float)at[0], (float)at[1], 0.0f});
    for (int32_t i = 0; i < DIRECTIONS; i++) {
        double along = at[0] * b->directions[i][0] + at[1] * b->directions[i][1];
        o->low[i] = fmin(o->low[i], along);
        o->high[i] = fmax(o->high[i], along);
    }
}

static outline outline_empty(void)
{
    outline o;
    for (int32_t i = 0; i < DIRECTIONS; i++)
        o.low[i] = INFINITY, o.high[i] = -INFINITY;
    return o;
}

static void widen(outline *o, const outline *by)
{
    for (int32_t i = 0; i < DIRECTIONS; i++) {
        o->low[i] = fmin(o->low[i], by->low[i]);
        o->high[i] = fmax(o->high[i], by->high[i]);
    }
}

static bool has_part_in(const outline *p, const outline *all)
{
    for (int32_t i = 0; i < DIRECTIONS; i++) {
        double touch = TOUCH * (p->high[i] - p->low[i]);
        if (p->high[i] - touch < all->low[i] || p->low[i] + touch > all->high[i])
            return false;
    }
    return true;
}

// Lays out a triangle of a patch, and once more for lanes that have none of their own.
static bool lay_triangle(const builder *b, int32_t patch, int32_t lane, int32_t triangle, bool again)
{
    const pli_sheet *sheet = b->sheet;
    pli_slope_patch *p = &sheet->patches[patch];
    int32_t first = b->place_count, *corners = sheet->corners + 3 * PLI_SLOPE_LANES * (int64_t)patch;
    float inverse[4], *rows = sheet->inverses + PLI_SLOPE_INVERSES * PLI_SLOPE_LANES * (int64_t)patch;
    double factor;
    if (!invert(b, triangle, inverse, &factor))
        return false;
    b->steepest[patch] = pli_higher(b->steepest[patch], (float)factor * 1.001f);
    b->slimmest[patch] = pli_higher(b->slimmest[patch], (float)slimness_of(b, triangle) * 1.001f);
    for (int32_t k = 0; k < 3; k++) {
        int32_t vertex = b->source->triangles[3 * triangle + k], place = place_of(p, sheet->places + first, vertex);
        include(b, patch, b->flat + 2 * vertex);
        for (int32_t end = 0; end < 2; end++)
            corners[k * PLI_SLOPE_LANES + end * PLI_SLOPE_TRIANGLES + lane] = place;
        for (int32_t i = 0; i < 2 && !again; i++)
            sheet->weights[2 * (first + place) + i] += k == 0 ? -inverse[i] - inverse[2 + i] : inverse[2 * (k - 1) + i];
    }
    for (int32_t i = 0; i < PLI_SLOPE_INVERSES; i++)
        for (int32_t end = 0; end < 2; end++)
            rows[i * PLI_SLOPE_LANES + end * PLI_SLOPE_TRIANGLES + lane] = inverse[i];
    return true;
}

static bool lay_patch(builder *b, int32_t patch)
{
    const pli_patches *p = b->patches;
    pli_slope_patch *to = &b->sheet->patches[patch];
    int32_t first = p->starts[PLI_PRIMITIVE_TRIANGLE][patch], count = p->ends[PLI_PRIMITIVE_TRIANGLE][patch] - first;
    b->boxes[patch] = pli_bounds_empty();
    b->outlines[patch] = outline_empty();
    for (int32_t lane = 0; lane < PLI_SLOPE_TRIANGLES; lane++) {
        int32_t triangle = p->items[PLI_PRIMITIVE_TRIANGLE][first + (lane < count ? lane : 0)];
        if (!lay_triangle(b, patch, lane, triangle, lane >= count))
            return false;
    }
    int32_t *corners = b->sheet->corners + 3 * PLI_SLOPE_LANES * (int64_t)patch;
    for (int32_t i = 0; i < 3 * PLI_SLOPE_LANES; i++)
        corners[i] += i % PLI_SLOPE_LANES < PLI_SLOPE_TRIANGLES ? 0 : to->count;
    to->corners = corners;
    to->inverses = b->sheet->inverses + PLI_SLOPE_INVERSES * PLI_SLOPE_LANES * (int64_t)patch;
    b->place_count += to->count;
    return true;
}

static bool reserve_places(builder *b)
{
    int64_t count = (int64_t)b->place_count + PLI_SLOPE_PLACES;
    b->complete = pli_reserve(b->memory, &b->sheet->places, &b->place_capacity, count, sizeof *b->sheet->places) &&
                  pli_reserve(b->memory, &b->sheet->weights, &b->weight_capacity, 2 * count, sizeof *b->sheet->weights);
    return b->complete;
}

static bool lay_patches(builder *b)
{
    const pli_patches *p = b->patches;
    for (int32_t patch = 0; patch < p->count; patch++) {
        if (!reserve_places(b) || !lay_patch(b, patch))
            return false;
        const pli_passage stays = {b->boxes[patch], b->boxes[patch]};
        pli_box_tree_set(&b->patches->tree, patch, &stays);
    }
    pli_box_tree_fit(&b->patches->tree, NULL);
    const int32_t *places = b->sheet->places;
    const float *weights = b->sheet->weights;
    for (int32_t patch = 0; patch < p->count; patch++) {
        pli_slope_patch *to = &b->sheet->patches[patch];
        to->places = places, to->weights = weights;
        places += to->count, weights += 2 * to->count;
    }
    return true;
}

static bool found_patch(void *data, int32_t patch)
{
    patch_list *list = data;
    list->patches[list->count++] = patch;
    return true;
}

static void find(const builder *b, pli_bounds box, int32_t first, patch_list *list)
{
    list->count = 0;
    const pli_passage stays = {box, box};
    pli_box_tree_query(&b->patches->tree, b->kernels, &stays, first, found_patch, list);
}

static void find_between(builder *b, int32_t one, int32_t other)
{
    int32_t kept = 0;
    outline all = b->outlines[one];
    widen(&all, &b->outlines[other]);
    find(b, pli_bounds_join(b->boxes[one], b->boxes[other]), 0, &b->both);
    for (int32_t i = 0; i < b->both.count; i++)
        if (has_part_in(&b->outlines[b->both.patches[i]], &all))
            b->both.patches[kept++] = b->both.patches[i];
    b->both.count = kept;
}

// Which of those about a patch lie about it and another one. They get a place there if there is room for all.
static bool cover(builder *b, int32_t first_about, uint64_t *bits)
{
    pli_sheet *sheet = b->sheet;
    int32_t more = 0;
    for (int32_t i = 0; i < b->both.count; i++)
        more += b->slots[b->both.patches[i]] < 0;
    if (sheet->about_count - first_about + more > PLI_SHEET_ABOUT)
        return false;
    *bits = 0;
    for (int32_t i = 0; i < b->both.count; i++) {
        int32_t *slot = &b->slots[b->both.patches[i]];
        if (*slot < 0) {
            *slot = sheet->about_count - first_about;
            sheet->abouts[sheet->about_count++] = b->both.patches[i];
        }
        *bits |= UINT64_C(1) << *slot;
    }
    return true;
}

static bool reserve_partner(builder *b)
{
    pli_sheet *s = b->sheet;
    return pli_reserve(b->memory, &s->partners, &s->partner_capacity, (int64_t)s->partner_count + 1,
                       sizeof *s->partners) &&
           pli_reserve(b->memory, &s->covers, &s->cover_capacity, (int64_t)s->partner_count + 1, sizeof *s->covers);
}

// Those that have more about them than there is room for are no partners, and searched as others are.
static void match_patch(builder *b, int32_t patch, float near)
{
    pli_sheet *sheet = b->sheet;
    int32_t first_about = sheet->about_count;
    sheet->partner_starts[patch] = sheet->partner_count;
    sheet->about_starts[patch] = first_about;
    find(b, pli_bounds_grow(b->boxes[patch], near), patch, &b->near);
    b->complete = pli_reserve(b->memory, &sheet->abouts, &sheet->about_capacity, (int64_t)first_about + PLI_SHEET_ABOUT,
                              sizeof *sheet->abouts);
    for (int32_t i = 0; i < b->near.count && b->complete; i++) {
        int32_t partner = b->near.patches[i];
        find_between(b, patch, partner);
        b->complete = reserve_partner(b);
        if (b->complete && cover(b, first_about, &sheet->covers[sheet->partner_count]))
            sheet->partners[sheet->partner_count++] = partner;
    }
    for (int32_t i = first_about; i < sheet->about_count; i++) {
        int32_t at = sheet->abouts[i];
        b->slots[at] = -1;
        sheet->steepest[patch] = pli_higher(sheet->steepest[patch], b->steepest[at]);
        sheet->slimmest[patch] = pli_higher(sheet->slimmest[patch], b->slimmest[at]);
    }
}

static void match_patches(builder *b, float near)
{
    pli_sheet *sheet = b->sheet;
    int32_t count = b->patches->count;
    for (int32_t patch = 0; patch < count; patch++)
        b->slots[patch] = -1;
    for (int32_t patch = 0; patch < count && b->complete; patch++)
        match_patch(b, patch, near);
    sheet->partner_starts[count] = sheet->partner_count;
    sheet->about_starts[count] = sheet->about_count;
}

static bool allocate_sheet(builder *b)
{
    pli_sheet *s = b->sheet = PLI_ALLOCATE(b->memory, pli_sheet, 1);
    int64_t patches = b->patches->count;
    if (!s)
        return false;
    s->patch_count = b->patches->count;
    s->patches = PLI_ALLOCATE(b->memory, pli_slope_patch, patches);
    s->corners = PLI_ALLOCATE(b->memory, int32_t, 3 * PLI_SLOPE_LANES * patches);
    s->inverses = PLI_ALLOCATE(b->memory, float, PLI_SLOPE_INVERSES *PLI_SLOPE_LANES *patches);
    s->slopes = PLI_ALLOCATE(b->memory, float, PLI_SLOPE_ROWS *PLI_SLOPE_LANES *patches);
    s->sums = PLI_ALLOCATE(b->memory, pli_particle, 2 * patches);
    s->steepest = PLI_ALLOCATE(b->memory, float, patches);
    s->slimmest = PLI_ALLOCATE(b->memory, float, patches);
    s->partner_starts = PLI_ALLOCATE(b->memory, int32_t, patches + 1);
    s->about_starts = PLI_ALLOCATE(b->memory, int32_t, patches + 1);
    s->listed = PLI_ALLOCATE(b->memory, uint64_t, patches);
    s->doubtful = PLI_ALLOCATE(b->memory, uint64_t, patches);
    return s->patches && s->corners && s->inverses && s->slopes && s->sums && s->steepest && s->slimmest &&
           s->partner_starts && s->about_starts && s->listed && s->doubtful;
}

static bool allocate(builder *b)
{
    int64_t patches = b->patches->count;
    b->flat = PLI_ALLOCATE(b->memory, double, 2 * (int64_t)b->source->vertex_count);
    b->sides = PLI_ALLOCATE(b->memory, uint8_t, b->source->edge_count);
    b->boxes = PLI_ALLOCATE(b->memory, pli_bounds, patches);
    b->outlines = PLI_ALLOCATE(b->memory, outline, patches);
    b->steepest = PLI_ALLOCATE(b->memory, float, patches);
    b->slimmest = PLI_ALLOCATE(b->memory, float, patches);
    b->slots = PLI_ALLOCATE(b->memory, int32_t, patches);
    b->near.patches = PLI_ALLOCATE(b->memory, int32_t, patches);
    b->both.patches = PLI_ALLOCATE(b->memory, int32_t, patches);
    return b->flat && b->sides && b->boxes && b->outlines && b->steepest && b->slimmest && b->slots &&
           b->near.patches && b->both.patches;
}

static void release(builder *b)
{
    void *arrays[] = {b->flat,     b->sides, b->boxes,        b->outlines,    b->steepest,
                      b->slimmest, b->slots, b->near.patches, b->both.patches};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(b->memory, arrays[i]);
}

bool pli_sheet_build(pli_memory *memory, const pli_near_kernels *kernels, pli_patches *patches,
                     const pli_patch_source *source, float near, pli_sheet **sheet)
{
    builder b = {.memory = memory, .kernels = kernels, .patches = patches, .source = source, .complete = true};
    *sheet = NULL;
    if (source->triangle_count == 0 || !find_plane(&b))
        return true;
    bool is_sheet = false;
    b.complete = allocate(&b) && allocate_sheet(&b);
    if (b.complete) {
        flatten(&b);
        measure_directions(&b);
        is_sheet = is_whole(&b) && lay_patches(&b);
    }
    if (b.complete && is_sheet)
        match_patches(&b, near);
    release(&b);
    if (b.complete && is_sheet)
        *sheet = b.sheet;
    else
        pli_sheet_release(memory, b.sheet);
    return b.complete;
}

void pli_sheet_release(pli_memory *memory, pli_sheet *sheet)
{
    if (!sheet)
        return;
    void *arrays[] = {sheet->patches,      sheet->places,         sheet->weights,  sheet->corners,
                      sheet->inverses,     sheet->slopes,         sheet->sums,     sheet->steepest,
                      sheet->slimmest,     sheet->partner_starts, sheet->partners, sheet->covers,
                      sheet->about_starts, sheet->abouts,         sheet->listed,   sheet->doubtful};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    pli_release(memory, sheet);
}
