// Which patches are near: boxes about where particles are and will be, a tree of them for each surface.
#include "collision/find_patches.h"

#include "simd/four.h"

enum { LAY_GRAIN = 64 }; // Patches a task lays out.

typedef struct laying {
    const pli_find *find;
    pli_surface *surface;
} laying;

// Where something is, and will be.
typedef struct place {
    pli_four at[2];
} place;

typedef struct extent {
    pli_four low[2], high[2];
} extent;

static place place_at(const laying *l, int32_t item)
{
    const pli_space *space = l->find->space;
    int32_t i = l->surface->first + item;
    pli_four start = pli_four_of(&l->find->starts[i]), way = pli_four_of(&space->cache.ways.items[i]);
    return (place){{start + way * l->find->from, start + way * l->find->to}};
}

static void include(extent *e, const place *p)
{
    for (int t = 0; t < 2; t++) {
        e->low[t] = pli_four_lower(p->at[t], e->low[t]);
        e->high[t] = pli_four_higher(p->at[t], e->high[t]);
    }
}

static extent extent_empty(void)
{
    pli_four low = pli_four_set(INFINITY), high = pli_four_set(-INFINITY);
    return (extent){{low, low}, {high, high}};
}

static pli_passage passage_of(const extent *e, float radius)
{
    pli_four a = e->low[0], b = e->high[0], c = e->low[1], d = e->high[1];
    pli_passage p = {{{a[0], a[1], a[2]}, {b[0], b[1], b[2]}}, {{c[0], c[1], c[2]}, {d[0], d[1], d[2]}}};
    return pli_passage_grow(p, radius);
}

static void lay_triangles(const laying *l, int32_t patch, extent *all)
{
    const pli_surface *s = l->surface;
    const pli_patches *p = &s->patches;
    const int32_t *items = p->items[PLI_PRIMITIVE_TRIANGLE];
    for (int32_t i = p->starts[PLI_PRIMITIVE_TRIANGLE][patch]; i < p->ends[PLI_PRIMITIVE_TRIANGLE][patch]; i++)
        for (int k = 0; k < 3; k++) {
            place corner = place_at(l, s->triangles[3 * items[i] + k]);
            include(all, &corner);
        }
}

// Of a sheet, gradients too.
static void lay_smooth(const laying *l, const pli_sheet *sheet, int32_t patch, extent *all)
{
    const pli_space *space = l->find->space;
    const pli_near_ways ways = {l->find->starts + l->surface->first, space->cache.ways.items + l->surface->first};
    const float ages[2] = {l->find->from, l->find->to};
    pli_slope_extent about;
    space->slopes->lay(&sheet->patches[patch], &ways, ages,
                       sheet->slopes + PLI_SLOPE_ROWS * PLI_SLOPE_LANES * (int64_t)patch, &about);
    for (int k = 0; k < 2; k++) {
        all->low[k] = pli_four_of(&about.low[k]), all->high[k] = pli_four_of(&about.high[k]);
        sheet->sums[2 * patch + k] = about.sum[k];
    }
}

// What has no triangles, or whose triangles may have left it behind.
static void lay_others(const laying *l, int32_t patch, extent *all)
{
    const pli_surface *s = l->surface;
    const pli_patches *p = &s->patches;
    place at;
    for (int32_t i = p->starts[PLI_PRIMITIVE_VERTEX][patch]; i < p->ends[PLI_PRIMITIVE_VERTEX][patch]; i++) {
        at = place_at(l, p->items[PLI_PRIMITIVE_VERTEX][i]);
        include(all, &at);
    }
    for (int32_t i = p->starts[PLI_PRIMITIVE_EDGE][patch]; i < p->ends[PLI_PRIMITIVE_EDGE][patch]; i++)
        for (int k = 0; k < 2; k++) {
            at = place_at(l, s->edges[2 * p->items[PLI_PRIMITIVE_EDGE][i] + k]);
            include(all, &at);
        }
}

static void lay_patch(const laying *l, int32_t patch)
{
    pli_patches *p = &l->surface->patches;
    const pli_sheet *sheet = pli_surface_sheet(l->surface);
    extent all = extent_empty();
    if (sheet)
        lay_smooth(l, sheet, patch, &all);
    else
        lay_triangles(l, patch, &all);
    bool bare = p->starts[PLI_PRIMITIVE_TRIANGLE][patch] == p->ends[PLI_PRIMITIVE_TRIANGLE][patch];
    if (bare || l->surface->was_cut)
        lay_others(l, patch, &all);
    pli_passage passage = passage_of(&all, l->surface->radius);
    pli_box_tree_set(&p->tree, patch, &passage);
    p->laid[patch] = 0;
}

static void lay_chunk(void *data, int32_t chunk)
{
    const laying *l = data;
    int32_t count = l->surface->patches.count;
    int32_t end = (chunk + 1) * LAY_GRAIN < count ? (chunk + 1) * LAY_GRAIN : count;
    for (int32_t patch = chunk * LAY_GRAIN; patch < end; patch++)
        lay_patch(l, patch);
}

// A collider that stays where it is keeps its boxes, so that its size costs nothing.
static bool stays(const pli_space *space, int32_t surface)
{
    const pli_surface *s = space->surfaces[surface];
    return pli_surface_stands(s) && s->laid && !s->moving;
}

void pli_find_lay_patch(const pli_find *find, int32_t surface, int32_t patch)
{
    const laying l = {find, find->space->surfaces[surface]};
    if (!stays(find->space, surface))
        lay_patch(&l, patch);
}

void pli_find_fit_surface(pli_space *space, int32_t surface)
{
    pli_box_tree *tree = &space->surfaces[surface]->patches.tree;
    if (!stays(space, surface))
        pli_box_tree_fit(tree, space->tasks);
    pli_passage all = pli_box_tree_all(tree);
    pli_box_tree_set(&space->around, surface, &all);
}

bool pli_find_lay(const pli_find *find)
{
    pli_space *space = find->space;
    laying l = {.find = find};
    if (!pli_box_tree_reserve(space->memory, &space->around, space->surface_count))
        return false;
    for (int32_t i = 0; i < space->surface_count; i++) {
        pli_surface *s = l.surface = space->surfaces[i];
        if (!stays(space, i))
            pli_tasks_run(space->tasks, (s->patches.count + LAY_GRAIN - 1) / LAY_GRAIN, lay_chunk, &l);
        pli_find_fit_surface(space, i);
        s->laid = !s->moving;
    }
    pli_box_tree_fit(&space->around, space->tasks);
    space->laid_on_ways = find->starts == space->cache.starts.items;
    return true;
}

// Places of a primitive of a surface.
static const int32_t *corners_of(const pli_surface *s, pli_primitive kind, const int32_t *item)
{
    return kind == PLI_PRIMITIVE_TRIANGLE ? s->triangles + 3 * *item
           : kind == PLI_PRIMITIVE_EDGE   ? s->edges + 2 * *item
                                          : item;
}

static void lay_items(const laying *l, pli_primitive kind, int32_t patch)
{
    const pli_patches *p = &l->surface->patches;
    const int32_t *items = p->items[kind] + p->starts[kind][patch];
    int32_t count = p->ends[kind][patch] - p->starts[kind][patch];
    float *to = pli_patches_boxes(p, kind, patch);
    for (int32_t i = 0; i < count; i++) {
        const int32_t *at = corners_of(l->surface, kind, &items[i]);
        place corner = place_at(l, at[0]);
        extent box = {{corner.at[0], corner.at[1]}, {corner.at[0], corner.at[1]}};
        for (int32_t k = 1; k < pli_primitive_corners[kind]; k++) {
            corner = place_at(l, at[k]);
            include(&box, &corner);
        }
        for (int32_t axis = 0; axis < 3; axis++)
            for (int32_t end = 0; end < 2; end++) {
                to[(PLI_NEAR_END * end + PLI_NEAR_LOW + axis) * count + i] = box.low[end][axis];
                to[(PLI_NEAR_END * end + PLI_NEAR_HIGH + axis) * count + i] = box.high[end][axis];
            }
    }
}

// Clusters whose primitives get boxes.
typedef struct wanted {
    const pli_find *find;
    pli_patch_place *places;
    int32_t count;
} wanted;

// Room for `most` of them, or for all there are. False when memory ran out.
static bool begin_wanted(wanted *w, const pli_find *find, int64_t most)
{
    pli_space *space = find->space;
    int64_t all = 0;
    for (int32_t i = 0; i < space->surface_count; i++)
        all += space->surfaces[i]->patches.count;
    *w = (wanted){.find = find, .places = PLI_TAKE(&space->arena, pli_patch_place, most < all ? most : all)};
    return w->places != NULL;
}

static void want(wanted *w, int32_t surface, int32_t patch)
{
    uint8_t *laid = &w->find->space->surfaces[surface]->patches.laid[patch];
    if (*laid)
        return;
    *laid = 1;
    w->places[w->count++] = (pli_patch_place){surface, patch};
}

static void lay_wanted_chunk(void *data, int32_t chunk)
{
    const wanted *w = data;
    int32_t end = (chunk + 1) * LAY_GRAIN < w->count ? (chunk + 1) * LAY_GRAIN : w->count;
    for (int32_t i = chunk * LAY_GRAIN; i < end; i++) {
        const laying l = {w->find, w->find->space->surfaces[w->places[i].surface]};
        for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++)
            lay_items(&l, (pli_primitive)kind, w->places[i].patch);
    }
}

static void lay_wanted(wanted *w)
{
    pli_tasks_run(w->find->space->tasks, (w->count + LAY_GRAIN - 1) / LAY_GRAIN, lay_wanted_chunk, w);
}

bool pli_find_lay_items(const pli_find *find)
{
    const pli_space *space = find->space;
    wanted w;
    if (!begin_wanted(&w, find, INT64_MAX))
        return false;
    for (int32_t s = 0; s < space->surface_count; s++)
        for (int32_t patch = 0; patch < space->surfaces[s]->patches.count; patch++)
            want(&w, s, patch);
    lay_wanted(&w);
    return true;
}

pli_near_box pli_find_box_of(const pli_surface *surface, int32_t patch, float reach)
{
    pli_passage box = pli_passage_grow(surface->patches.tree.passages[patch], reach);
    return pli_near_box_of(&box);
}

typedef struct near_patches {
    const pli_space *space;
    pli_passage box;
    pli_patch_pair pair;
    int32_t end; // Behind the surfaces that are asked.
    pli_patch_visit visit;
    void *data;
} near_patches;

static bool found_patch(void *data, int32_t patch)
{
    near_patches *n = data;
    n->pair.patch[1] = patch;
    n->visit(n->data, &n->pair);
    return true;
}

static bool found_surface(void *data, int32_t surface)
{
    near_patches *n = data;
    int32_t asking = n->pair.surface[0];
    if (surface >= n->end)
        return false;
    n->pair.surface[1] = surface;
    if (pli_space_meet(n->space, asking, surface))
        pli_box_tree_query(&n->space->surfaces[surface]->patches.tree, n->space->near, &n->box,
                           surface == asking ? n->pair.patch[0] : 0, found_patch, n);
    return true;
}

void pli_find_patches(const pli_find *find, int32_t asking, int32_t list, pli_patch_visit visit, void *data)
{
    const pli_space *space = find->space;
    bool colliders = list == PLI_LIST_COLLIDERS;
    int32_t a = pli_find_owner(find->patch_bases, find->surface_count, asking);
    int32_t patch = asking - find->patch_bases[a];
    near_patches n = {.space = space, .pair = {{a, 0}, {patch, 0}}, .visit = visit, .data = data};
    n.box = pli_passage_grow(space->surfaces[a]->patches.tree.passages[patch], find->reach[list]);
    n.end = colliders ? space->surface_count : find->surface_count;
    pli_box_tree_query(&space->around, space->near, &n.box, colliders ? find->surface_count : a, found_surface, &n);
}

bool pli_find_lay_meetings(const pli_find *find, int32_t which, int32_t first)
{
    pli_space *space = find->space;
    const pli_pair_list *list = &space->cache.lists[which];
    const pli_arena_scope scope = pli_arena_begin(&space->arena);
    wanted w;
    bool complete = begin_wanted(&w, find, 2 * (int64_t)(list->meetings.count - first));
    for (int32_t i = first; i < list->meetings.count && complete; i++)
        for (int k = 0; k < 2; k++)
            want(&w, list->meetings.items[i].surface[k], list->meetings.items[i].patch[k]);
    if (complete)
        lay_wanted(&w);
    pli_arena_end(&space->arena, scope);
    return complete;
}
