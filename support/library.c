// Finds libraries with dlopen.
#define _GNU_SOURCE
#include "support/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char here; // An address in this library.

static void *open_beside(const char *file)
{
    Dl_info info;
    const char *slash = dladdr(&here, &info) != 0 && info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
    if (!slash)
        return NULL;
    size_t folder = (size_t)(slash - info.dli_fname) + 1, length = folder + strlen(file) + 1;
    char *path = malloc(length);
    if (path)
        snprintf(path, length, "%.*s%s", (int)folder, info.dli_fname, file);
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    free(path);
    return library;
}

void *pli_library_symbol(const char *library, const char *symbol, const char *what, const char *package,
                         pli_error *error)
{
    char file[100];
    snprintf(file, sizeof file, PLI_LIBRARY_FILE, library);
    void *opened = open_beside(file), *found = NULL;
    if (!opened)
        opened = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const char *why = opened ? NULL : dlerror();
    if (opened)
        found = dlsym(opened, symbol);
    if (found)
        return found;
    pli_fail(error, PLI_STATUS_UNSUPPORTED,
             "%s: needs the library %s, which %s; build Pliant where %s is installed (%.120s)", what, file,
             opened ? "is of another version" : "cannot be loaded", package, why ? why : symbol);
    return NULL;
}

void *pli_object_symbol(const char *path, const char *symbol, pli_error *error)
{
    const char *beside = strchr(path, '/') ? "" : "./"; // A name without a folder is looked for where the system likes.
    const size_t length = strlen(beside) + strlen(path) + 1;
    char *file = malloc(length);
    if (!file) {
        pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    snprintf(file, length, "%s%s", beside, path);
    void *opened = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    void *found = opened ? dlsym(opened, symbol) : NULL;
    free(file);
    if (opened && !found)
        pli_fail(error, PLI_STATUS_UNSUPPORTED, "plugin '%.200s' has no function %s; define it as pliant/plugin.h says",
                 path, symbol);
    else if (!opened)
        pli_fail(error, PLI_STATUS_UNSUPPORTED,
                 "plugin '%.150s' cannot be loaded: %.200s; build it by cc -shared -fPIC, with what pkg-config says of "
                 "pliant",
                 path, dlerror());
    return found;
}

const pli_plugin *pli_plugin_load(const char *library, const char *symbol, const char *what, const char *package,
                                  pli_error *error)
{
    const pli_plugin *plugin = pli_library_symbol(library, symbol, what, package, error);
    if (!plugin || strcmp(plugin->version, PLI_VERSION_STRING) == 0)
        return plugin;
    pli_fail(error, PLI_STATUS_UNSUPPORTED, "%s: lib%s is of version %.20s and what loads it of %s; install one build",
             what, library, plugin->version, PLI_VERSION_STRING);
    return NULL;
}
