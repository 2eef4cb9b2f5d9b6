// Points of a study as folders: the status of each, the command that runs it, and the table of all.
#ifndef PLI_CLI_POINTS_H
#define PLI_CLI_POINTS_H

#include "sweep/study.h"
#include "support/text_buffer.h"

typedef enum pli_cli_point_status {
    PLI_CLI_POINT_WAITING,
    PLI_CLI_POINT_STOPPED, // It can be resumed from its checkpoint.
    PLI_CLI_POINT_DONE,
    PLI_CLI_POINT_FAILED,
    PLI_CLI_POINT_STATUS_COUNT
} pli_cli_point_status;

typedef struct pli_cli_point_state {
    pli_cli_point_status status;
    char *message;   // NULL without one; free with pli_cli_point_state_release.
    json_t *summary; // NULL without one.
} pli_cli_point_state;

// "waiting", "stopped", "done", "failed".
const char *pli_cli_point_status_name(pli_cli_point_status status);
// Folder of a point inside the folder of the sweep; free with free().
char *pli_cli_point_folder(const pli_cli_study *study, const char *folder, int32_t point);
pli_cli_point_state pli_cli_point_look(const pli_cli_study *study, const char *folder, int32_t point);
void pli_cli_point_state_release(pli_cli_point_state *state);

// The arguments of the command that runs a point, terminated by NULL; free each and the list with free().
char **pli_cli_point_command(const pli_cli_study *study, const char *program, const char *folder, int32_t point);
// The same as a shell command line.
void pli_cli_point_line(const pli_cli_study *study, const char *folder, int32_t point, pli_text *out);
// Adds a word quoted for a shell, in single quotes.
void pli_cli_point_quote(pli_text *out, const char *word);
// Stores the last error of a point that is not a warning, for a process that ended without being stopped: if its exit status is not 0
// and no summary reports the failure, or if there is no summary. Errors: FILE, OUT_OF_MEMORY.
pli_status pli_cli_point_note_end(const char *point_folder, int exit_status, pli_error *error);

// Adds the table of all points as comma-separated values. Returns the first column of the study that no summary contains although a
// point is done, or NULL.
const char *pli_cli_points_table(const pli_cli_study *study, const char *folder, pli_text *out);

#endif
