#include "solver/schedule.h"

#include "base/sort.h"

enum { COLOURS = 64 };

typedef struct stencils {
    const int32_t *particles, *offsets;
    int32_t cardinality, count;
} stencils;

static const int32_t *stencil_of(const stencils *s, int32_t i, int32_t *count)
{
    if (s->offsets) {
        *count = s->offsets[i + 1] - s->offsets[i];
        return s->particles + s->offsets[i];
    }
    *count = s->cardinality;
    return s->particles + (size_t)i * (size_t)s->cardinality;
}

static bool visiting_order(pli_memory *memory, const stencils *s, pli_sort_item *items)
{
    for (int32_t i = 0; i < s->count; i++) {
        int32_t n, lowest = INT32_MAX;
        const int32_t *particles = stencil_of(s, i, &n);
        for (int32_t k = 0; k < n; k++)
            lowest = particles[k] < lowest ? particles[k] : lowest;
        items[i] = (pli_sort_item){(uint64_t)lowest, i};
    }
    return pli_sort(memory, items, s->count);
}

// Colours the constraints in visiting order; returns how many colours there are.
static int32_t first_fit(const stencils *s, const pli_sort_item *visits, uint64_t *masks, int32_t *colours)
{
    int32_t used = 0, alone = 0;
    for (int32_t v = 0; v < s->count; v++) {
        int32_t n, i = visits[v].value;
        const int32_t *particles = stencil_of(s, i, &n);
        uint64_t taken = 0;
        for (int32_t k = 0; k < n; k++)
            taken |= masks[particles[k]];
        if (taken == UINT64_MAX) {
            colours[i] = COLOURS + alone++;
            continue;
        }
        colours[i] = __builtin_ctzll(~taken);
        used = colours[i] >= used ? colours[i] + 1 : used;
        for (int32_t k = 0; k < n; k++)
            masks[particles[k]] |= 1ull << colours[i];
    }
    return alone > 0 ? COLOURS + alone : used;
}

// Counting sort by colour that keeps the visiting order within each.
static void fill(const stencils *s, const pli_sort_item *visits, const int32_t *colours, int32_t *starts,
                 pli_schedule *schedule)
{
    for (int32_t i = 0; i < s->count; i++)
        schedule->colour_offsets[colours[i] + 1]++;
    for (int32_t c = 0; c < schedule->colour_count; c++)
        schedule->colour_offsets[c + 1] += schedule->colour_offsets[c];
    for (int32_t c = 0; c < schedule->colour_count; c++)
        starts[c] = schedule->colour_offsets[c];
    for (int32_t v = 0; v < s->count; v++)
        schedule->order[starts[colours[visits[v].value]]++] = visits[v].value;
}

bool pli_schedule_colour(pli_memory *memory, const int32_t *particles, const int32_t *offsets, int32_t cardinality,
                         int32_t count, int32_t particle_count, pli_schedule *schedule)
{
    stencils s = {particles, offsets, cardinality, count};
    *schedule = (pli_schedule){0};
    pli_sort_item *visits = PLI_ALLOCATE(memory, pli_sort_item, count);
    uint64_t *masks = PLI_ALLOCATE(memory, uint64_t, particle_count);
    int32_t *colours = PLI_ALLOCATE(memory, int32_t, count), *starts = NULL;
    bool complete = visits && masks && colours && visiting_order(memory, &s, visits);
    if (complete) {
        schedule->colour_count = first_fit(&s, visits, masks, colours);
        schedule->order = PLI_ALLOCATE(memory, int32_t, count);
        schedule->colour_offsets = PLI_ALLOCATE(memory, int32_t, schedule->colour_count + 1);
        starts = PLI_ALLOCATE(memory, int32_t, schedule->colour_count);
        complete = schedule->order && schedule->colour_offsets && starts;
    }
    if (complete)
        fill(&s, visits, colours, starts, schedule);
    else
        pli_schedule_release(memory, schedule);
    pli_release(memory, visits);
    pli_release(memory, masks);
    pli_release(memory, colours);
    pli_release(memory, starts);
    return complete;
}

void pli_schedule_release(pli_memory *memory, pli_schedule *schedule)
{
    pli_release(memory, schedule->order);
    pli_release(memory, schedule->colour_offsets);
    *schedule = (pli_schedule){0};
}
