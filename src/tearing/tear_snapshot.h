// What a snapshot says of deformables that may be cut, of their constraints and of what ties them. A check lays
// aside what it read; reading takes that over, so that nothing can fail half-way.
#ifndef PLI_TEARING_TEAR_SNAPSHOT_H
#define PLI_TEARING_TEAR_SNAPSHOT_H

#include "model/model.h"
#include "schedule/stream.h"

// Faces. Returns the vertex count that the snapshot has.
int32_t pli_pass_shape(pli_stream *stream, pli_world *world, pli_deformable_data *deformable);
// Constraints of a deformable whose shape was passed; true when it may be cut, so that they are in the snapshot.
bool pli_pass_constraints(pli_stream *stream, pli_world *world, pli_constraint_set_data *set);
// Particles of a tie that cuts have added. Returns how many it has in the snapshot.
int32_t pli_pass_tied(pli_stream *stream, pli_world *world, pli_attachment_data *attachment);
// Drops what a check has laid aside and nothing took over.
void pli_drop_staged(pli_world *world);

#endif
