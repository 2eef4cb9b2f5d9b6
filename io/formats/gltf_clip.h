// A clip: one of the animations of a glTF document, which moves the nodes of a pose.
#ifndef PLI_IO_GLTF_CLIP_H
#define PLI_IO_GLTF_CLIP_H

#include "formats/gltf_pose.h"

typedef enum pli_gltf_target {
    PLI_GLTF_TRANSLATION,
    PLI_GLTF_ROTATION,
    PLI_GLTF_SCALE,
    PLI_GLTF_WEIGHTS
} pli_gltf_target;
typedef enum pli_gltf_curve { PLI_GLTF_LINEAR, PLI_GLTF_STEP, PLI_GLTF_CUBIC } pli_gltf_curve;

typedef struct pli_gltf_channel {
    int32_t node;
    pli_gltf_target path;
    pli_gltf_curve curve;
    int32_t width; // Numbers per value: 3, 4, or one per morph target.
    pli_gltf_numbers times, values;
    double *weights; // [width] the value at the time, for a channel of weights.
} pli_gltf_channel;

typedef struct pli_gltf_clip {
    pli_gltf_channel *channels;
    int32_t count;
    int32_t dropped; // Channels that do not move a node.
    double length;   // Time of its last key [s].
} pli_gltf_clip;

// Opens an animation by its index; keys and values are checked. The clip must be closed even after a failure.
pli_status pli_gltf_clip_open(pli_gltf_clip *clip, pli_gltf *gltf, size_t animation, const pli_gltf_pose *pose,
                              pli_error *error);
void pli_gltf_clip_close(pli_gltf_clip *clip);
// Moves the animated nodes of a pose to their state at a time. The clip must outlive the pose's use.
void pli_gltf_clip_play(pli_gltf_clip *clip, double time, pli_gltf_pose *pose);

#endif
