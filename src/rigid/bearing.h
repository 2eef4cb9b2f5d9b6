// Bearings: places where a rigid body bears on another collider through cloth that lies between them.
//
//          \  body  /            distance   of body and support along the normal
//        n  `--.--'              keep       what the cloth needs of it: the distances that its contacts keep, summed
//        ^ ===== cloth           A heavy body would sink into light cloth, which passes on what it can carry. The load
//        |_______                goes from body to support directly, and the cloth lies in a gap of its own thickness.
//         support
#ifndef PLI_RIGID_BEARING_H
#define PLI_RIGID_BEARING_H

#include "base/array.h"
#include "base/vector.h"

typedef struct pli_bearing_data {
    int32_t collider, support; // Numbers of the body's collider and of the other one among the world's colliders.
    int32_t layers;            // Layers of cloth between them.
    pli_dvec3 arm,
        local_normal;      // The point of the body and the normal towards it, in the body's axes about its centre.
    double distance, keep; // Along the normal, at the end of the substep; and the least that cloth needs [m].
    float friction, restitution;
    // During the substep:
    pli_dvec3 normal, support_arm; // In the world; and the point of a support that is a body, in that one's axes.
    double start, wanted;          // Distance before bodies move, and the least to be reached [m].
    double support_speed;          // Speed of a support that is no body, along the normal [m/s].
    double approach;               // Normal velocity before the projections [m/s]; negative when approaching.
    double sum;                    // Accumulated impulse times the substep [kg m], >= 0.
} pli_bearing_data;

typedef struct pli_bearings {
    PLI_ARRAY(pli_bearing_data) now;  // The bearings of the last substep.
    PLI_ARRAY(pli_bearing_data) good; // The bearings before the step.
} pli_bearings;

#endif
