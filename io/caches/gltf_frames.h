// The buffer of an animated glTF: the rest shapes of objects, then frames with the objects that have moved since the previous frame.
#ifndef PLI_IO_GLTF_FRAMES_H
#define PLI_IO_GLTF_FRAMES_H

#include "caches/recorder.h"

#include <pliant/mesh_attributes.h>

typedef struct pli_gltf_span {
    float low[3], high[3];
} pli_gltf_span;

// Offset of the displacements of a frame, which several frames share while nothing moves, and their range.
typedef struct pli_gltf_sample {
    int64_t at;
    pli_gltf_span span;
} pli_gltf_sample;

// An object in the vertices of the file: those of its mesh, or render vertices where it has texture coordinates or colours.
typedef struct pli_gltf_mesh {
    int32_t vertex_count, index_count;
    const int32_t *map;     // [vertex_count] vertices of the mesh; NULL where they are the same.
    const int32_t *indices; // [index_count]
    const pli_mesh_attribute *uv, *colours;
    float *rest;               // [6 * vertex_count] positions, then normals.
    float *last;               // [6 * vertex_count] displacements of both in the newest frame.
    pli_gltf_span span, still; // Ranges of the rest positions, and of the positions in the first frame.
    int64_t at, still_at;      // Offsets of both.
} pli_gltf_mesh;

typedef struct pli_gltf_frames {
    pli_new_file bin;
    pli_gltf_mesh *meshes;    // [objects]
    pli_gltf_sample *samples; // [frames * objects]
    int32_t capacity;         // Frames.
    int64_t size;             // Bytes of the buffer up to the end of the newest frame.
} pli_gltf_frames;

// Creates the buffer, or continues after the resumed frames. The state must be passed to pli_gltf_frames_close even after a failure.
pli_status pli_gltf_frames_open(pli_recorder *recorder, pli_gltf_frames *frames, const char *path, pli_error *error);
pli_status pli_gltf_frames_add(pli_recorder *recorder, pli_gltf_frames *frames, const pli_view *positions,
                               const pli_view *normals, pli_error *error);
void pli_gltf_frames_close(const pli_recorder *recorder, pli_gltf_frames *frames);
// Whether an object has not moved since the first frame.
bool pli_gltf_is_still(const pli_recorder *recorder, const pli_gltf_frames *frames, int32_t object);
// Bytes of three numbers per vertex, which is also the offset of normals from positions.
int64_t pli_gltf_point_bytes(const pli_gltf_mesh *mesh);

#endif
