// Commands, their operands and options as tables. Parsing, --help, shell completion and the manual
// page are generated from them.
#ifndef PLI_CLI_COMMAND_TABLE_H
#define PLI_CLI_COMMAND_TABLE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum pli_cli_exit {
    PLI_CLI_DONE = 0,
    PLI_CLI_FAILURE = 1,
    PLI_CLI_WRONG_USE = 2,
    PLI_CLI_BLEW_UP = 3,
} pli_cli_exit;

// Kind of value that an option or operand takes.
typedef enum pli_cli_kind {
    PLI_CLI_FLAG, // No value.
    PLI_CLI_TEXT,
    PLI_CLI_FILE,
    PLI_CLI_FOLDER,
    PLI_CLI_WHOLE,   // A whole number from minimum to maximum.
    PLI_CLI_SIZE,    // WIDTHxHEIGHT, each from minimum to maximum.
    PLI_CLI_NUMBERS, // `minimum` numbers between commas.
    PLI_CLI_CHOICE,  // One of choice(0), choice(1), ... up to null.
    PLI_CLI_CHOICES, // Several of them between commas.
} pli_cli_kind;

typedef struct pli_cli_option {
    const char *name; // Without its dashes.
    char letter;      // Or 0.
    pli_cli_kind kind;
    const char *value; // Name of the value in help, such as "DIR".
    const char *summary;
    long minimum, maximum;
    const char *(*choice)(int32_t i);
} pli_cli_option;

typedef struct pli_cli_operand {
    const char *name, *summary;
    pli_cli_kind kind;
    bool optional;
    const char *(*choice)(int32_t i);
    bool open;                        // The choices are suggestions to shells; the command knows others, and judges.
    const char *(*listed)(int32_t i); // Names that help adds to the summary, such as formats; may be null.
} pli_cli_operand;

typedef struct pli_cli_example {
    const char *line, *meaning;
} pli_cli_example;

struct pli_cli_arguments;

typedef struct pli_cli_command {
    const char *name, *summary, *description;
    const pli_cli_operand *operands;
    int32_t operand_count;
    bool last_repeats; // The last operand may be given several times.
    const pli_cli_option *options;
    int32_t option_count;
    const pli_cli_example *examples;
    int32_t example_count;
    pli_cli_exit (*run)(const struct pli_cli_arguments *arguments);
    pli_cli_exit out_of_memory; // How it ends then, where FAILURE says something else; 0 for FAILURE.
} pli_cli_command;

// Options that several commands have, as rows of their tables.
#define PLI_CLI_OPTION_QUIET(text)                                                                                     \
    {                                                                                                                  \
        .name = "quiet", .letter = 'q', .kind = PLI_CLI_FLAG, .summary = text                                          \
    }
#define PLI_CLI_OPTION_JSON(text)                                                                                      \
    {                                                                                                                  \
        .name = "json", .kind = PLI_CLI_FLAG, .summary = text                                                          \
    }
#define PLI_CLI_OPTION_FACES                                                                                           \
    {                                                                                                                  \
        .name = "mesh", .letter = 'm', .kind = PLI_CLI_FILE, .value = "MESH",                                          \
        .summary = "Mesh with the faces of a point cache, which has none (default: the .obj next to it)"               \
    }

#define PLI_CLI_COUNT(array) (int32_t)(sizeof(array) / sizeof *(array))

// Makes these the commands of the program; called once, before anything else of this header. Commands list and explain
// each other through it, so that the table needs them and not they the table.
void pli_cli_commands_use(const pli_cli_command *const *table, int32_t count);
int32_t pli_cli_command_count(void);
const pli_cli_command *pli_cli_command_at(int32_t i);
const pli_cli_command *pli_cli_command_find(const char *name);
// Name of command i, for choices; null when out of range.
const char *pli_cli_command_name(int32_t i);

#endif
