// What the finders of pairs share.
#ifndef PLI_COLLISION_FIND_H
#define PLI_COLLISION_FIND_H

#include "collision/sheet.h"
#include "collision/space.h"

// Of the rest distance, what two parts of a surface keep at most; and, of the mean edge, below which
// they count as joined.
#define PLI_REST_SHARE 0.9
#define PLI_SEAM_SHARE 1e-4f

// A search: surfaces before `surface_count` ask, those of deformables and then of what rigid bodies carry, in
// the order of the space. Behind them are the other colliders.
typedef struct pli_find {
    pli_space *space;
    float reach[PLI_LIST_COUNT]; // Of any pair that is listed [m].
    float mean_edge;
    const pli_particle *starts; // Ways of particles begin there at an age of 0,
    float from, to;             // and are looked at between these ages [substeps].
    int32_t surface_count;
    // [surface_count + 1] what there is of each kind before each surface:
    int32_t *vertex_bases, *triangle_bases, *edge_bases, *patch_bases;
} pli_find;

// Two patches that are near: of a surface that asks, and of the same one or a later one.
typedef struct pli_patch_pair {
    int32_t surface[2], patch[2];
} pli_patch_pair;

// A search over the surfaces of the space with no budget yet. False when memory ran out.
bool pli_find_begin(pli_space *space, pli_find *find);
// Which of `count` owners has an item, by where theirs begin.
int32_t pli_find_owner(const int32_t *bases, int32_t count, int32_t item);

// Lays out the boxes of patches about where their particles are and will be. False when memory ran out.
bool pli_find_lay(const pli_find *find);
// After that, lays out all that is in them.
void pli_find_lay_items(const pli_find *find);
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
// Lays out all that is in the meetings from `first` on.
void pli_find_lay_meetings(const pli_find *find, int32_t list, int32_t first);
// Lists the patches that may touch. False when memory ran out.
bool pli_find_meetings(const pli_find *find, int32_t list);
// The sheet of a surface that can touch itself, or null.
const pli_sheet *pli_find_sheet(const pli_find *find, int32_t surface);
// What is to be left between parts of a sheet.
pli_sheet_limits pli_find_limits(const pli_find *find, int32_t surface);
// Which of some partners of a patch of a sheet may touch it.
uint64_t pli_find_rough(const pli_find *find, int32_t surface, int32_t patch, uint64_t partners);

// Makes the list, or appends the pairs of the meetings from `first` on. False when memory ran out.
bool pli_find_pairs(const pli_find *find, int32_t list);
bool pli_find_match(const pli_find *find, int32_t list, int32_t first);

// Finds again what is near the space's strays, from `from` on; their ways have begun anew. Leaves `mended` false when
// they are so many that all may as well be found again. False when memory ran out.
bool pli_find_mend(const pli_find *find, bool *mended);

#endif
