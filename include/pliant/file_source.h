/// Pliant-scene, file sources: read the files that scenes, meshes and animations name from somewhere other than the disk, such as
/// an archive, the memory of a web page, or another program.
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

/// Provides files by name. Both functions are called on the thread that loads, and only during the call that received the
/// source. This struct does not grow.
typedef struct pli_file_source {
    /// Finds a file and sets `*data` and `*size` to its bytes. Return false if there is no such file. Names are relative
    /// paths with '/' between components. No component is "." or "..", so a name cannot leave the source.
    bool (*read)(void *user, const char *name, const void **data, size_t *size);
    /// Called once for each successful `read` when its bytes are no longer needed; may be NULL.
    void (*release)(void *user, const void *data, size_t size);
    void *user; ///< Passed to both functions.
} pli_file_source;

#ifdef __cplusplus
}
#endif

#endif
