// Joints, which go with the bodies that they join.
#ifndef PLI_ODE_JOINT_H
#define PLI_ODE_JOINT_H

#include "adapter.h"

void ode_joint_remove(pli_ode *ode, ode_joint *joint);

#endif
