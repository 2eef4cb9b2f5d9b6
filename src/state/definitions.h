// Definitions in snapshots: settings that can change during the life of an object are part of its state.
#ifndef PLI_STATE_DEFINITIONS_H
#define PLI_STATE_DEFINITIONS_H

#include "model/model.h"
#include "base/stream.h"

// Passes the rows that the descriptors have for the definition of a deformable or a collider. A snapshot contains no
// triangles: the triangles of a collider must have been made for the same sizes.
void pli_pass_deformable_def(pli_stream *s, pli_deformable_data *deformable);
void pli_pass_collider_def(pli_stream *s, pli_collider_data *collider);

#endif
