// The certificate. Along the straight line at rest between two points X and Y of a convex sheet, the way x - y between
// their images is the sum of pieces, each mapped by the gradient F of the triangle it lies in. If all these gradients are
// within `off` of one linear map A, then |x - y| >= (s - off) |X - Y|, s being the least stretch of A: what is apart at
// rest is apart. Gradients of straight ways go straight too, so that looking at both ends is enough.
//
// Volino and Magnenat-Thalmann 1994 conclude from normals and contours; gradients need no contour, and bound distances.
#include "collision/sheet.h"

#include <stdlib.h>
#include <string.h>

// Of a distance at rest, what the certificate leaves at least while all keep to their ways; and what is left of it
// when they leave them as far as they may.
#define LEAST_SHARE 0.7f
#define LEFT_SHARE 0.1f
// Beyond three times `off`, a straight line between two points is nearer to the surface's plane than to its normal, so
// that no point lies over the inside of a triangle.
#define OFF_FACTOR 3.2f
// Relative errors of areas and lengths that still count as none.
#define FLAT 1e-6
#define WHOLE 1e-5

typedef struct builder {
    pli_memory *memory;
    pli_patches *patches;
    const pli_patch_source *source;
    pli_sheet *sheet;
    pli_dvec3 axes[2]; // Of the plane.
    double area;
    double *flat;      // [2 * vertex_count] in the plane.
    uint8_t *sides;    // [edge_count] triangles at each.
    pli_bounds *boxes; // [patches] in the plane, at rest.
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

static bool measure_patches(builder *b)
{
    const pli_patches *p = b->patches;
    for (int32_t patch = 0; patch < p->count; patch++) {
        b->boxes[patch] = pli_bounds_empty();
        for (int32_t i = p->starts[PLI_PRIMITIVE_TRIANGLE][patch]; i < p->ends[PLI_PRIMITIVE_TRIANGLE][patch]; i++) {
            double factor;
            int32_t triangle = p->items[PLI_PRIMITIVE_TRIANGLE][i];
            if (!invert(b, triangle, b->sheet->inverses + 4 * (int64_t)i, &factor))
                return false;
            b->sheet->steepest[patch] = pli_higher(b->sheet->steepest[patch], (float)factor * 1.001f);
            for (int k = 0; k < 3; k++) {
                const double *at = b->flat + 2 * b->source->triangles[3 * triangle + k];
                pli_bounds_include(&b->boxes[patch], (pli_vec3){(float)at[0], (float)at[1], 0.0f});
            }
        }
        b->patches->nodes[p->leaf_count - 1 + patch] = (pli_passage){b->boxes[patch], b->boxes[patch]};
    }
    pli_patches_fit_tree(b->patches);
    return true;
}

static void add(builder *b, int32_t **list, int32_t *count, int32_t *capacity, int32_t item)
{
    if (!b->complete || !pli_reserve(b->memory, list, capacity, (int64_t)*count + 1, sizeof **list)) {
        b->complete = false;
        return;
    }
    (*list)[(*count)++] = item;
}

static void found_partner(void *data, int32_t patch)
{
    builder *b = data;
    add(b, &b->sheet->partners, &b->sheet->partner_count, &b->sheet->partner_capacity, patch);
}

static void found_cover(void *data, int32_t patch)
{
    builder *b = data;
    add(b, &b->sheet->covers, &b->sheet->cover_count, &b->sheet->cover_capacity, patch);
}

// What lies about the patch and its partners, each once.
static void list_about(builder *b, int32_t patch, int32_t first_cover, int32_t *last_seen)
{
    pli_sheet *sheet = b->sheet;
    sheet->about_starts[patch] = sheet->about_count;
    for (int32_t i = first_cover; i < sheet->cover_count && b->complete; i++) {
        int32_t cover = sheet->covers[i];
        if (last_seen[cover] == patch + 1)
            continue;
        last_seen[cover] = patch + 1;
        add(b, &sheet->abouts, &sheet->about_count, &sheet->about_capacity, cover);
    }
}

static void match_patch(builder *b, int32_t patch, float near, int32_t *starts)
{
    pli_sheet *sheet = b->sheet;
    pli_bounds about = pli_bounds_grow(b->boxes[patch], near);
    sheet->partner_starts[patch] = sheet->partner_count;
    pli_patches_query(b->patches, (pli_passage){about, about}, patch, found_partner, b);
    for (int32_t k = sheet->partner_starts[patch]; k < sheet->partner_count && b->complete; k++) {
        pli_bounds both = pli_bounds_join(b->boxes[patch], b->boxes[sheet->partners[k]]);
        add(b, &sheet->cover_starts, starts, &sheet->cover_start_capacity, sheet->cover_count);
        pli_patches_query(b->patches, (pli_passage){both, both}, 0, found_cover, b);
    }
}

static void match_patches(builder *b, float near)
{
    pli_sheet *sheet = b->sheet;
    int32_t starts = 0, count = b->patches->count, *last_seen = PLI_ALLOCATE(b->memory, int32_t, count);
    b->complete = b->complete && last_seen;
    for (int32_t patch = 0; patch < count && b->complete; patch++) {
        int32_t first_cover = sheet->cover_count;
        match_patch(b, patch, near, &starts);
        list_about(b, patch, first_cover, last_seen);
    }
    sheet->partner_starts[count] = sheet->partner_count;
    sheet->about_starts[count] = sheet->about_count;
    add(b, &sheet->cover_starts, &starts, &sheet->cover_start_capacity, sheet->cover_count);
    sheet->verdicts = PLI_ALLOCATE(b->memory, uint8_t, sheet->partner_count);
    b->complete = b->complete && sheet->verdicts;
    pli_release(b->memory, last_seen);
}

static bool allocate(builder *b)
{
    pli_sheet *s = b->sheet = PLI_ALLOCATE(b->memory, pli_sheet, 1);
    int64_t patches = b->patches->count;
    if (!s)
        return false;
    s->inverses = PLI_ALLOCATE(b->memory, float, 4 * (int64_t)b->source->triangle_count);
    s->steepest = PLI_ALLOCATE(b->memory, float, patches);
    s->slopes = PLI_ALLOCATE(b->memory, pli_slopes, 2 * patches);
    s->rough = PLI_ALLOCATE(b->memory, uint8_t, patches);
    s->partner_starts = PLI_ALLOCATE(b->memory, int32_t, patches + 1);
    s->about_starts = PLI_ALLOCATE(b->memory, int32_t, patches + 1);
    b->flat = PLI_ALLOCATE(b->memory, double, 2 * (int64_t)b->source->vertex_count);
    b->sides = PLI_ALLOCATE(b->memory, uint8_t, b->source->edge_count);
    b->boxes = PLI_ALLOCATE(b->memory, pli_bounds, patches);
    return s->inverses && s->steepest && s->slopes && s->rough && s->partner_starts && s->about_starts && b->flat && b->sides && b->boxes;
}

bool pli_sheet_build(pli_memory *memory, pli_patches *patches, const pli_patch_source *source, float near,
                     pli_sheet **sheet)
{
    builder b = {.memory = memory, .patches = patches, .source = source, .complete = true};
    *sheet = NULL;
    if (source->triangle_count == 0 || !find_plane(&b))
        return true;
    bool is_sheet = false;
    b.complete = allocate(&b);
    if (b.complete) {
        flatten(&b);
        is_sheet = is_whole(&b) && measure_patches(&b);
    }
    if (b.complete && is_sheet)
        match_patches(&b, near);
    pli_release(memory, b.flat);
    pli_release(memory, b.sides);
    pli_release(memory, b.boxes);
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
    void *arrays[] = {sheet->inverses, sheet->steepest, sheet->slopes, sheet->rough, sheet->partner_starts, sheet->partners,
                      sheet->cover_starts, sheet->covers, sheet->verdicts,
                      sheet->about_starts, sheet->abouts};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    pli_release(memory, sheet);
}

// Images of two unit vectors under a linear map near all gradients, and how far any is off.
typedef struct gradient {
    pli_vec3 a, b;
    float off;
} gradient;

static float dot3(pli_four a, pli_four b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static pli_vec3 middle(pli_four low, pli_four high)
{
    pli_four sum = (low + high) * 0.5f;
    return (pli_vec3){sum[0], sum[1], sum[2]};
}

static gradient gradient_of(const pli_slopes *s)
{
    pli_four a = s->high[0] - s->low[0], b = s->high[1] - s->low[1];
    return (gradient){middle(s->low[0], s->high[0]), middle(s->low[1], s->high[1]),
                      0.5f * sqrtf(dot3(a, a) + dot3(b, b))};
}

// Whether a linear map makes nothing shorter than by a factor.
static bool stretches(const gradient *g, float factor)
{
    float aa = pli_dot(g->a, g->a) - factor * factor, bb = pli_dot(g->b, g->b) - factor * factor;
    float ab = pli_dot(g->a, g->b);
    return aa > 0.0f && aa * bb >= ab * ab;
}

static void widen(pli_slopes *all, const pli_slopes *by)
{
    for (int k = 0; k < 2; k++) {
        all->low[k] = pli_four_lower(all->low[k], by->low[k]);
        all->high[k] = pli_four_higher(all->high[k], by->high[k]);
    }
}

// Of distances at rest, what is to be left while all keep to their ways: two corners of a triangle may stray from one
// another by two budgets.
static float share_of(float budget, float steepest)
{
    return pli_higher(LEAST_SHARE, 2.8285f * budget * steepest + LEFT_SHARE);
}

// The map in the middle of more gradients is within their `off`, which is not less, of the one in the middle of these, so
// that what it stretches by is at most that much more.
static bool is_rough(const pli_slopes *slopes, float share)
{
    gradient g = gradient_of(slopes);
    return !stretches(&g, 0.9999f * pli_higher(share, (OFF_FACTOR - 1.0f) * g.off));
}

void pli_sheet_lay(const pli_sheet *sheet, int32_t patch, const pli_slopes slopes[2], float budget)
{
    float share = share_of(budget, sheet->steepest[patch]);
    for (int t = 0; t < 2; t++)
        sheet->slopes[2 * patch + t] = slopes[t];
    sheet->rough[patch] = is_rough(&slopes[0], share) || is_rough(&slopes[1], share);
}

int32_t pli_sheet_partner(const pli_sheet *sheet, int32_t a, int32_t b)
{
    for (int32_t partner = sheet->partner_starts[a]; partner < sheet->partner_starts[a + 1]; partner++)
        if (sheet->partners[partner] == b)
            return partner;
    return -1;
}

static bool are_smooth(const pli_sheet *sheet, const int32_t *cover, int32_t count, float budget)
{
    for (int32_t i = 0; i < count; i++)
        if (sheet->rough[cover[i]])
            return false;
    pli_slopes start = sheet->slopes[2 * cover[0]], finish = sheet->slopes[2 * cover[0] + 1];
    float steepest = sheet->steepest[cover[0]];
    for (int32_t i = 1; i < count; i++) {
        widen(&start, &sheet->slopes[2 * cover[i]]);
        widen(&finish, &sheet->slopes[2 * cover[i] + 1]);
        steepest = pli_higher(steepest, sheet->steepest[cover[i]]);
    }
    gradient from = gradient_of(&start), to = gradient_of(&finish);
    // Half way, a map between two is at most half their difference from the nearer one.
    pli_vec3 da = pli_sub(to.a, from.a), db = pli_sub(to.b, from.b);
    float turned = 0.5f * sqrtf(pli_dot(da, da) + pli_dot(db, db)), off = pli_higher(from.off, to.off);
    float share = share_of(budget, steepest);
    float least = pli_higher(share + off, OFF_FACTOR * off) + turned;
    return stretches(&from, least) && stretches(&to, least);
}

bool pli_sheet_is_smooth(const pli_sheet *sheet, int32_t partner, float budget)
{
    int32_t first = sheet->cover_starts[partner];
    return are_smooth(sheet, sheet->covers + first, sheet->cover_starts[partner + 1] - first, budget);
}

bool pli_sheet_is_smooth_about(const pli_sheet *sheet, int32_t patch, float budget)
{
    int32_t first = sheet->about_starts[patch];
    return are_smooth(sheet, sheet->abouts + first, sheet->about_starts[patch + 1] - first, budget);
}
