// Particles of a solved membrane that rest on analytic shapes, in the order of a substep.
#ifndef PLI_STRETCH_MEMBRANE_CONTACT_H
#define PLI_STRETCH_MEMBRANE_CONTACT_H

#include "stretch/membrane_system.h"

// Lists the particles that are at shapes when the substep starts, and places them. `first`: it is the first substep of a step.
void pli_membrane_find_supports(pli_world *world, pli_deformable_data *deformable, pli_membrane *membrane, float step,
                                bool first);
// Fixes the sticking particles, using the right side, which has the forces on all particles, and computes the drag of the sliding ones.
void pli_membrane_decide_supports(pli_membrane *membrane, const pli_particle *particles, float step);
// Applies the supports to the right side and the diagonal blocks; to a block of the matrix; and to the residual and vectors of
// displacements.
void pli_membrane_hold_supports(pli_membrane *membrane);
void pli_membrane_filter_block(const pli_membrane *membrane, int32_t row, int32_t column, pli_block *block);
void pli_membrane_drag_supports(const pli_membrane *membrane);
void pli_membrane_filter_supports(const pli_membrane *membrane, pli_particle *vectors);
// Decides from the remaining forces whether each particle sticks, slides or leaves in the next substep.
void pli_membrane_learn_supports(pli_membrane *membrane, float step);

#endif
