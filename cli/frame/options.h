// A command line, checked against its command's table.
#ifndef PLI_CLI_OPTIONS_H
#define PLI_CLI_OPTIONS_H

#include "frame/command_table.h"

typedef struct pli_cli_given {
    const pli_cli_option *option;
    const char *text; // Null for flags.
} pli_cli_given;

typedef struct pli_cli_arguments {
    const pli_cli_command *command;
    const char **operands; // Null where not given.
    int32_t operand_count;
    pli_cli_given *given;
    int32_t given_count;
    bool help;
} pli_cli_arguments;

// Parses the words after the command's name. An invalid word is reported on stderr, with the nearest option, and returns WRONG_USE.
pli_cli_exit pli_cli_arguments_parse(const pli_cli_command *command, int count, char **words,
                                     pli_cli_arguments *arguments);
// Reports a word that is not among the choices of `where`, with the nearest choice or all of them. Returns WRONG_USE.
pli_cli_exit pli_cli_complain_choice(const pli_cli_command *command, const char *where, const char *word,
                                     const char *(*choice)(int32_t i));
void pli_cli_arguments_release(pli_cli_arguments *arguments);

// Values by the option's index in its command's table; the last occurrence counts.
bool pli_cli_flag(const pli_cli_arguments *arguments, int32_t option);
const char *pli_cli_text(const pli_cli_arguments *arguments, int32_t option);
int32_t pli_cli_whole(const pli_cli_arguments *arguments, int32_t option, int32_t otherwise);
bool pli_cli_size(const pli_cli_arguments *arguments, int32_t option, int32_t *width, int32_t *height);
bool pli_cli_numbers(const pli_cli_arguments *arguments, int32_t option, float *numbers, int32_t count);
// Index of the chosen name among the choices, or -1.
int32_t pli_cli_choice(const pli_cli_arguments *arguments, int32_t option);
// Copies the texts of a repeated option, up to `capacity`; returns their number.
int32_t pli_cli_texts(const pli_cli_arguments *arguments, int32_t option, const char **texts, int32_t capacity);
// The same, but reports an error and returns WRONG_USE if there are more than `capacity`; the count is then `capacity`.
pli_cli_exit pli_cli_texts_all(const pli_cli_arguments *arguments, int32_t option, const char **texts, int32_t capacity,
                               int32_t *count);

#endif
