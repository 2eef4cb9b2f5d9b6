// The certificate. Along the straight line at rest between two points X and Y of a convex sheet, L apart, the way x - y
// between their images is the sum of pieces, each mapped by the gradient F of the triangle it lies in. For a plane with unit
// vectors R (two columns at right angles) and u, the direction from Y to X at rest, R u . (x - y) is then the mean of
// u . (R^T F) u times L. If the symmetric parts of all these R^T F are at least c, so that nothing of the sheet stands on end
// over the plane, then |x - y| >= c L: what is apart at rest is apart. All this is linear in F, and gradients of straight trajectories go
// straight too, so that looking at both ends is enough. How far things are turned out of the plane costs only the cosine.
//
// What shares no particle is no nearer at rest than the least height of the triangles there. When c makes more of that than the
// distance up to which pairs are looked at, nothing is lost. Thicker cloth keeps 0.9 of what is nearer at rest (find.c). There c
// is 0.7 at least, and what is off the direction R u is so little that a straight line between two points is nowhere at right angles
// to the surface, so that no point lies over the inside of a triangle.
//
// Volino and Magnenat-Thalmann 1994 conclude from normals and contours; gradients need no contour, and bound distances.
#include "collision/certificate/flat_certificate.h"

#include "simd/four.h"

// Of a distance at rest, what the certificate for thick cloth leaves at least while all keep to their trajectories; and what is left of
// it when they leave them as far as they may.
#define LEAST_SHARE 0.7f
#define LEFT_SHARE 0.1f
// There, how much more is left along the direction at rest than is added across it.
#define OFF_FACTOR 3.2f
// For rounding.
#define MARGIN 1.001f

// Unit vectors at right angles as near as may be to the images of those at rest: those of equal length halve the angle between
// sum and difference.
static pli_gradient_plane plane_along(pli_vec3 a, pli_vec3 b)
{
    a = pli_scale(a, 1.0f / pli_length(a));
    b = pli_scale(b, 1.0f / pli_length(b));
    pli_vec3 sum = pli_add(a, b), difference = pli_sub(a, b);
    sum = pli_scale(sum, 0.70710678f / pli_length(sum));
    difference = pli_scale(difference, 0.70710678f / pli_length(difference));
    pli_gradient_plane p = {.along = {pli_add(sum, difference), pli_sub(sum, difference)}};
    p.normal = pli_cross(p.along[0], p.along[1]);
    return p;
}

static pli_gradient_plane plane_of(const pli_flat_certificate *flat_certificate, const int32_t *surrounding,
                                   uint64_t which)
{
    pli_four a = pli_four_set(0.0f), b = a;
    for (; which; which &= which - 1) {
        const pli_particle *sums = &flat_certificate->sums[2 * surrounding[__builtin_ctzll(which)]];
        a += pli_four_of(&sums[0]), b += pli_four_of(&sums[1]);
    }
    return plane_along((pli_vec3){a[0], a[1], a[2]}, (pli_vec3){b[0], b[1], b[2]});
}

// Two corners of a triangle may stray from one another by two budgets.
static void set_limits(pli_gradient_plane *p, const pli_flat_certificate *flat_certificate, int32_t cluster,
                       const pli_flat_certificate_limits *limits)
{
    float thin = limits->reach * flat_certificate->inverse_height[cluster];
    float thick = pli_higher(
        LEAST_SHARE, 2.8285f * limits->allowed_deviation * flat_certificate->gradient_factor[cluster] + LEFT_SHARE);
    p->min_stretch = MARGIN * pli_lower(thin, thick);
    p->max_across = thin <= thick ? INFINITY : thick / OFF_FACTOR;
}

int32_t pli_flat_certificate_partner(const pli_flat_certificate *flat_certificate, int32_t a, int32_t b)
{
    for (int32_t partner = flat_certificate->partner_starts[a]; partner < flat_certificate->partner_starts[a + 1];
         partner++)
        if (flat_certificate->partners[partner] == b)
            return partner - flat_certificate->partner_starts[a];
    return -1;
}

uint64_t pli_flat_certificate_covers(const pli_flat_certificate *flat_certificate, int32_t cluster, uint64_t partners)
{
    uint64_t all = 0;
    for (; partners; partners &= partners - 1)
        all |= flat_certificate->covers[flat_certificate->partner_starts[cluster] + __builtin_ctzll(partners)];
    return all;
}

// A plane for all, and one for each partner of which some does not hold against that.
uint64_t pli_flat_certificate_uncertified(const pli_flat_certificate *flat_certificate,
                                          const pli_gradient_kernels *kernels, int32_t cluster, uint64_t partners,
                                          const pli_flat_certificate_limits *limits)
{
    const int32_t *surrounding = flat_certificate->surrounding + flat_certificate->surrounding_starts[cluster];
    const uint64_t *covers = flat_certificate->covers + flat_certificate->partner_starts[cluster];
    uint64_t which = pli_flat_certificate_covers(flat_certificate, cluster, partners), uncertified = 0;
    pli_gradient_plane plane = plane_of(flat_certificate, surrounding, which);
    set_limits(&plane, flat_certificate, cluster, limits);
    uint64_t fails = which & ~kernels->which_hold(flat_certificate->gradients, surrounding, which, &plane);
    for (; fails && partners; partners &= partners - 1) {
        uint64_t both = covers[__builtin_ctzll(partners)];
        if (!(both & fails))
            continue;
        plane = plane_of(flat_certificate, surrounding, both);
        set_limits(&plane, flat_certificate, cluster, limits);
        if (!kernels->all_hold(flat_certificate->gradients, surrounding, both, &plane))
            uncertified |= partners & -partners;
    }
    return uncertified;
}
