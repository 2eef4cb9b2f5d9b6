// Definitions in snapshots: settings that can change during the life of an object are part of its state.
#ifndef PLI_STATE_DEFINITIONS_H
#define PLI_STATE_DEFINITIONS_H

#include "model/model.h"
#include "base/stream.h"

// A hash of the rows whose values snapshots contain: properties, attributes and features. A snapshot of other rows has another layout.
uint64_t pli_snapshot_rows_hash(void);
// A hash of the name of a constraint type and of its parameters.
uint64_t pli_type_rows_hash(const pli_constraint_type *type);

// Passes the rows that the descriptors have for settings, or for the definition of a deformable or a collider. A snapshot contains no
// triangles: the triangles of a collider must have been made for the same sizes.
void pli_pass_settings(pli_stream *s, pli_world *world);
void pli_pass_deformable_def(pli_stream *s, pli_deformable_data *deformable);
void pli_pass_collider_def(pli_stream *s, pli_collider_data *collider);

#endif
