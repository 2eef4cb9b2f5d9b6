// Records the window as a video, or the world as a cache.
#ifndef PLI_VIEW_FILM_H
#define PLI_VIEW_FILM_H

#include "run/recording.h"

#include <pliant/render.h>

typedef struct pli_view_film {
    char *path;               // Path of the output; null while nothing is recorded.
    pli_video *video;         // Either the video or the cache is open.
    pli_cli_recording *cache; // Its faces and buffers.
    char *folder, *name;      // Folder and name of the cache.
    int32_t width, height;    // Size of the video [pixels].
    int32_t x, y;             // Lower left corner of its part of the window.
    uint8_t *pixels;          // Two pictures, one of them upside down.
    int32_t frame_count;      // Frames written so far.
    int32_t first, last;      // Session frame numbers of the first and the last recorded frame; -1 for none.
} pli_view_film;

typedef struct pli_view_film_def {
    const char *
        path; // Ends in .mp4, .webm or .webp for a video; else a cache: its folder, and the format as extension of its name.
    pli_world *world;
    double frames_per_second;
    int32_t x, y, width, height; // The part of the window [pixels].
} pli_view_film_def;

// Whether the path names a video.
bool pli_view_film_is_video(const char *path);
// Starts a recording and creates its folders. Nothing is open after a failure.
pli_status pli_view_film_begin(pli_view_film *film, const pli_view_film_def *def, pli_error *error);
// Adds the world's current frame, whose picture is in the window's back buffer, unless it was added last. On failure the recording has
// ended, with all earlier frames written if possible.
pli_status pli_view_film_add(pli_view_film *film, pli_world *world, int32_t frame, pli_error *error);
// Completes the file. `written`, which may be null, gets the path, to be freed by the caller, or null if nothing was recorded.
pli_status pli_view_film_end(pli_view_film *film, char **written, pli_error *error);

#endif
