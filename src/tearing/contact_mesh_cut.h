// Updates a contact mesh after a cut of its deformable: triangles switch to the copies of their vertices, an edge whose
// sides no longer join the same particles is split in two, and owners, apexes and vertex rings are updated.
//
//       b                  b  b'
//      /|\                /|  |\        the side a - b of the right triangle gets an edge a' - b' of its own
//     p | q      ->      p |  | q
//      \|/                \|  |/
//       a                  a  a'
#ifndef PLI_TEARING_CONTACT_MESH_CUT_H
#define PLI_TEARING_CONTACT_MESH_CUT_H

#include "collision/state/contact_mesh.h"

// Reserves memory for `vertices` vertices in total, for up to `more` new vertices and edges, and for new rings of the
// `count` vertices `near` the cut (of all vertices when `near` is NULL). `places` maps vertices to internal indices.
// Returns false when memory ran out.
bool pli_contact_mesh_reserve_cut(pli_memory *memory, pli_contact_mesh *surface, int32_t vertices, int32_t more,
                                  const int32_t *near, int32_t count, const int32_t *places);
// Applies cuts of the fabric. Its edges from `first_edge` on and its vertices beyond the vertices of the contact mesh
// are new. `touched` lists all vertices on the cut, `copied` the copies among them and their sources. The result
// depends only on the fabric: cuts applied one by one and cuts applied together give the same contact mesh.
void pli_contact_mesh_cut(pli_contact_mesh *surface, const pli_fabric *fabric, const int32_t *places,
                          int32_t first_edge, const int32_t *touched, int32_t touched_count, const int32_t *copied,
                          int32_t copied_count);

#endif
