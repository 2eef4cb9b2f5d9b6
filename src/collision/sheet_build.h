// Cook time of the flat certificate (sheet.h): recognises flat, whole, convex surfaces and lists the clusters near each other.
#ifndef PLI_COLLISION_SHEET_BUILD_H
#define PLI_COLLISION_SHEET_BUILD_H

#include "collision/sheet.h"

// Null in `*sheet` when the surface is none. False when memory ran out. The tree of the patches is used up.
// Patches further apart than `near` at rest are not looked at.
bool pli_sheet_build(pli_memory *memory, const pli_near_kernels *kernels, pli_patches *patches,
                     const pli_patch_source *source, float near, pli_sheet **sheet);
void pli_sheet_release(pli_memory *memory, pli_sheet *sheet);

#endif
