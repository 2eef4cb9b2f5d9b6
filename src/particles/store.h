// All particles of a world in one run of memory, so that contacts between any two surfaces index
// them alike. Each owner has a range of it.
#ifndef PLI_PARTICLES_STORE_H
#define PLI_PARTICLES_STORE_H

#include "model/model.h"

// Appends `count` zeroed particles. Ranges before keep their places, but the arrays may move. False
// when memory ran out, with nothing changed.
bool pli_store_add(pli_memory *memory, pli_store *store, int32_t count);
// Puts `count` zeroed particles before the one at `at`; those from there on move up. False as above.
bool pli_store_insert(pli_memory *memory, pli_store *store, int32_t at, int32_t count);
// Takes out a range; those behind it move down.
void pli_store_remove(pli_store *store, int32_t first, int32_t count);
void pli_store_release(pli_memory *memory, pli_store *store);

#endif
