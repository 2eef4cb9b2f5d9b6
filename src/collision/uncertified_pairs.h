// Overlapping cluster pairs, but for those that a flat certificate (sheet.h) proves to be clear of one another.
#ifndef PLI_COLLISION_UNCERTIFIED_PAIRS_H
#define PLI_COLLISION_UNCERTIFIED_PAIRS_H

#include "collision/search.h"

// Lists the patches that may touch. False when memory ran out.
bool pli_find_meetings(const pli_find *find, int32_t list);
// The sheet of a surface that can touch itself, or null.
const pli_sheet *pli_find_sheet(const pli_find *find, int32_t surface);
// What is to be left between parts of a sheet.
pli_sheet_limits pli_find_limits(const pli_find *find, int32_t surface);
// Which of some partners of a patch of a sheet may touch it.
uint64_t pli_find_rough(const pli_find *find, int32_t surface, int32_t patch, uint64_t partners);

#endif
