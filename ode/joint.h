// Joints, which are removed with the bodies that they join.
#ifndef PLI_ODE_JOINT_H
#define PLI_ODE_JOINT_H

#include "adapter.h"

// Keeps bodies with joints awake, since the world does not know the forces that joints transmit.
void ode_joints_stir(pli_ode *ode);
void ode_joint_remove(pli_ode *ode, ode_joint *joint);

#endif
