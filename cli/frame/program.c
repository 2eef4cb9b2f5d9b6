// Finds a command by its name and passes it its arguments.
#define _XOPEN_SOURCE 700
#include "frame/program.h"

#include "frame/help.h"
#include "frame/options.h"
#include "frame/strings.h"
#include "frame/terminal.h"
#include "support/text_buffer.h"

#include <pliant/base.h>

#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *sibling_command(int32_t i) { return pli_cli_program_running()->sibling_commands[i]; }

static pli_cli_exit unknown_command(const pli_cli_program *program, const char *name)
{
    if (name[0] == '-')
        return pli_cli_complain(PLI_CLI_WRONG_USE, "unknown option '%s'; see %s --help", name, program->name);
    const bool is_sibling = pli_cli_choice_find(name, strlen(name), sibling_command) >= 0;
    const char *best = is_sibling ? NULL : pli_cli_nearest(name, pli_cli_command_name);
    if (best)
        return pli_cli_complain(PLI_CLI_WRONG_USE, "unknown command '%s'; did you mean '%s'?", name, best);
    best = pli_cli_nearest(name, sibling_command);
    if (best)
        return pli_cli_complain(PLI_CLI_WRONG_USE, "unknown command '%s'; did you mean '%s %s'?", name,
                                program->sibling, best);
    return pli_cli_complain(PLI_CLI_WRONG_USE, "unknown command '%s'; see %s --help", name, program->name);
}

static pli_cli_exit run_command(const pli_cli_command *command, int count, char **words)
{
    pli_cli_arguments arguments;
    const pli_cli_exit out_of_memory = command->out_of_memory ? command->out_of_memory : PLI_CLI_FAILURE;
    pli_text_end_with((int)out_of_memory);
    pli_cli_exit code = pli_cli_arguments_parse(command, count, words, &arguments);
    if (code == PLI_CLI_DONE && arguments.help)
        pli_cli_help_command(stdout, command);
    else if (code == PLI_CLI_DONE)
        code = command->run(&arguments);
    pli_cli_arguments_release(&arguments);
    // Without memory, the library drops characters of numbers or texts and still reports success.
    if (pli_cli_json_lacked_memory())
        code = pli_cli_complain(out_of_memory, "out of memory: what was read or written as JSON may lack parts");
    return pli_cli_flush(code);
}

// If a standard stream is closed, an opened file would get its descriptor, and output would be written into that file.
static void open_standard_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY) != stream)
            _exit(PLI_CLI_FAILURE);
}

// Freed large arrays return to the system immediately. By default the C library keeps memory up to twice the largest freed array, which
// may be 32 MB, because it expects another request of that size; here each stage allocates its own arrays.
static void return_freed_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 8 << 20);
    mallopt(M_TRIM_THRESHOLD, 16 << 20);
#endif
}

int pli_cli_program_run(const pli_cli_program *program, int count, char **words)
{
    open_standard_streams();
    return_freed_memory();
    // A file that exceeds its size limit is an error of that file and must not end the program.
    signal(SIGXFSZ, SIG_IGN);
    pli_cli_json_begin();
    pli_cli_program_use(program);
    if (count < 2) {
        pli_cli_help(stderr);
        return PLI_CLI_WRONG_USE;
    }
    const char *word = words[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("%s %s\n", program->name, pli_version());
        return (int)pli_cli_flush(PLI_CLI_DONE);
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        pli_cli_help(stdout);
        return (int)pli_cli_flush(PLI_CLI_DONE);
    }
    const pli_cli_command *command = pli_cli_command_find(word);
    return (int)(command ? run_command(command, count - 2, words + 2) : unknown_command(program, word));
}
