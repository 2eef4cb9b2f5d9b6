// Comparison of a run with the section "expect" of its scene.
#ifndef PLI_CLI_EXPECTATIONS_H
#define PLI_CLI_EXPECTATIONS_H

#include "run/recording.h"

#include <pliant/scene.h>

// The worst value of one number over the frames.
typedef struct pli_cli_worst {
    double value;
    int32_t frame; // First frame beyond the limit; else the frame of the value.
} pli_cli_worst;

typedef struct pli_cli_expectations {
    const pli_scene *scene; // Null: nothing is compared.
    pli_scene_expect expect;
    pli_cli_worst intersections, stretch, stuck;
    double *volumes; // Volumes at the start, by the scene's ends; 0 for ends without a volume.
    json_t *results; // [{"what", "object", "minimum", "maximum", "value", "frame", "holds"}]
} pli_cli_expectations;

// Measures the start of the run.
pli_status pli_cli_expectations_open(const pli_scene *scene, const pli_cli_recording *recording,
                                     pli_cli_expectations *e, pli_error *error);
// Whether intersections are compared, and so must be counted in every frame.
bool pli_cli_expectations_count(const pli_cli_expectations *e);
// Compares the frame recorded last, which has the given number of intersecting triangle pairs.
void pli_cli_expectations_add(pli_cli_expectations *e, const pli_cli_recording *recording, int32_t frame,
                              int64_t crossings);
// Compares the end, and fills the results. Expectations about the last frame are skipped in runs that have fewer or more frames than
// the scene.
pli_status pli_cli_expectations_judge(pli_cli_expectations *e, const pli_cli_recording *recording, int32_t frame,
                                      pli_error *error);
// The first result that does not hold, or null.
json_t *pli_cli_expectations_failed(const pli_cli_expectations *e);
// A text such as "stretch at most 0.2: 0.31 in frame 40"; free with free().
char *pli_cli_expectation_text(const json_t *result);
void pli_cli_expectations_print(const pli_cli_expectations *e);
void pli_cli_expectations_release(pli_cli_expectations *e);

#endif
