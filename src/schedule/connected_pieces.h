// The connected pieces of a deformable, and the pivots that hold them.
#ifndef PLI_SCHEDULE_CONNECTED_PIECES_H
#define PLI_SCHEDULE_CONNECTED_PIECES_H

#include "model/model.h"

// Before the substeps: finds the pieces and pivots of every deformable again where they changed, and which of them have
// a rigid motion left. Allocates nothing where nothing changed. False when memory ran out.
bool pli_world_update_pieces(pli_world *world);
void pli_pieces_free(pli_world *world, pli_deformable_data *deformable);

#endif
