// The document of an animated glTF, which .gltf and .glb share.
#ifndef PLI_IO_GLTF_WRITE_H
#define PLI_IO_GLTF_WRITE_H

#include "caches/gltf_frames.h"

#include <jansson.h>

// Where the document finds its bytes: files beside it, or one buffer in the same file, with the weights after the frames.
typedef enum pli_gltf_buffers { PLI_GLTF_BESIDE, PLI_GLTF_WITHIN } pli_gltf_buffers;

enum { PLI_GLTF_CHECKPOINT = 50 };

// "directory/name" with an ending; free with free(). NULL when memory runs out.
char *pli_gltf_path(const pli_recorder *recorder, const char *ending);
// The document of the frames so far. If memory runs out, it is not `whole`.
json_t *pli_gltf_document(const pli_recorder *recorder, const pli_gltf_frames *frames, pli_gltf_buffers where,
                          bool *whole);
// Bytes of the times and weights of all frames; 0 where nothing moves.
int64_t pli_gltf_weight_bytes(const pli_recorder *recorder, const pli_gltf_frames *frames);
void pli_gltf_put_weights(const pli_recorder *recorder, FILE *stream);
// Flushes the frames to the disk.
pli_status pli_gltf_flush(const pli_gltf_frames *frames, pli_error *error);

#endif
