// What is known of two patches as a whole, so that pairs are not looked at one by one.
#include "collision/find.h"

// Pairs for each patch beyond which it pays to know how far the patches have strayed one by one.
enum { MANY_PAIRS = 16 };

// Patches that a task looks at.
enum { PATCH_GRAIN = 64 };

typedef struct looking {
    pli_space *space;
    int32_t surface;
} looking;

bool pli_space_number_patches(pli_space *space, int64_t *count)
{
    *count = 0;
    if (!pli_reserve(space->memory, &space->patch_bases, &space->patch_base_capacity, space->surface_count,
                     sizeof(int32_t)))
        return false;
    for (int32_t s = 0; s < space->surface_count; s++) {
        space->patch_bases[s] = (int32_t)*count;
        *count += space->surfaces[s]->patches.count;
    }
    return *count <= INT32_MAX && pli_reserve(space->memory, &space->marks, &space->mark_capacity, *count, 1) &&
           pli_reserve(space->memory, &space->patch_strays, &space->patch_stray_capacity, *count, sizeof(float));
}

// All, since one that a mend has moved is not laid and may be in meetings that were kept.
static void each_patch(pli_space *space, pli_task look)
{
    looking l = {.space = space};
    for (l.surface = 0; l.surface < space->surface_count; l.surface++)
        pli_tasks_run(space->tasks, (space->surfaces[l.surface]->patches.count + PATCH_GRAIN - 1) / PATCH_GRAIN, look,
                      &l);
}

static int32_t chunk_end(const pli_surface *s, int32_t chunk)
{
    return (chunk + 1) * PATCH_GRAIN < s->patches.count ? (chunk + 1) * PATCH_GRAIN : s->patches.count;
}

static void measure_chunk(void *data, int32_t chunk)
{
    const looking *l = data;
    const pli_surface *s = l->space->surfaces[l->surface];
    bool stays = pli_space_stays(l->space, l->surface);
    for (int32_t patch = chunk * PATCH_GRAIN; patch < chunk_end(s, chunk); patch++) {
        int32_t at[PLI_PATCH_PLACES];
        float most = 0.0f;
        for (int32_t i = stays ? 0 : pli_surface_places(s, patch, at); i-- > 0;)
            most = pli_higher(most, l->space->squares_off[s->first + at[i]]);
        l->space->patch_strays[l->space->patch_bases[l->surface] + patch] = sqrtf(most);
    }
}

bool pli_meetings_measure(pli_space *space)
{
    int64_t patches, pairs = 0;
    space->knows_patch_strays = false;
    if (!pli_space_number_patches(space, &patches))
        return false;
    for (int32_t list = 0; list < PLI_LIST_COUNT; list++)
        pairs += space->has_pairs[list] ? space->lists[list].count : 0;
    if (!(space->strayed > 0.0f) || pairs < MANY_PAIRS * patches)
        return true;
    pli_space_measure_strays(space);
    each_patch(space, measure_chunk);
    space->knows_patch_strays = true;
    return true;
}

static void note_chunk(void *data, int32_t chunk)
{
    const looking *l = data;
    const pli_surface *s = l->space->surfaces[l->surface];
    for (int32_t patch = chunk * PATCH_GRAIN; patch < chunk_end(s, chunk); patch++) {
        int32_t at[PLI_PATCH_PLACES];
        uint8_t any = 0;
        for (int32_t i = s->collider ? 0 : pli_surface_places(s, patch, at); i-- > 0;)
            any |= l->space->changed[s->first + at[i]];
        l->space->marks[l->space->patch_bases[l->surface] + patch] = any;
    }
}

void pli_meetings_note_changes(pli_space *space) { each_patch(space, note_chunk); }
