// Moves colliders and attachments: the motion to the target is spread over several steps, so that it does not tear cloth abruptly.
#ifndef PLI_VIEW_MOVER_H
#define PLI_VIEW_MOVER_H

#include <pliant/pliant.h>

typedef struct pli_view_mover {
    pli_collider collider; // Exactly one of the two handles is not null while something is moved.
    pli_attachment attachment;
    pli_vec3 target; // Target position of its frame [m].
    bool holds;
} pli_view_mover;

// Called before a step of dt [s]: moves the object towards its target, at 5 m/s at most.
pli_status pli_view_mover_apply(pli_view_mover *mover, pli_world *world, float dt, pli_error *error);
// The current position of its frame; false if the object no longer exists.
bool pli_view_mover_place(const pli_view_mover *mover, const pli_world *world, pli_transform *pose);

#endif
