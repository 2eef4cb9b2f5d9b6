// Tension that is solved: once before the sweeps of an iteration, the constraints of a deformable that carry tension (edges,
// membranes) are linearised at the present positions p and solved all at once, so that tension reaches from end to end whatever
// the mesh and the substep.
//
//   (M + J^T A^-1 J + G) d = J^T A^-1 b,    A = alpha / h^2 + epsilon,   b = -C - alpha / h^2 lambda - damping
//   p += d,   lambda += A^-1 (b - J d)
//
//   XPBD's Newton step (Macklin et al. 2016, eqs. 14 to 18) in its primal form, whose graph is that of the mesh. It is solved
//   by Cholesky's factorisation along a nested dissection (src/sparse), multifrontal, in double. The epsilon is a share of
//   J M^-1 J^T that bounds moves where constraints contradict each other; its stretch is that share of one of a lone edge's.
//
// G is the stiffness that tension gives across itself, without which a heavy weight on light cloth throws it about (Tournier et al. 2015,
// Stable Constrained Dynamics). It is that of the tension of the last substep; the first of a step solves twice, so that nothing is
// to be remembered between steps.
//
// Where sweeps had the constraints before, they have left them too long, and a solve that took that back at once would give it as speed.
// For some time a solve therefore leaves a share r of what C was at the start of the substep, C + (1 - r) alpha / h^2 lambda =
// r C_start, and sweeps leave the constraints alone. The shares of a second multiply to a smooth fall of C from what it was to C =
// -alpha / h^2 lambda, with no speed at either end.
//
// The sweeps then begin with these multipliers, and have left what is not linear, and contacts.
#ifndef PLI_TENSION_TENSION_H
#define PLI_TENSION_TENSION_H

#include "model/model.h"

typedef struct pli_tension pli_tension;

// Whether a set is among those that are solved. Of inequalities those that are violated are solved as equalities.
bool pli_constraint_set_is_tensile(const pli_constraint_set_data *set);

// The structure of the matrix and memory for it. Null when memory ran out.
pli_tension *pli_tension_make(pli_world *world, const pli_deformable_data *deformable);
void pli_tension_free(pli_memory *memory, pli_tension *tension);
// Whether constraints, faces and fixed particles are those that it was made for.
bool pli_tension_is_current(const pli_deformable_data *deformable, const pli_tension *tension);
// Whether its particles, none of them held, form a chain or a ribbon, of which a solve is a matter of microseconds.
bool pli_tension_is_narrow(pli_memory *memory, const pli_deformable_data *deformable);
int64_t pli_tension_constraints(const pli_tension *tension);

// When in a step it is solved: multipliers start from 0 but behind a sweep of the substep; those before are of use but at the
// start of a step.
typedef enum pli_tension_start { PLI_TENSION_STEP, PLI_TENSION_SUBSTEP, PLI_TENSION_ITERATION } pli_tension_start;

// Moves the particles, which must be in the store, in a substep of `step` seconds; what constraints were off by at its start stays by
// the share `kept`, of [0, 1].
void pli_tension_solve(pli_deformable_data *deformable, pli_tension *tension, float step, pli_tension_start start,
                       double kept);

// Bodies that are attached to its particles count with them: each attached particle is as heavy as its part of the body. The masses of
// the bodies as they are now; and the pull of the last solve on them, one deformable after the other, since they may share a body.
void pli_tension_weigh_rigids(const pli_world *world, const pli_deformable_data *deformable, pli_tension *tension);
void pli_tension_pull_rigids(const pli_world *world, const pli_deformable_data *deformable, const pli_tension *tension);

#endif
