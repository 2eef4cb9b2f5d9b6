// The interface of libpliant_video, which writes videos with libav. It is loaded when a video is opened, since its dependencies take 35
// ms and 26 MB to load.
#ifndef PLI_RENDER_VIDEO_PLUGIN_H
#define PLI_RENDER_VIDEO_PLUGIN_H

#include "support/library.h"

#include <pliant/render.h>

// The type of the symbol pli_plugin_video that libpliant_video exports: the functions of pliant/render.h.
typedef struct pli_video_plugin {
    pli_plugin head;
    pli_status (*open)(const char *path, int32_t width, int32_t height, double frames_per_second, pli_video **video,
                       pli_error *error);
    pli_status (*add)(pli_video *video, const uint8_t *pixels, pli_error *error);
    pli_status (*close)(pli_video *video, pli_error *error);
} pli_video_plugin;

// The first member of a video, which the library defines.
struct pli_video {
    const pli_video_plugin *plugin;
};

#endif
