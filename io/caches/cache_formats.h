// The cache formats: one list, from which the recorder, the reader, scenes, --format, help texts and messages take their names. A
// format consists of one file with its row, and one line here.
#ifndef PLI_IO_CACHE_FORMATS_H
#define PLI_IO_CACHE_FORMATS_H

#include "files/place.h"

#include <pliant/cache.h>

#define PLI_CACHE_FORMATS(ROW)                                                                                         \
    ROW(obj)                                                                                                           \
    ROW(ply)                                                                                                           \
    ROW(pc2)                                                                                                           \
    ROW(mdd)                                                                                                           \
    ROW(gltf)                                                                                                          \
    ROW(glb)                                                                                                           \
    ROW(usda)                                                                                                          \
    ROW(vtkhdf)

struct pli_recorder;

typedef struct pli_cache_row {
    pli_cache_format face; // Its `can_read` is set if it has `read`.
    // Recording. `state_size` zero bytes are the recorder's state; `open` also resumes if resume_frame > 0, and `close` is called even
    // after a failed `open`.
    size_t state_size;
    pli_status (*open)(struct pli_recorder *recorder, pli_error *error);
    pli_status (*add)(struct pli_recorder *recorder, const pli_view *positions, const pli_view *normals,
                      pli_error *error);
    pli_status (*close)(struct pli_recorder *recorder, pli_error *error);
    // Opens a file of the format and appends its objects with pli_cache_add. `mesh_path` gives the faces of formats without any, and
    // may be null for the others. The data of the place outlive the cache. NULL for formats that are only written.
    pli_status (*read)(pli_cache *cache, const pli_place *place, const char *path, const char *mesh_path,
                       pli_error *error);
    // A format in a separate library has none of the functions above, but the name of the library's pli_cache_plugin symbol here.
    const char *library, *symbol, *package;
} pli_cache_row;

#define PLI_CACHE_ROW_DECLARE(name) extern const pli_cache_row pli_cache_row_##name;
PLI_CACHE_FORMATS(PLI_CACHE_ROW_DECLARE)

// The row of that name; NULL when there is none.
const pli_cache_row *pli_cache_row_named(const char *name);
// The row that implements the format: itself, or the row of its library. NULL with UNSUPPORTED, in a message that begins with `what`,
// if the library is missing.
const pli_cache_row *pli_cache_row_load(const pli_cache_row *row, const char *what, pli_error *error);
// The row of the files with that extension, without its dot; NULL when there is none.
const pli_cache_row *pli_cache_row_of_extension(const char *extension);

// Lists formats for messages, as "a, b and c".
typedef enum pli_cache_list_kind {
    PLI_CACHE_LIST_ALL,
    PLI_CACHE_LIST_READABLE,
    PLI_CACHE_LIST_CHANGING, // Formats whose faces may change from frame to frame.
} pli_cache_list_kind;
void pli_cache_list(pli_cache_list_kind kind, char *text, size_t size);

#endif
