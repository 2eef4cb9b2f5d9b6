// Tethers that follow what is held, a piece a step: stretch/tether_follow.h.
#include "stretch/tether_follow.h"

#include "model/handles.h"
#include "stretch/stretch_tethers.h"

#include <string.h>

// Arrivals of fronts in a step: half a millisecond, and a mesh of any size within a second or two at 60 steps a second.
#define LEAST_ARRIVALS 512
#define LARGE_MESH 20 // Vertices for each arrival where that is more.

static int64_t piece_of(const pli_deformable_data *deformable)
{
    int64_t share = deformable->count / LARGE_MESH;
    return share > LEAST_ARRIVALS ? share : LEAST_ARRIVALS;
}

static pli_tether_search search_of(pli_world *world, const pli_deformable_data *deformable, const int32_t *owners)
{
    return (pli_tether_search){.memory = &world->memory,
                               .faces = &deformable->shape,
                               .owners = owners,
                               .world = PLI_OWNER_WORLD,
                               .most = deformable->limit->anchors};
}

static bool is_same(const pli_limit *limit, const int32_t *a, const int32_t *b)
{
    return memcmp(a, b, (size_t)limit->count * sizeof *a) == 0;
}

bool pli_limit_is_behind(const pli_limit *limit)
{
    return limit->kind == PLI_STRETCH_LONG_RANGE_ATTACHMENTS && !is_same(limit, limit->owners, limit->found);
}

static bool has_lost_most(const pli_limit *limit)
{
    int32_t total = limit->tethers.rank_count > 0 ? limit->tethers.offsets[limit->tethers.rank_count] : 0;
    int64_t lost = 0;
    for (int32_t i = 0; i < total; i++)
        lost += !pli_tether_acts(limit, &limit->tethers.items[i]);
    return 4 * lost > 3 * (int64_t)total;
}

bool pli_limit_lost_most(const pli_limit *limit)
{
    return pli_limit_is_behind(limit) && !is_same(limit, limit->found, limit->filled) && has_lost_most(limit);
}

/* ---- the job ------------------------------------------------------------------------------------- */

void pli_limit_drop_job(pli_world *world, pli_limit *limit)
{
    if (!limit->job)
        return;
    pli_tether_search_end(&limit->job->search, NULL);
    pli_release(&world->memory, limit->job->owners);
    pli_release(&world->memory, limit->job);
    limit->job = NULL;
}

void pli_limit_drop_record(pli_world *world, pli_limit *limit)
{
    if (!limit->record)
        return;
    pli_release(&world->memory, limit->record->owners);
    pli_release(&world->memory, limit->record->wanted);
    pli_release(&world->memory, limit->record);
    limit->record = NULL;
}

static bool begin(pli_world *world, pli_deformable_data *deformable, const int32_t *owners)
{
    pli_limit *limit = deformable->limit;
    pli_tether_job *job = limit->job = PLI_ALLOCATE(&world->memory, pli_tether_job, 1);
    if (!job)
        return false;
    job->owners = PLI_ALLOCATE_UNSET(&world->memory, int32_t, deformable->capacity);
    job->search = search_of(world, deformable, job->owners);
    if (job->owners) {
        memcpy(job->owners, owners, (size_t)deformable->count * sizeof *owners);
        if (pli_tether_search_begin(&job->search))
            return true;
    }
    pli_limit_drop_job(world, limit);
    return false;
}

static bool fill_anew(pli_world *world, pli_deformable_data *deformable)
{
    pli_limit_free_set(world, deformable->limit);
    return pli_limit_build_tethers(world, deformable);
}

// Puts the tethers that were found into the place of those in effect.
static bool take(pli_world *world, pli_deformable_data *deformable)
{
    pli_limit *limit = deformable->limit;
    pli_tethers tethers;
    if (!pli_tether_search_end(&limit->job->search, &tethers))
        return false;
    pli_tethers_release(&world->memory, &limit->tethers);
    limit->tethers = tethers;
    memcpy(limit->owners, limit->job->owners, (size_t)limit->count * sizeof *limit->owners);
    return fill_anew(world, deformable);
}

void pli_limit_follow(pli_world *world, pli_deformable_data *deformable)
{
    pli_limit *limit = deformable->limit;
    if (deformable->reshaped)
        return;
    if (!pli_limit_is_behind(limit)) {
        pli_limit_drop_job(world, limit);
        return;
    }
    if (!limit->job) {
        begin(world, deformable, limit->found);
        return;
    }
    limit->job->steps++;
    if (!pli_tether_search_go_on(&limit->job->search, piece_of(deformable)))
        return;
    // Without its set, the limit is built anew before the next step.
    if (!take(world, deformable))
        deformable->reshaped = true;
    pli_limit_drop_job(world, limit);
}

/* ---- at once --------------------------------------------------------------------------------------- */

static bool find(pli_world *world, pli_deformable_data *deformable)
{
    pli_tether_search search = search_of(world, deformable, deformable->limit->owners);
    return pli_tethers_find(&search, &deformable->limit->tethers);
}

// Follows the search of then as far as it was.
static bool search_again(pli_world *world, pli_deformable_data *deformable, const pli_tether_record *record)
{
    pli_limit *limit = deformable->limit;
    pli_limit_drop_job(world, limit);
    if (!record->wanted)
        return true;
    if (!begin(world, deformable, record->wanted))
        return false;
    limit->job->steps = record->steps;
    pli_tether_search_go_on(&limit->job->search, piece_of(deformable) * record->steps);
    return !limit->job->search.geodesics.failed;
}

bool pli_limit_go_back(pli_world *world, pli_deformable_data *deformable)
{
    pli_limit *limit = deformable->limit;
    const pli_tether_record *record = limit->record;
    if (record && record->ready && (record->count != limit->count || !is_same(limit, record->owners, limit->owners)))
        return false;
    if (record && record->ready && !search_again(world, deformable, record))
        return false;
    pli_limit_drop_record(world, limit);
    bool whole = limit->whole;
    limit->whole = false;
    return !whole || !pli_limit_is_behind(limit);
}

// Finds what was in effect when the snapshot was made, and follows the search of then.
static bool find_again(pli_world *world, pli_deformable_data *deformable, const pli_tether_record *record)
{
    pli_limit *limit = deformable->limit;
    memcpy(limit->owners, record->owners, (size_t)record->count * sizeof *record->owners);
    if (!find(world, deformable))
        return false;
    if (has_lost_most(limit)) {
        memcpy(limit->owners, limit->found, (size_t)record->count * sizeof *record->owners);
        pli_tethers_release(&world->memory, &limit->tethers);
        return find(world, deformable);
    }
    return search_again(world, deformable, record);
}

bool pli_limit_find_tethers(pli_world *world, pli_deformable_data *deformable)
{
    pli_limit *limit = deformable->limit;
    const pli_tether_record *record = limit->record;
    bool complete = record && record->ready && record->count == deformable->count
                        ? find_again(world, deformable, record)
                        : find(world, deformable);
    pli_limit_drop_record(world, limit);
    return complete && pli_limit_build_tethers(world, deformable);
}

// Whether what has changed since the set was filled is the end of a tether, or may be.
static bool changes_tethers(const pli_limit *limit)
{
    for (int32_t v = 0; v < limit->count; v++)
        if (limit->found[v] != limit->filled[v] &&
            (limit->owners[v] != 0 || limit->found[v] > PLI_OWNER_WORLD || limit->filled[v] > PLI_OWNER_WORLD))
            return true;
    return false;
}

bool pli_limit_keep_up(pli_world *world, pli_deformable_data *deformable)
{
    pli_limit *limit = deformable->limit;
    bool again = deformable->reattached;
    deformable->reattached = false;
    if (!again && is_same(limit, limit->found, limit->filled))
        return true;
    if (again || changes_tethers(limit))
        return fill_anew(world, deformable);
    memcpy(limit->filled, limit->found, (size_t)limit->count * sizeof *limit->filled);
    return true;
}

/* ---- snapshots ------------------------------------------------------------------------------------- */

// Owners as a snapshot names them: attachments by their number in the world's list, those that are gone as one.
enum { GONE = 2, FIRST_ATTACHMENT = 3 };

static int32_t name_of(const pli_world *world, int32_t owner)
{
    if (owner <= PLI_OWNER_WORLD)
        return owner;
    for (int32_t i = 0; i < world->attachments.count; i++)
        if (pli_attachment_at(world, i)->id == (uint32_t)owner)
            return FIRST_ATTACHMENT + i;
    return GONE;
}

static int32_t owner_of(const pli_world *world, int32_t name)
{
    if (name <= PLI_OWNER_WORLD)
        return name;
    return name == GONE ? INT32_MAX : (int32_t)pli_attachment_at(world, name - FIRST_ATTACHMENT)->id;
}

// Neighbours mostly have one owner, so that its name is looked up once.
static void pass_owners(pli_stream *s, const pli_world *world, const int32_t *written, int32_t *read, int32_t count)
{
    int32_t last = 0, name = 0;
    for (int32_t v = 0; v < count && !s->failed; v++) {
        if (written && written[v] != last)
            last = written[v], name = name_of(world, last);
        int32_t passed = pli_pass_index(s, name, 0, FIRST_ATTACHMENT + world->attachments.count - 1);
        if (read && s->mode == PLI_STREAM_READ)
            read[v] = owner_of(world, passed);
    }
}

// Makes room for what is read, since reading must not fail.
static pli_tether_record *reserve_record(pli_world *world, pli_deformable_data *deformable, int32_t count, bool wanted)
{
    pli_limit *limit = deformable->limit;
    if (!limit && !(limit = PLI_ALLOCATE(&world->memory, pli_limit, 1)))
        return NULL;
    if (!deformable->limit)
        limit->kind = PLI_STRETCH_NONE;
    deformable->limit = limit;
    pli_limit_drop_record(world, limit);
    pli_tether_record *record = limit->record = PLI_ALLOCATE(&world->memory, pli_tether_record, 1);
    if (!record)
        return NULL;
    record->count = count;
    record->owners = PLI_ALLOCATE(&world->memory, int32_t, count);
    record->wanted = wanted ? PLI_ALLOCATE(&world->memory, int32_t, count) : NULL;
    return record->owners && (record->wanted || !wanted) ? record : NULL;
}

// Without a record the next step has the tethers of what is held then, as a world has that has none yet.
static void forget(pli_world *world, pli_deformable_data *deformable)
{
    if (!pli_deformable_has_tethers(deformable))
        return;
    pli_limit_drop_job(world, deformable->limit);
    pli_limit_drop_record(world, deformable->limit);
    deformable->limit->whole = true;
}

void pli_pass_tethers(pli_stream *s, pli_world *world, pli_deformable_data *deformable)
{
    bool reads = s->mode >= PLI_STREAM_CHECK;
    const pli_limit *limit = deformable->limit;
    bool has = !reads && pli_deformable_has_tethers(deformable) && !deformable->reshaped;
    int32_t passed = pli_pass_index(s, has ? 1 + (limit->job != NULL) : 0, 0, 2);
    if (s->mode == PLI_STREAM_READ && passed == 0)
        forget(world, deformable);
    if (passed == 0 || s->failed)
        return;
    size_t left = (s->size - s->at) / 4;
    int32_t count = pli_pass_index(s, has ? limit->count : 0, 0, reads && left < INT32_MAX ? (int32_t)left : INT32_MAX);
    int32_t steps = pli_pass_index(s, passed == 2 && has ? limit->job->steps : 0, 0, INT32_MAX);
    if (s->mode == PLI_STREAM_CHECK && !s->failed && !reserve_record(world, deformable, count, passed == 2))
        s->failed = s->out_of_memory = true;
    pli_tether_record *record = reads && !s->failed ? deformable->limit->record : NULL;
    pass_owners(s, world, has ? limit->owners : NULL, record ? record->owners : NULL, count);
    if (passed == 2)
        pass_owners(s, world, has ? limit->job->owners : NULL, record ? record->wanted : NULL, count);
    if (s->mode == PLI_STREAM_READ && record && !s->failed)
        record->ready = true, record->steps = steps;
}
