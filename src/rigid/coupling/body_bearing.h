// Bearings in the step: projected before contacts in each sweep, and told to the host.
#ifndef PLI_RIGID_COUPLING_BODY_BEARING_H
#define PLI_RIGID_COUPLING_BODY_BEARING_H

#include "model/model.h"

// Takes a bearing that was found, with the pose that its bodies are predicted to have.
void pli_bearing_begin(const pli_world *world, const pli_bearing_data *found, pli_bearing_data *bearing);
// One sweep: bodies are moved as far as cloth needs it.
void pli_world_project_bearings(pli_world *world);
// Velocity pass: what comes from moving bodies apart is taken back; approaches faster than `bounce` [m/s] are reflected.
void pli_world_rebound_bearings(pli_world *world, float bounce);
// Notes the distances at the end of the substep.
void pli_world_measure_bearings(pli_world *world);

#endif
