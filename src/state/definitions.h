// Definitions in snapshots: what can be set while an object lives is part of its state.
#ifndef PLI_STATE_DEFINITIONS_H
#define PLI_STATE_DEFINITIONS_H

#include "model/model.h"
#include "schedule/stream.h"

// Passes the rows that the descriptors have for the definition of a deformable, or of a collider. Triangles are not in a
// snapshot: those of a collider must have been made for the same sizes.
void pli_pass_deformable_def(pli_stream *s, pli_deformable_data *deformable);
// Passes whether it sleeps and for how long it has been at rest.
void pli_pass_sleep(pli_stream *s, pli_deformable_data *deformable);
void pli_pass_collider_def(pli_stream *s, pli_collider_data *collider);

#endif
