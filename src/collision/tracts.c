// Whole tracts of sheets are told to be smooth before any patch asks.
#include "collision/find.h"

enum { TRACT_GRAIN = 4 }; // Tracts that a task looks at.

typedef struct looking {
    const pli_find *find;
    int32_t surface;
} looking;

typedef struct meeting {
    const pli_sheet *sheet;
    int32_t tract;
    bool alone;
} meeting;

static bool found_tract(void *data, int32_t other)
{
    meeting *m = data;
    m->alone = pli_sheet_tracts_near(m->sheet, m->tract, other);
    return m->alone;
}

static bool is_alone(const looking *l, int32_t tract)
{
    const pli_surface *s = l->find->space->surfaces[l->surface];
    meeting m = {s->sheet, tract, true};
    pli_passage box = pli_passage_grow(pli_box_tree_above(&s->patches.tree, tract),
                                       l->find->reach[PLI_LIST_DEFORMABLES]);
    pli_box_tree_query_above(&s->patches.tree, l->find->space->near, &box, tract, found_tract, &m);
    return m.alone;
}

static void look_at_tract(const looking *l, int32_t tract)
{
    const pli_space *space = l->find->space;
    const pli_sheet *sheet = space->surfaces[l->surface]->sheet;
    const pli_sheet_limits limits = pli_find_limits(l->find, l->surface);
    pli_tract *t = &sheet->tracts[tract];
    t->state = PLI_TRACT_OPEN;
    if (!pli_sheet_tract_holds(sheet, space->slopes, tract, &limits))
        return;
    t->state = is_alone(l, tract) ? PLI_TRACT_ALONE : PLI_TRACT_SMOOTH;
    for (uint32_t in = pli_sheet_in_tract(sheet, tract); in; in &= in - 1)
        sheet->listed[PLI_SLOPE_TRACT * tract + __builtin_ctz(in)] = 0;
}

static void look_chunk(void *data, int32_t chunk)
{
    const looking *l = data;
    int32_t count = l->find->space->surfaces[l->surface]->sheet->tract_count;
    for (int32_t tract = chunk * TRACT_GRAIN; tract < count && tract < (chunk + 1) * TRACT_GRAIN; tract++)
        look_at_tract(l, tract);
}

const pli_sheet *pli_find_sheet(const pli_find *find, int32_t surface)
{
    return pli_space_meet(find->space, surface, surface) ? pli_surface_sheet(find->space->surfaces[surface]) : NULL;
}

void pli_find_tracts(const pli_find *find)
{
    looking l = {.find = find};
    for (l.surface = 0; l.surface < find->surface_count; l.surface++) {
        const pli_sheet *sheet = pli_find_sheet(find, l.surface);
        int32_t count = sheet ? sheet->tract_count : 0;
        pli_tasks_run(find->space->tasks, (count + TRACT_GRAIN - 1) / TRACT_GRAIN, look_chunk, &l);
    }
}
