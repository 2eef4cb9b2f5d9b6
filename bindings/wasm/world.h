// A world with what its topology callback leaves for JavaScript, which takes it after the step.
#ifndef PLIANT_WEB_WORLD_H
#define PLIANT_WEB_WORLD_H

#include "web.h"

/// Vertices and faces of one deformable that a tear or cut changed.
typedef struct web_change {
    uint32_t deformable;
    int32_t copy_count, face_count, vertex_count;
    int32_t *numbers; ///< Source and copy of each vertex, then the faces.
} web_change;

struct web_world {
    pli_world *world;
    uint32_t tag;         ///< Of its handles; 0 until there is one.
    int32_t thread_count; ///< Threads that share the work of a step, the caller's included.
    web_change *changes;
    int32_t change_count, change_capacity;
    bool lost; ///< Memory ran out for a change: JavaScript must read the topology anew.
};

/// Threads that the module has, the caller's included.
int32_t web_threads_most(void);
/// The hooks by which so many threads share loops; of one thread, none. `threads` is read for as long as they are used.
pli_task_hooks web_task_hooks(int32_t *threads);

/// Notes the tag of a handle that was just made, and returns its number; 0 where nothing was made.
uint32_t web_made(web_world *world, uint32_t id, uint32_t tag);
/// Writes a side of a contact or of a pair: deformable, collider, how many vertices, three vertices, three weights. Returns
/// where it ends.
double *web_put_side(double *to, const pli_contact_side *side);

#endif
