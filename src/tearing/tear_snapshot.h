// Snapshots of deformables that may be cut: topology, constraints, and particles that cuts added to attachments. The
// check stages the data in new objects; reading takes over these objects, so it cannot fail half-way.
//
//   CHECK: bytes -> staged fabric, staged sets        READ: staged -> deformable
#ifndef PLI_TEARING_TEAR_SNAPSHOT_H
#define PLI_TEARING_TEAR_SNAPSHOT_H

#include "model/model.h"
#include "base/stream.h"

// Passes the faces; returns the number of vertices in the snapshot.
int32_t pli_pass_shape(pli_stream *stream, pli_world *world, pli_deformable_data *deformable);
// Passes the constraints of a set after the shape of its deformable. Returns false when the deformable was never
// prepared to be cut, in which case the snapshot does not contain them.
bool pli_pass_constraints(pli_stream *stream, pli_world *world, pli_constraints_data *set);
// Passes the particles that cuts added to an attachment; returns the number of its particles in the snapshot.
int32_t pli_pass_attached(pli_stream *stream, pli_world *world, pli_attachment_data *attachment);
// Frees objects that a check has staged and reading has not taken over.
void pli_drop_staged(pli_world *world);

#endif
