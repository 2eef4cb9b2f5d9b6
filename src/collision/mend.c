// Few particles leave their ways at a time: what is near them is found again, and the rest of the lists stays.
#include "collision/mend.h"

#include "base/sort.h"
#include "collision/find.h"
#include "collision/find_patches.h"
#include "collision/gather.h"
#include "collision/uncertified_pairs.h"

#include <string.h>

// A patch that asks, one of whose partners is in doubt, that is to be laid out anew, and that has been.
enum { MARK_ASKS = 1, MARK_DOUBTS = 2, MARK_WAITS = 4, MARK_LAID = 8 };

// Of the pairs in a list, those of meetings at least.
enum { GAPS_SHARE = 2 };

// Patches that a task looks at, and of those that ask.
enum { PATCH_GRAIN = 64, ASKING_GRAIN = 8 };

typedef struct mending {
    const pli_find *find;
    uint8_t *marks; // By patch, surface after surface.
    int32_t *bases; // [surface_count] first patch of each surface in that order.
    int32_t list, surface;
} mending;

static uint8_t *mark_of(const mending *m, int32_t surface, int32_t patch)
{
    return &m->marks[m->bases[surface] + patch];
}

static void wait_for(uint8_t *mark)
{
    if (!(*mark & MARK_LAID))
        *mark |= MARK_WAITS;
}

static bool holds_strays(const pli_space *space, const pli_surface *s, int32_t patch)
{
    const pli_sheet *sheet = pli_surface_sheet(s);
    int32_t places[PLI_PATCH_PLACES], any = 0;
    const int32_t *all = sheet ? sheet->patches[patch].places : places;
    for (int32_t i = sheet ? sheet->patches[patch].count : pli_surface_places(s, patch, places); i-- > 0;)
        any |= space->repair.astray[s->first + all[i]];
    return any != 0;
}

static void mark_chunk(void *data, int32_t chunk)
{
    const mending *m = data;
    const pli_surface *s = m->find->space->surfaces[m->surface];
    int32_t end = (chunk + 1) * PATCH_GRAIN < s->patches.count ? (chunk + 1) * PATCH_GRAIN : s->patches.count;
    for (int32_t patch = chunk * PATCH_GRAIN; patch < end; patch++)
        *mark_of(m, m->surface, patch) = holds_strays(m->find->space, s, patch) ? MARK_ASKS | MARK_WAITS : 0;
}

static void mark_strays(mending *m)
{
    const pli_space *space = m->find->space;
    for (m->surface = 0; m->surface < space->surface_count; m->surface++)
        pli_tasks_run(space->tasks, (space->surfaces[m->surface]->patches.count + PATCH_GRAIN - 1) / PATCH_GRAIN,
                      mark_chunk, m);
}

// Which of those about a patch hold strays.
static uint64_t which_ask(const pli_sheet *sheet, const uint8_t *marks, int32_t patch)
{
    const int32_t *abouts = sheet->abouts + sheet->about_starts[patch];
    int32_t count = sheet->about_starts[patch + 1] - sheet->about_starts[patch];
    uint64_t bits = 0;
    for (int32_t i = 0; i < count; i++)
        bits |= (uint64_t)(marks[abouts[i]] & MARK_ASKS) << i;
    return bits;
}

// What is certified with anything that holds a stray has to be again, by gradients that are all of the same time. What was not
// stays in the list, but for what holds a stray itself.
static void doubt(const pli_sheet *sheet, uint8_t *marks, int32_t patch, uint64_t asking)
{
    const int32_t *abouts = sheet->abouts + sheet->about_starts[patch], first = sheet->partner_starts[patch];
    uint64_t doubtful = 0;
    for (int32_t k = 0; k < pli_sheet_partner_count(sheet, patch); k++) {
        uint64_t bit = UINT64_C(1) << k;
        bool asks = (marks[patch] | marks[sheet->partners[first + k]]) & MARK_ASKS;
        if (asks || (!(sheet->listed[patch] & bit) && (sheet->covers[first + k] & asking)))
            doubtful |= bit;
    }
    sheet->doubtful[patch] = doubtful;
    if (!doubtful)
        return;
    marks[patch] |= MARK_DOUBTS;
    for (uint64_t about = pli_sheet_covers(sheet, patch, doubtful); about; about &= about - 1)
        wait_for(&marks[abouts[__builtin_ctzll(about)]]);
}

static void mark_doubtful(const mending *m, int32_t surface)
{
    const pli_surface *s = m->find->space->surfaces[surface];
    const pli_sheet *sheet = pli_find_sheet(m->find, surface);
    for (int32_t patch = 0; sheet && patch < s->patches.count; patch++) {
        uint64_t asking = which_ask(sheet, mark_of(m, surface, 0), patch);
        if (asking)
            doubt(sheet, mark_of(m, surface, 0), patch, asking);
    }
}

// Puts the patches with any of some marks into a list. How many.
static int32_t list_marked(const mending *m, uint8_t marks, pli_patch_place *to)
{
    const pli_space *space = m->find->space;
    int32_t count = 0;
    for (int32_t s = 0; s < space->surface_count; s++)
        for (int32_t patch = 0; patch < space->surfaces[s]->patches.count; patch++)
            if (*mark_of(m, s, patch) & marks)
                to[count++] = (pli_patch_place){s, patch};
    return count;
}

// Empties what is searched for again.
static void drop_pairs(const mending *m, pli_pair_list *list)
{
    for (int32_t i = 0; i < list->meetings.count; i++) {
        pli_meeting *meeting = &list->meetings.items[i];
        bool asks = (*mark_of(m, meeting->surface[0], meeting->patch[0]) |
                     *mark_of(m, meeting->surface[1], meeting->patch[1])) &
                    MARK_ASKS;
        list->count -= asks ? meeting->count : 0;
        meeting->count = asks ? 0 : meeting->count;
    }
}

static uint64_t key_of(const mending *m, const pli_meeting *p)
{
    uint32_t first = (uint32_t)(m->bases[p->surface[0]] + p->patch[0]);
    return (uint64_t)first << 32 | (uint32_t)(m->bases[p->surface[1]] + p->patch[1]);
}

// Brings the meetings into the order in which they would have been found as a whole, so that what comes of them does not
// depend on what was mended when.
static bool put_in_order(const mending *m, pli_pair_list *list)
{
    pli_space *space = m->find->space;
    space->repair.sorting = PLI_TAKE(&space->arena, pli_sort_item, 2 * (int64_t)list->meetings.count);
    pli_meeting *sorted = PLI_TAKE(&space->arena, pli_meeting, list->meetings.count);
    if (!space->repair.sorting || !sorted)
        return false;
    int32_t count = 0;
    for (int32_t i = 0; i < list->meetings.count; i++)
        if (list->meetings.items[i].count > 0)
            space->repair.sorting[count++] = (pli_sort_item){key_of(m, &list->meetings.items[i]), i};
    pli_sort_within(space->repair.sorting, space->repair.sorting + count, count);
    for (int32_t i = 0; i < count; i++)
        sorted[i] = list->meetings.items[space->repair.sorting[i].value];
    list->meetings.count = count;
    memcpy(list->meetings.items, sorted, (size_t)count * sizeof *sorted);
    return true;
}

// Pairs stay where they are until more than half of the list are those that were dropped.
static void close_gaps(pli_space *space, pli_pair_list *list)
{
    if (list->pairs.count / GAPS_SHARE <= list->count)
        return;
    for (int32_t i = 0; i < list->meetings.count; i++)
        space->repair.sorting[i] = (pli_sort_item){(uint64_t)list->meetings.items[i].begin, i};
    pli_sort_within(space->repair.sorting, space->repair.sorting + list->meetings.count, list->meetings.count);
    list->pairs.count = 0;
    for (int32_t i = 0; i < list->meetings.count; i++) {
        pli_meeting *meeting = &list->meetings.items[space->repair.sorting[i].value];
        memmove(list->pairs.items + list->pairs.count, list->pairs.items + meeting->begin,
                (size_t)meeting->count * sizeof *list->pairs.items);
        meeting->begin = list->pairs.count;
        list->pairs.count += meeting->count;
    }
}

// A patch that looks for what is near it.
typedef struct asking {
    const mending *mending;
    int32_t surface, patch, other;
    const pli_sheet *sheet; // Of the patch, if it can touch itself.
    pli_passage box;
    pli_meeting *out;
    int32_t room, count;
} asking;

static void add_meeting(asking *a, pli_meeting meeting)
{
    if (a->count < a->room)
        a->out[a->count] = meeting;
    a->count++;
}

// Partners are certified.
static bool is_settled(const asking *a, const pli_meeting *m)
{
    return a->sheet && m->surface[0] == m->surface[1] && pli_sheet_partner(a->sheet, m->patch[0], m->patch[1]) >= 0;
}

// Of two that both ask, the first does; the first of two partners answers for both (ask_partners).
static bool found_patch(void *data, int32_t patch)
{
    asking *a = data;
    bool other_asks = *mark_of(a->mending, a->other, patch) & MARK_ASKS;
    bool before = a->surface < a->other || (a->surface == a->other && a->patch <= patch);
    pli_meeting ahead = {.surface = {a->surface, a->other}, .patch = {a->patch, patch}};
    pli_meeting behind = {.surface = {a->other, a->surface}, .patch = {patch, a->patch}};
    const pli_meeting *meeting = before ? &ahead : &behind;
    if ((before || !other_asks) && !is_settled(a, meeting))
        add_meeting(a, *meeting);
    return true;
}

// About all of a patch's way, since the other boxes may be of another time.
static pli_bounds bounds_about(const asking *a)
{
    const mending *m = a->mending;
    pli_passage way = m->find->space->surfaces[a->surface]->patches.tree.passages[a->patch];
    return pli_bounds_grow(pli_bounds_join(way.start, way.end), m->find->reach[m->list]);
}

static bool found_surface(void *data, int32_t surface)
{
    asking *a = data;
    const mending *m = a->mending;
    const pli_space *space = m->find->space;
    bool collider = pli_surface_stands(space->surfaces[a->surface]) || pli_surface_stands(space->surfaces[surface]);
    a->other = surface;
    if (collider == (m->list == PLI_LIST_COLLIDERS) && pli_space_meet(space, a->surface, surface))
        pli_box_tree_query(&space->surfaces[surface]->patches.tree, space->near, &a->box, 0, found_patch, a);
    return true;
}

static void ask_others(asking *a)
{
    const pli_space *space = a->mending->find->space;
    pli_bounds all = bounds_about(a);
    a->box = (pli_passage){all, all};
    pli_box_tree_query(&space->around, space->near, &a->box, 0, found_surface, a);
}

static void ask_partners(asking *a)
{
    const pli_sheet *sheet = a->sheet;
    uint64_t rough = pli_find_rough(a->mending->find, a->surface, a->patch, sheet->doubtful[a->patch]);
    sheet->listed[a->patch] = (sheet->listed[a->patch] & ~sheet->doubtful[a->patch]) | rough;
    for (; rough; rough &= rough - 1) {
        int32_t partner = sheet->partners[sheet->partner_starts[a->patch] + __builtin_ctzll(rough)];
        add_meeting(a, (pli_meeting){.surface = {a->surface, a->surface}, .patch = {a->patch, partner}});
    }
}

static void ask_chunk(void *data, int32_t chunk, void *out, int32_t room, int32_t *count)
{
    const mending *m = data;
    const pli_space *space = m->find->space;
    asking a = {.mending = m, .out = out, .room = room};
    int32_t end = (chunk + 1) * ASKING_GRAIN < space->repair.asking_count ? (chunk + 1) * ASKING_GRAIN
                                                                          : space->repair.asking_count;
    for (int32_t i = chunk * ASKING_GRAIN; i < end; i++) {
        a.surface = space->repair.asking[i].surface, a.patch = space->repair.asking[i].patch;
        a.sheet = pli_find_sheet(m->find, a.surface);
        uint8_t marks = *mark_of(m, a.surface, a.patch);
        if (marks & MARK_ASKS)
            ask_others(&a);
        if (marks & MARK_DOUBTS && m->list == PLI_LIST_DEFORMABLES)
            ask_partners(&a);
    }
    *count = a.count;
}

static void lay_chunk(void *data, int32_t chunk)
{
    const mending *m = data;
    const pli_space *space = m->find->space;
    int32_t end = (chunk + 1) * ASKING_GRAIN < space->repair.wanted_count ? (chunk + 1) * ASKING_GRAIN
                                                                          : space->repair.wanted_count;
    for (int32_t i = chunk * ASKING_GRAIN; i < end; i++) {
        uint8_t *mark = mark_of(m, space->repair.wanted[i].surface, space->repair.wanted[i].patch);
        *mark = (uint8_t)((*mark & ~MARK_WAITS) | MARK_LAID);
        pli_find_lay_patch(m->find, space->repair.wanted[i].surface, space->repair.wanted[i].patch);
    }
}

static void lay_wanted(const mending *m)
{
    const pli_space *space = m->find->space;
    pli_tasks_run(space->tasks, (space->repair.wanted_count + ASKING_GRAIN - 1) / ASKING_GRAIN, lay_chunk, (void *)m);
}

// Lays out what waits for it.
static void lay_waiting(const mending *m)
{
    pli_space *space = m->find->space;
    space->repair.wanted_count = list_marked(m, MARK_WAITS, space->repair.wanted);
    lay_wanted(m);
}

static void fit_trees(const mending *m)
{
    pli_space *space = m->find->space;
    for (int32_t i = 0; i < space->surface_count; i++)
        pli_find_fit_surface(space, i);
    pli_box_tree_fit(&space->around, space->tasks);
}

// Boxes are compared at one time.
static void lay_meetings(mending *m, const pli_pair_list *list, int32_t first)
{
    pli_space *space = m->find->space;
    space->repair.wanted_count = 0;
    for (int32_t i = first; i < list->meetings.count; i++)
        for (int k = 0; k < 2; k++) {
            int32_t surface = list->meetings.items[i].surface[k], patch = list->meetings.items[i].patch[k];
            uint8_t *mark = mark_of(m, surface, patch);
            if (!(*mark & (MARK_LAID | MARK_WAITS)))
                space->repair.wanted[space->repair.wanted_count++] = (pli_patch_place){surface, patch};
            wait_for(mark);
        }
    lay_wanted(m);
}

static bool mend_list(mending *m)
{
    pli_space *space = m->find->space;
    pli_pair_list *list = &space->cache.lists[m->list];
    const pli_gathering what = {
        .size = sizeof(pli_meeting),
        .chunks = (space->repair.asking_count + ASKING_GRAIN - 1) / ASKING_GRAIN,
        .room = &list->meeting_room,
        .ask = ask_chunk,
        .data = m,
    };
    drop_pairs(m, list);
    int32_t first = list->meetings.count;
    const pli_gather_tools tools = pli_space_tools(space);
    if (!pli_gather_to(&tools, &what, &list->meetings))
        return false;
    lay_meetings(m, list, first);
    if (!pli_find_match(m->find, m->list, first) || !put_in_order(m, list))
        return false;
    close_gaps(space, list);
    return true;
}

// Numbers the patches of all surfaces.
static bool number_patches(pli_space *space, int64_t *count)
{
    *count = 0;
    space->repair.patch_bases = PLI_TAKE(&space->arena, int32_t, space->surface_count);
    if (!space->repair.patch_bases)
        return false;
    for (int32_t s = 0; s < space->surface_count; s++) {
        space->repair.patch_bases[s] = (int32_t)*count;
        *count += space->surfaces[s]->patches.count;
    }
    return *count <= INT32_MAX;
}

static bool reserve(pli_space *space, int64_t *patches)
{
    pli_repair *repair = &space->repair;
    if (!number_patches(space, patches))
        return false;
    repair->marks = PLI_TAKE(&space->arena, uint8_t, *patches);
    repair->asking = PLI_TAKE(&space->arena, pli_patch_place, *patches);
    repair->wanted = PLI_TAKE(&space->arena, pli_patch_place, *patches);
    return repair->marks && repair->asking && repair->wanted;
}

static bool are_few(const mending *m, int64_t all)
{
    return pli_slack_repairs(list_marked(m, MARK_ASKS, m->find->space->repair.wanted), all);
}

bool pli_find_mend(const pli_find *find, bool *mended)
{
    pli_space *space = find->space;
    int64_t all;
    if (!reserve(space, &all))
        return false;
    mending m = {.find = find, .marks = space->repair.marks, .bases = space->repair.patch_bases};
    mark_strays(&m);
    *mended = are_few(&m, all);
    if (!*mended)
        return true;
    for (int32_t s = 0; s < space->surface_count; s++)
        mark_doubtful(&m, s);
    space->repair.asking_count = list_marked(&m, MARK_ASKS | MARK_DOUBTS, space->repair.asking);
    lay_waiting(&m);
    fit_trees(&m);
    for (m.list = 0; m.list < PLI_LIST_COUNT; m.list++)
        if (space->cache.has_pairs[m.list] && !mend_list(&m))
            return false;
    return true;
}
