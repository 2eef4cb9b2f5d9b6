// Any bytes as a study of `pliant sweep`: what is read of it has points, each with a setting for every axis and a name of its own length.
#define _GNU_SOURCE
#include "sweep/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int handle = -1;
    char path[40];
    if (handle < 0)
        handle = memfd_create("study", 0);
    if (handle < 0 || ftruncate(handle, 0) != 0 || pwrite(handle, data, size, 0) != (ssize_t)size)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", handle);
    pli_cli_study study;
    if (pli_cli_study_read(path, &study, NULL) == PLI_STATUS_OK) {
        if (study.point_count < 1 || study.point_count > PLI_CLI_POINTS_MAX || !study.scene)
            abort();
        const int32_t points[] = {0, study.point_count / 2, study.point_count - 1};
        for (int k = 0; k < 3; k++) {
            char id[17];
            pli_cli_study_id(&study, points[k], id);
            if (strlen(id) != 16)
                abort();
            for (int32_t axis = 0; axis < study.axis_count; axis++)
                free(pli_cli_study_setting(&study, points[k], axis));
        }
    }
    pli_cli_study_release(&study);
    return 0;
}
