// State of a deformable that may be cut, and the order in which a cut updates its data:
//
//   fabric (topology)  ->  particles  ->  constraint sets  ->  attachments  ->  contact mesh  ->  report to the user
#ifndef PLI_TEARING_TEAR_STATE_H
#define PLI_TEARING_TEAR_STATE_H

#include "base/array.h"
#include "base/sort.h"
#include "model/model.h"
#include "tearing/openings.h"

typedef struct pli_tear_state {
    pli_fabric fabric;               // Topology that is cut (mesh/fabric).
    PLI_ARRAY(int32_t) near;         // Vertices of the faces around a cut.
    PLI_ARRAY(uint32_t) near_marks;  // By vertex: equal to `stamp` for each vertex in `near`.
    PLI_ARRAY(int32_t) found;        // Constraints of a set on those vertices.
    PLI_ARRAY(int32_t) members;      // Vertices of one such constraint.
    PLI_ARRAY(float) loads;          // Greatest stretch in each chunk of edges.
    PLI_ARRAY(pli_sort_item) beyond; // Edges beyond their threshold, the largest excess first.
    PLI_ARRAY(uint32_t) locks;       // By vertex: the last round of tears in which it took part in a tear.
    uint32_t stamp, round;
    PLI_ARRAY(pli_vertex_copy) copies; // Copies of vertices since the last report to the user.
    PLI_ARRAY(int32_t) faces;          // Faces whose vertices changed since then.
    pli_mesh *mesh;                    // The mesh after all cuts; NULL until it is requested.
    pli_fabric *staged;                // Fabric read by the check of a snapshot, not yet taken over; NULL for none.
    size_t staged_size;                // Bytes of that fabric in the snapshot.
    // Sets of the whole mesh are staged instead (tearing/tear_snapshot.h), with the layout of its grid, or NULL.
    bool uncut_staged;
    struct pli_grid_layout *uncut_grid;
    // Openings of the cut in progress; masses of the vertices that they move [kg]; by corner, 1 + the opening that moves it, else 0.
    PLI_ARRAY(pli_opening) openings;
    PLI_ARRAY(float) masses;
    PLI_ARRAY(int32_t) opening_of;
    bool warned_memory; // The warning that memory for tearing ran out has been logged.
} pli_tear_state;

// Prepares a deformable to be cut. Returns false when memory ran out.
bool pli_tear_state_build(pli_world *world, pli_deformable_data *deformable);
void pli_tear_state_free(pli_world *world, pli_deformable_data *deformable);

// Opens edges and updates all dependent data; the fan of faces of `keep_corner` keeps its vertex. Also returns true when opening the
// edges separates nothing, and when the sides have no room to open and the cut may wait: *waits is then true and nothing has changed. A
// cut with a null `waits` does not wait. Returns false when memory ran out, with nothing changed.
bool pli_tear_state_cut(pli_world *world, pli_deformable_data *deformable, const int32_t *edges, int32_t count,
                        int32_t keep_corner, pli_surroundings *around, bool *waits);
// Applies all cuts so far to a contact mesh made from the uncut mesh. Returns false when memory ran out.
bool pli_tear_state_replay(pli_world *world, pli_deformable_data *deformable, pli_contact_mesh *surface);
// Reports the changes since the last report to the topology callback of the application.
void pli_tear_state_report(pli_world *world, pli_deformable_data *deformable);

// Returns the copies of a vertex that the present cut made, in order of creation.
const pli_vertex_copy *pli_tear_state_copies(const pli_tear_state *tear_state, int32_t vertex, int32_t *count);

// Updates constraint sets and attachments after cuts.

// Prepares a constraint set for cuts: decides which of its constraints a cut removes, and reserves memory. Returns
// false when memory ran out.
bool pli_tear_state_adopt(pli_world *world, pli_constraints_data *set);

// Apply the cut that the fabric has just made to constraint sets, or to attachments.
void pli_tear_state_follow_sets(pli_world *world, pli_deformable_data *deformable);
void pli_tear_state_follow_attachments(pli_deformable_data *deformable);
// Reserve the memory for these updates. They return false when memory ran out.
bool pli_tear_state_reserve_sets(pli_world *world, pli_deformable_data *deformable, const int32_t *edges,
                                 int32_t count);
bool pli_tear_state_reserve_attachments(pli_world *world, pli_deformable_data *deformable, int32_t copies);

// Reserves memory for `capacity` particles; the dummy particle moves to the new end. Returns false when memory ran out.
// Arrays that have grown by then keep their new size, which is harmless.
bool pli_deformable_grow(pli_world *world, pli_deformable_data *deformable, int32_t capacity);

#endif
