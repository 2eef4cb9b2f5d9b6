// The flat certificate: a bound on deformation gradients proves that cloth does not touch itself, without testing any
// pair of primitives.
//
//    rest shape (in a plane)                deformed                     gradients F of all triangles along the
//    +--------------------+                                              line between X and Y are compared with
//    |   X . . . . . Y    |                x .~ ~ ~ ~. y                 one plane with unit columns R:
//    |     \__\__\__/     |     F          ----- R -----  plane
//    +--------------------+    --->                                      u . (R^T F) u >= c  for all unit u
//          distance L                      |x - y| >= c L
//
// Let X and Y be two points at distance L in the plane of their chart, with the line between them inside of the chart, x and
// y their images, and u the direction from Y to X. The line crosses triangles with gradients F, so x - y is the sum of its
// pieces, each mapped by its F, and R u . (x - y) is L times a mean of u . (R^T F) u. If the symmetric parts of all R^T F
// are at least c, then |x - y| >= c L: no part of the cloth is perpendicular to the plane, and points that are apart at
// rest stay apart. R^T F is linear in F and gradients of linear trajectories are linear in time, so testing both ends of the
// interval suffices. A tilt to the plane reduces the bound only by its cosine.
//
// The rest distance of two primitives without a common particle is at least the least height of the triangles between their
// clusters, and at least the distance of these clusters. If c times that distance exceeds the reach of the search, no pair
// is missed. For thicker cloth, whose pairs keep 0.9 of their rest distance, c is at least 0.7 and the gradient across R u is
// bounded as well: then the segment between two points is nowhere perpendicular to the surface, so no point lies over the
// inside of a triangle. Each pair of clusters has its own bounds, so a sliver affects only the pairs around it.
//
// Volino and Magnenat-Thalmann 1994, Efficient Self-Collision Detection on Smoothly Discretized Surface Animations,
// use normals and contours; gradients need no contour test, and they bound distances.
#include "collision/certificate/flat_certificate.h"

#include "base/simd/four.h"

// Thick cloth: least fraction of the rest distance that trajectories must preserve, and the fraction that must remain after
// particles deviate by the full slack.
#define FLAT_LEAST_STRETCH 0.7f
#define FLAT_LEFT_SHARE 0.1f
// Thick cloth: ratio of the least stretch along a rest direction to the largest displacement across it.
#define OFF_FACTOR 3.2f
// Thick cloth that keeps KEPT_SHARE of its rest distances may bend more.
#define KEPT_SHARE 0.9f
#define KEPT_ACROSS 0.45f
// Safety factor for float rounding.
#define FLAT_MARGIN 1.001f

static pli_gradient_plane flat_mean_plane(const pli_flat_certificate *flat_certificate, const int32_t *surrounding,
                                          uint64_t which)
{
    pli_four a = pli_four_set(0.0f), b = a;
    for (; which; which &= which - 1) {
        const pli_particle *sums = &flat_certificate->sums[2 * surrounding[__builtin_ctzll(which)]];
        a += pli_four_of(&sums[0]), b += pli_four_of(&sums[1]);
    }
    // Orthonormal vectors closest to two images: the sum and the difference of two unit vectors are perpendicular, and the
    // bisectors of these are the pair.
    pli_vec3 image = (pli_vec3){a[0], a[1], a[2]};
    pli_vec3 other = (pli_vec3){b[0], b[1], b[2]};
    image = pli_scale(image, 1.0f / pli_length(image));
    other = pli_scale(other, 1.0f / pli_length(other));
    pli_vec3 sum = pli_add(image, other), difference = pli_sub(image, other);
    sum = pli_scale(sum, 0.70710678f / pli_length(sum));
    difference = pli_scale(difference, 0.70710678f / pli_length(difference));
    pli_gradient_plane p = {.along = {pli_add(sum, difference), pli_sub(sum, difference)}};
    p.normal = pli_cross(p.along[0], p.along[1]);
    return p;
}

// Each of two points may deviate by the slack, which reduces their distance by up to twice the slack.
static void set_limits(pli_gradient_plane *p, float inverse_apart, const pli_flat_certificate_limits *limits)
{
    float thin = limits->reach * inverse_apart,
          thick = pli_higher(FLAT_LEAST_STRETCH, 2.0f * limits->allowed_deviation * inverse_apart + FLAT_LEFT_SHARE);
    p->min_stretch = FLAT_MARGIN * pli_lower(thin, thick);
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

// Do the gradients around one partner satisfy its bounds, with a plane of their own? Thick cloth has a second set of bounds.
static bool holds_around(const pli_flat_certificate *flat_certificate, const pli_gradient_kernels *kernels,
                         const int32_t *surrounding, uint64_t both, const pli_gradient_plane *limits)
{
    pli_gradient_plane plane = flat_mean_plane(flat_certificate, surrounding, both);
    plane.min_stretch = limits->min_stretch, plane.max_across = limits->max_across;
    if (kernels->all_hold(flat_certificate->gradients, surrounding, both, &plane))
        return true;
    if (!(plane.max_across < INFINITY))
        return false;
    plane.min_stretch = pli_higher(plane.min_stretch, FLAT_MARGIN * KEPT_SHARE), plane.max_across = KEPT_ACROSS;
    return kernels->all_hold(flat_certificate->gradients, surrounding, both, &plane);
}

// One plane for all surrounding clusters is tried first; then one plane for each partner that it does not certify.
uint64_t pli_flat_certificate_uncertified(const pli_flat_certificate *flat_certificate,
                                          const pli_gradient_kernels *kernels, int32_t cluster, uint64_t partners,
                                          const pli_flat_certificate_limits *limits)
{
    const int32_t *surrounding = flat_certificate->images + flat_certificate->surrounding_starts[cluster];
    const uint64_t *covers = flat_certificate->covers + flat_certificate->partner_starts[cluster];
    const float *inverse_apart = flat_certificate->inverse_apart + flat_certificate->partner_starts[cluster];
    uint64_t which = pli_flat_certificate_covers(flat_certificate, cluster, partners), uncertified = 0;
    pli_gradient_plane all = flat_mean_plane(flat_certificate, surrounding, which), plane;
    // Bounds for all partners together: the bounds of thick cloth without slivers, or looser bounds that suffice for all.
    uint64_t left = partners;
    float most = 0.0f;
    for (; left; left &= left - 1)
        most = pli_higher(most, inverse_apart[__builtin_ctzll(left)]);
    set_limits(&all, most, limits);
    if (all.max_across < INFINITY)
        all.min_stretch = FLAT_MARGIN * FLAT_LEAST_STRETCH, all.max_across = FLAT_LEAST_STRETCH / OFF_FACTOR;
    uint64_t fails = which & ~kernels->which_hold(flat_certificate->gradients, surrounding, which, &all);
    for (; partners; partners &= partners - 1) {
        uint64_t both = covers[__builtin_ctzll(partners)];
        set_limits(&plane, inverse_apart[__builtin_ctzll(partners)], limits);
        if (!(both & fails) && (all.min_stretch >= plane.min_stretch && all.max_across <= plane.max_across))
            continue;
        if (!holds_around(flat_certificate, kernels, surrounding, both, &plane))
            uncertified |= partners & -partners;
    }
    return uncertified;
}
