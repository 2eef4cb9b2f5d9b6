// Caches of a run: one recorder per format, all fed with the same frames.
#ifndef PLI_CLI_RECORDING_H
#define PLI_CLI_RECORDING_H

#include "view/collider_meshes.h"

#include <pliant/cache.h>
#include <pliant/scene.h>
#include <pliant/world.h>

#include <jansson.h>

enum { PLI_CLI_FORMATS_MAX = 16 };

typedef struct pli_cli_recording_def {
    const char *folder, *name;
    pli_world *world;
    const pli_scene *scene;                   // Source of the appearance; or null.
    const char *formats[PLI_CLI_FORMATS_MAX]; // Names in the table of cache formats.
    int32_t format_count;
    double frames_per_second;
    int32_t frame_count;
    int32_t resume_frame; // Frames to keep of an earlier recording.
} pli_cli_recording_def;

typedef struct pli_cli_recording {
    pli_cli_recording_def def; // Its strings are borrowed.
    pli_recorder *recorders[PLI_CLI_FORMATS_MAX];
    pli_cache_object *objects;               // Deformables, then collider meshes; their names are valid in file names.
    pli_cli_collider_meshes collider_meshes; // Objects after the deformables.
    const pli_mesh_attributes **attributes;  // By object; null where there are none.
    pli_view *positions, *normals;
    float **buffers;        // Positions of the collider meshes.
    int32_t *vertex_counts; // Vertex counts of the deformables, which grow when they tear.
    int32_t deformable_count, object_count;
} pli_cli_recording;

pli_status pli_cli_recording_open(const pli_cli_recording_def *def, pli_cli_recording *recording, pli_error *error);
// Adds the current state of the world as a frame.
pli_status pli_cli_recording_add(pli_cli_recording *recording, pli_world *world, pli_error *error);
// Completes all files and reopens them, so that they contain all `frame_count` frames added so far even if the program is killed.
pli_status pli_cli_recording_secure(pli_cli_recording *recording, int32_t frame_count, pli_error *error);
// Completes all files, even if one fails; returns the first error. It may be called when nothing is open.
pli_status pli_cli_recording_close(pli_cli_recording *recording, pli_error *error);
// Files by format for the summary: [{"format", "path", "files", "objects"}].
json_t *pli_cli_recording_json(const pli_cli_recording *recording);
// Frees the recording, after its last use.
void pli_cli_recording_release(pli_cli_recording *recording);

#endif
