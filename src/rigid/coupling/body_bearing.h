// Bearings in the step: projected before contacts in each sweep, and reported to the application.
#ifndef PLI_RIGID_COUPLING_BODY_BEARING_H
#define PLI_RIGID_COUPLING_BODY_BEARING_H

#include "model/model.h"

// Initialises a bearing that was found, at the predicted poses of its bodies.
void pli_bearing_begin(const pli_world *world, const pli_bearing_data *found, pli_bearing_data *bearing);
// One sweep: moves bodies to the distance that the cloth needs.
void pli_world_project_bearings(pli_world *world);
// Velocity pass: removes the separating velocity that the projection added; reflects approaches faster than `bounce` [m/s].
void pli_world_rebound_bearings(pli_world *world, float bounce);
// Stores the distances at the end of the substep.
void pli_world_measure_bearings(pli_world *world);

#endif
