// A run from its scene to its files.
#ifndef PLI_CLI_SIMULATION_H
#define PLI_CLI_SIMULATION_H

#include "run/frames.h"
#include "run/recording.h"
#include "sources/scene_source.h"
#include "run/summary.h"

typedef struct pli_cli_run_def {
    pli_cli_scene_source *source;
    const pli_scene *scene;
    const char *folder, *name; // Where the files go, and their stem.
    int32_t frame_count;
    int32_t thread_count; // 0: as the scene says.
    pli_simd simd;
    const char *cooked; // Path; null to cook.
    const char *formats[PLI_CLI_FORMATS_MAX];
    int32_t format_count;
    bool film;
    const char *video;     // Extension; null for pictures only.
    int32_t width, height; // 0: as the scene says.
    int32_t checkpoint_every;
    bool resume, quiet;
} pli_cli_run_def;

typedef struct pli_cli_run {
    const pli_cli_run_def *def;
    pli_world *world;
    pli_cli_recording recording;
    pli_cli_frames film;
    char *checkpoint, *frames, *video_path;
    pli_cli_outcome outcome;
} pli_cli_run;

// Simulates, recording as it goes. Returns CANCELLED after Ctrl-C, NON_FINITE after a blow-up; in
// every case the files are whole. `run->outcome` can be shown until the run is released.
pli_status pli_cli_run_all(const pli_cli_run_def *def, pli_cli_run *run, pli_error *error);
void pli_cli_run_release(pli_cli_run *run);

#endif
