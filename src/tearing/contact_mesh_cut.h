// A surface takes over a cut from the faces around it: triangles take their vertices' new places, sides that
// no longer run between the same places get an edge of their own, and corners, apexes and rings follow.
#ifndef PLI_TEARING_CONTACT_MESH_CUT_H
#define PLI_TEARING_CONTACT_MESH_CUT_H

#include "collision/state/contact_mesh.h"

// Room for `vertices` in all, for `more` that a cut may add with as many edges, and for the rings of the `count`
// vertices near it (of all when `near` is null) to be written anew. False when memory ran out.
bool pli_contact_mesh_reserve_cut(pli_memory *memory, pli_contact_mesh *surface, int32_t vertices, int32_t more,
                                  const int32_t *near, int32_t count, const int32_t *places);
// Takes over cuts of the fabric: its edges from `first_edge` on are new, so are its vertices beyond those of the
// surface, and `touched` are all that a cut ran through, `copied` those of them that are or have copies. What comes
// of it depends on the fabric alone: many cuts one by one end as all of them at once.
void pli_contact_mesh_cut(pli_contact_mesh *surface, const pli_fabric *fabric, const int32_t *places,
                          int32_t first_edge, const int32_t *touched, int32_t touched_count, const int32_t *copied,
                          int32_t copied_count);

#endif
