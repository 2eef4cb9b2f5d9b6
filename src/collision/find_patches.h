// Broad phase: boxes about clusters of primitives, swept from where particles are to where they will be, and which of
// these overlap.
#ifndef PLI_COLLISION_FIND_PATCHES_H
#define PLI_COLLISION_FIND_PATCHES_H

#include "collision/search.h"

// Lays out the boxes of patches about where their particles are and will be. False when memory ran out.
bool pli_find_lay(const pli_find *find);
// After that, lays out all that is in them. False when memory ran out.
bool pli_find_lay_items(const pli_find *find);
// The box of a patch, grown.
pli_near_box pli_find_box_of(const pli_surface *surface, int32_t patch, float reach);

// Calls visit(data, pair) for near patches: of the patch numbered `asking` over all surfaces, with those of
// deformables and what bodies carry, or with those of other colliders.
typedef void (*pli_patch_visit)(void *data, const pli_patch_pair *pair);
void pli_find_patches(const pli_find *find, int32_t asking, int32_t list, pli_patch_visit visit, void *data);

// Brings the patches of a surface that were laid anew into its tree, and into that of all surfaces when that is fitted.
void pli_find_fit_surface(pli_space *space, int32_t surface);
// Lays out the box of one patch anew, and forgets where what is in it was. What stays in place is left alone.
void pli_find_lay_patch(const pli_find *find, int32_t surface, int32_t patch);
// Lays out all that is in the meetings from `first` on. False when memory ran out.
bool pli_find_lay_meetings(const pli_find *find, int32_t list, int32_t first);

#endif
