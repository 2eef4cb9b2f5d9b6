// Probes of a scene: quantities of deformables, for summary.json and the table of a run.
#ifndef PLI_CLI_PROBES_H
#define PLI_CLI_PROBES_H

#include "support/text_buffer.h"

#include <pliant/scene.h>

#include <jansson.h>

enum { PLI_CLI_PROBE_VALUES = 6 }; // Maximum number of values of one probe: bounds have six.

// Current area of a deformable's faces [m^2], and the enclosed volume [m^3]; an open surface is closed towards its vertex 0.
void pli_cli_measure_surface(const pli_world *world, pli_deformable deformable, double *area, double *volume);
// Rejects a probe of a vertex that its deformable does not have. Errors: INVALID_ARGUMENT, with the probe's path in the scene.
pli_status pli_cli_probes_check(const pli_scene *scene, pli_world *world, pli_error *error);
// Adds ",probe_NAME" for each value of each probe, followed by the value's name if there are several.
void pli_cli_probes_header(const pli_scene *scene, pli_text *out);
// The current values of probe i, NaN if there are none; returns their number.
int32_t pli_cli_probe_values(const pli_scene *scene, int32_t i, pli_world *world, double *values);
// {"NAME": value or {"x": value, ...}, ...}; to be released.
json_t *pli_cli_probes_json(const pli_scene *scene, pli_world *world);

#endif
