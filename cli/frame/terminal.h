// Output for users: errors on stderr, results on stdout.
#ifndef PLI_CLI_TERMINAL_H
#define PLI_CLI_TERMINAL_H

#include "frame/command_table.h"

#include <pliant/base.h>

#include <jansson.h>

// Prints "pliant: ..." on stderr and returns `code`.
pli_cli_exit pli_cli_complain(pli_cli_exit code, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A log for pli_hooks for commands that show progress: it prints all messages of the library on stderr.
void pli_cli_log(void *user, pli_log_level level, const char *message);
// Flushes stdout; FAILURE when it could not all be written (a full disk, a closed pipe).
pli_cli_exit pli_cli_flush(pli_cli_exit code);
// Makes JSON record lack of memory, which otherwise silently drops keys and values. Called at the start of the program.
void pli_cli_json_begin(void);
// Whether any JSON call has run out of memory so far.
bool pli_cli_json_lacked_memory(void);
// Returns the text of an object, to be freed, and releases the reference; NULL if memory ran out for it or earlier for any JSON.
char *pli_cli_json_format(json_t *object, size_t flags);
// Prints the object on stdout and releases the reference.
pli_cli_exit pli_cli_print_json(json_t *object);
// A JSON number, or null for values that JSON cannot hold.
json_t *pli_cli_json_number(double value);
json_t *pli_cli_json_text(const char *text);
// Columns of the terminal on stderr; 0 if stderr is not a terminal.
int32_t pli_cli_terminal_width(void);

#endif
