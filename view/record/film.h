// Recording what the window shows: a video of the pictures, or a cache of the world.
#ifndef PLI_VIEW_FILM_H
#define PLI_VIEW_FILM_H

#include "run/recording.h"

#include <pliant/render.h>

typedef struct pli_view_film {
    char *path;               // What is written; null while nothing is recorded.
    pli_video *video;         // One of both.
    pli_cli_recording *cache; // Its faces and buffers.
    char *folder, *name;      // Of the cache.
    int32_t width, height;    // Of the video [pixels].
    int32_t x, y;             // Lower left corner of its part of the window.
    uint8_t *pixels;          // Two pictures, of which one is upside down.
    int32_t frame_count;      // So far.
    int32_t first, last;      // The session's frames of the first and the last one; -1 for none.
} pli_view_film;

typedef struct pli_view_film_def {
    const char *
        path; // Ends in .mp4, .webm or .webp for a video; else a cache: its folder, and the format as extension of its name.
    pli_world *world;
    double frames_per_second;
    int32_t x, y, width, height; // The part of the window [pixels].
} pli_view_film_def;

// Whether the path is that of a video.
bool pli_view_film_is_video(const char *path);
// Starts a recording; folders are made. Nothing is open after a failure.
pli_status pli_view_film_begin(pli_view_film *film, const pli_view_film_def *def, pli_error *error);
// Adds the world's present frame, of which the window's back buffer has the picture, unless it was the last one. On failure it has
// ended, with what could be written before.
pli_status pli_view_film_add(pli_view_film *film, pli_world *world, int32_t frame, pli_error *error);
// Completes the file. `written` gets its path, to be freed; null when nothing was recorded, and may be null itself.
pli_status pli_view_film_end(pli_view_film *film, char **written, pli_error *error);

#endif
