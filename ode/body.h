// Bodies: looked up, removed, and exchanged with their proxies in every substep.
#ifndef PLI_ODE_BODY_H
#define PLI_ODE_BODY_H

#include "adapter.h"

// Finds the body of a proxy; fails with NOT_FOUND if this adapter did not create it.
ode_body *ode_body_find(const pli_ode *ode, pli_rigid_body proxy, pli_error *error);
// Whether the solver moves it: it is neither fixed nor asleep.
bool ode_body_moves(const ode_body *body);
// Copies poses and velocities of the proxies into ODE. False when one is not finite.
bool ode_bodies_read(pli_ode *ode);
// Copies new velocities into the proxies.
void ode_bodies_write(pli_ode *ode);
// Removes a body with its geoms and joints, but not the proxy.
void ode_body_remove(pli_ode *ode, ode_body *body);

#endif
