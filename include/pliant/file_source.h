/// Pliant-scene, file sources. Where scenes, meshes and animations find the files that they name, when that is not the
/// disk: an archive, a page's memory, another program.
///
///     static bool read(void *user, const char *name, const void **data, size_t *size) { ... }
///     pli_file_source source = {read, NULL, archive};
///     pli_scene_load_def load = pli_scene_load_def_default();
///     load.path = "flag.json", load.files = &source;    // read "flag.json", then for example "meshes/pole.glb"
#ifndef PLIANT_FILE_SOURCE_H
#define PLIANT_FILE_SOURCE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Gives files by name. Both functions are called on the thread that loads, and only during the call that got the
/// source. This struct does not grow.
typedef struct pli_file_source {
    /// Finds a file and points `*data` at its `*size` bytes; false when there is none. Names are relative, of parts
    /// between '/', without "." and "..", so that none leaves the source.
    bool (*read)(void *user, const char *name, const void **data, size_t *size);
    /// Called once for each successful `read` when its bytes are no longer needed; may be NULL.
    void (*release)(void *user, const void *data, size_t size);
    void *user; ///< Passed to both.
} pli_file_source;

#ifdef __cplusplus
}
#endif

#endif
