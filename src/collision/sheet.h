// What is smooth cannot touch itself: for surfaces that are flat, whole and convex at rest (sheets), it is told from
// how their triangles are stretched and turned, without a look at any pair of them.
#ifndef PLI_COLLISION_SHEET_H
#define PLI_COLLISION_SHEET_H

#include "simd/four.h"
#include "collision/patch.h"

// Bounds of the deformation gradients of a patch's triangles: their images of two unit vectors of the sheet at rest.
typedef struct pli_slopes {
    pli_four low[2], high[2];
} pli_slopes;

// What is known of two patches: that they need not be looked at, that they are, or nothing since some of what lies about
// them has left its way.
typedef enum pli_sheet_verdict { PLI_SHEET_CLEAR, PLI_SHEET_LISTED, PLI_SHEET_DOUBTFUL } pli_sheet_verdict;

typedef struct pli_sheet {
    float *inverses;         // [4 * triangles] of two sides at rest, in the order of the patches' triangles.
    float *steepest;         // [patches] Largest factor of any of these [1/m].
    pli_slopes *slopes;      // [2 * patches] where triangles are, and will be.
    uint8_t *rough;          // [patches] whether nothing about a patch can be smooth.
    int32_t *partner_starts; // [patches + 1]
    int32_t *partners;       // Patches that are near a patch at rest, from itself on.
    int32_t *cover_starts;   // By partner, and one more: patches that lie about it and the patch.
    int32_t *covers;
    int32_t *about_starts, *abouts; // By patch, and one more: those that lie about it and any of its partners.
    uint8_t *verdicts;       // By partner: pli_sheet_verdict
    int32_t partner_count, cover_count, partner_capacity, cover_start_capacity, cover_capacity, about_count, about_capacity;
} pli_sheet;

// Null in `*sheet` when the surface is none. False when memory ran out. The tree of the patches is used up.
// Patches further apart than `near` at rest are not looked at.
bool pli_sheet_build(pli_memory *memory, pli_patches *patches, const pli_patch_source *source, float near,
                     pli_sheet **sheet);
void pli_sheet_release(pli_memory *memory, pli_sheet *sheet);

// Sets the slopes of a patch.
void pli_sheet_lay(const pli_sheet *sheet, int32_t patch, const pli_slopes slopes[2], float budget);
// The place of two patches, the first one not behind the other, among partners; -1 when they are far apart at rest.
int32_t pli_sheet_partner(const pli_sheet *sheet, int32_t a, int32_t b);
// Whether nothing of a patch meets any of its partners, or nothing of two patches that are partners meets, while particles keep within `budget` of their straight ways.
bool pli_sheet_is_smooth_about(const pli_sheet *sheet, int32_t patch, float budget);
bool pli_sheet_is_smooth(const pli_sheet *sheet, int32_t partner, float budget);

#endif
