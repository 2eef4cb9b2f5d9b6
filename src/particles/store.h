// The particles of all deformables and mesh colliders of a world in four parallel arrays, so that contacts between any
// two surfaces index them alike. Each owner has one contiguous range (particles/store_range.h):
//
//   particles    | deformable 0          dummy | collider 0 | deformable 1     dummy |
//   previous     |                             |            |                        |
//   velocities   |                             |            |                        |
//   lost         |                             |            |                        |
#ifndef PLI_PARTICLES_STORE_H
#define PLI_PARTICLES_STORE_H

#include "model/model.h"

// Appends `count` zeroed particles. Ranges keep their indices, but the arrays may move. False when memory ran out, with
// nothing changed.
bool pli_store_add(pli_memory *memory, pli_store *store, int32_t count);
// Inserts `count` zeroed particles before index `at`; particles from there on move up. False when memory ran out, with
// nothing changed.
bool pli_store_insert(pli_memory *memory, pli_store *store, int32_t at, int32_t count);
// Removes a range of particles; particles after it move down.
void pli_store_remove(pli_store *store, int32_t first, int32_t count);
void pli_store_release(pli_memory *memory, pli_store *store);

#endif
