// Builds without shared libraries load none.
#include "support/library.h"

void *pli_library_symbol(const char *library, const char *symbol, const char *what, const char *package,
                         pli_error *error)
{
    (void)symbol;
    (void)package;
    pli_fail(error, PLI_STATUS_UNSUPPORTED, "%s: needs the library lib%s, and this build of Pliant loads none", what,
             library);
    return NULL;
}

void *pli_object_symbol(const char *path, const char *symbol, pli_error *error)
{
    (void)symbol;
    pli_fail(error, PLI_STATUS_UNSUPPORTED, "plugin '%.300s': this build of Pliant loads none", path);
    return NULL;
}

const pli_plugin *pli_plugin_load(const char *library, const char *symbol, const char *what, const char *package,
                                  pli_error *error)
{
    return pli_library_symbol(library, symbol, what, package, error);
}
