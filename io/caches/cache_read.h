// Readers of recordings: one per object, whatever its format.
#ifndef PLI_IO_CACHE_READ_H
#define PLI_IO_CACHE_READ_H

#include "files/file.h"
#include "files/place.h"

#include <pliant/cache.h>

// An object on disk. `read` fills 3 floats per vertex of one frame.
typedef struct pli_cache_reader {
    char *path, *name;
    pli_mesh *mesh;
    int32_t frame_count;
    double frames_per_second;
    void *state;
    pli_status (*read)(struct pli_cache_reader *reader, int32_t frame, float *positions, pli_error *error);
    // Faces of a frame; NULL if they never change.
    pli_status (*faces)(struct pli_cache_reader *reader, int32_t frame, const pli_mesh **mesh, pli_error *error);
    void (*close)(struct pli_cache_reader *reader);
} pli_cache_reader;

// How a clip of a figure is sampled.
typedef struct pli_clip_choice {
    double rate;      // Frames per second; 0: 60.
    const char *name; // NULL: the first clip.
    bool loops;       // The clip's end coincides with its beginning.
    const pli_hooks *hooks;
} pli_clip_choice;

// pli_cache_open from a place, which must outlive the cache. The choice may be NULL.
pli_status pli_cache_open_at(const pli_place *place, const char *path, const char *mesh_path,
                             const pli_clip_choice *choice, pli_cache **cache, pli_error *error);

struct pli_cache {
    pli_cache_reader *readers;
    int32_t count;
    pli_clip_choice choice;
};

#endif
