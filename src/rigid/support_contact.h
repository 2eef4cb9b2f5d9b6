// Support contacts: places where a rigid body rests on another collider through the cloth between them.
//
//          \  body  /            distance   of body and support along the normal
//        n  `--.--'              keep       the distance that the cloth needs: the sum of the distances of its contacts
//        ^ ===== cloth           A heavy body would sink into light cloth, which transmits only a limited load. The load
//        |_______                goes from body to support directly, and the cloth lies in a gap of its own thickness.
//         support
#ifndef PLI_RIGID_SUPPORT_CONTACT_H
#define PLI_RIGID_SUPPORT_CONTACT_H

#include "base/array.h"
#include "base/vector.h"

typedef struct pli_support_contact_data {
    int32_t collider, support; // Indices of the body's collider and of its support among the world's colliders.
    int32_t layers;            // Layers of cloth between them.
    pli_dvec3 arm,
        local_normal;      // Contact point of the body and normal towards the body, in body axes about its centre.
    double distance, keep; // Distance along the normal after the substep, and the least that cloth needs [m].
    float friction, restitution;
    // During the substep:
    pli_dvec3 normal, support_arm; // Normal in world axes; contact point of a support that is a body, in its axes.
    double start, wanted;          // Distance before bodies move, and the least distance to reach [m].
    double support_speed;          // Speed along the normal of a support that is not a body [m/s].
    double approach;               // Normal velocity before the projections [m/s]; negative when approaching.
    double sum;                    // Accumulated impulse times the substep [kg m], >= 0.
} pli_support_contact_data;

typedef struct pli_support_contacts {
    PLI_ARRAY(pli_support_contact_data) now;  // The support contacts of the last substep.
    PLI_ARRAY(pli_support_contact_data) good; // The support contacts before the step.
} pli_support_contacts;

#endif
