// Simulation of a scene: steps, recording, rendering, checkpoints and the summary.
#ifndef PLI_CLI_SIMULATION_H
#define PLI_CLI_SIMULATION_H

#include "run/figures.h"
#include "run/frames.h"
#include "run/recording.h"
#include "sources/scene_source.h"
#include "run/summary.h"
#include "run/verification.h"

typedef struct pli_cli_run_def {
    pli_cli_scene_source *source;
    const pli_scene *scene;
    const char *folder, *name; // Folder of the files, and the stem of their names.
    int32_t frame_count;
    int32_t thread_count; // 0: value of the scene.
    pli_simd simd;
    const char *cooked; // Path of precomputed sets; NULL to compute them.
    const char *formats[PLI_CLI_FORMATS_MAX];
    int32_t format_count;
    bool film;
    const char *video;     // Extension; NULL for pictures only.
    int32_t width, height; // 0: value of the scene.
    pli_cli_quality quality;
    const char *figures; // Path of the table of figures; NULL for none.
    int32_t checkpoint_every;
    int32_t time_limit; // Time limit for the frames [s]; 0 for none.
    float settle;       // Speed below which the scene is brought to rest before its first frame [m/s]; 0: it is not.
    bool resume, quiet;
    bool compare; // Compares the run with the section "expect" of the scene.
    bool verify;  // End with the first frame in which anything intersects.
} pli_cli_run_def;

typedef struct pli_cli_run {
    const pli_cli_run_def *def;
    pli_world *world;
    pli_cli_recording recording;
    pli_cli_frames film;
    pli_cli_figures figures;
    pli_cli_expectations expectations;
    pli_cli_verification verification;
    double deadline; // On the clock of pli_cli_now [s].
    int lock;        // Lock of the output folder; -1: not locked.
    char *checkpoint, *frames, *video_path;
    pli_cli_outcome outcome;
} pli_cli_run;

// Simulates and records every frame. Returns CANCELLED after Ctrl-C and NON_FINITE when the simulation diverged; the
// files are complete in every case. `run->outcome` can be shown until the run is released.
pli_status pli_cli_run_all(const pli_cli_run_def *def, pli_cli_run *run, pli_error *error);
void pli_cli_run_release(pli_cli_run *run);

#endif
