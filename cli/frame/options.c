// Options as --name VALUE, --name=VALUE, -l VALUE or -lVALUE; "--" ends them.
#include "frame/options.h"

#include "frame/terminal.h"
#include "frame/strings.h"
#include "src/base/nearest_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_SIZE = 2000, OPTION_COUNT_MAX = 64 };

static const pli_cli_option *find_long(const pli_cli_command *command, const char *name, size_t length)
{
    for (int32_t i = 0; i < command->option_count; i++)
        if (strlen(command->options[i].name) == length && strncmp(command->options[i].name, name, length) == 0)
            return &command->options[i];
    return NULL;
}

static const pli_cli_option *find_letter(const pli_cli_command *command, char letter)
{
    for (int32_t i = 0; i < command->option_count; i++)
        if (command->options[i].letter == letter)
            return &command->options[i];
    return NULL;
}

static pli_cli_exit complain_unknown(const pli_cli_command *command, const char *word)
{
    const char *name = word + strspn(word, "-"), *names[OPTION_COUNT_MAX];
    char plain[64];
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name, "="), name);
    int32_t count = 0;
    for (; count < command->option_count && count < OPTION_COUNT_MAX; count++)
        names[count] = command->options[count].name;
    const char *best = pli_meant_name(plain, names, count);
    if (best)
        return pli_cli_complain(PLI_CLI_WRONG_USE, "%s: unknown option '%s'; did you mean --%s?", command->name, word,
                                best);
    return pli_cli_complain(PLI_CLI_WRONG_USE, "%s: unknown option '%s'; see %s %s --help", command->name, word,
                            pli_cli_program_running()->name, command->name);
}

pli_cli_exit pli_cli_complain_choice(const pli_cli_command *command, const char *where, const char *word,
                                     const char *(*choice)(int32_t i))
{
    char list[LIST_SIZE];
    const char *best = pli_cli_nearest(word, choice);
    pli_cli_choice_list(choice, list, sizeof list);
    // A short list of choices is more useful than a guess: 'fbx' resembles 'obj' only by its letters.
    bool is_short = strlen(list) < 100;
    if (best)
        return pli_cli_complain(PLI_CLI_WRONG_USE, "%s: %s '%s' is unknown; did you mean '%s'?%s%s", command->name,
                                where, word, best, is_short ? " There are " : "", is_short ? list : "");
    return pli_cli_complain(PLI_CLI_WRONG_USE, "%s: %s '%s' is unknown; there are %s", command->name, where, word,
                            list);
}

static pli_cli_exit check_choices(const pli_cli_command *command, const char *where, const char *text, bool several,
                                  const char *(*choice)(int32_t i))
{
    for (const char *word = text;;) {
        size_t length = several ? strcspn(word, ",") : strlen(word);
        if (pli_cli_choice_find(word, length, choice) < 0) {
            char *copy = pli_cli_format("%.*s", (int)length, word);
            pli_cli_exit code = pli_cli_complain_choice(command, where, copy, choice);
            free(copy);
            return code;
        }
        if (word[length] == '\0')
            return PLI_CLI_DONE;
        word += length + 1;
    }
}

static bool inside(const pli_cli_option *option, long value)
{
    return value >= option->minimum && value <= option->maximum;
}

static pli_cli_exit check_value(const pli_cli_command *command, const pli_cli_option *option, const char *text)
{
    long first, second;
    float numbers[8];
    char *where = pli_cli_format("--%s", option->name);
    pli_cli_exit code = PLI_CLI_DONE;
    if (option->kind == PLI_CLI_WHOLE && !(pli_cli_read_whole(text, &first) && inside(option, first)))
        code = pli_cli_complain(PLI_CLI_WRONG_USE, "%s: %s takes a whole number from %ld to %ld, not '%s'",
                                command->name, where, option->minimum, option->maximum, text);
    else if (option->kind == PLI_CLI_SIZE &&
             !(pli_cli_read_size(text, &first, &second) && inside(option, first) && inside(option, second)))
        code = pli_cli_complain(PLI_CLI_WRONG_USE,
                                "%s: %s takes WIDTHxHEIGHT, each from %ld to %ld, such as "
                                "1280x720, not '%s'",
                                command->name, where, option->minimum, option->maximum, text);
    else if (option->kind == PLI_CLI_NUMBERS && !pli_cli_read_numbers(text, numbers, (int32_t)option->minimum))
        code = pli_cli_complain(PLI_CLI_WRONG_USE, "%s: %s takes %ld numbers between commas, not '%s'", command->name,
                                where, option->minimum, text);
    else if (option->kind == PLI_CLI_CHOICE || option->kind == PLI_CLI_CHOICES)
        code = check_choices(command, where, text, option->kind == PLI_CLI_CHOICES, option->choice);
    else if (text[0] == '\0')
        code = pli_cli_complain(PLI_CLI_WRONG_USE, "%s: %s is empty; it takes %s", command->name, where, option->value);
    free(where);
    return code;
}

// Parses one option at words[0]; *used receives the number of words that it consumed.
static pli_cli_exit parse_option(pli_cli_arguments *a, int count, char **words, int *used)
{
    const pli_cli_command *command = a->command;
    const char *word = words[0], *text = NULL;
    const pli_cli_option *option;
    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        option = find_long(command, word + 2, length);
        text = word[2 + length] == '=' ? word + 3 + length : NULL;
    } else {
        option = find_letter(command, word[1]);
        text = word[2] ? word + 2 : NULL;
    }
    if (!option)
        return complain_unknown(command, word);
    if (option->kind == PLI_CLI_FLAG && text)
        return pli_cli_complain(PLI_CLI_WRONG_USE, "%s: --%s takes no value", command->name, option->name);
    *used = 1;
    if (option->kind != PLI_CLI_FLAG && !text) {
        if (count < 2)
            return pli_cli_complain(PLI_CLI_WRONG_USE, "%s: --%s needs a value: %s", command->name, option->name,
                                    option->value);
        text = words[1];
        *used = 2;
    }
    a->given[a->given_count++] = (pli_cli_given){option, text};
    return text ? check_value(command, option, text) : PLI_CLI_DONE;
}

static pli_cli_exit add_operand(pli_cli_arguments *a, const char *word)
{
    const pli_cli_command *command = a->command;
    int32_t last = command->operand_count - 1;
    if (a->operand_count > last && !command->last_repeats)
        return pli_cli_complain(PLI_CLI_WRONG_USE, "%s: '%s' is one too many; see %s %s --help", command->name, word,
                                pli_cli_program_running()->name, command->name);
    const pli_cli_operand *operand = &command->operands[a->operand_count < last ? a->operand_count : last];
    a->operands[a->operand_count++] = word;
    if (operand->kind == PLI_CLI_CHOICE && !operand->open &&
        pli_cli_choice_find(word, strlen(word), operand->choice) < 0)
        return pli_cli_complain_choice(command, operand->name, word, operand->choice);
    return PLI_CLI_DONE;
}

static pli_cli_exit check_complete(const pli_cli_arguments *a)
{
    const pli_cli_command *command = a->command;
    if (a->help || a->operand_count >= command->operand_count || command->operands[a->operand_count].optional)
        return PLI_CLI_DONE;
    const pli_cli_operand *missing = &command->operands[a->operand_count];
    return pli_cli_complain(PLI_CLI_WRONG_USE, "%s: %s is missing (%s); see %s %s --help", command->name, missing->name,
                            missing->summary, pli_cli_program_running()->name, command->name);
}

pli_cli_exit pli_cli_arguments_parse(const pli_cli_command *command, int count, char **words,
                                     pli_cli_arguments *arguments)
{
    *arguments = (pli_cli_arguments){.command = command};
    arguments->given = calloc((size_t)count + 1, sizeof *arguments->given);
    arguments->operands = calloc((size_t)(count + command->operand_count) + 1, sizeof *arguments->operands);
    if (!arguments->given || !arguments->operands)
        return pli_cli_complain(command->out_of_memory ? command->out_of_memory : PLI_CLI_FAILURE, "out of memory");
    bool options_end = false;
    for (int i = 0, used = 1; i < count; i += used, used = 1) {
        const char *word = words[i];
        pli_cli_exit code = PLI_CLI_DONE;
        if (!options_end && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0))
            arguments->help = true;
        else if (!options_end && strcmp(word, "--") == 0)
            options_end = true;
        else if (!options_end && word[0] == '-' && word[1] != '\0')
            code = parse_option(arguments, count - i, words + i, &used);
        else
            code = add_operand(arguments, word);
        if (code != PLI_CLI_DONE)
            return code;
    }
    return check_complete(arguments);
}

void pli_cli_arguments_release(pli_cli_arguments *arguments)
{
    free(arguments->given);
    free(arguments->operands);
    *arguments = (pli_cli_arguments){0};
}

static const pli_cli_given *last_given(const pli_cli_arguments *arguments, int32_t option)
{
    for (int32_t i = arguments->given_count; i-- > 0;)
        if (arguments->given[i].option == &arguments->command->options[option])
            return &arguments->given[i];
    return NULL;
}

bool pli_cli_flag(const pli_cli_arguments *arguments, int32_t option) { return last_given(arguments, option) != NULL; }

const char *pli_cli_text(const pli_cli_arguments *arguments, int32_t option)
{
    const pli_cli_given *given = last_given(arguments, option);
    return given ? given->text : NULL;
}

int32_t pli_cli_whole(const pli_cli_arguments *arguments, int32_t option, int32_t otherwise)
{
    const char *text = pli_cli_text(arguments, option);
    long value;
    return text && pli_cli_read_whole(text, &value) ? (int32_t)value : otherwise;
}

bool pli_cli_size(const pli_cli_arguments *arguments, int32_t option, int32_t *width, int32_t *height)
{
    const char *text = pli_cli_text(arguments, option);
    long w, h;
    if (!text || !pli_cli_read_size(text, &w, &h))
        return false;
    *width = (int32_t)w;
    *height = (int32_t)h;
    return true;
}

bool pli_cli_numbers(const pli_cli_arguments *arguments, int32_t option, float *numbers, int32_t count)
{
    const char *text = pli_cli_text(arguments, option);
    return text && pli_cli_read_numbers(text, numbers, count);
}

int32_t pli_cli_choice(const pli_cli_arguments *arguments, int32_t option)
{
    const char *text = pli_cli_text(arguments, option);
    return text ? pli_cli_choice_find(text, strlen(text), arguments->command->options[option].choice) : -1;
}

int32_t pli_cli_texts(const pli_cli_arguments *arguments, int32_t option, const char **texts, int32_t capacity)
{
    int32_t count = 0;
    for (int32_t i = 0; i < arguments->given_count; i++) {
        if (arguments->given[i].option != &arguments->command->options[option])
            continue;
        if (count < capacity)
            texts[count] = arguments->given[i].text;
        count++;
    }
    return count;
}

pli_cli_exit pli_cli_texts_all(const pli_cli_arguments *arguments, int32_t option, const char **texts, int32_t capacity,
                               int32_t *count)
{
    *count = pli_cli_texts(arguments, option, texts, capacity);
    if (*count <= capacity)
        return PLI_CLI_DONE;
    *count = capacity;
    return pli_cli_complain(PLI_CLI_WRONG_USE, "%s: --%s may be given at most %d times", arguments->command->name,
                            arguments->command->options[option].name, (int)capacity);
}
