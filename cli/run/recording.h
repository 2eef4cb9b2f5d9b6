// The caches of a run: one recorder a format, all fed with the same frames.
#ifndef PLI_CLI_RECORDING_H
#define PLI_CLI_RECORDING_H

#include "view/collider_meshes.h"

#include <pliant/cache.h>
#include <pliant/world.h>

#include <jansson.h>

enum { PLI_CLI_FORMATS_MAX = 16 };

typedef struct pli_cli_recording_def {
    const char *folder, *name;
    pli_world *world;
    const char *formats[PLI_CLI_FORMATS_MAX]; // Of the table of cache formats.
    int32_t format_count;
    double frames_per_second;
    int32_t frame_count;
    int32_t resume_frame; // Frames to keep of an earlier recording.
} pli_cli_recording_def;

typedef struct pli_cli_recording {
    pli_cli_recording_def def; // Its strings are borrowed.
    pli_recorder *recorders[PLI_CLI_FORMATS_MAX];
    pli_cache_object *objects; // The deformables, then the collider meshes of colliders; names fit for files.
    pli_cli_collider_meshes collider_meshes; // The objects after the deformables.
    pli_view *positions, *normals;
    float **buffers;        // Of colliders' positions.
    int32_t *vertex_counts; // Of the deformables' meshes, which change when they tear.
    int32_t deformable_count, object_count;
} pli_cli_recording;

pli_status pli_cli_recording_open(const pli_cli_recording_def *def, pli_cli_recording *recording, pli_error *error);
// Adds the world as it is.
pli_status pli_cli_recording_add(pli_cli_recording *recording, pli_world *world, pli_error *error);
// Completes all files and goes on with them, so that they have every frame of the `frame_count`
// added so far even if the program is killed.
pli_status pli_cli_recording_secure(pli_cli_recording *recording, int32_t frame_count, pli_error *error);
// Completes all files, also when one fails; the error is the first. Harmless when not opened.
pli_status pli_cli_recording_close(pli_cli_recording *recording, pli_error *error);
// The files by format, as in the summary: [{"format", "path", "files", "objects"}].
json_t *pli_cli_recording_json(const pli_cli_recording *recording);
// Frees the names; after the last look at the recording.
void pli_cli_recording_release(pli_cli_recording *recording);

#endif
