// Prints a mesh report as text or as JSON.
#ifndef PLI_CLI_INSPECT_REPORT_H
#define PLI_CLI_INSPECT_REPORT_H

#include <pliant/mesh.h>

#include <jansson.h>

void pli_cli_report_print(const char *source, const pli_mesh_report *report);
json_t *pli_cli_report_json(const pli_mesh_report *report);

#endif
