#include "collision/uncertified_pairs.h"

#include "collision/find_patches.h"
#include "collision/gather.h"

const pli_sheet *pli_find_sheet(const pli_find *find, int32_t surface)
{
    return pli_space_meet(find->space, surface, surface) ? pli_surface_sheet(find->space->surfaces[surface]) : NULL;
}

pli_sheet_limits pli_find_limits(const pli_find *find, int32_t surface)
{
    float keep = find->space->surfaces[surface]->material.thickness;
    return (pli_sheet_limits){pli_space_reach(find->space, keep, PLI_NEAR_SHARE * keep),
                              find->space->cache.slack.budget};
}

uint64_t pli_find_rough(const pli_find *find, int32_t surface, int32_t patch, uint64_t partners)
{
    const pli_surface *s = find->space->surfaces[surface];
    const pli_sheet_limits limits = pli_find_limits(find, surface);
    return pli_sheet_rough(s->sheet, find->space->slopes, patch, partners, &limits);
}

typedef struct asking {
    const pli_find *find;
    int32_t list;
    const pli_sheet *sheet; // Of the patch that asks, or null.
    int32_t partner;        // The first of its partners that is not before what was found.
    uint64_t rough;         // Those that may touch.
    pli_meeting *out;
    int32_t room, count;
} asking;

// Whether a patch of the same sheet need not be looked at. They are found in ascending order, in which partners are too.
static bool is_smooth(asking *q, int32_t patch, int32_t other)
{
    const pli_sheet *sheet = q->sheet;
    int32_t first = sheet->partner_starts[patch], count = pli_sheet_partner_count(sheet, patch);
    while (q->partner < count && sheet->partners[first + q->partner] < other)
        q->partner++;
    if (q->partner == count || sheet->partners[first + q->partner] != other)
        return false;
    uint64_t bit = UINT64_C(1) << q->partner;
    sheet->listed[patch] |= q->rough & bit;
    return !(q->rough & bit);
}

static void add_meeting(void *data, const pli_patch_pair *p)
{
    asking *q = data;
    if (q->sheet && p->surface[0] == p->surface[1] && is_smooth(q, p->patch[0], p->patch[1]))
        return;
    if (q->count < q->room)
        q->out[q->count] = (pli_meeting){.surface = {p->surface[0], p->surface[1]},
                                         .patch = {p->patch[0], p->patch[1]}};
    q->count++;
}

// Partners whose boxes do not meet are not found, and clear too.
static void begin_sheet(asking *q, int32_t surface, int32_t patch)
{
    q->sheet = q->list == PLI_LIST_DEFORMABLES ? pli_find_sheet(q->find, surface) : NULL;
    if (!q->sheet)
        return;
    q->partner = 0;
    q->sheet->listed[patch] = 0;
    q->rough = pli_find_rough(q->find, surface, patch, pli_sheet_all(q->sheet, patch));
}

static void ask_chunk(void *data, int32_t chunk, void *out, int32_t room, int32_t *count)
{
    asking q = *(const asking *)data;
    q.out = out, q.room = room, q.count = 0;
    int32_t all = q.find->patch_bases[q.find->surface_count];
    int32_t end = (chunk + 1) * PLI_FIND_GRAIN < all ? (chunk + 1) * PLI_FIND_GRAIN : all;
    for (int32_t i = chunk * PLI_FIND_GRAIN; i < end; i++) {
        int32_t surface = pli_find_owner(q.find->patch_bases, q.find->surface_count, i);
        begin_sheet(&q, surface, i - q.find->patch_bases[surface]);
        pli_find_patches(q.find, i, q.list, add_meeting, &q);
    }
    *count = q.count;
}

bool pli_find_meetings(const pli_find *find, int32_t which)
{
    pli_space *space = find->space;
    pli_pair_list *list = &space->cache.lists[which];
    asking q = {.find = find, .list = which};
    const pli_gathering what = {
        .size = sizeof(pli_meeting),
        .chunks = (find->patch_bases[find->surface_count] + PLI_FIND_GRAIN - 1) / PLI_FIND_GRAIN,
        .room = &list->meeting_room,
        .ask = ask_chunk,
        .data = &q,
    };
    list->meetings.count = 0;
    const pli_gather_tools tools = pli_space_tools(space);
    return pli_gather_to(&tools, &what, &list->meetings);
}
