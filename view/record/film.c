// Videos appear under their final name when they are complete; caches are readable up to their last frame at any time.
#include "record/film.h"

#include "frame/folders.h"
#include "frame/strings.h"

#include <epoxy/gl.h>

#include <stdlib.h>
#include <string.h>

bool pli_view_film_is_video(const char *path)
{
    static const char *const endings[] = {"mp4", "webm", "webp"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(pli_cli_extension(path), endings[i]) == 0)
            return true;
    return false;
}

// The format with that extension; null when there is none.
static const char *format_of(const char *extension)
{
    for (int32_t i = 0; i < pli_cache_format_count(); i++)
        if (strcmp(pli_cache_format_at(i)->extension, extension) == 0 ||
            strcmp(pli_cache_format_at(i)->name, extension) == 0)
            return pli_cache_format_at(i)->name;
    return NULL;
}

static void release(pli_view_film *f)
{
    if (f->cache)
        pli_cli_recording_release(f->cache);
    free(f->cache);
    free(f->pixels);
    free(f->path);
    free(f->folder);
    free(f->name);
    *f = (pli_view_film){0};
}

static pli_status open_video(pli_view_film *f, const pli_view_film_def *def, pli_error *error)
{
    f->x = def->x, f->y = def->y, f->width = def->width, f->height = def->height;
    f->pixels = malloc(8 * (size_t)def->width * (size_t)def->height);
    return f->pixels ? pli_video_open(f->path, def->width, def->height, def->frames_per_second, &f->video, error)
                     : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the video");
}

static pli_status open_cache(pli_view_film *f, const pli_view_film_def *def, pli_error *error)
{
    const char *format = format_of(pli_cli_extension(f->path));
    if (!format)
        return pli_cli_fail(error, PLI_STATUS_UNSUPPORTED,
                            "'%s' ends neither like a video (.mp4, .webm, .webp) nor like a cache", f->path);
    f->name = pli_cli_stem(f->path);
    f->cache = calloc(1, sizeof *f->cache);
    const pli_cli_recording_def recording = {.folder = f->folder,
                                             .name = f->name,
                                             .world = def->world,
                                             .formats = {format},
                                             .format_count = 1,
                                             .frames_per_second = def->frames_per_second,
                                             .frame_count = 1};
    return f->cache ? pli_cli_recording_open(&recording, f->cache, error)
                    : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the recording");
}

pli_status pli_view_film_begin(pli_view_film *f, const pli_view_film_def *def, pli_error *error)
{
    const char *slash = strrchr(def->path, '/');
    *f = (pli_view_film){.path = pli_cli_format("%s", def->path), .first = -1, .last = -1};
    f->folder = slash ? pli_cli_format("%.*s", (int)(slash - def->path), def->path) : pli_cli_format(".");
    pli_status status = f->folder[0] ? pli_cli_folder_make(f->folder, error) : PLI_STATUS_OK;
    if (status == PLI_STATUS_OK)
        status = (pli_view_film_is_video(f->path) ? open_video : open_cache)(f, def, error);
    if (status != PLI_STATUS_OK)
        release(f);
    return status;
}

static pli_status add_picture(pli_view_film *f, pli_error *error)
{
    const size_t row = 4 * (size_t)f->width, height = (size_t)f->height;
    uint8_t *turned = f->pixels + row * height;
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(f->x, f->y, f->width, f->height, GL_RGBA, GL_UNSIGNED_BYTE, f->pixels);
    for (size_t y = 0; y < height; y++)
        memcpy(turned + y * row, f->pixels + (height - 1 - y) * row, row);
    return pli_video_add(f->video, turned, error);
}

pli_status pli_view_film_add(pli_view_film *f, pli_world *world, int32_t frame, pli_error *error)
{
    if (!f->path || frame == f->last)
        return PLI_STATUS_OK;
    pli_status status = f->video ? add_picture(f, error) : pli_cli_recording_add(f->cache, world, error);
    if (status == PLI_STATUS_OK) {
        f->first = f->frame_count++ > 0 ? f->first : frame;
        f->last = frame;
    } else {
        pli_view_film_end(f, NULL, NULL);
    }
    return status;
}

pli_status pli_view_film_end(pli_view_film *f, char **written, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    if (written)
        *written = NULL;
    // The format chooses the names of a cache's files.
    const char *path = f->cache && f->cache->recorders[0] ? pli_recorder_path(f->cache->recorders[0]) : f->path;
    if (written && path && f->frame_count > 0)
        *written = pli_cli_format("%s", path);
    if (f->video)
        status = pli_video_close(f->video, error);
    if (f->cache)
        status = pli_cli_recording_close(f->cache, error);
    release(f);
    return status;
}
