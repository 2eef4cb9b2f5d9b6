// Rigid bodies as unknowns of the equations of membranes: the displacement and the rotation that springs to membranes cause.
//
//   Mueller et al. 2020, Detailed Rigid Body Simulation with Extended Position Based Dynamics, for the generalised inverse masses.
//
// With W, the inverse of the mass matrix times h^2, the load r and the springs' stiffness S at the body,
//
//   (1 + W S) q = W r
//
// This also has a solution for a body that can move in some directions only.
#ifndef PLI_STRETCH_RIGID_UNKNOWNS_H
#define PLI_STRETCH_RIGID_UNKNOWNS_H

#include "rigid/rigid.h"

typedef struct pli_rigid_unknown {
    const pli_rigid_body_data *rigid; // Null for a body without springs.
    int32_t springs;                  // The number of springs that join it to membranes.
    pli_dvec3 centre;                 // The centre of mass, to which rotation and torques refer [m].
    double load[6], left[6]; // Force [N] and torque [N m] without the springs, and including the springs pulled so far.
    double stiffness[36];    // The matrix of the springs, row by row.
    double solution[6];      // Displacement [m] and rotation [rad].
} pli_rigid_unknown;

// Starts with the forces of a substep of `step` seconds that the body does not yet follow: its weight and the forces that have pushed it;
// none of them if `follows`, in later iterations.
void pli_rigid_unknown_begin(pli_rigid_unknown *unknown, const pli_rigid_body_data *rigid, float step, bool follows);
// Adds a spring at a point of the body, with stiffness `across` along the normal and `along` in the other directions [N/m].
void pli_rigid_unknown_stiffen(pli_rigid_unknown *unknown, pli_vec3 point, pli_vec3 normal, float across, float along);
// A Newton step from the current solution, for the loads and for the spring forces at that solution, which were added since the last step.
void pli_rigid_unknown_solve(pli_rigid_unknown *unknown, float step);
// Adds the force of a spring at a point, for the next solve.
void pli_rigid_unknown_pull(pli_rigid_unknown *unknown, pli_vec3 point, pli_vec3 force);
// The displacement of a point of the body by the solution [m].
pli_vec3 pli_rigid_unknown_moved(const pli_rigid_unknown *unknown, pli_vec3 point);

#endif
