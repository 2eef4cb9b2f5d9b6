// What intersects is found, in doubt: edges that go through triangles.
#include "collision/tangle.h"

#include "collision/cut.h"
#include "collision/find_patches.h"
#include "collision/leave.h"
#include "collision/pull.h"

typedef struct search {
    pli_find *find;
    pli_patch_pair pair;
    bool complete;
} search;

static double side_of(pli_dvec3 a, pli_dvec3 b, pli_dvec3 c, pli_dvec3 d)
{
    return pli_ddot(pli_dcross(pli_dsub(b, a), pli_dsub(c, a)), pli_dsub(d, a));
}

// Whether a segment goes through a triangle; `part` of the segment is where.
static bool meets_triangle(const pli_dvec3 ends[2], const pli_dvec3 corners[3], double *part)
{
    double first = side_of(corners[0], corners[1], corners[2], ends[0]);
    double second = side_of(corners[0], corners[1], corners[2], ends[1]);
    if ((first > 0.0) == (second > 0.0))
        return false;
    double a = side_of(ends[0], ends[1], corners[0], corners[1]);
    double b = side_of(ends[0], ends[1], corners[1], corners[2]);
    double c = side_of(ends[0], ends[1], corners[2], corners[0]);
    *part = first / (first - second);
    return (a >= 0.0 && b >= 0.0 && c >= 0.0) || (a <= 0.0 && b <= 0.0 && c <= 0.0);
}

static bool joined(const pli_tangle *t)
{
    for (int e = 0; e < 2; e++)
        for (int c = 0; c < 3; c++)
            if (t->edge[e] == t->corners[c])
                return true;
    return false;
}

static bool look_at(const pli_find *find, pli_tangle *t)
{
    const pli_space *space = find->space;
    const pli_surface *se = space->surfaces[t->edge_surface], *st = space->surfaces[t->triangle_surface];
    pli_dvec3 ends[2], corners[3];
    for (int k = 0; k < 2; k++)
        t->edge[k] = se->first + se->edges[2 * t->edge_index + k];
    for (int k = 0; k < 3; k++)
        t->corners[k] = st->first + st->triangles[3 * t->triangle_index + k];
    if (joined(t))
        return false;
    for (int k = 0; k < 2; k++)
        ends[k] = pli_start_of(space, t->edge[k]);
    for (int k = 0; k < 3; k++)
        corners[k] = pli_start_of(space, t->corners[k]);
    return meets_triangle(ends, corners, &t->part);
}

static bool add_tangle(pli_space *space, const pli_tangle *t)
{
    const int32_t surfaces[2] = {t->edge_surface, t->triangle_surface};
    const int32_t at[5] = {t->edge[0], t->edge[1], t->corners[0], t->corners[1], t->corners[2]};
    if (!pli_space_allows(space, surfaces, at, 2, 5))
        return true;
    if (!pli_array_reserve(space->memory, &space->untangle.tangles, (int64_t)space->untangle.tangles.count + 1))
        return false;
    space->untangle.tangles.items[space->untangle.tangles.count++] = *t;
    for (int k = 0; k < 2; k++)
        space->untangle.tangled.items[t->edge[k]] = 1;
    for (int k = 0; k < 3; k++)
        space->untangle.tangled.items[t->corners[k]] = 1;
    return true;
}

// Edges of one patch against triangles of the other.
static void look_at_patches(search *s, const int32_t surface[2], const int32_t patch[2])
{
    const pli_space *space = s->find->space;
    const pli_patches *edges = &space->surfaces[surface[0]]->patches,
                      *triangles = &space->surfaces[surface[1]]->patches;
    pli_near_items items = pli_patches_items(edges, PLI_PRIMITIVE_EDGE, patch[0]);
    pli_near_items others = pli_patches_items(triangles, PLI_PRIMITIVE_TRIANGLE, patch[1]);
    pli_near_box other = pli_find_box_of(space->surfaces[surface[1]], patch[1], 0.0f);
    for (uint32_t left = space->near->meet(&items, &other); left; left &= left - 1) {
        int32_t i = __builtin_ctz(left), edge = edges->starts[PLI_PRIMITIVE_EDGE][patch[0]] + i;
        for (uint32_t near = space->near->meet_one(&items, i, &others, 0.0f); near; near &= near - 1) {
            int32_t triangle = triangles->starts[PLI_PRIMITIVE_TRIANGLE][patch[1]] + __builtin_ctz(near);
            pli_tangle t = {.edge_surface = surface[0],
                            .edge_index = edges->items[PLI_PRIMITIVE_EDGE][edge],
                            .triangle_surface = surface[1],
                            .triangle_index = triangles->items[PLI_PRIMITIVE_TRIANGLE][triangle]};
            if (look_at(s->find, &t))
                s->complete = add_tangle(s->find->space, &t) && s->complete;
        }
    }
}

static void visit_patches(void *data, const pli_patch_pair *p)
{
    search *s = data;
    const int32_t surface[2] = {p->surface[1], p->surface[0]}, patch[2] = {p->patch[1], p->patch[0]};
    look_at_patches(s, p->surface, p->patch);
    if (surface[0] != surface[1] || patch[0] != patch[1])
        look_at_patches(s, surface, patch);
}

static bool look_through(pli_find *f, int32_t list)
{
    search s = {.find = f, .complete = true};
    for (int32_t i = 0; i < f->patch_bases[f->surface_count]; i++)
        pli_find_patches(f, i, list, visit_patches, &s);
    return s.complete;
}

static bool in_doubt(const pli_space *space, int32_t i)
{
    return (space->untangle.tangles.count > 0 &&
            (space->untangle.tangled.items[i] || space->untangle.cuts.items[i].beyond)) ||
           (space->untangle.within_count > 0 && space->untangle.within.items[i] > 0);
}

static bool patch_in_doubt(const pli_space *space, const pli_surface *s, int32_t patch)
{
    const pli_patches *p = &s->patches;
    for (int32_t i = p->starts[PLI_PRIMITIVE_TRIANGLE][patch]; i < p->ends[PLI_PRIMITIVE_TRIANGLE][patch]; i++)
        for (int k = 0; k < 3; k++)
            if (in_doubt(space, s->first + s->triangles[3 * p->items[PLI_PRIMITIVE_TRIANGLE][i] + k]))
                return true;
    return false;
}

static bool mark_doubt(const pli_find *f)
{
    pli_space *space = f->space;
    space->untangle.doubtful = PLI_TAKE(&space->arena, uint8_t, f->patch_bases[f->surface_count]);
    if (!space->untangle.doubtful)
        return false;
    for (int32_t a = 0; a < f->surface_count; a++)
        for (int32_t patch = 0; patch < space->surfaces[a]->patches.count; patch++)
            space->untangle.doubtful[f->patch_bases[a] + patch] = patch_in_doubt(space, space->surfaces[a], patch);
    return true;
}

static bool found_for_doubtful(void *data, int32_t patch)
{
    search *s = data;
    int32_t a = s->pair.surface[0], b = s->pair.surface[1];
    s->pair.patch[1] = patch;
    bool asks_too = b < s->find->surface_count && s->find->space->untangle.doubtful[s->find->patch_bases[b] + patch];
    if (!asks_too || a < b || (a == b && s->pair.patch[0] <= patch))
        visit_patches(s, &s->pair);
    return true;
}

static bool found_surface(void *data, int32_t surface)
{
    search *s = data;
    const pli_space *space = s->find->space;
    int32_t asking = s->pair.surface[0], patch = s->pair.patch[0];
    s->pair.surface[1] = surface;
    if (pli_space_meet(space, asking, surface))
        pli_box_tree_query(&space->surfaces[surface]->patches.tree, space->near,
                           &space->surfaces[asking]->patches.tree.passages[patch], 0, found_for_doubtful, s);
    return true;
}

// Patches in doubt with all others: what contact or the guard does not leave alone stays apart.
static bool look_about_doubt(pli_find *f)
{
    const pli_space *space = f->space;
    search s = {.find = f, .complete = true};
    for (int32_t a = 0; a < f->surface_count; a++) {
        const pli_patches *patches = &space->surfaces[a]->patches;
        for (int32_t patch = 0; patch < patches->count; patch++) {
            s.pair = (pli_patch_pair){{a, 0}, {patch, 0}};
            if (space->untangle.doubtful[f->patch_bases[a] + patch])
                pli_box_tree_query(&space->around, space->near, &patches->tree.passages[patch], 0, found_surface, &s);
        }
    }
    return s.complete;
}

static bool find_tangles(pli_find *f, bool everywhere)
{
    const pli_space *space = f->space;
    if (!everywhere)
        return look_about_doubt(f);
    return (!space->cache.has_pairs[PLI_LIST_DEFORMABLES] || look_through(f, PLI_LIST_DEFORMABLES)) &&
           (!space->cache.has_pairs[PLI_LIST_COLLIDERS] || look_through(f, PLI_LIST_COLLIDERS));
}

static bool look(pli_space *space, bool everywhere)
{
    pli_find find;
    if (!pli_find_begin(space, &find) || !(everywhere || mark_doubt(&find)) ||
        !pli_array_reserve(space->memory, &space->untangle.tangled, space->particle_count))
        return false;
    for (int32_t i = 0; i < space->particle_count; i++)
        space->untangle.tangled.items[i] = 0;
    space->untangle.tangles.count = 0;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        find.reach[list] = 0.0f;
    find.starts = space->previous;
    if (!pli_find_lay(&find) || !pli_find_lay_items(&find))
        return false;
    return find_tangles(&find, everywhere) && pli_inside_leave(&find) &&
           (space->untangle.tangles.count == 0 || pli_cut_parts(&find));
}

static void untangle(pli_space *space)
{
    bool first = space->cache.slack.age < 0;
    bool any = space->untangle.tangles.count > 0 || space->untangle.within_count > 0;
    space->contacts.holds.count = 0;
    if (!space->untangle.unverified && !any)
        return;
    if (!look(space, space->untangle.unverified || first)) {
        space->starved = true;
        return;
    }
    space->untangle.unverified = false;
    space->starved = !pli_tangles_pull_apart(space);
    pli_holds_settle(space);
}

void pli_space_untangle(pli_space *space)
{
    const pli_arena_scope scope = pli_arena_begin(&space->arena);
    untangle(space);
    pli_arena_end(&space->arena, scope);
}
