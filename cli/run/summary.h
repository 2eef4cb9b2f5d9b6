// Summary of a run, as text and as one JSON object.
#ifndef PLI_CLI_SUMMARY_H
#define PLI_CLI_SUMMARY_H

#include "run/expectations.h"
#include "run/recording.h"
#include "sources/scene_source.h"

// Contacts between surfaces, summed over the steps of this run.
typedef struct pli_cli_contact_sums {
    int64_t contacts, held_back, breaches;
    int32_t contacts_max;
    double stuck; // Largest fraction of stuck particles in any step.
} pli_cli_contact_sums;

typedef struct pli_cli_outcome {
    const char *status;  // "running", "done", "cancelled", "blew up" or "failed"
    const char *message; // Reason for an early end; NULL if there was none.
    const pli_cli_scene_source *source;
    const pli_scene *scene;
    pli_world *world;
    const pli_cli_recording *recording;
    const pli_cli_expectations *expectations;
    const char *folder;
    const char *frames, *video; // NULL when there are none.
    int32_t frame;              // Last frame reached.
    int32_t frame_count;        // Frames requested.
    int32_t first_frame;        // First frame of this run.
    double seconds;             // Wall time, including files and pictures.
    double step_seconds;        // Sum over the steps.
    double stage_seconds[PLI_STAGE_COUNT];
    pli_cli_contact_sums contact;
    double stretch_peak; // Largest stretch over the steps of this run.
} pli_cli_outcome;

json_t *pli_cli_summary_json(const pli_cli_outcome *outcome);
void pli_cli_summary_print(const pli_cli_outcome *outcome);
// Writes folder/summary.json.
pli_status pli_cli_summary_write(const pli_cli_outcome *outcome, pli_error *error);

#endif
