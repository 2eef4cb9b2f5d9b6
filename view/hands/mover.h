// Moving colliders and what is held: the way to where a hand leads is spread over steps, so that nothing is torn from cloth at once.
#ifndef PLI_VIEW_MOVER_H
#define PLI_VIEW_MOVER_H

#include <pliant/pliant.h>

typedef struct pli_view_mover {
    pli_collider collider; // One of both is not null while something is moved.
    pli_attachment attachment;
    pli_vec3 target; // Where its frame is led to [m].
    bool holds;
} pli_view_mover;

// Before a step of dt [s]: brings it nearer to its target, at 5 m/s at most.
pli_status pli_view_mover_apply(pli_view_mover *mover, pli_world *world, float dt, pli_error *error);
// Where its frame is now; false when it is gone.
bool pli_view_mover_place(const pli_view_mover *mover, const pli_world *world, pli_transform *pose);

#endif
