// Snapshots store plastic bends: rest values of sets and targets of plates (src/bending). They store nothing where no bend is plastic.
#ifndef PLI_STATE_KEPT_BENDS_H
#define PLI_STATE_KEPT_BENDS_H

#include "model/model.h"
#include "sweep/stream.h"

// The first function is for a set whose constraints are not in the snapshot, the second for a plate. The check reserves their memory.
void pli_pass_bends(pli_stream *s, pli_world *world, pli_constraints_data *set);
void pli_pass_creases(pli_stream *s, pli_world *world, pli_deformable_data *deformable);

#endif
