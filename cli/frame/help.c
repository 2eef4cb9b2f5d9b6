// Help texts: all commands, or one with its options and examples.
#include "frame/help.h"

#include "frame/options.h"
#include "frame/terminal.h"
#include "frame/strings.h"

#include <pliant/base.h>

#include <stdlib.h>
#include <string.h>

enum {
    LINE_WIDTH = 80,
    OPTION_COLUMN = 28,
    COMMAND_COLUMN = 22,
    OPERAND_COLUMN = 14,
    EXAMPLE_WIDTH = 42,
    LIST_SIZE = 600
};

void pli_cli_help_wrap(FILE *stream, const char *text, int indent, int column)
{
    while (*text) {
        int length = (int)strcspn(text, " \n");
        if (column > indent && column + 1 + length > LINE_WIDTH) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', stream);
            column++;
        } else if (column < indent) {
            fprintf(stream, "%*s", indent - column, "");
            column = indent;
        }
        fprintf(stream, "%.*s", length, text);
        column += length;
        text += length;
        if (*text == '\n') {
            fputc('\n', stream);
            column = 0;
        }
        text += *text != '\0';
    }
    fputc('\n', stream);
}

char *pli_cli_help_example(const pli_cli_example *example)
{
    static const char placeholder[] = "PROGRAM";
    const char *at = strstr(example->line, placeholder);
    if (!at)
        return pli_cli_format("%s", example->line);
    return pli_cli_format("%.*s%s%s", (int)(at - example->line), example->line, pli_cli_program_running()->name,
                          at + strlen(placeholder));
}

void pli_cli_help_usage(const pli_cli_command *command, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s %s", pli_cli_program_running()->name, command->name);
    for (int32_t i = 0; i < command->operand_count && used < size; i++) {
        const pli_cli_operand *operand = &command->operands[i];
        used += (size_t)snprintf(text + used, size - used, operand->optional ? " [%s]" : " %s", operand->name);
        if (command->last_repeats && i + 1 == command->operand_count && used < size)
            used += (size_t)snprintf(text + used, size - used, " [%s...]", operand->name);
    }
    if (used < size && command->option_count > 0)
        snprintf(text + used, size - used, " [OPTIONS]");
}

void pli_cli_help(FILE *stream)
{
    const pli_cli_program *program = pli_cli_program_running();
    fprintf(stream, "%s %s: %s\n\nUsage: %s COMMAND [ARGUMENTS]\n\nCommands:\n", program->name, pli_version(),
            program->purpose, program->name);
    for (int32_t i = 0; i < program->command_count; i++) {
        const pli_cli_command *command = program->commands[i];
        int column = fprintf(stream, "  %s", command->name);
        pli_cli_help_wrap(stream, command->summary, COMMAND_COLUMN, column);
    }
    fputs("\nExamples:\n", stream);
    for (int32_t i = 0; i < program->example_count; i++)
        fprintf(stream, "  %-*s %s\n", EXAMPLE_WIDTH, program->examples[i].line, program->examples[i].meaning);
    fprintf(stream, "\nEach command explains itself: %s COMMAND --help\n", program->name);
    if (program->sibling)
        fprintf(stream, "The program %s has more commands: %s --help\n", program->sibling, program->sibling);
    fprintf(stream, "Exit codes: 0 done, 1 failure, 2 wrong use%s.\n",
            program->simulates ? ", 3 the simulation blew up" : "");
}

static void print_option(FILE *stream, const pli_cli_option *option)
{
    char summary[LIST_SIZE + 200], list[LIST_SIZE];
    int column = option->letter ? fprintf(stream, "  -%c, --%s", option->letter, option->name)
                                : fprintf(stream, "      --%s", option->name);
    if (option->value)
        column += fprintf(stream, " %s", option->value);
    if (column >= OPTION_COLUMN) {
        fputc('\n', stream);
        column = 0;
    }
    list[0] = '\0';
    if (option->choice)
        pli_cli_choice_list(option->choice, list, sizeof list);
    snprintf(summary, sizeof summary, "%s%s%s", option->summary, list[0] ? ": " : "", list);
    pli_cli_help_wrap(stream, summary, OPTION_COLUMN, column);
}

void pli_cli_help_operand(const pli_cli_operand *operand, char *text, size_t size)
{
    char list[LIST_SIZE] = "";
    if (operand->listed)
        pli_cli_choice_list(operand->listed, list, sizeof list);
    snprintf(text, size, "%s%s%s", operand->summary, list[0] ? ": " : "", list);
}

void pli_cli_help_command(FILE *stream, const pli_cli_command *command)
{
    char usage[200];
    static const pli_cli_option help = {.name = "help", .letter = 'h', .summary = "Show this help"};
    pli_cli_help_usage(command, usage, sizeof usage);
    fprintf(stream, "Usage: %s\n\n", usage);
    pli_cli_help_wrap(stream, command->description, 0, 0);
    if (command->operand_count > 0)
        fputc('\n', stream);
    for (int32_t i = 0; i < command->operand_count; i++) {
        char summary[LIST_SIZE + 400];
        pli_cli_help_operand(&command->operands[i], summary, sizeof summary);
        int column = fprintf(stream, "  %s", command->operands[i].name);
        pli_cli_help_wrap(stream, summary, OPERAND_COLUMN, column);
    }
    fputs("\nOptions:\n", stream);
    for (int32_t i = 0; i < command->option_count; i++)
        print_option(stream, &command->options[i]);
    print_option(stream, &help);
    fputs("\nExamples:\n", stream);
    for (int32_t i = 0; i < command->example_count; i++) {
        char *line = pli_cli_help_example(&command->examples[i]);
        fprintf(stream, "  %s\n", line);
        free(line);
        pli_cli_help_wrap(stream, command->examples[i].meaning, 6, 0);
    }
}
