// The command `manual`: the manual page as roff with the man macros, generated from the tables.
#include "frame/options.h"
#include "frame/help.h"
#include "frame/strings.h"

#include <pliant/base.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { LIST_SIZE = 600 };

// Hyphens are minus signs, backslashes are escaped, and no line begins with a control character.
static void print_roff(const char *text)
{
    for (const char *c = text; *c; c++) {
        if ((c == text || c[-1] == '\n') && (*c == '.' || *c == '\''))
            fputs("\\&", stdout);
        if (*c == '-')
            fputs("\\-", stdout);
        else if (*c == '\\')
            fputs("\\e", stdout);
        else
            fputc(*c, stdout);
    }
    fputc('\n', stdout);
}

// A name, whose hyphens are minus signs.
static void print_words(const char *text)
{
    for (; *text; text++)
        printf(*text == '-' ? "\\%c" : "%c", *text);
}

static void print_option(const pli_cli_option *option)
{
    char list[LIST_SIZE] = "";
    fputs(".TP\n\\fB", stdout);
    if (option->letter)
        printf("\\-%c\\fR, \\fB", option->letter);
    fputs("\\-\\-", stdout);
    print_words(option->name);
    printf("\\fR%s\\fI%s\\fR\n", option->value ? " " : "", option->value ? option->value : "");
    if (option->choice)
        pli_cli_choice_list(option->choice, list, sizeof list);
    char *text = pli_cli_format("%s%s%s", option->summary, list[0] ? ": " : "", list);
    print_roff(text);
    free(text);
}

static void print_command(const pli_cli_command *command)
{
    char usage[200];
    pli_cli_help_usage(command, usage, sizeof usage);
    fputs(".SS ", stdout);
    print_roff(usage);
    print_roff(command->description);
    for (int32_t i = 0; i < command->operand_count; i++) {
        printf(".TP\n\\fI%s\\fR\n", command->operands[i].name);
        char summary[LIST_SIZE + 400];
        pli_cli_help_operand(&command->operands[i], summary, sizeof summary);
        print_roff(summary);
    }
    for (int32_t i = 0; i < command->option_count; i++)
        print_option(&command->options[i]);
}

static void print_examples(const pli_cli_command *command)
{
    for (int32_t i = 0; i < command->example_count; i++) {
        fputs(".TP\n\\fB", stdout);
        char *line = pli_cli_help_example(&command->examples[i]);
        print_words(line);
        free(line);
        fputs("\\fR\n", stdout);
        print_roff(command->examples[i].meaning);
    }
}

static pli_cli_exit run_manual(const pli_cli_arguments *arguments)
{
    (void)arguments;
    const pli_cli_program *program = pli_cli_program_running();
    fputs(".TH ", stdout);
    for (const char *c = program->name; *c; c++)
        putchar(toupper((unsigned char)*c));
    // Ragged on the right and without hyphens: words of the command line cannot be stretched to the margin, nor be broken.
    printf(" 1 \"\" \"pliant %s\" \"User commands\"\n.ad l\n.nh\n.SH NAME\n", pli_version());
    print_words(program->name);
    fputs(" \\- ", stdout);
    print_roff(program->purpose);
    fputs(".SH SYNOPSIS\n.B ", stdout);
    print_roff(program->name);
    puts("\\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n.SH DESCRIPTION");
    print_roff(program->description);
    puts(".SH COMMANDS");
    for (int32_t i = 0; i < program->command_count; i++)
        print_command(program->commands[i]);
    puts(".SH EXIT STATUS\n.TP\n0\nDone.\n.TP\n1\nFailure: a file, a scene or a mesh that cannot be used; cancelled.\n"
         ".TP\n2\nWrong use of the command line.");
    if (program->simulates)
        puts(".TP\n3\nThe simulation blew up; the last good frame is kept.");
    puts(".SH EXAMPLES");
    for (int32_t i = 0; i < program->command_count; i++)
        print_examples(program->commands[i]);
    return PLI_CLI_DONE;
}

static const pli_cli_example examples[] = {
    {"PROGRAM manual | man -l -", "Read the manual without installing it"},
};

const pli_cli_command pli_cli_row_manual = {
    .name = "manual",
    .summary = "Print the manual page",
    .description = "Prints the manual page of all commands as roff.",
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_manual,
};
