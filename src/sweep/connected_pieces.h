// The connected pieces of a deformable, and their pivots.
#ifndef PLI_SWEEP_CONNECTED_PIECES_H
#define PLI_SWEEP_CONNECTED_PIECES_H

#include "model/model.h"

// Called before the substeps: updates the pieces and pivots of every deformable that changed, and determines which pieces have a rigid
// motion. Allocates nothing if nothing changed. False when memory ran out.
bool pli_world_update_pieces(pli_world *world);
void pli_pieces_free(pli_world *world, pli_deformable_data *deformable);

#endif
