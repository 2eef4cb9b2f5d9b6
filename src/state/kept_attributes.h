// Attributes in snapshots. The check reads them into new arrays, which reading installs, so that it cannot fail.
#ifndef PLI_STATE_KEPT_ATTRIBUTES_H
#define PLI_STATE_KEPT_ATTRIBUTES_H

#include "model/attributes.h"
#include "base/stream.h"

// Passes the attributes of vertices and triangles. The deformable has `vertex_count` vertices in the snapshot.
void pli_pass_attributes(pli_stream *stream, pli_world *world, pli_deformable_data *deformable, int32_t vertex_count);
// Passes the painted attributes of a set that has not been cut.
void pli_pass_painted(pli_stream *stream, pli_world *world, pli_constraints_data *set);
// Releases arrays that the check has read and nothing has taken.
void pli_drop_staged_attributes(pli_world *world, pli_stream *stream);

#endif
