// Steps two worlds in lockstep and compares their hashes after each step. When the hashes differ, both worlds return to the snapshots
// from before the step and repeat it under a trace: once for the hashes after each part of the step, and once for the state after the
// first part that differs.
#include "diff/scene_diff.h"

#include "diff/traced_step.h"
#include "frame/folders.h"
#include "frame/progress.h"
#include "frame/signals.h"

#include <stdlib.h>
#include <string.h>

typedef struct side {
    const pli_cli_diff_side *def;
    pli_world *world;
    void *snapshot; // State before the step.
    size_t size, capacity;
    pli_status status; // The status of its step.
    pli_error error;
    pli_cli_traced traced;
} side;

static pli_status open_side(side *s, const pli_cli_diff_side *def, pli_error *error)
{
    pli_scene_world_def world = pli_scene_world_def_default();
    s->def = def;
    world.thread_count = def->thread_count;
    world.simd = def->simd;
    return pli_scene_create_world(def->scene, &world, &s->world, error);
}

static void close_side(side *s)
{
    pli_world_destroy(s->world);
    pli_cli_traced_release(&s->traced);
    free(s->snapshot);
}

static pli_status save(side *s, pli_error *error)
{
    s->size = pli_world_snapshot_size(s->world);
    if (s->size > s->capacity) {
        void *snapshot = realloc(s->snapshot, s->size);
        if (!snapshot)
            return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for a snapshot of %zu bytes", s->size);
        s->snapshot = snapshot, s->capacity = s->size;
    }
    return pli_world_snapshot_write(s->world, s->snapshot, s->size, error);
}

// Compares the stored states of both sides.
static pli_status look(const side *sides, pli_cli_difference *d, pli_error *error)
{
    const pli_cli_traced *a = &sides[0].traced, *b = &sides[1].traced;
    if (a->out_of_memory || b->out_of_memory)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the states of both sides");
    if (a->deformables != b->deformables)
        snprintf(d->reason, sizeof d->reason, "A has %d deformables and B has %d", (int)a->deformables,
                 (int)b->deformables);
    else if (pli_cli_difference_look(d, a->vertices, b->vertices, a->deformables) && d->differing == 0)
        snprintf(d->reason, sizeof d->reason, "no particle differs: a rigid body does");
    return PLI_STATUS_OK;
}

// The point where the traced steps diverge: the reported part, its side, and the last compared part of each side.
typedef struct parting {
    int32_t side, at[2];
    bool alone; // Whether the other side lacks this part.
} parting;

static bool is_same_part(const pli_cli_probe *a, const pli_cli_probe *b)
{
    return a->stage == b->stage && a->substep == b->substep && strcmp(a->part, b->part) == 0 && a->set.id == b->set.id;
}

static bool is_earlier(const pli_cli_probe *a, const pli_cli_probe *b)
{
    return a->substep != b->substep ? a->substep < b->substep : a->stage < b->stage;
}

// A part that exists on one side only and changes nothing is skipped: a world with a collider has contact rounds long before anything
// touches it. False when no part differs.
static bool find_parting(const pli_cli_traced *a, const pli_cli_traced *b, uint64_t hash, parting *found)
{
    int32_t i = 0, k = 0;
    while (i < a->count || k < b->count) {
        const pli_cli_probe *p = i < a->count ? &a->probes[i] : NULL, *q = k < b->count ? &b->probes[k] : NULL;
        if (p && q && is_same_part(p, q)) {
            *found = (parting){.at = {i, k}};
            if (p->hash != q->hash)
                return true;
            hash = p->hash;
            i++, k++;
        } else if (p && p->hash == hash) {
            i++;
        } else if (q && q->hash == hash) {
            k++;
        } else {
            const bool second = !p || (q && is_earlier(q, p));
            *found = (parting){second, {second ? i - 1 : i, second ? k : k - 1}, true};
            return true;
        }
    }
    return false;
}

// Whether a step failed for a reason unrelated to the scene.
static bool says_nothing(pli_status status)
{
    return status == PLI_STATUS_CANCELLED || status == PLI_STATUS_OUT_OF_MEMORY;
}

static pli_status trace_both(side *sides, int32_t frame, const int32_t wanted[2], pli_error *error)
{
    for (int32_t i = 0; i < 2; i++) {
        side *s = &sides[i];
        pli_status status = pli_world_snapshot_read(s->world, s->snapshot, s->size, error);
        if (status != PLI_STATUS_OK)
            return status;
        // A failing step has parts up to the failure.
        s->status = pli_cli_traced_step(&s->traced, s->def->scene, s->world, frame, wanted[i], &s->error);
        if (says_nothing(s->status))
            return pli_cli_fail(error, s->status, "%s", s->error.message);
    }
    return PLI_STATUS_OK;
}

static void name_part(const side *s, const pli_cli_probe *probe, pli_cli_difference *d)
{
    pli_constraints_info info;
    d->substep = probe->substep;
    snprintf(d->stage, sizeof d->stage, "%s", pli_choice_name("stage", (int32_t)probe->stage));
    snprintf(d->part, sizeof d->part, "%s", probe->part);
    if (probe->set.id == 0 || pli_constraints_get_info(s->world, probe->set, &info, NULL) != PLI_STATUS_OK)
        return;
    snprintf(d->type, sizeof d->type, "%s", info.type->name);
    snprintf(d->set, sizeof d->set, "%s", info.name ? info.name : "");
}

// The step from `frame`, which began with this hash, differs: finds the part of the step and the particle.
static pli_status find_part(side *sides, int32_t frame, uint64_t hash, pli_cli_difference *d, pli_error *error)
{
    const int32_t all[2] = {PLI_CLI_ALL_PROBES, PLI_CLI_ALL_PROBES};
    parting found;
    pli_status status = trace_both(sides, frame, all, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (!find_parting(&sides[0].traced, &sides[1].traced, hash, &found)) {
        snprintf(d->reason, sizeof d->reason,
                 "repeated part by part from snapshots, the step is the same on both sides: the cause is in work that "
                 "otherwise runs in parallel (wavefronts, isolated deformables, threads), or in state that a snapshot "
                 "lacks");
        return status;
    }
    const side *named = &sides[found.side];
    name_part(named, &named->traced.probes[found.at[found.side]], d);
    if (found.alone)
        snprintf(d->reason, sizeof d->reason, "only %s has this part there", found.side ? "B" : "A");
    status = trace_both(sides, frame, found.at, error);
    return status == PLI_STATUS_OK ? look(sides, d, error) : status;
}

// Handles a step from `frame` that failed on one or both sides.
static pli_status judge_failure(const side *sides, pli_cli_difference *d, pli_error *error)
{
    const side *bad = &sides[sides[0].status == PLI_STATUS_OK ? 1 : 0];
    if (says_nothing(bad->status) || sides[0].status == sides[1].status)
        return pli_cli_fail(error, bad->status, "%s", bad->error.message);
    d->found = true;
    snprintf(d->reason, sizeof d->reason, "the step of %s fails: %.300s", bad == sides ? "A" : "B", bad->error.message);
    return PLI_STATUS_OK;
}

static pli_status step_both(side *sides, int32_t frame, pli_cli_difference *d, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < 2 && status == PLI_STATUS_OK; i++)
        status = save(&sides[i], error);
    if (status != PLI_STATUS_OK)
        return status;
    for (int32_t i = 0; i < 2; i++) {
        pli_cli_cancel_steps_of(sides[i].world);
        sides[i].status = pli_scene_step(sides[i].def->scene, sides[i].world, frame, &sides[i].error);
        pli_cli_cancel_steps_of(NULL);
    }
    const uint64_t before = d->hash;
    d->at = frame + 1;
    if (sides[0].status != PLI_STATUS_OK || sides[1].status != PLI_STATUS_OK)
        return judge_failure(sides, d, error);
    d->hash = pli_world_hash(sides[0].world);
    if (d->hash == pli_world_hash(sides[1].world))
        return status;
    d->found = true, d->hash = 0;
    // If no part can be identified, the report shows the state after the step.
    for (int32_t i = 0; i < 2; i++)
        pli_cli_traced_keep(&sides[i].traced, sides[i].world);
    status = look(sides, d, error);
    return status == PLI_STATUS_OK ? find_part(sides, frame, before, d, error) : status;
}

static pli_status look_at_start(side *sides, pli_cli_difference *d, pli_error *error)
{
    d->hash = pli_world_hash(sides[0].world);
    if (d->hash == pli_world_hash(sides[1].world))
        return PLI_STATUS_OK;
    d->found = true, d->hash = 0;
    for (int32_t i = 0; i < 2; i++)
        pli_cli_traced_keep(&sides[i].traced, sides[i].world);
    return look(sides, d, error);
}

static pli_status step_all(side *sides, bool quiet, pli_cli_difference *d, pli_error *error)
{
    pli_cli_progress progress;
    pli_status status = look_at_start(sides, d, error);
    pli_cli_progress_start(&progress, "comparing", 0, d->count, quiet);
    for (int32_t frame = 0; frame < d->count && status == PLI_STATUS_OK && !d->found; frame++) {
        status = pli_cli_cancelled() ? pli_cli_fail(error, PLI_STATUS_CANCELLED, "cancelled after %d steps", (int)frame)
                                     : step_both(sides, frame, d, error);
        pli_cli_progress_show(&progress, frame + 1);
    }
    pli_cli_progress_end(&progress);
    return status;
}

pli_status pli_cli_scene_diff(const pli_cli_diff_side defs[2], int32_t frame_limit, bool quiet,
                              pli_cli_difference *difference, pli_error *error)
{
    side sides[2] = {{.def = NULL}, {.def = NULL}};
    const int32_t counts[2] = {pli_scene_frame_count(defs[0].scene), pli_scene_frame_count(defs[1].scene)};
    const int32_t shorter = counts[0] < counts[1] ? counts[0] : counts[1];
    *difference = (pli_cli_difference){.unit = "step", .count = frame_limit >= 0 ? frame_limit : shorter};
    pli_status status = open_side(&sides[0], &defs[0], error);
    if (status == PLI_STATUS_OK)
        status = open_side(&sides[1], &defs[1], error);
    if (status == PLI_STATUS_OK)
        status = step_all(sides, quiet, difference, error);
    if (status == PLI_STATUS_OK && !difference->found && frame_limit < 0 && counts[0] != counts[1]) {
        difference->found = true, difference->at = shorter + 1;
        snprintf(difference->reason, sizeof difference->reason, "equal up to there; A has %d steps and B has %d",
                 (int)counts[0], (int)counts[1]);
    }
    close_side(&sides[0]);
    close_side(&sides[1]);
    return status;
}
