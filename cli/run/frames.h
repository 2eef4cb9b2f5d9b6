// Rendered frames of a run: one PNG per frame, and a video.
#ifndef PLI_CLI_FRAMES_H
#define PLI_CLI_FRAMES_H

#include "view/world_view.h"

typedef struct pli_cli_frames {
    char *frames;     // Folder of the PNG files; NULL for none.
    char *video_path; // NULL for no video.
    pli_cli_world_view *picture;
    pli_video *video;
    double time_step; // Seconds between consecutive frame numbers.
} pli_cli_frames;

// `frames` and `video_path` may be null; both are copied. Only one in `every` of the given frame numbers is drawn.
pli_status pli_cli_frames_open(const pli_cli_world_view_def *def, const char *frames, const char *video_path,
                               double frames_per_second, int32_t every, pli_cli_frames *film, pli_error *error);
// Takes the current state of the world for frame `frame`, before the next one, without drawing it: motion blur starts there.
pli_status pli_cli_frames_pass(pli_cli_frames *film, int32_t frame, pli_error *error);
// Draws the current state of the world as frame `frame`.
pli_status pli_cli_frames_add(pli_cli_frames *film, int32_t frame, pli_error *error);
// Completes the video. It may be called on frames that were not opened.
pli_status pli_cli_frames_close(pli_cli_frames *film, pli_error *error);

#endif
