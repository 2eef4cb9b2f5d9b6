// Contiguous batches: found among the constraints of a set, and marked in its cooked arrays. See
// sweep/contiguous_batches.h.
#include "sweep/contiguous_batches.h"

#include "model/model.h"

#include <stdlib.h>
#include <string.h>

static int32_t lowest_in(const int32_t *particles, int32_t n)
{
    int32_t lowest = particles[0];
    for (int32_t k = 1; k < n; k++)
        lowest = particles[k] < lowest ? particles[k] : lowest;
    return lowest;
}

static bool follows(const int32_t *particles, const int32_t *others, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        if (others[k] != particles[k] + 1)
            return false;
    return true;
}

// Whether four constraints share no particle, when each has the particles of the one before plus 1.
static bool share_none(const int32_t *particles, int32_t n)
{
    for (int32_t k = 1; k < n; k++)
        for (int32_t l = 0; l < k; l++)
            if (abs(particles[k] - particles[l]) < PLI_CONTIGUOUS_BATCH)
                return false;
    return true;
}

// First constraint of each lowest particle. False if constraints are not sorted by it.
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

static void find_next_stencil(const int32_t *particles, int32_t n, int32_t count, const int32_t *starts, int32_t *next)
{
    for (int32_t i = 0; i < count; i++) {
        const int32_t *own = particles + (size_t)i * (size_t)n;
        int32_t at = starts[lowest_in(own, n) + 1], end = starts[lowest_in(own, n) + 2];
        while (at < end && !follows(own, particles + (size_t)at * (size_t)n, n))
            at++;
        next[i] = at < end ? at : -1;
    }
}

static void form_batches(const int32_t *particles, int32_t n, int32_t count, const pli_contiguous_batches *q)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t members[PLI_CONTIGUOUS_BATCH] = {i}, found = 1;
        if (q->part[i] != PLI_CONTIGUOUS_BATCH_NONE || !share_none(particles + (size_t)i * (size_t)n, n))
            continue;
        while (found < PLI_CONTIGUOUS_BATCH && q->next[members[found - 1]] >= 0 &&
               !q->part[q->next[members[found - 1]]]) {
            members[found] = q->next[members[found - 1]];
            found++;
        }
        for (int32_t j = 0; j < PLI_CONTIGUOUS_BATCH && found == PLI_CONTIGUOUS_BATCH; j++)
            q->part[members[j]] = j == 0 ? PLI_CONTIGUOUS_BATCH_FIRST : PLI_CONTIGUOUS_BATCH_OTHER;
    }
}

bool pli_contiguous_batches_find(pli_memory *memory, const int32_t *particles, int32_t cardinality, int32_t count,
                                 int32_t particle_count, pli_contiguous_batches *contiguous_batches)
{
    *contiguous_batches = (pli_contiguous_batches){0};
    if (count < PLI_CONTIGUOUS_BATCHES_LEAST || cardinality < 1)
        return true;
    int32_t *starts = PLI_ALLOCATE(memory, int32_t, (int64_t)particle_count + 2);
    contiguous_batches->next = PLI_ALLOCATE_UNSET(memory, int32_t, count);
    contiguous_batches->part = PLI_ALLOCATE(memory, uint8_t, count);
    bool complete = starts && contiguous_batches->next && contiguous_batches->part;
    if (complete && find_starts(particles, cardinality, count, particle_count, starts)) {
        find_next_stencil(particles, cardinality, count, starts, contiguous_batches->next);
        form_batches(particles, cardinality, count, contiguous_batches);
    } else {
        pli_contiguous_batches_release(memory, contiguous_batches);
    }
    pli_release(memory, starts);
    return complete;
}

void pli_contiguous_batches_release(pli_memory *memory, pli_contiguous_batches *contiguous_batches)
{
    pli_release(memory, contiguous_batches->next);
    pli_release(memory, contiguous_batches->part);
    *contiguous_batches = (pli_contiguous_batches){0};
}

static bool is_contiguous(const pli_constraints_data *set, int32_t slot)
{
    for (int32_t k = 0; k < set->type->cardinality; k++)
        for (int32_t lane = PLI_CONTIGUOUS_BATCH; lane < PLI_BATCH; lane++)
            if (pli_index_place(set->index[k][slot + lane]) !=
                pli_index_place(set->index[k][slot + lane % PLI_CONTIGUOUS_BATCH]) + lane / PLI_CONTIGUOUS_BATCH)
                return false;
    return true;
}

bool pli_contiguous_batches_mark(pli_world *world, pli_constraints_data *set)
{
    int32_t batches = set->slot_count / PLI_BATCH, found = 0;
    if (set->pad != PLI_BATCH || set->count < PLI_CONTIGUOUS_BATCHES_LEAST || pli_tears(&set->deformable->def.tearing))
        return true;
    set->contiguous_batches = PLI_ALLOCATE(&world->memory, uint8_t, batches);
    for (int32_t i = 0; set->contiguous_batches && i < batches; i++)
        found += set->contiguous_batches[i] = is_contiguous(set, i * PLI_BATCH);
    bool complete = set->contiguous_batches != NULL;
    if (complete && found == 0) {
        pli_release(&world->memory, set->contiguous_batches);
        set->contiguous_batches = NULL;
    }
    return complete;
}
