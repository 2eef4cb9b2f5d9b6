// Finds libraries with dlopen.
#define _GNU_SOURCE
#include "files/library.h"

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
             "%s: needs the library %s, which %s (%.120s); build Pliant where %s is installed, or put the library "
             "beside libpliant_scene",
             what, file, opened ? "is of another version" : "cannot be loaded", why ? why : symbol, package);
    return NULL;
}

const pli_plugin *pli_plugin_load(const char *library, const char *symbol, const char *what, const char *package,
                                  pli_error *error)
{
    const pli_plugin *plugin = pli_library_symbol(library, symbol, what, package, error);
    if (!plugin || strcmp(plugin->version, PLI_VERSION_STRING) == 0)
        return plugin;
    pli_fail(error, PLI_STATUS_UNSUPPORTED, "%s: lib%s is of version %.20s and libpliant_scene of %s; install one build",
             what, library, plugin->version, PLI_VERSION_STRING);
    return NULL;
}
