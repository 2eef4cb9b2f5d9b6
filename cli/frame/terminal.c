// Messages, JSON and the terminal.
#define _POSIX_C_SOURCE 200809L
#include "frame/terminal.h"

#include "frame/strings.h"
#include "support/printable.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_UNKNOWN = 80 };

pli_cli_exit pli_cli_complain(pli_cli_exit code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = pli_cli_format_list(format, arguments);
    va_end(arguments);
    pli_make_printable(text, true);
    fprintf(stderr, "%s: %s\n", pli_cli_program_running()->name, text);
    free(text);
    return code;
}

void pli_cli_log(void *user, pli_log_level level, const char *message)
{
    (void)user;
    if (level != PLI_LOG_INFO) {
        pli_cli_complain(PLI_CLI_DONE, "%s: %s", pli_choice_name("log_level", (int32_t)level), message);
        return;
    }
    char *text = pli_cli_format("%s", message);
    pli_make_printable(text, true);
    fprintf(stderr, "%s\n", text);
    free(text);
}

pli_cli_exit pli_cli_flush(pli_cli_exit code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    return pli_cli_complain(code == PLI_CLI_DONE ? PLI_CLI_FAILURE : code, "cannot write the output: %s",
                            strerror(errno));
}

static atomic_bool json_lacks_memory;

static void *json_memory(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        atomic_store(&json_lacks_memory, true);
    return memory;
}

void pli_cli_json_begin(void) { json_set_alloc_funcs(json_memory, free); }

bool pli_cli_json_lacked_memory(void) { return atomic_load(&json_lacks_memory); }

char *pli_cli_json_format(json_t *object, size_t flags)
{
    char *text = json_dumps(object, flags);
    json_decref(object);
    if (!pli_cli_json_lacked_memory())
        return text;
    free(text);
    return NULL;
}

pli_cli_exit pli_cli_print_json(json_t *object)
{
    char *text = pli_cli_json_format(object, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    if (!text)
        return pli_cli_complain(PLI_CLI_FAILURE, "cannot print the JSON object: out of memory");
    const bool printed = puts(text) >= 0;
    free(text);
    return printed ? PLI_CLI_DONE
                   : pli_cli_complain(PLI_CLI_FAILURE, "cannot print the JSON object: %s", strerror(errno));
}

json_t *pli_cli_json_number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

json_t *pli_cli_json_text(const char *text)
{
    json_t *string = text ? json_string(text) : json_null();
    return string ? string : json_null();
}

int32_t pli_cli_terminal_width(void)
{
    struct winsize size = {0};
    if (!isatty(STDERR_FILENO))
        return 0;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : WIDTH_UNKNOWN;
}
