// Deformables that may be cut: their topology, and what follows a cut.
#ifndef PLI_SOLVER_TORN_H
#define PLI_SOLVER_TORN_H

#include "base/sort.h"
#include "solver/world.h"

typedef struct pli_torn {
    pli_fabric fabric;
    int32_t *near;          // Vertices of the faces around a cut.
    uint32_t *seen, stamp;  // [seen_capacity] by vertex: those in `near`.
    int32_t *found;         // Constraints of a set on those, to be looked at again.
    int32_t *members;       // Of one of them, as vertices.
    float *loads;           // By chunk of edges, of the search for what tears.
    pli_sort_item *beyond;  // What should tear, the worst first.
    uint32_t *locks, round; // By vertex: the round of tears that it was last part of.
    int32_t near_count, near_capacity, seen_capacity, found_capacity, member_capacity, load_capacity, beyond_count,
        beyond_capacity, lock_capacity;
    pli_vertex_copy *copies; // Since the user was last told, and the faces whose vertices changed.
    int32_t *faces;
    int32_t copy_count, copy_capacity, face_count, face_capacity;
    pli_mesh *mesh;     // As it is now; null until asked for after a cut.
    pli_fabric *staged; // Of a snapshot that is being read, and its bytes there.
    size_t staged_size;
    bool told_memory;
} pli_torn;

// Makes a deformable ready to be cut. False when memory ran out.
bool pli_torn_build(pli_world *world, pli_body *body);
void pli_torn_free(pli_world *world, pli_body *body);
// Which constraints of a set cuts take away, and the room to follow them. False when memory ran out.
bool pli_torn_adopt(pli_world *world, pli_set *set);

// Opens edges, the fan of `keep_corner` keeping its vertex, and has everything follow. True also when the
// edges open nothing. False when memory ran out, with nothing changed.
bool pli_torn_cut(pli_world *world, pli_body *body, const int32_t *edges, int32_t count, int32_t keep_corner);
// The mesh of a deformable as it is now, at rest.
pli_status pli_body_mesh(pli_world *world, pli_body *body, const pli_mesh **mesh, pli_error *error);
// Has a surface made of the mesh as it was take over all cuts so far. False when memory ran out.
bool pli_torn_replay(pli_world *world, pli_body *body, pli_surface *surface);
// Tells the user what changed since the last time.
void pli_torn_report(pli_world *world, pli_body *body);

// The copies of a vertex by the cut under way, in the order of their making.
const pli_vertex_copy *pli_torn_copies(const pli_torn *torn, int32_t vertex, int32_t *count);

// Constraints and attachments follow the cut that the fabric has just made.
void pli_torn_follow_sets(pli_world *world, pli_body *body);
void pli_torn_follow_ties(pli_body *body);
// Room for that: false when memory ran out.
bool pli_torn_reserve_sets(pli_world *world, pli_body *body, const int32_t *edges, int32_t count);
bool pli_torn_reserve_ties(pli_world *world, pli_body *body, int32_t copies);

#endif
