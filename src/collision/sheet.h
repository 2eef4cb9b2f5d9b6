// What is smooth cannot touch itself: for surfaces that are flat, whole and convex at rest (sheets), it is told from
// how their triangles are stretched and turned, without a look at any pair of them.
#ifndef PLI_COLLISION_SHEET_H
#define PLI_COLLISION_SHEET_H

#include "collision/patch.h"
#include "wide/slopes.h"

// At most so many patches lie about one and its partners, as bits of a word.
enum { PLI_SHEET_ABOUT = 64 };

typedef struct pli_sheet {
    int32_t patch_count;
    pli_slope_patch *patches; // What is known of each for good: parts of the next four.
    int32_t *places, *corners;
    float *weights, *inverses;
    float *slopes;      // Gradients of each patch, where triangles are and will be (wide/slopes.h).
    pli_particle *sums; // [2 * patches] Of them.
    // [patches] The largest factor by which a linear map of anything about a patch can differ for a given distance between
    // corners, and one over the least distance at rest between what shares no particle there [1/m].
    float *steepest, *slimmest;
    int32_t *partner_starts; // [patches + 1]
    int32_t *partners;       // Patches that are near a patch at rest, from itself on, ascending.
    uint64_t *covers;        // By partner: which of those about the patch lie about both.
    int32_t *about_starts;   // [patches + 1]
    int32_t *abouts;         // Patches that lie about a patch and any of its partners.
    // [patches] Of its partners, as bits: those that are looked at, and, while lists are mended, those of which nothing is known
    // since some of what lies about both has left its way.
    uint64_t *listed, *doubtful;
    int32_t partner_count, partner_capacity, cover_capacity, about_count, about_capacity;
} pli_sheet;

// What is to be left between what shares no particle.
typedef struct pli_sheet_limits {
    float reach;  // Nothing is looked at that is further apart [m].
    float budget; // How far particles may leave their straight ways [m].
} pli_sheet_limits;

// The place of two patches, the first one not behind the other, among partners of the first; -1 when they are no partners.
int32_t pli_sheet_partner(const pli_sheet *sheet, int32_t a, int32_t b);
static inline int32_t pli_sheet_partner_count(const pli_sheet *sheet, int32_t patch)
{
    return sheet->partner_starts[patch + 1] - sheet->partner_starts[patch];
}
// All partners of a patch.
static inline uint64_t pli_sheet_all(const pli_sheet *sheet, int32_t patch)
{
    int32_t count = pli_sheet_partner_count(sheet, patch);
    return count == PLI_SHEET_ABOUT ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
}
// Which of those about a patch lie about it and any of some partners.
uint64_t pli_sheet_covers(const pli_sheet *sheet, int32_t patch, uint64_t partners);
// Which of some partners of a patch may touch it.
uint64_t pli_sheet_rough(const pli_sheet *sheet, const pli_slope_kernels *kernels, int32_t patch, uint64_t partners,
                         const pli_sheet_limits *limits);

#endif
