// A study: a scene, axes over its keys, and the points that they span.
#ifndef PLI_CLI_STUDY_H
#define PLI_CLI_STUDY_H

#include "sources/plugins.h"

#include <pliant/base.h>

#include <jansson.h>

enum { PLI_CLI_AXES_MAX = 32, PLI_CLI_POINTS_MAX = 1000000 };

typedef struct pli_cli_axis {
    const char *path; // The key in the scene, as --set takes it.
    json_t *values;   // All values, in order.
} pli_cli_axis;

typedef struct pli_cli_study {
    json_t *root;
    char *scene;    // Path of the scene, relative to the study's folder in the file.
    int32_t frames; // -1: as the scene says.
    bool zip;       // Point i takes value i of every axis; else all combinations, the last axis fastest.
    pli_cli_axis axes[PLI_CLI_AXES_MAX];
    int32_t axis_count, point_count;
    json_t *columns;         // Further columns of the table, or null. Borrowed from the root.
    json_t *formats;         // Names of the caches that each point writes, or null. Borrowed from the root.
    pli_cli_plugins plugins; // Plugins of every point, filled in from the command line, since no file names plugins.
    uint64_t inputs;         // Hash of the points' inputs (sweep/inputs.h); the command fills it in.
} pli_cli_study;

// Errors: FILE, PARSE, OUT_OF_MEMORY, INVALID_ARGUMENT with the key, also if two points are equal. The caller must release the study in
// any case.
pli_status pli_cli_study_read(const char *path, pli_cli_study *study, pli_error *error);
// The value of an axis at a point. Borrowed.
json_t *pli_cli_study_value(const pli_cli_study *study, int32_t point, int32_t axis);
// "PATH=VALUE" for --set; free with free().
char *pli_cli_study_setting(const pli_cli_study *study, int32_t point, int32_t axis);
// 16 hexadecimal digits, identical for identical inputs, frames, formats and values, independent of the point's index in its study.
void pli_cli_study_id(const pli_cli_study *study, int32_t point, char id[17]);
void pli_cli_study_release(pli_cli_study *study);

#endif
