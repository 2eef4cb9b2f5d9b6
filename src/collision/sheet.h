// What is smooth cannot touch itself: for surfaces that are flat, whole and convex at rest (sheets), it is told from
// how their triangles are stretched and turned, without a look at any pair of them.
#ifndef PLI_COLLISION_SHEET_H
#define PLI_COLLISION_SHEET_H

#include "collision/patch.h"
#include "wide/slopes.h"

// At most so many patches lie about one and its partners, as bits of a word.
enum { PLI_SHEET_ABOUT = 64 };

// Patches that follow one another, as below a box of their tree, are told to be smooth together with all that lies about them
// and the tracts that are near at rest.
typedef enum pli_tract_state {
    PLI_TRACT_OPEN,   // Patches are looked at one by one.
    PLI_TRACT_SMOOTH, // They touch nothing of themselves and of tracts near at rest.
    PLI_TRACT_ALONE,  // Nor did they meet others of the sheet when all were searched.
} pli_tract_state;

typedef struct pli_tract {
    int32_t first_near, near_count; // Tracts that are near at rest, from itself on.
    int32_t first_part, part_count; // The patches that lie about these.
    float slimmest;                 // Of those.
    pli_tract_state state;
    uint32_t strays;       // Its patches that hold strays, while lists are mended.
    pli_slope_plane plane; // Against which it is smooth.
} pli_tract;

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
    pli_tract *tracts;      // [tract_count] None in small sheets.
    pli_slope_means *means; // [tract_count] As of slopes.
    int32_t *nears;
    pli_slope_part *parts;
    int32_t tract_count, near_count, near_capacity, part_count, part_capacity;
} pli_sheet;

// Null in `*sheet` when the surface is none. False when memory ran out. The tree of the patches is used up.
// Patches further apart than `near` at rest are not looked at.
bool pli_sheet_build(pli_memory *memory, const pli_near_kernels *kernels, pli_patches *patches,
                     const pli_patch_source *source, float near, pli_sheet **sheet);
void pli_sheet_release(pli_memory *memory, pli_sheet *sheet);

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

// Patches of a tract, as bits.
static inline uint32_t pli_sheet_in_tract(const pli_sheet *sheet, int32_t tract)
{
    int32_t left = sheet->patch_count - PLI_SLOPE_TRACT * tract;
    return left < PLI_SLOPE_TRACT ? (1u << left) - 1 : (1u << PLI_SLOPE_TRACT) - 1;
}
// What is known of the tract that a patch is in.
static inline pli_tract_state pli_sheet_tract_of(const pli_sheet *sheet, int32_t patch)
{
    return sheet->tract_count > 0 ? sheet->tracts[patch / PLI_SLOPE_TRACT].state : PLI_TRACT_OPEN;
}
// Whether two tracts, the first one not behind the other, are near at rest.
bool pli_sheet_tracts_near(const pli_sheet *sheet, int32_t a, int32_t b);
// Whether two patches, the first one not behind the other, are clear of one another by what is known of tracts.
bool pli_sheet_is_smooth(const pli_sheet *sheet, int32_t a, int32_t b);
// Whether a tract is smooth, by a plane that is new; or by that it had, but for patches with strays, that have been laid anew.
bool pli_sheet_tract_holds(const pli_sheet *sheet, const pli_slope_kernels *kernels, int32_t tract,
                           const pli_sheet_limits *limits);
bool pli_sheet_tract_still_holds(const pli_sheet *sheet, const pli_slope_kernels *kernels, int32_t tract);

#endif
