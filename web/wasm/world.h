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
    uint32_t tag; ///< Of its handles; 0 until there is one.
    web_change *changes;
    int32_t change_count, change_capacity;
    bool lost; ///< Memory ran out for a change: JavaScript must read the topology anew.
};

/// Notes the tag of a handle that was just made.
void web_tag(web_world *world, uint32_t tag);

#endif
