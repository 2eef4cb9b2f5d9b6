// Output for people: errors on stderr, results on stdout.
#ifndef PLI_CLI_TERMINAL_H
#define PLI_CLI_TERMINAL_H

#include "frame/command_table.h"

#include <pliant/base.h>

#include <jansson.h>

// Prints "pliant: ..." on stderr and returns `code`.
pli_cli_exit pli_cli_complain(pli_cli_exit code, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The log of pli_hooks for a command that says how far it is: all that the library tells, on stderr.
void pli_cli_log(void *user, pli_log_level level, const char *message);
// Flushes stdout; FAILURE when it could not all be written (a full disk, a closed pipe).
pli_cli_exit pli_cli_flush(pli_cli_exit code);
// Makes JSON remember lack of memory, for which it leaves out keys and values. For the beginning of a program.
void pli_cli_json_begin(void);
// Whether any JSON has lacked memory so far.
bool pli_cli_json_lacked_memory(void);
// The text of an object, to be freed, and releases the reference; NULL when there was no memory for it or, ever, for any part of JSON.
char *pli_cli_json_format(json_t *object, size_t flags);
// Prints the object on stdout and releases the reference.
pli_cli_exit pli_cli_print_json(json_t *object);
// A JSON number, or null for values that JSON cannot hold.
json_t *pli_cli_json_number(double value);
json_t *pli_cli_json_text(const char *text);
// Columns of the terminal behind stderr; 0 when it is none.
int32_t pli_cli_terminal_width(void);

#endif
