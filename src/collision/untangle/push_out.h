// Particles inside of closed colliders, and the directions in which they leave.
#ifndef PLI_COLLISION_UNTANGLE_PUSH_OUT_H
#define PLI_COLLISION_UNTANGLE_PUSH_OUT_H

#include "base/arena.h"
#include "base/simd/wide.h"
#include "base/vector.h"
#include "collision/pair_search/pair_search.h"
#include "collision/state/collision_state.h"

// One direction for each pocket: connected particles of a deformable that are inside of the same collider. If each particle moved to
// the face nearest to it, they would leave through different faces, and the cloth between them would stretch over the collider.
//
//        ___________                 the mean of the particles' own directions, if most of them agree;
//       |  ^  ^  ^  |                else the normal of the pocket, towards the end of the collider that is nearer to its centre
//   ----|--o--o--o--|----            (alone, the particles would move left, up and right);
//       |___________|                else each particle keeps its own: a tube around the collider has no normal.

// The mesh of a deformable. Vertex v is particle order[v] of its range, or particle v if `order` is null.
typedef struct pli_pocket_mesh {
    const int32_t *edges, *triangles, *order;
    int32_t edge_count, triangle_count, particle_count;
    const pli_particle *particles; // At the start of the substep.
} pli_pocket_mesh;

// The extent of a collider along a unit direction [m].
typedef double (*pli_pocket_reach)(const void *collider, pli_dvec3 direction);

// Replaces the unit directions of `count` particles inside of one collider by the directions of their pockets, and their depths,
// unless `depths` is null, by the greatest depth of their pocket. A pocket without a direction leaves both.
// Returns false when out of memory.
bool pli_pockets_direct(pli_arena *arena, const pli_pocket_mesh *mesh, pli_pocket_reach reach, const void *collider,
                        const int32_t *inside, pli_dvec3 *directions, double *depths, int32_t count);

// Particles inside of closed colliders move to the nearest point of the surface: Mueller et al. 2006, Position Based
// Dynamics, section 3.4, the static case. They move part of the distance in each substep and gain no velocity, so that deep
// cloth comes out in one piece.

// Finds the particles of deformables inside of closed colliders. Returns false when out of memory.
bool pli_find_inside(pli_find *find);
// Finds them and pushes each of them out. Returns false when out of memory.
bool pli_push_out(pli_find *find);

#endif
