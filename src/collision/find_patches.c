// Which patches are near: boxes about where particles are and will be, a tree of them for each surface.
#include "collision/find.h"

enum { LAY_GRAIN = 64 }; // Patches a task lays out.

typedef struct laying {
    const pli_find *find;
    pli_surface *surface;
} laying;

static pli_passage vertex_box(const laying *l, int32_t place)
{
    const pli_space *space = l->find->space;
    int32_t i = l->surface->first + place;
    pli_vec3 start = pli_place_of(&space->previous[i]);
    pli_vec3 end = pli_add(start, pli_scale(space->ways[i], l->find->lifetime));
    return pli_passage_grow((pli_passage){{start, start}, {end, end}}, l->surface->radius);
}

static pli_passage primitive_box(const laying *l, pli_primitive kind, int32_t item)
{
    const pli_surface *s = l->surface;
    if (kind == PLI_PRIMITIVE_VERTEX)
        return vertex_box(l, item);
    int32_t count = kind == PLI_PRIMITIVE_TRIANGLE ? 3 : 2;
    const int32_t *at = kind == PLI_PRIMITIVE_TRIANGLE ? s->triangles + 3 * item : s->edges + 2 * item;
    pli_passage box = vertex_box(l, at[0]);
    for (int32_t k = 1; k < count; k++)
        box = pli_passage_join(box, vertex_box(l, at[k]));
    return box;
}

static void lay_chunk(void *data, int32_t chunk)
{
    const laying *l = data;
    pli_patches *p = &l->surface->patches;
    int32_t end = (chunk + 1) * LAY_GRAIN < p->count ? (chunk + 1) * LAY_GRAIN : p->count;
    for (int32_t patch = chunk * LAY_GRAIN; patch < end; patch++) {
        for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++)
            for (int32_t i = p->starts[kind][patch]; i < p->ends[kind][patch]; i++)
                pli_patches_set_box(p, (pli_primitive)kind, i,
                                    primitive_box(l, (pli_primitive)kind, p->items[kind][i]));
        pli_patches_fit_leaf(p, patch);
    }
}

void pli_find_lay(const pli_find *find)
{
    const pli_space *space = find->space;
    laying l = {.find = find};
    for (int32_t i = 0; i < space->surface_count; i++) {
        pli_surface *s = l.surface = space->surfaces[i];
        // A collider that stays where it is keeps its boxes, so that its size costs nothing.
        if (space->trees[i] && s->laid && !s->moving)
            continue;
        pli_tasks_run(space->tasks, (s->patches.count + LAY_GRAIN - 1) / LAY_GRAIN, lay_chunk, &l);
        pli_patches_fit_tree(&s->patches);
        s->laid = !s->moving;
    }
}

int32_t pli_find_owner(const int32_t *bases, int32_t count, int32_t item)
{
    int32_t low = 0, high = count;
    while (high - low > 1) {
        int32_t middle = (low + high) / 2;
        if (bases[middle] <= item)
            low = middle;
        else
            high = middle;
    }
    return low;
}

typedef struct near_patches {
    pli_patch_pair pair;
    pli_patch_visit visit;
    void *data;
} near_patches;

static void found_patch(void *data, int32_t patch)
{
    near_patches *n = data;
    n->pair.patch[1] = patch;
    n->visit(n->data, &n->pair);
}

void pli_find_patches(const pli_find *find, int32_t asking, int32_t list, pli_patch_visit visit, void *data)
{
    const pli_space *space = find->space;
    int32_t a = pli_find_owner(find->patch_bases, find->surface_count, asking);
    int32_t patch = asking - find->patch_bases[a];
    const pli_patches *patches = &space->surfaces[a]->patches;
    near_patches n = {{{a, 0}, {patch, 0}}, visit, data};
    pli_passage box = pli_passage_grow(patches->nodes[patches->leaf_count - 1 + patch], find->reach[list]);
    bool colliders = list == PLI_LIST_COLLIDERS;
    int32_t end = colliders ? space->surface_count : find->surface_count;
    for (int32_t b = colliders ? find->surface_count : a; b < end; b++) {
        n.pair.surface[1] = b;
        if (pli_space_meet(space, a, b))
            pli_patches_query(&space->surfaces[b]->patches, box, a == b ? patch : 0, found_patch, &n);
    }
}
