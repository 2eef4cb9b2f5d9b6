// The command `completion`: scripts for bash, zsh and fish, generated from the tables.
#include "frame/options.h"
#include "frame/strings.h"

#include <stdio.h>
#include <string.h>

static void print_names(const char *(*choice)(int32_t i), const char *between)
{
    const char *name;
    for (int32_t i = 0; (name = choice(i)); i++)
        printf("%s%s", i ? between : "", name);
}

// The function of the running program: _pliant, _pliant_lab.
static void print_function(void)
{
    putchar('_');
    for (const char *c = pli_cli_program_running()->name; *c; c++)
        putchar(*c == '-' ? '_' : *c);
}

static bool takes_file(pli_cli_kind kind) { return kind == PLI_CLI_FILE || kind == PLI_CLI_FOLDER; }

/* ---- bash ----------------------------------------------------------------------------------- */

static void bash_values(const pli_cli_command *command)
{
    for (int32_t i = 0; i < command->option_count; i++) {
        const pli_cli_option *option = &command->options[i];
        if (option->kind == PLI_CLI_FLAG)
            continue;
        printf("        %s:--%s", command->name, option->name);
        if (option->letter)
            printf("|%s:-%c", command->name, option->letter);
        fputs(") ", stdout);
        if (option->choice) {
            fputs("COMPREPLY=($(compgen -W \"", stdout);
            print_names(option->choice, " ");
            fputs("\" -- \"$word\"))", stdout);
        } else {
            fputs(!takes_file(option->kind)        ? ":"
                  : option->kind == PLI_CLI_FOLDER ? "COMPREPLY=($(compgen -d -- \"$word\"))"
                                                   : "COMPREPLY=($(compgen -f -- \"$word\"))",
                  stdout);
        }
        fputs("; return ;;\n", stdout);
    }
}

static void bash_words(const pli_cli_command *command)
{
    printf("        %s) words=\"--help", command->name);
    for (int32_t i = 0; i < command->option_count; i++)
        printf(" --%s", command->options[i].name);
    fputs("\"; operands=\"", stdout);
    if (command->operand_count > 0 && command->operands[0].choice)
        print_names(command->operands[0].choice, " ");
    fputs("\" ;;\n", stdout);
}

static void print_bash(void)
{
    const char *name = pli_cli_program_running()->name;
    printf("# bash completion for %s, made by: %s completion bash\n", name, name);
    print_function();
    fputs("()\n{\n"
          "    local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD - 1]}\"\n"
          "    local command=\"${COMP_WORDS[1]}\" words operands\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W \"--help --version ",
          stdout);
    print_names(pli_cli_command_name, " ");
    fputs("\" -- \"$word\"))\n        return\n    fi\n    case \"$command:$before\" in\n", stdout);
    for (int32_t i = 0; i < pli_cli_program_running()->command_count; i++)
        bash_values(pli_cli_program_running()->commands[i]);
    fputs("    esac\n    case \"$command\" in\n", stdout);
    for (int32_t i = 0; i < pli_cli_program_running()->command_count; i++)
        bash_words(pli_cli_program_running()->commands[i]);
    fputs("    esac\n"
          "    case \"$word\" in\n"
          "        -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
          "        *) if [ -n \"$operands\" ]; then COMPREPLY=($(compgen -W \"$operands\" -- \"$word\"))\n"
          "           else COMPREPLY=($(compgen -f -- \"$word\")); fi ;;\n"
          "    esac\n}\n"
          "complete -o filenames -F ",
          stdout);
    print_function();
    printf(" %s\n", name);
}

/* ---- zsh ------------------------------------------------------------------------------------ */

// Text inside single quotes and an _arguments description.
static void print_quoted(const char *text, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr(special, *text))
            printf("\\%c", *text);
        else
            fputc(*text, stdout);
    }
}

static void zsh_action(pli_cli_kind kind, const char *(*choice)(int32_t i))
{
    if (choice) {
        fputc('(', stdout);
        print_names(choice, " ");
        fputc(')', stdout);
    } else if (takes_file(kind)) {
        fputs(kind == PLI_CLI_FOLDER ? "_files -/" : "_files", stdout);
    } else {
        fputc(' ', stdout);
    }
}

static void zsh_option(const pli_cli_option *option, bool letter)
{
    printf(letter ? " \\\n            '*-%s[" : " \\\n            '*--%s[",
           letter ? (char[]){option->letter, 0} : option->name);
    print_quoted(option->summary, "[]:\\");
    fputc(']', stdout);
    if (option->kind != PLI_CLI_FLAG) {
        printf(":%s:", option->value);
        zsh_action(option->kind, option->choice);
    }
    fputc('\'', stdout);
}

static void zsh_command(const pli_cli_command *command)
{
    printf("        %s) _arguments '--help[Show help]'", command->name);
    for (int32_t i = 0; i < command->option_count; i++) {
        zsh_option(&command->options[i], false);
        if (command->options[i].letter)
            zsh_option(&command->options[i], true);
    }
    for (int32_t i = 0; i < command->operand_count; i++) {
        const pli_cli_operand *operand = &command->operands[i];
        if (command->last_repeats && i + 1 == command->operand_count)
            printf(" \\\n            '*:%s:", operand->name);
        else
            printf(" \\\n            '%d:%s:", (int)i + 1, operand->name);
        zsh_action(operand->kind, operand->choice);
        fputc('\'', stdout);
    }
    fputs(" ;;\n", stdout);
}

static void print_zsh(void)
{
    const char *name = pli_cli_program_running()->name;
    printf("#compdef %s\n# zsh completion for %s, made by: %s completion zsh\n", name, name, name);
    print_function();
    fputs("()\n{\n    local -a commands\n    commands=(\n", stdout);
    for (int32_t i = 0; i < pli_cli_program_running()->command_count; i++) {
        printf("        '%s:", pli_cli_command_name(i));
        print_quoted(pli_cli_program_running()->commands[i]->summary, ":\\");
        fputs("'\n", stdout);
    }
    fputs("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
          "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n",
          stdout);
    for (int32_t i = 0; i < pli_cli_program_running()->command_count; i++)
        zsh_command(pli_cli_program_running()->commands[i]);
    fputs("    esac\n}\n", stdout);
    print_function();
    fputs(" \"$@\"\n", stdout);
}

/* ---- fish ----------------------------------------------------------------------------------- */

static void fish_complete(void) { printf("complete -c %s", pli_cli_program_running()->name); }

static void fish_option(const char *command, const pli_cli_option *option)
{
    fish_complete();
    printf(" -n '__fish_seen_subcommand_from %s' -l %s", command, option->name);
    if (option->letter)
        printf(" -s %c", option->letter);
    if (option->kind != PLI_CLI_FLAG)
        fputs(takes_file(option->kind) ? " -r -F" : " -x", stdout);
    if (option->choice) {
        fputs(" -a '", stdout);
        print_names(option->choice, " ");
        fputc('\'', stdout);
    }
    fputs(" -d '", stdout);
    print_quoted(option->summary, "");
    fputs("'\n", stdout);
}

static void fish_command(const pli_cli_command *command)
{
    fish_complete();
    printf(" -f -n __fish_use_subcommand -a %s -d '", command->name);
    print_quoted(command->summary, "");
    fputs("'\n", stdout);
    for (int32_t i = 0; i < command->option_count; i++)
        fish_option(command->name, &command->options[i]);
    if (command->operand_count > 0 && command->operands[0].choice) {
        fish_complete();
        printf(" -f -n '__fish_seen_subcommand_from %s' -a '", command->name);
        print_names(command->operands[0].choice, " ");
        fputs("'\n", stdout);
    }
}

static void print_fish(void)
{
    const char *name = pli_cli_program_running()->name;
    printf("# fish completion for %s, made by: %s completion fish\n", name, name);
    printf("complete -c %s -n __fish_use_subcommand -l version -d 'Show the version'\n", name);
    printf("complete -c %s -l help -s h -d 'Show help'\n", name);
    for (int32_t i = 0; i < pli_cli_program_running()->command_count; i++)
        fish_command(pli_cli_program_running()->commands[i]);
}

/* ---- the command ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*print)(void);
} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

static const char *shell_name(int32_t i) { return i < PLI_CLI_COUNT(shells) ? shells[i].name : NULL; }

static pli_cli_exit run_completion(const pli_cli_arguments *arguments)
{
    const char *name = arguments->operands[0];
    shells[pli_cli_choice_find(name, strlen(name), shell_name)].print();
    return PLI_CLI_DONE;
}

static const pli_cli_operand operands[] = {
    {.name = "SHELL", .summary = "bash, zsh or fish", .kind = PLI_CLI_CHOICE, .choice = shell_name},
};

static const pli_cli_example examples[] = {
    {"source <(PROGRAM completion bash)", "Completion in this bash, without installing"},
    {"PROGRAM completion fish | source", "Completion in this fish"},
};

const pli_cli_command pli_cli_row_completion = {
    .name = "completion",
    .summary = "Print a completion script for a shell",
    .description = "Prints a script that completes commands, options and their values. An installation "
                   "contains these scripts.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_completion,
};
