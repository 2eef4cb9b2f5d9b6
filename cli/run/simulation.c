// The run: prepare (world, film, checkpoint, caches), simulate frame by frame, complete the files.
#define _XOPEN_SOURCE 700
#include "run/simulation.h"

#include "frame/signals.h"
#include "run/checkpoint.h"
#include "run/probes.h"
#include "frame/terminal.h"
#include "frame/folders.h"
#include "frame/progress.h"
#include "view/playback.h"
#include "frame/strings.h"
#include "support/text_buffer.h"

#include <pliant/check.h>
#include <pliant/placing.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Maximum number of steps for coming to rest.
enum { MOST_SETTLING_STEPS = 10000 };

/* ---- preparing ------------------------------------------------------------------------------ */

static pli_status make_world(pli_cli_run *run, pli_error *error)
{
    pli_scene_world_def def = pli_scene_world_def_default();
    def.thread_count = run->def->thread_count;
    def.simd = run->def->simd;
    if (!run->def->quiet)
        def.hooks.log = pli_cli_log;
    void *cooked = NULL;
    pli_status status = PLI_STATUS_OK;
    if (run->def->cooked)
        status = pli_cli_file_read(run->def->cooked, &cooked, &def.cooked_size, error);
    def.cooked = cooked;
    if (status == PLI_STATUS_OK)
        status = pli_scene_create_world(run->def->scene, &def, &run->world, error);
    free(cooked);
    if (run->world)
        pli_world_set_advice(run->world, !run->def->quiet);
    run->outcome.world = run->world;
    return status;
}

// Brings the world to rest before its first frame, and reports the result.
static pli_status settle(pli_cli_run *run, pli_error *error)
{
    pli_settled settled;
    const float dt = (float)(1.0 / pli_scene_frames_per_second(run->def->scene));
    pli_cli_cancel_steps_of(run->world);
    const pli_status status = pli_world_settle(run->world, dt, run->def->settle, MOST_SETTLING_STEPS, &settled, error);
    pli_cli_cancel_steps_of(NULL);
    if (status == PLI_STATUS_OK && !run->def->quiet)
        fprintf(stderr, "%s in %d steps: fastest %.3g m/s, %.3g J\n", settled.settled ? "settled" : "not settled",
                (int)settled.steps, settled.speed, settled.kinetic_energy);
    return status;
}

// Opened while the world is at its start, so that a fitted camera is identical after a resume.
static pli_status open_film(pli_cli_run *run, pli_error *error)
{
    const pli_cli_run_def *def = run->def;
    if (!def->film)
        return PLI_STATUS_OK;
    pli_cli_world_view_def picture = {.scene = def->scene,
                                      .world = run->world,
                                      .width = def->width,
                                      .height = def->height,
                                      .quality = def->quality,
                                      .measure = -1,
                                      .shutter = -1.0f};
    run->frames = pli_cli_format("%s/frames", def->folder);
    run->outcome.frames = "frames";
    if (def->video) {
        run->video_path = pli_cli_format("%s/%s.%s", def->folder, def->name, def->video);
        run->outcome.video = run->video_path + strlen(def->folder) + 1;
    }
    return pli_cli_frames_open(&picture, run->frames, run->video_path, pli_scene_frames_per_second(def->scene), 1,
                               &run->film, error);
}

static pli_status restore(pli_cli_run *run, pli_error *error)
{
    int32_t frame = 0;
    if (!run->def->resume)
        return PLI_STATUS_OK;
    pli_status status = pli_cli_checkpoint_read(run->checkpoint, run->def->scene, run->world, &frame, error);
    if (status == PLI_STATUS_NOT_FOUND) {
        if (!run->def->quiet)
            pli_cli_complain(PLI_CLI_DONE, "no checkpoint in '%s' yet: starting at frame 0", run->def->folder);
        return PLI_STATUS_OK;
    }
    if (status == PLI_STATUS_OK && frame > run->def->frame_count)
        status = pli_cli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                              "the checkpoint in '%s' is at frame %d, beyond the %d requested frames; run without "
                              "--resume to start again",
                              run->def->folder, (int)frame, (int)run->def->frame_count);
    run->outcome.first_frame = run->outcome.frame = frame;
    return status;
}

static pli_status open_recording(pli_cli_run *run, pli_error *error)
{
    const pli_cli_run_def *def = run->def;
    int32_t first = run->outcome.first_frame;
    pli_cli_recording_def recording = {.folder = def->folder,
                                       .name = def->name,
                                       .world = run->world,
                                       .scene = def->scene,
                                       .format_count = def->format_count,
                                       .frames_per_second = pli_scene_frames_per_second(def->scene),
                                       .frame_count = def->frame_count + 1,
                                       .resume_frame = first > 0 ? first + 1 : 0};
    memcpy(recording.formats, def->formats, sizeof recording.formats);
    if (first == 0)
        unlink(run->checkpoint);
    pli_cli_remove_leftovers(def->folder);
    if (run->frames) {
        pli_cli_remove_leftovers(run->frames);
        pli_cli_remove_numbered(run->frames, "frame_", "png", recording.resume_frame);
    }
    return pli_cli_recording_open(&recording, &run->recording, error);
}

/* ---- a resumed run's earlier frames, once more for the video -------------------------------- */

static pli_status replay_frames(pli_cli_run *run, pli_cache *cache, pli_error *error)
{
    pli_cli_playback playback;
    pli_cli_progress progress;
    int32_t last = run->outcome.first_frame;
    if (pli_cache_frame_count(cache) <= last)
        return pli_cli_fail(error, PLI_STATUS_CORRUPT, "the cache has %d frames, the checkpoint is at frame %d",
                            (int)pli_cache_frame_count(cache), (int)last);
    pli_status status = pli_cli_playback_open(cache, run->def->scene, &playback, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_cli_world_view_show(run->film.picture, playback.world, pli_cli_playback_collider_mesh, &playback);
    pli_cli_progress_start(&progress, "drawing again", 0, last, run->def->quiet);
    for (int32_t frame = 0; frame <= last && status == PLI_STATUS_OK && !pli_cli_cancelled(); frame++) {
        status = pli_cli_playback_show(&playback, frame, error);
        pli_cli_playback_lend(&playback, run->film.picture);
        if (status == PLI_STATUS_OK)
            status = pli_cli_frames_add(&run->film, frame, error);
        pli_cli_progress_show(&progress, frame);
    }
    pli_cli_progress_end(&progress);
    pli_cli_world_view_show(run->film.picture, run->world, NULL, NULL);
    pli_cli_playback_close(&playback);
    return status;
}

static void replay(pli_cli_run *run)
{
    pli_cache *cache;
    pli_error error;
    if (!run->film.video || run->outcome.first_frame == 0)
        return;
    pli_status status = pli_cache_open(run->def->folder, NULL, &cache, &error);
    if (status == PLI_STATUS_OK) {
        status = replay_frames(run, cache, &error);
        pli_cache_close(cache);
    }
    if (status != PLI_STATUS_OK)
        pli_cli_complain(PLI_CLI_DONE, "warning: the video lacks the frames before %d: %s",
                         (int)run->outcome.first_frame, error.message);
}

/* ---- simulating ----------------------------------------------------------------------------- */

// Before the first step, no step has counted the intersections, so the first row of a table gets the exact count.
static bool counts_exactly(const pli_cli_run *run)
{
    return run->def->verify || pli_cli_expectations_count(&run->expectations) ||
           (run->def->figures && run->outcome.frame == 0);
}

static pli_status keep_frame(pli_cli_run *run, pli_error *error)
{
    int64_t at_start = -1;
    pli_status status = pli_cli_recording_add(&run->recording, run->world, error);
    if (status == PLI_STATUS_OK && counts_exactly(run))
        status = pli_cli_verification_count(&run->verification, &run->recording, error);
    if (run->outcome.frame == 0)
        at_start = pli_cli_intersections_total(&run->verification.found);
    if (status == PLI_STATUS_OK)
        status = pli_cli_figures_add(&run->figures, run->world, run->outcome.frame, at_start, error);
    if (status == PLI_STATUS_OK && run->film.picture)
        status = pli_cli_frames_add(&run->film, run->outcome.frame, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_cli_expectations_add(&run->expectations, &run->recording, run->outcome.frame,
                             pli_cli_intersections_total(&run->verification.found));
    return run->def->verify ? pli_cli_verification_judge(&run->verification, &run->recording, run->outcome.frame, error)
                            : PLI_STATUS_OK;
}

static pli_status save(pli_cli_run *run, pli_error *error)
{
    return pli_cli_checkpoint_write(run->checkpoint, run->def->scene, &run->def->source->plugins, run->world,
                                    run->outcome.frame, error);
}

static void add_statistics(pli_cli_outcome *outcome)
{
    pli_statistics statistics;
    pli_world_get_statistics(outcome->world, &statistics);
    outcome->step_seconds += statistics.step_seconds;
    for (int32_t i = 0; i < PLI_STAGE_COUNT; i++)
        outcome->stage_seconds[i] += statistics.stage_seconds[i];
    if (statistics.stretch_max > outcome->stretch_peak)
        outcome->stretch_peak = statistics.stretch_max;
    pli_cli_contact_sums *contact = &outcome->contact;
    int32_t contacts = statistics.surface_contact_count;
    contact->contacts += contacts;
    contact->contacts_max = contacts > contact->contacts_max ? contacts : contact->contacts_max;
    contact->held_back += statistics.limited_count;
    contact->breaches += statistics.failed_pair_count;
    contact->stuck = statistics.stuck > contact->stuck ? statistics.stuck : contact->stuck;
}

// A step may take at most the remaining time.
static pli_status limit_time(pli_cli_run *run, pli_error *error)
{
    double left = run->deadline - pli_cli_now();
    if (!(left > 0.0))
        return PLI_STATUS_CANCELLED;
    return pli_world_set_time_limit(run->world, left, error);
}

static pli_status next_frame(pli_cli_run *run, pli_error *error)
{
    pli_status status = limit_time(run, error);
    if (status == PLI_STATUS_OK)
        status = pli_scene_step(run->def->scene, run->world, run->outcome.frame, error);
    if (status != PLI_STATUS_OK)
        return status;
    run->outcome.frame++;
    add_statistics(&run->outcome);
    status = keep_frame(run, error);
    if (status != PLI_STATUS_OK || run->outcome.frame % run->def->checkpoint_every != 0)
        return status;
    // A checkpoint requires every frame up to it.
    status = pli_cli_recording_secure(&run->recording, run->outcome.frame + 1, error);
    if (status == PLI_STATUS_OK)
        status = pli_cli_figures_write(&run->figures, error);
    return status == PLI_STATUS_OK ? save(run, error) : status;
}

static pli_status simulate(pli_cli_run *run, pli_error *error)
{
    pli_cli_progress progress;
    pli_status status = PLI_STATUS_OK;
    pli_cli_progress_start(&progress, "simulating", run->outcome.frame, run->def->frame_count, run->def->quiet);
    run->deadline = run->def->time_limit > 0 ? pli_cli_now() + run->def->time_limit : INFINITY;
    pli_cli_cancel_steps_of(run->world);
    while (run->outcome.frame < run->def->frame_count && status == PLI_STATUS_OK && !pli_cli_cancelled()) {
        status = next_frame(run, error);
        pli_cli_progress_show(&progress, run->outcome.frame);
    }
    pli_cli_cancel_steps_of(NULL);
    pli_cli_progress_end(&progress);
    bool cancelled = status == PLI_STATUS_OK || status == PLI_STATUS_CANCELLED;
    if (cancelled && run->outcome.frame < run->def->frame_count)
        return pli_cli_fail(error, PLI_STATUS_CANCELLED,
                            "%s after frame %d; the same command with --resume continues from there",
                            pli_cli_cancelled() ? "cancelled" : "the time limit was reached", (int)run->outcome.frame);
    return status;
}

/* ---- the complete run ----------------------------------------------------------------------- */

static const char *status_word(pli_status status)
{
    switch (status) {
    case PLI_STATUS_OK:
        return "done";
    case PLI_STATUS_CANCELLED:
        return "cancelled";
    case PLI_STATUS_NON_FINITE:
        return "blew up";
    default:
        return "failed";
    }
}

static pli_status prepare(pli_cli_run *run, pli_error *error)
{
    pli_status status = pli_cli_folder_make(run->def->folder, error);
    if (status == PLI_STATUS_OK)
        status = pli_cli_folder_lock(run->def->folder, &run->lock, error);
    if (status == PLI_STATUS_OK)
        status = make_world(run, error);
    if (status == PLI_STATUS_OK && run->def->settle != 0.0f && !run->def->resume)
        status = settle(run, error);
    if (status == PLI_STATUS_OK)
        status = pli_cli_probes_check(run->def->scene, run->world, error);
    if (status == PLI_STATUS_OK && run->def->figures)
        status = pli_cli_figures_open(run->def->figures, run->def->scene, run->world, &run->figures, error);
    if (status == PLI_STATUS_OK)
        status = open_film(run, error);
    if (status == PLI_STATUS_OK)
        status = restore(run, error);
    if (status == PLI_STATUS_OK && run->outcome.first_frame > 0)
        status = pli_cli_figures_resume(&run->figures, run->outcome.first_frame, error);
    if (status != PLI_STATUS_OK)
        return status;
    replay(run);
    if (run->film.picture && run->outcome.first_frame > 0)
        status = pli_cli_frames_pass(&run->film, run->outcome.first_frame, error);
    if (status == PLI_STATUS_OK)
        status = open_recording(run, error);
    if (status == PLI_STATUS_OK && run->def->compare)
        status = pli_cli_expectations_open(run->def->scene, &run->recording, &run->expectations, error);
    return status;
}

// Completes every file, and returns the first error.
static pli_status complete(pli_cli_run *run, pli_status status, pli_error *error)
{
    pli_error later;
    bool good = status == PLI_STATUS_OK || status == PLI_STATUS_CANCELLED || status == PLI_STATUS_NON_FINITE;
    pli_status closed[4] = {pli_cli_recording_close(&run->recording, &later)};
    if (closed[0] == PLI_STATUS_OK)
        closed[1] = pli_cli_frames_close(&run->film, &later);
    else
        pli_cli_frames_close(&run->film, NULL);
    if (closed[0] == PLI_STATUS_OK && closed[1] == PLI_STATUS_OK)
        closed[2] = pli_cli_figures_write(&run->figures, &later);
    if (good && closed[0] == PLI_STATUS_OK && closed[1] == PLI_STATUS_OK && closed[2] == PLI_STATUS_OK)
        closed[3] = save(run, &later);
    for (int i = 0; i < 4 && good; i++) {
        if (closed[i] == PLI_STATUS_OK)
            continue;
        *error = later;
        return closed[i];
    }
    return status;
}

static pli_status record(pli_cli_run *run, pli_error *error)
{
    pli_status status = run->outcome.first_frame == 0 ? keep_frame(run, error) : PLI_STATUS_OK;
    if (status == PLI_STATUS_OK)
        status = pli_cli_summary_write(&run->outcome, error);
    if (status == PLI_STATUS_OK)
        status = simulate(run, error);
    return status == PLI_STATUS_OK
               ? pli_cli_expectations_judge(&run->expectations, &run->recording, run->outcome.frame, error)
               : status;
}

// Completes the files of a run that ends here; they then contain complete frames.
static void leave(void *user)
{
    pli_cli_run *run = user;
    pli_cli_recording_close(&run->recording, NULL);
    pli_cli_frames_close(&run->film, NULL);
}

pli_status pli_cli_run_all(const pli_cli_run_def *def, pli_cli_run *run, pli_error *error)
{
    double start = pli_cli_now();
    *run = (pli_cli_run){.def = def, .lock = -1, .checkpoint = pli_cli_format("%s/checkpoint.pli", def->folder)};
    run->outcome = (pli_cli_outcome){.status = "running",
                                     .source = def->source,
                                     .scene = def->scene,
                                     .recording = &run->recording,
                                     .expectations = &run->expectations,
                                     .folder = def->folder,
                                     .frame_count = def->frame_count};
    pli_text_before_end(leave, run);
    pli_status status = prepare(run, error);
    const bool prepared = status == PLI_STATUS_OK;
    if (prepared)
        status = complete(run, record(run, error), error);
    else
        pli_cli_frames_close(&run->film, NULL);
    pli_text_before_end(NULL, NULL);
    if (!prepared)
        return status;
    run->outcome.seconds = pli_cli_now() - start;
    run->outcome.status = status_word(status);
    run->outcome.message = status == PLI_STATUS_OK ? NULL : error->message;
    pli_error unwritten;
    if (pli_cli_summary_write(&run->outcome, &unwritten) != PLI_STATUS_OK && status == PLI_STATUS_OK) {
        *error = unwritten;
        status = unwritten.status;
    }
    return status;
}

void pli_cli_run_release(pli_cli_run *run)
{
    pli_cli_recording_release(&run->recording);
    pli_cli_figures_release(&run->figures);
    pli_cli_expectations_release(&run->expectations);
    pli_cli_verification_release(&run->verification);
    pli_world_destroy(run->world);
    if (run->lock >= 0)
        close(run->lock);
    free(run->checkpoint);
    free(run->frames);
    free(run->video_path);
    *run = (pli_cli_run){0};
}
