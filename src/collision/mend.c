// Few particles leave their ways at a time: what is near them is found again, and the rest of the lists stays.
#include "collision/find.h"
#include "collision/sheet.h"

enum { MARK_ASKS = 1, MARK_LAY = 2 };

// Of all patches, those that are searched for again at most; more than that is as cheap as all of them.
enum { ASKING_SHARE = 4 };

typedef struct mending {
    const pli_find *find;
    uint8_t *marks;  // By patch, surface after surface.
    int32_t *bases;  // [surface_count] first patch of each surface in that order.
    int32_t asking;  // Patches that are searched for again.
    int32_t list, surface, patch, other; // What is asked for now.
    bool complete;
} mending;

static bool is_astray(const pli_space *space, const pli_surface *s, int32_t place)
{
    return space->astray[s->first + place] != 0;
}

static bool holds_strays(const pli_space *space, const pli_surface *s, int32_t patch)
{
    const pli_patches *p = &s->patches;
    for (int32_t i = p->starts[PLI_PRIMITIVE_TRIANGLE][patch]; i < p->ends[PLI_PRIMITIVE_TRIANGLE][patch]; i++)
        for (int k = 0; k < 3; k++)
            if (is_astray(space, s, s->triangles[3 * p->items[PLI_PRIMITIVE_TRIANGLE][i] + k]))
                return true;
    if (s->triangle_count > 0 && !s->was_cut)
        return false;
    for (int32_t i = p->starts[PLI_PRIMITIVE_VERTEX][patch]; i < p->ends[PLI_PRIMITIVE_VERTEX][patch]; i++)
        if (is_astray(space, s, p->items[PLI_PRIMITIVE_VERTEX][i]))
            return true;
    for (int32_t i = p->starts[PLI_PRIMITIVE_EDGE][patch]; i < p->ends[PLI_PRIMITIVE_EDGE][patch]; i++)
        for (int k = 0; k < 2; k++)
            if (is_astray(space, s, s->edges[2 * p->items[PLI_PRIMITIVE_EDGE][i] + k]))
                return true;
    return false;
}

static void mark_strays(mending *m, int32_t surface)
{
    const pli_space *space = m->find->space;
    const pli_surface *s = space->surfaces[surface];
    uint8_t *marks = m->marks + m->bases[surface];
    for (int32_t patch = 0; patch < s->patches.count; patch++) {
        marks[patch] = holds_strays(space, s, patch) ? MARK_ASKS | MARK_LAY : 0;
        m->asking += marks[patch] != 0;
    }
}

// Whether any patch about the partners from `from` to `to` asks.
static bool has_strays(const pli_sheet *sheet, const uint8_t *marks, int32_t from, int32_t to)
{
    int32_t any = 0;
    for (int32_t i = sheet->cover_starts[from]; i < sheet->cover_starts[to]; i++)
        any |= marks[sheet->covers[i]] & MARK_ASKS;
    return any != 0;
}

// What was certified with what a stray is part of has to be again, by gradients that are all of the same time.
static void doubt(const pli_sheet *sheet, uint8_t *marks, int32_t patch)
{
    for (int32_t k = sheet->partner_starts[patch]; k < sheet->partner_starts[patch + 1]; k++) {
        bool asks = (marks[patch] | marks[sheet->partners[k]]) & MARK_ASKS;
        if (!asks && (sheet->verdicts[k] == PLI_SHEET_LISTED || !has_strays(sheet, marks, k, k + 1)))
            continue;
        if (!asks)
            sheet->verdicts[k] = PLI_SHEET_DOUBTFUL;
        for (int32_t i = sheet->cover_starts[k]; i < sheet->cover_starts[k + 1]; i++)
            marks[sheet->covers[i]] |= MARK_LAY;
    }
}

static void mark_doubtful(mending *m, int32_t surface)
{
    const pli_surface *s = m->find->space->surfaces[surface];
    const pli_sheet *sheet = pli_surface_sheet(s);
    uint8_t *marks = m->marks + m->bases[surface];
    for (int32_t patch = 0; sheet && patch < s->patches.count; patch++)
        if (has_strays(sheet, marks, sheet->partner_starts[patch], sheet->partner_starts[patch + 1]))
            doubt(sheet, marks, patch);
}

// Pairs that belong to what is searched for again never count as near any more.
static void drop_pairs(const mending *m, pli_pair_list *list)
{
    for (int32_t i = 0; i < list->meeting_count; i++) {
        pli_meeting *meeting = &list->meetings[i];
        bool asks = false;
        for (int k = 0; k < 2; k++)
            asks |= (m->marks[m->bases[meeting->surface[k]] + meeting->patch[k]] & MARK_ASKS) != 0;
        for (int32_t k = 0; asks && k < meeting->count; k++)
            list->pairs[meeting->begin + k].gap = INFINITY;
        meeting->count = asks ? 0 : meeting->count;
    }
}

static void add_meeting(mending *m, pli_meeting meeting)
{
    const pli_space *space = m->find->space;
    pli_pair_list *list = &m->find->space->lists[m->list];
    if (pli_find_is_smooth(space, meeting.surface, meeting.patch))
        return;
    m->complete = m->complete && pli_reserve(space->memory, &list->meetings, &list->meeting_capacity,
                                             (int64_t)list->meeting_count + 1, sizeof meeting);
    if (m->complete)
        list->meetings[list->meeting_count++] = meeting;
}

// Of two that both ask, the first does.
static void found_patch(void *data, int32_t patch)
{
    mending *m = data;
    bool other_asks = m->marks[m->bases[m->other] + patch] & MARK_ASKS;
    bool before = m->surface < m->other || (m->surface == m->other && m->patch <= patch);
    if (other_asks && !before)
        return;
    pli_meeting meeting = {.surface = {m->surface, m->other}, .patch = {m->patch, patch}};
    if (!before)
        meeting = (pli_meeting){.surface = {m->other, m->surface}, .patch = {patch, m->patch}};
    add_meeting(m, meeting);
}

static void settle_doubts(mending *m)
{
    const pli_surface *s = m->find->space->surfaces[m->surface];
    const pli_sheet *sheet = pli_space_meet(m->find->space, m->surface, m->surface) ? pli_surface_sheet(s) : NULL;
    for (int32_t patch = 0; sheet && patch < s->patches.count; patch++)
        for (int32_t k = sheet->partner_starts[patch]; k < sheet->partner_starts[patch + 1]; k++)
            if (sheet->verdicts[k] == PLI_SHEET_DOUBTFUL)
                add_meeting(m, (pli_meeting){.surface = {m->surface, m->surface}, .patch = {patch, sheet->partners[k]}});
}

static void ask(mending *m)
{
    const pli_space *space = m->find->space;
    const pli_patches *patches = &space->surfaces[m->surface]->patches;
    pli_passage way = patches->nodes[patches->leaf_count - 1 + m->patch];
    pli_bounds all = pli_bounds_grow(pli_bounds_join(way.start, way.end), m->find->reach[m->list]);
    for (m->other = 0; m->other < space->surface_count; m->other++) {
        bool collider = space->trees[m->surface] || space->trees[m->other];
        if (collider == (m->list == PLI_LIST_COLLIDERS) && pli_space_meet(space, m->surface, m->other))
            pli_patches_query(&space->surfaces[m->other]->patches, (pli_passage){all, all}, 0, found_patch, m);
    }
}

static void lay_marked(mending *m)
{
    const pli_space *space = m->find->space;
    for (int32_t s = 0; s < space->surface_count; s++) {
        const uint8_t *marks = m->marks + m->bases[s];
        bool any = false;
        for (int32_t patch = 0; patch < space->surfaces[s]->patches.count; patch++)
            if (marks[patch] & MARK_LAY) {
                pli_find_lay_patch(m->find, s, patch);
                any = true;
            }
        if (any)
            pli_patches_fit_tree(&space->surfaces[s]->patches);
    }
}

static bool mend_list(mending *m)
{
    const pli_space *space = m->find->space;
    pli_pair_list *list = &m->find->space->lists[m->list];
    drop_pairs(m, list);
    int32_t first = list->meeting_count;
    for (m->surface = 0; m->surface < space->surface_count; m->surface++) {
        for (m->patch = 0; m->patch < space->surfaces[m->surface]->patches.count; m->patch++)
            if (m->marks[m->bases[m->surface] + m->patch] & MARK_ASKS)
                ask(m);
        if (m->list == PLI_LIST_DEFORMABLES)
            settle_doubts(m);
    }
    if (!m->complete)
        return false;
    // Boxes are compared at one time.
    for (int32_t i = first; i < list->meeting_count; i++)
        for (int k = 0; k < 2; k++)
            pli_find_lay_patch(m->find, list->meetings[i].surface[k], list->meetings[i].patch[k]);
    return pli_find_match(m->find, m->list, first);
}

bool pli_find_mend(const pli_find *find, bool *mended)
{
    pli_space *space = find->space;
    int64_t all = 0;
    for (int32_t s = 0; s < space->surface_count; s++)
        all += space->surfaces[s]->patches.count;
    if (!pli_reserve(space->memory, &space->marks, &space->mark_capacity, all, 1) ||
        !pli_reserve(space->memory, &space->mark_bases, &space->mark_base_capacity, space->surface_count, sizeof(int32_t)))
        return false;
    mending m = {.find = find, .marks = space->marks, .bases = space->mark_bases, .complete = true};
    for (int32_t s = 0, base = 0; s < space->surface_count; s++) {
        m.bases[s] = base;
        base += space->surfaces[s]->patches.count;
    }
    for (int32_t s = 0; s < space->surface_count; s++) {
        mark_strays(&m, s);
        mark_doubtful(&m, s);
    }
    *mended = m.asking <= all / ASKING_SHARE;
    if (!*mended)
        return true;
    lay_marked(&m);
    for (m.list = 0; m.list < PLI_LIST_COUNT; m.list++)
        if (space->has_pairs[m.list] && !mend_list(&m))
            return false;
    return true;
}
