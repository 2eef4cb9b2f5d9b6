// A recording is played back in a world that the playback owns; the session makes the world of a scene.
#include "opening.h"

#include "frame/folders.h"
#include "frame/strings.h"

#include <jansson.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct opening {
    pli_view_source *source;
    pli_scene *scene;
    pli_world *world; // Null for a scene.
} opening;

static pli_status first_diagnostic(const pli_cli_scene_source *source, pli_error *error)
{
    for (int32_t i = 0; i < source->message_count; i++) {
        const pli_scene_diagnostic *m = &source->messages[i];
        if (m->warning)
            continue;
        snprintf(error->message, sizeof error->message, "%s:%d:%d: %s: %s", source->path, (int)m->line, (int)m->column,
                 m->path, m->text);
        break;
    }
    return error->status;
}

// A recording without a scene gets an empty scene with its name and length.
static pli_status plain_scene(opening *o, pli_error *error)
{
    const char *slash = strrchr(o->source->scene.path, '/');
    char text[400], *name = pli_cli_stem(o->source->scene.path);
    pli_cli_name_clean(name);
    snprintf(text, sizeof text, "{\"pliant\": 1, \"title\": \"%.100s\", \"frames\": %d, \"frames_per_second\": %.9g}",
             name[0] ? name : (slash ? "recording" : "run"), (int)pli_cache_frame_count(o->source->cache),
             fmax(pli_cache_frames_per_second(o->source->cache), 0.1));
    pli_scene_load_def def = pli_scene_load_def_default();
    def.text = text;
    def.text_size = strlen(text);
    free(name);
    return pli_scene_load(&def, &o->scene, error);
}

// Loads the scene that a run's folder names, for its colliders and colours; false if it no longer exists.
static bool scene_of_run(opening *o)
{
    char *path = pli_cli_format("%s/summary.json", o->source->scene.path);
    json_t *summary = json_load_file(path, 0, NULL);
    pli_cli_scene_source source = {.path = json_string_value(json_object_get(summary, "scene")),
                                   .allow_outside = o->source->scene.allow_outside,
                                   .plugins = o->source->scene.plugins};
    bool found = source.path && pli_cli_scene_load(&source, &o->scene, NULL) == PLI_STATUS_OK;
    found = found && pli_cli_playback_open(o->source->cache, o->scene, &o->source->playback, NULL) == PLI_STATUS_OK;
    if (!found) {
        pli_scene_destroy(o->scene);
        o->scene = NULL;
    }
    pli_cli_scene_source_release(&source);
    json_decref(summary);
    free(path);
    return found;
}

static pli_status open_recording(opening *o, pli_error *error)
{
    pli_status status = pli_cli_recording_read(o->source->scene.path, &o->source->cache, error);
    if (status != PLI_STATUS_OK)
        return status;
    bool has_scene = pli_cli_is_folder(o->source->scene.path) && scene_of_run(o);
    if (!has_scene)
        status = plain_scene(o, error);
    if (status == PLI_STATUS_OK && !has_scene)
        status = pli_cli_playback_open(o->source->cache, NULL, &o->source->playback, error);
    o->world = o->source->playback.world;
    return status == PLI_STATUS_OK ? pli_cli_playback_show(&o->source->playback, 0, error) : status;
}

static pli_status open_scene(opening *o, pli_error *error)
{
    pli_status status = pli_cli_scene_load(&o->source->scene, &o->scene, error);
    if (status != PLI_STATUS_OK)
        status = first_diagnostic(&o->source->scene, error);
    return status;
}

/* ---- sessions ----------------------------------------------------------------------------------- */

static bool show(void *user, int32_t frame, pli_error *error)
{
    pli_view_source *source = user;
    return pli_cli_playback_show(&source->playback, frame, error) == PLI_STATUS_OK;
}

static void arrived(void *user, const pli_session *session)
{
    pli_view_source *source = user;
    if (session->frame >= source->figure_capacity) {
        const int32_t capacity = 2 * session->frame + 64;
        pli_view_figures *grown = realloc(source->figures, (size_t)capacity * sizeof *grown);
        if (!grown)
            return;
        source->figures = grown;
        source->figure_capacity = capacity;
    }
    while (source->figure_count <= session->frame)
        source->figures[source->figure_count++] = (pli_view_figures){0};
    source->figures[session->frame] = pli_view_figures_of(session->world);
}

pli_view_figures pli_view_source_figures(const pli_view_source *source, int32_t frame)
{
    return frame >= 0 && frame < source->figure_count ? source->figures[frame] : (pli_view_figures){0};
}

pli_status pli_view_source_open(pli_view_source **source, pli_session *session, const char *path, bool allow_outside,
                                const pli_cli_plugins *plugins, pli_error *error)
{
    opening o = {.source = calloc(1, sizeof **source)};
    *session = (pli_session){0};
    *source = o.source;
    if (!o.source)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    o.source->scene = (pli_cli_scene_source){.path = path, .allow_outside = allow_outside, .plugins = *plugins};
    const bool is_recording = pli_cli_is_recording(path);
    pli_status status = (is_recording ? open_recording : open_scene)(&o, error);
    const pli_session_def def = {.scene = o.scene,
                                 .world = o.world,
                                 .show = is_recording ? show : NULL,
                                 .arrived = arrived,
                                 .user = o.source,
                                 .frame_count = is_recording && o.source->cache ? pli_cache_frame_count(o.source->cache)
                                                                                : 0};
    if (status == PLI_STATUS_OK)
        return pli_session_open(session, &def, error);
    if (is_recording)
        pli_cli_playback_close(&o.source->playback);
    pli_cache_close(o.source->cache);
    o.source->cache = NULL;
    pli_scene_destroy(o.scene);
    return status;
}

void pli_view_source_close(pli_view_source *source, pli_session *session)
{
    const bool is_recording = source && source->cache;
    if (is_recording)
        pli_cli_playback_close(&source->playback);
    pli_session_close(session);
    if (!source)
        return;
    pli_cache_close(source->cache);
    pli_cli_scene_source_release(&source->scene);
    free(source->figures);
    free(source);
}
