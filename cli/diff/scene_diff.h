// Stepping the worlds of two scenes side by side until they part, and the search for the part of the step that did it.
#ifndef PLI_CLI_SCENE_DIFF_H
#define PLI_CLI_SCENE_DIFF_H

#include "diff/difference.h"
#include "sources/scene_source.h"

// One of the two runs.
typedef struct pli_cli_diff_side {
    const pli_scene *scene;
    int32_t thread_count; // 0: as the scene says.
    pli_simd simd;
} pli_cli_diff_side;

// At most `frame_limit` steps; below 0 for as many as the scenes have. CANCELLED after Ctrl-C; a failure of both sides in one step
// is that of the first, of one side a difference.
pli_status pli_cli_scene_diff(const pli_cli_diff_side sides[2], int32_t frame_limit, bool quiet,
                              pli_cli_difference *difference, pli_error *error);

#endif
