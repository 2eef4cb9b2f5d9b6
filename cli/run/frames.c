// Each frame is drawn once, for the pictures and the video.
#include "run/frames.h"

#include "frame/folders.h"
#include "frame/strings.h"

#include <stdlib.h>

static pli_status open_files(pli_cli_frames *film, double frames_per_second, pli_error *error)
{
    int32_t width, height;
    pli_cli_world_view_size(film->picture, &width, &height);
    pli_status status = film->frames ? pli_cli_folder_make(film->frames, error) : PLI_STATUS_OK;
    if (status == PLI_STATUS_OK && film->video_path)
        status = pli_video_open(film->video_path, width, height, frames_per_second, &film->video, error);
    return status;
}

pli_status pli_cli_frames_open(const pli_cli_world_view_def *def, const char *frames, const char *video_path,
                               double frames_per_second, int32_t every, pli_cli_frames *film, pli_error *error)
{
    *film = (pli_cli_frames){.frames = frames ? pli_cli_format("%s", frames) : NULL,
                             .video_path = video_path ? pli_cli_format("%s", video_path) : NULL,
                             .time_step = 1.0 / frames_per_second};
    pli_status status = pli_cli_world_view_open(def, &film->picture, error);
    if (status == PLI_STATUS_OK)
        status = open_files(film, frames_per_second / every, error);
    if (status != PLI_STATUS_OK)
        pli_cli_frames_close(film, NULL);
    return status;
}

pli_status pli_cli_frames_pass(pli_cli_frames *film, int32_t frame, pli_error *error)
{
    pli_cli_world_view_time(film->picture, frame * film->time_step);
    return pli_cli_world_view_pass(film->picture, error);
}

pli_status pli_cli_frames_add(pli_cli_frames *film, int32_t frame, pli_error *error)
{
    pli_cli_world_view_time(film->picture, frame * film->time_step);
    pli_status status = pli_cli_world_view_draw(film->picture, error);
    const uint8_t *pixels = pli_cli_world_view_pixels(film->picture);
    if (status == PLI_STATUS_OK && film->frames) {
        int32_t width, height;
        pli_cli_world_view_size(film->picture, &width, &height);
        char *path = pli_cli_format("%s/frame_%04d.png", film->frames, (int)frame);
        status = pli_image_write_png(path, pixels, width, height, error);
        free(path);
    }
    if (status == PLI_STATUS_OK && film->video)
        status = pli_video_add(film->video, pixels, error);
    return status;
}

pli_status pli_cli_frames_close(pli_cli_frames *film, pli_error *error)
{
    pli_status status = film->video ? pli_video_close(film->video, error) : PLI_STATUS_OK;
    pli_cli_world_view_close(film->picture);
    free(film->frames);
    free(film->video_path);
    *film = (pli_cli_frames){0};
    return status;
}
