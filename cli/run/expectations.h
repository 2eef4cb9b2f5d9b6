// Comparison of a run with the section "expect" of its scene.
#ifndef PLI_CLI_EXPECTATIONS_H
#define PLI_CLI_EXPECTATIONS_H

#include "run/recording.h"

#include <pliant/scene.h>

// The worst of one number over the frames.
typedef struct pli_cli_worst {
    double value;
    int32_t frame; // The first in which it was beyond the limit; else that of the value.
} pli_cli_worst;

typedef struct pli_cli_expectations {
    const pli_scene *scene; // Null: nothing is compared.
    pli_scene_expect expect;
    pli_cli_worst intersections, stretch, stuck;
    double *volumes; // At the start, by the scene's ends; 0 where no volume is said.
    json_t *results; // [{"what", "object", "minimum", "maximum", "value", "frame", "holds"}]
} pli_cli_expectations;

// Measures the start of the run.
pli_status pli_cli_expectations_open(const pli_scene *scene, const pli_cli_recording *recording,
                                     pli_cli_expectations *e, pli_error *error);
// Whether intersections are compared, and so to be counted in every frame.
bool pli_cli_expectations_count(const pli_cli_expectations *e);
// Compares the frame that was recorded last, in which so many pairs of triangles intersect.
void pli_cli_expectations_add(pli_cli_expectations *e, const pli_cli_recording *recording, int32_t frame,
                              int64_t crossings);
// Compares the end, and fills the results. What is said of the last frame is left out of runs of fewer or more frames
// than the scene has.
pli_status pli_cli_expectations_judge(pli_cli_expectations *e, const pli_cli_recording *recording, int32_t frame,
                                      pli_error *error);
// The first result that does not hold, or null.
json_t *pli_cli_expectations_failed(const pli_cli_expectations *e);
// Such as "stretch at most 0.2: 0.31 in frame 40"; free with free().
char *pli_cli_expectation_text(const json_t *result);
void pli_cli_expectations_print(const pli_cli_expectations *e);
void pli_cli_expectations_release(pli_cli_expectations *e);

#endif
