// Passes videos to libpliant_video.
#include "film/video_plugin.h"

pli_status pli_video_open(const char *path, int32_t width, int32_t height, double frames_per_second, pli_video **video,
                          pli_error *error)
{
    *video = NULL;
    const pli_video_plugin *plugin = (const pli_video_plugin *)pli_plugin_load(
        "pliant_video", "pli_plugin_video", path, "libav (Debian: libavformat-dev and libswscale-dev)", error);
    const pli_status status = plugin ? plugin->open(path, width, height, frames_per_second, video, error)
                                     : PLI_STATUS_UNSUPPORTED;
    if (status == PLI_STATUS_OK)
        (*video)->plugin = plugin;
    return status;
}

pli_status pli_video_add(pli_video *video, const uint8_t *pixels, pli_error *error)
{
    return video->plugin->add(video, pixels, error);
}

pli_status pli_video_close(pli_video *video, pli_error *error)
{
    return video ? video->plugin->close(video, error) : pli_succeed(error);
}
