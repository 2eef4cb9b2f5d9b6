#include "solver/quartets.h"

#include "solver/set.h"
#include "solver/tear.h"

#include <stdlib.h>
#include <string.h>

static int32_t lowest_in(const int32_t *particles, int32_t n)
{
    int32_t lowest = particles[0];
    for (int32_t k = 1; k < n; k++)
        lowest = particles[k] < lowest ? particles[k] : lowest;
    return lowest;
}

static bool is_one_on(const int32_t *particles, const int32_t *others, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        if (others[k] != particles[k] + 1)
            return false;
    return true;
}

// Whether four of them, one place on each, share no particle.
static bool are_apart(const int32_t *particles, int32_t n)
{
    for (int32_t k = 1; k < n; k++)
        for (int32_t l = 0; l < k; l++)
            if (abs(particles[k] - particles[l]) < PLI_QUARTET)
                return false;
    return true;
}

// Where the constraints of each lowest particle begin. False where they do not come in that order.
static bool find_starts(const int32_t *particles, int32_t n, int32_t count, int32_t particle_count, int32_t *starts)
{
    int32_t lowest = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t next = lowest_in(particles + (size_t)i * (size_t)n, n);
        if (next < lowest)
            return false;
        while (lowest < next)
            starts[++lowest] = i;
    }
    while (lowest <= particle_count)
        starts[++lowest] = count;
    return true;
}

static void find_next(const int32_t *particles, int32_t n, int32_t count, const int32_t *starts, int32_t *next)
{
    for (int32_t i = 0; i < count; i++) {
        const int32_t *own = particles + (size_t)i * (size_t)n;
        int32_t at = starts[lowest_in(own, n) + 1], end = starts[lowest_in(own, n) + 2];
        while (at < end && !is_one_on(own, particles + (size_t)at * (size_t)n, n))
            at++;
        next[i] = at < end ? at : -1;
    }
}

static void choose(const int32_t *particles, int32_t n, int32_t count, const pli_quartets *q)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t members[PLI_QUARTET] = {i}, found = 1;
        if (q->part[i] != PLI_QUARTET_NONE || !are_apart(particles + (size_t)i * (size_t)n, n))
            continue;
        while (found < PLI_QUARTET && q->next[members[found - 1]] >= 0 && !q->part[q->next[members[found - 1]]]) {
            members[found] = q->next[members[found - 1]];
            found++;
        }
        for (int32_t j = 0; j < PLI_QUARTET && found == PLI_QUARTET; j++)
            q->part[members[j]] = j == 0 ? PLI_QUARTET_FIRST : PLI_QUARTET_OTHER;
    }
}

bool pli_quartets_find(pli_memory *memory, const int32_t *particles, int32_t cardinality, int32_t count,
                       int32_t particle_count, pli_quartets *quartets)
{
    *quartets = (pli_quartets){0};
    if (count < PLI_QUARTETS_LEAST || cardinality < 1)
        return true;
    int32_t *starts = PLI_ALLOCATE(memory, int32_t, (int64_t)particle_count + 2);
    quartets->next = PLI_ALLOCATE_UNSET(memory, int32_t, count);
    quartets->part = PLI_ALLOCATE(memory, uint8_t, count);
    bool complete = starts && quartets->next && quartets->part;
    if (complete && find_starts(particles, cardinality, count, particle_count, starts)) {
        find_next(particles, cardinality, count, starts, quartets->next);
        choose(particles, cardinality, count, quartets);
    } else {
        pli_quartets_release(memory, quartets);
    }
    pli_release(memory, starts);
    return complete;
}

void pli_quartets_release(pli_memory *memory, pli_quartets *quartets)
{
    pli_release(memory, quartets->next);
    pli_release(memory, quartets->part);
    *quartets = (pli_quartets){0};
}

static bool is_in_quartets(const pli_set *set, int32_t slot)
{
    for (int32_t k = 0; k < set->type->cardinality; k++)
        for (int32_t lane = PLI_QUARTET; lane < PLI_BATCH; lane++)
            if (pli_index_place(set->index[k][slot + lane]) !=
                pli_index_place(set->index[k][slot + lane % PLI_QUARTET]) + lane / PLI_QUARTET)
                return false;
    return true;
}

bool pli_quartets_mark(pli_world *world, pli_set *set)
{
    int32_t batches = set->slot_count / PLI_BATCH, found = 0;
    if (set->pad != PLI_BATCH || set->count < PLI_QUARTETS_LEAST || pli_tears(&set->body->def.tearing))
        return true;
    set->quartets = PLI_ALLOCATE(&world->memory, uint8_t, batches);
    for (int32_t i = 0; set->quartets && i < batches; i++)
        found += set->quartets[i] = is_in_quartets(set, i * PLI_BATCH);
    bool complete = set->quartets != NULL;
    if (complete && found == 0) {
        pli_release(&world->memory, set->quartets);
        set->quartets = NULL;
    }
    return complete;
}
