// Libraries of ours that are loaded when something needs them, so that the one that loads them does without what they link.
#ifndef PLI_SUPPORT_LIBRARY_H
#define PLI_SUPPORT_LIBRARY_H

#include <pliant/base.h>

// A symbol of the library called `library` ("pliant_hdf5"), which is looked for beside this one and then where the
// system looks for libraries; it stays loaded. NULL with UNSUPPORTED, which says that `what` needs it and where it
// comes from: `package` is Debian's package that it is built with.
void *pli_library_symbol(const char *library, const char *symbol, const char *what, const char *package,
                         pli_error *error);

// A symbol of the shared object at `path`, which stays loaded. NULL with UNSUPPORTED, which names the file and how to fix it.
void *pli_object_symbol(const char *path, const char *symbol, pli_error *error);

// The beginning of what such a library exports. It shares private structs with the one that loads it, so that both must come from one
// version.
typedef struct pli_plugin {
    const char *version;
} pli_plugin;

// A library's pli_plugin, when it is of our version.
const pli_plugin *pli_plugin_load(const char *library, const char *symbol, const char *what, const char *package,
                                  pli_error *error);

#endif
