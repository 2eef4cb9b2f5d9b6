// Tables of commands, their operands and options. Parsing, --help, shell completion and the manual page are generated from them.
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
    PLI_CLI_WHOLE,   // An integer from minimum to maximum.
    PLI_CLI_SIZE,    // WIDTHxHEIGHT, each from minimum to maximum.
    PLI_CLI_NUMBERS, // `minimum` numbers separated by commas.
    PLI_CLI_CHOICE,  // One of choice(0), choice(1), ... up to null.
    PLI_CLI_CHOICES, // Several of them, separated by commas.
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
    bool open; // The choices are suggestions for shells; the command validates the value, and accepts others.
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
    pli_cli_exit out_of_memory; // Exit status when memory runs out, if FAILURE has another meaning; 0 for FAILURE.
} pli_cli_command;

// Options that several commands share, as rows of their tables.
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

// A program of commands, such as pliant.
typedef struct pli_cli_program {
    const char *name;
    const char *purpose;     // Completes "NAME: " in the help.
    const char *description; // Paragraph of the manual.
    const pli_cli_command *const *commands;
    int32_t command_count;
    const pli_cli_example *examples; // Examples of the help.
    int32_t example_count;
    bool simulates; // Some command exits with BLEW_UP.
    // The program with the other commands, and their names up to null: a user who types one of them here learns where it is.
    const char *sibling;
    const char *const *sibling_commands;
} pli_cli_program;

#define PLI_CLI_COUNT(array) (int32_t)(sizeof(array) / sizeof *(array))

// Sets the running program. Commands list and explain each other through it, so they need not include the table of the program.
void pli_cli_program_use(const pli_cli_program *program);
// Without pli_cli_program_use, one named "pliant" that has no commands.
const pli_cli_program *pli_cli_program_running(void);
const pli_cli_command *pli_cli_command_find(const char *name);
// Name of command i of the running program, for choices; null when out of range.
const char *pli_cli_command_name(int32_t i);

#endif
