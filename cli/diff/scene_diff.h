// Steps the worlds of two scenes side by side until they diverge, and finds the part of the step where they do.
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

// Compares at most `frame_limit` steps; below 0: the number of frames of the scenes. CANCELLED after Ctrl-C. If both sides fail in the
// same step, the failure of the first is returned; a failure of one side is a difference.
pli_status pli_cli_scene_diff(const pli_cli_diff_side sides[2], int32_t frame_limit, bool quiet,
                              pli_cli_difference *difference, pli_error *error);

#endif
