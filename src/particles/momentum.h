// The momenta of a deformable: its rigid motion, and the connected pieces that have one of their own.
#ifndef PLI_PARTICLES_MOMENTUM_H
#define PLI_PARTICLES_MOMENTUM_H

#include "model/model.h"

// The rigid motion of a deformable. Damping does not change it, and islands with rigid bodies conserve it.
typedef struct pli_rigid_motion {
    double mass;                // Total mass [kg].
    pli_dvec3 centre, velocity; // Centre of mass [m] and its velocity [m/s].
    pli_dvec3 spin_momentum;    // Angular momentum about the centre [kg m2/s].
    double inertia[6];          // Inertia about the centre: xx yy zz xy xz yz [kg m2].
} pli_rigid_motion;

typedef struct pli_momentum {
    bool free;                       // During a step: nothing connects the deformable to the world.
    bool pinned;                     // During a substep with damping: a piece of it is pinned.
    pli_rigid_motion whole;          // Before the projections of this substep, if momentum must be conserved.
    double *sums;                    // Partial sums of damping, one row per chunk.
    struct pli_pieces *pieces;       // Its connected pieces (particles/ghost_motion.h); null until a step needs them.
    bool pieces_known, pivots_known; // Cleared when connections change, and when particles are fixed or tied.
} pli_momentum;

#endif
