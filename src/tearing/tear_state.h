// Deformables that may be cut: their topology, and what follows a cut.
#ifndef PLI_TEARING_TEAR_STATE_H
#define PLI_TEARING_TEAR_STATE_H

#include "base/sort.h"
#include "model/model.h"

typedef struct pli_tear_state {
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
} pli_tear_state;

// Makes a deformable ready to be cut. False when memory ran out.
bool pli_tear_state_build(pli_world *world, pli_deformable_data *deformable);
void pli_tear_state_free(pli_world *world, pli_deformable_data *deformable);

// Opens edges, the fan of `keep_corner` keeping its vertex, and has everything follow. True also when the
// edges open nothing. False when memory ran out, with nothing changed.
bool pli_tear_state_cut(pli_world *world, pli_deformable_data *deformable, const int32_t *edges, int32_t count,
                        int32_t keep_corner);
// Has a surface made of the mesh as it was take over all cuts so far. False when memory ran out.
bool pli_tear_state_replay(pli_world *world, pli_deformable_data *deformable, pli_contact_mesh *surface);
// Tells the user what changed since the last time.
void pli_tear_state_report(pli_world *world, pli_deformable_data *deformable);

// The copies of a vertex by the cut under way, in the order of their making.
const pli_vertex_copy *pli_tear_state_copies(const pli_tear_state *tear_state, int32_t vertex, int32_t *count);

#endif
