// Geoms: created from colliders, and placed in every substep.
#ifndef PLI_ODE_GEOM_H
#define PLI_ODE_GEOM_H

#include "adapter.h"

// Creates a geom, without adding it to the list.
pli_status ode_geom_create(const pli_collider_def *def, ode_geom **geom, pli_error *error);
void ode_geom_free(ode_geom *geom);
// Adds a geom to the list. False when memory runs out.
bool ode_geom_add(pli_ode *ode, ode_geom *geom);
void ode_geom_remove(pli_ode *ode, ode_geom *geom);
// Updates the pose and bounds of every geom.
void ode_geoms_place(pli_ode *ode);

#endif
