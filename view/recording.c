// A recording contains the part of the window that shows the scene, or the world. Its file is complete no matter how it ends.
#define _XOPEN_SOURCE 700
#include "recording.h"

#include "frame/folders.h"
#include "frame/strings.h"

#include <stdlib.h>
#include <unistd.h>

bool pli_viewer_records(const pli_viewer *v, bool video)
{
    const pli_view_film *f = &v->desk->film;
    return f->path && (f->video != NULL) == video;
}

bool pli_viewer_record(pli_viewer *v, const char *path)
{
    pli_error error = {0};
    const pli_view_film_def def = {.path = path,
                                   .world = v->session.world,
                                   .frames_per_second = pli_scene_frames_per_second(v->session.scenes[0]),
                                   .y = v->height - (int32_t)pli_viewer_stage_bottom(v),
                                   .width = (int32_t)pli_viewer_stage_width(v),
                                   .height = (int32_t)pli_viewer_stage_height(v)};
    pli_viewer_record_end(v);
    if (pli_view_film_begin(&v->desk->film, &def, &error) == PLI_STATUS_OK)
        return true;
    pli_session_fail(&v->session, "nothing is recorded: %s", error.message);
    return false;
}

// Faces change when cloth tears, which few formats can store.
static const char *cache_format(const pli_viewer *v)
{
    const char *changing = "gltf";
    for (int32_t i = 0; i < pli_cache_format_count() && pli_scene_tears(v->session.scenes[0]); i++)
        if (pli_cache_format_at(i)->variable_topology)
            return pli_cache_format_at(i)->extension;
    return changing;
}

void pli_viewer_record_anew(pli_viewer *v, bool video)
{
    bool had = pli_viewer_records(v, video);
    pli_viewer_record_end(v);
    if (had)
        return;
    char *stem = pli_cli_stem(v->desk->path);
    for (int number = 1;; number++) {
        char *path = pli_cli_format("out/%s/take-%d.%s", stem, number, video ? "mp4" : cache_format(v));
        bool taken = access(path, F_OK) == 0;
        if (!taken)
            pli_viewer_record(v, path);
        free(path);
        if (!taken)
            break;
    }
    free(stem);
}

void pli_viewer_record_end(pli_viewer *v)
{
    pli_view_film *f = &v->desk->film;
    pli_error error = {0};
    char *written = NULL;
    int32_t count = f->frame_count, first = f->first;
    if (!f->path)
        return;
    if (pli_view_film_end(f, &written, &error) != PLI_STATUS_OK)
        pli_session_fail(&v->session, "the recording is not complete: %s", error.message);
    else if (written)
        pli_session_tell(&v->session, "%d frames are in '%s'", (int)count, written);
    else
        pli_session_tell(&v->session, "no frame was recorded");
    if (written && !pli_view_film_is_video(written)) {
        free(v->desk->recorded);
        v->desk->recorded = written;
        v->desk->recorded_first = first;
    } else {
        free(written);
    }
}

void pli_viewer_record_frame(pli_viewer *v)
{
    pli_view_film *f = &v->desk->film;
    pli_error error = {0};
    if (f->video &&
        (f->width != (int32_t)pli_viewer_stage_width(v) || f->height != (int32_t)pli_viewer_stage_height(v))) {
        pli_viewer_record_end(v);
        return;
    }
    int32_t frame = v->session.frame, before = f->frame_count;
    if (pli_view_film_add(f, v->session.world, frame, &error) != PLI_STATUS_OK)
        pli_session_fail(&v->session, "the recording ended after %d frames: %s", (int)before, error.message);
}
