// Points of a study as folders: what has become of each, the command that runs it, and the table of all.
#ifndef PLI_CLI_POINTS_H
#define PLI_CLI_POINTS_H

#include "sweep/study.h"
#include "support/text_buffer.h"

typedef enum pli_cli_point_status {
    PLI_CLI_POINT_WAITING,
    PLI_CLI_POINT_STOPPED, // To be resumed from its checkpoint.
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
// Folder of a point, below that of the sweep; free with free().
char *pli_cli_point_folder(const pli_cli_study *study, const char *folder, int32_t point);
pli_cli_point_state pli_cli_point_look(const pli_cli_study *study, const char *folder, int32_t point);
void pli_cli_point_state_release(pli_cli_point_state *state);

// The words of the command that runs a point, ended by NULL; free each and the list with free().
char **pli_cli_point_command(const pli_cli_study *study, const char *program, const char *folder, int32_t point);
// The same as a line for a shell.
void pli_cli_point_line(const pli_cli_study *study, const char *folder, int32_t point, pli_text *out);
// Adds a word as a shell takes it: between single quotes.
void pli_cli_point_quote(pli_text *out, const char *word);
// Notes the last of a point's errors that is no warning, for a process that ended by itself: when its exit status is not 0 and no summary
// says that it failed, or when there is no summary at all. Errors: FILE, OUT_OF_MEMORY.
pli_status pli_cli_point_note_end(const char *point_folder, int exit_status, pli_error *error);

// Adds the table of all points as comma-separated values. Returns the first column of the study that no summary has although a point is
// done, or NULL.
const char *pli_cli_points_table(const pli_cli_study *study, const char *folder, pli_text *out);

#endif
