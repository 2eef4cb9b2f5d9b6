// Cloth gains no speed while it is moved out of the object in which it started.
//
// Particles that leave a shape through different faces stretch the cloth between them. A sweep removes this stretch within a substep, and
// line 13 of Mueller et al. 2006 turns that into a velocity of 3 to 30 m/s. After an object was placed, a deformable is therefore limited
// if one of its particles is inside a shape, or one of its edges passes through a surface:
//
//     speed limit v            the higher of the speed of the objects that move it, and of the fastest particle before the sweeps
//     displacement limit       h v  +  the recovery of an overlap
//
// The speed of the fastest particle includes gravity, wind and pressure. Analytic shapes count with their speed plus the recovery speed.
// The limits end with a step in which nothing is inside and no particle would have exceeded the displacement limit, or the speed limit by
// more than 2 %, since then no stretch is left to release.
#ifndef PLI_STEP_MOVING_OUT_H
#define PLI_STEP_MOVING_OUT_H

#include "step/step.h"

// Whether a deformable is being moved out of something.
typedef struct pli_moving_out {
    bool before; // It was being moved out at the end of the last step.
    bool now;    // During a step: its motion is limited.
    bool still;  // During a step: a part of it was inside something, or would have been too fast.
    // During a substep: the speed limit of its particles [m/s], and the recovery of an overlap [m].
    float speed, recovered;
} pli_moving_out;

// The displacement of a particle, squared [m^2].
static inline float pli_squared_displacement(const pli_particle *from, const pli_particle *to)
{
    pli_vec3 d = pli_sub(pli_position_of(to), pli_position_of(from));
    return pli_dot(d, d);
}

// Shortens displacements of free particles in this substep to `most` [m]. Returns whether there were any to shorten.
bool pli_deformable_limit_displacements(pli_deformable_data *deformable, float most);
// The longest displacement of colliders and attachments in this substep, squared [m^2]. It covers all bodies and pins. With `leaves`, for
// cloth that leaves the object in which it was placed, it also covers soft attachments, but no body that the cloth can push.
float pli_squared_displacement_of_movers(const pli_world *world, bool leaves);

// After the search for contacts: finds the deformables with a part inside an object. Their limits start only in a substep in which an
// object was placed: particles that contact lets into a shape for a substep must not start them, since they would lose momentum.
void pli_moving_out_find(const pli_substep *s, bool placed, bool has_surfaces);
// After the sweeps, before velocities are derived.
void pli_moving_out_limit_displacements(const pli_substep *s);
// After friction and restitution.
void pli_moving_out_limit_speeds(const pli_substep *s);

#endif
