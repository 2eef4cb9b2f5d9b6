// Contacts between bodies, and of bodies with colliders of the world.
#ifndef PLI_ODE_COLLIDE_H
#define PLI_ODE_COLLIDE_H

#include "adapter.h"

// Creates contact joints between touching geoms.
void ode_collide(pli_ode *ode, double step);

#endif
