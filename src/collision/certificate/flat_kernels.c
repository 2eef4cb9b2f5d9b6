// SIMD kernels of the flat certificate: deformation gradients F = [p q] D^-1 of linear triangles (p, q: deformed
// sides; D: rest sides, both in the plane), and the test of gradients against a plane.
#include "collision/certificate/flat_kernels.h"

#include "base/simd/four.h"

// Positions of a cluster's particles at the start, then at the end of the interval.
static inline void flat_place_particles(const pli_gradient_cluster *cluster, const pli_near_trajectories *trajectories,
                                        const float ages[2], pli_particle *at, pli_gradient_extent *extent)
{
    pli_four low[2], high[2], sum[2];
    for (int t = 0; t < 2; t++)
        low[t] = pli_four_set(INFINITY), high[t] = pli_four_set(-INFINITY), sum[t] = pli_four_set(0.0f);
    for (int32_t i = 0; i < cluster->count; i++) {
        pli_four start = pli_four_of(&trajectories->starts[cluster->places[i]]),
                 trajectory = pli_four_of(&trajectories->steps[cluster->places[i]]);
        pli_four both = pli_four_set(0.0f);
        for (int t = 0; t < 2; t++) {
            pli_four p = start + trajectory * ages[t];
            low[t] = pli_four_lower(p, low[t]);
            high[t] = pli_four_higher(p, high[t]);
            both += p;
            memcpy(&at[t * cluster->count + i], &p, sizeof p);
        }
        for (int k = 0; k < 2; k++)
            sum[k] += both * cluster->weights[2 * i + k];
    }
    memcpy(extent->low, low, sizeof low);
    memcpy(extent->high, high, sizeof high);
    memcpy(extent->sum, sum, sizeof sum);
}

WIDE_INLINE wide3 load_corner(const pli_particle *at, const int32_t *corners)
{
    wide_particle p;
    wide_load_particles(at, corners, &p.x.x, &p.x.y, &p.x.z, &p.w);
    return p.x;
}

static inline wide3 flat_spread(pli_vec3 v) { return (wide3){wide_set(v.x), wide_set(v.y), wide_set(v.z)}; }

static void refit(const pli_gradient_cluster *cluster, const pli_near_trajectories *trajectories, const float ages[2],
                  float *gradients, pli_gradient_extent *extent)
{
    pli_particle at[2 * PLI_GRADIENT_PLACES];
    flat_place_particles(cluster, trajectories, ages, at, extent);
    for (int32_t lane = 0; lane < PLI_GRADIENT_LANES; lane += WIDE) {
        const int32_t *corners = cluster->corners + lane;
        const float *inverse = cluster->inverses + lane;
        wide3 first = load_corner(at, corners);
        wide3 p = wide3_sub(load_corner(at, corners + PLI_GRADIENT_LANES), first);
        wide3 q = wide3_sub(load_corner(at, corners + 2 * PLI_GRADIENT_LANES), first);
        for (int32_t k = 0; k < 2; k++) {
            wide3 image = wide3_add_scaled(wide3_scale(p, wide_load(inverse + k * PLI_GRADIENT_LANES)), q,
                                           wide_load(inverse + (2 + k) * PLI_GRADIENT_LANES));
            float *to = gradients + 3 * k * PLI_GRADIENT_LANES + lane;
            wide_store(to, image.x);
            wide_store(to + PLI_GRADIENT_LANES, image.y);
            wide_store(to + 2 * PLI_GRADIENT_LANES, image.z);
        }
    }
}

typedef struct certificate_plane {
    wide3 along[2], normal;
    wide min_stretch, max_across_squared;
    bool limits_across;
} certificate_plane;

static inline certificate_plane flat_spread_plane(const pli_gradient_plane *p)
{
    return (certificate_plane){{flat_spread(p->along[0]), flat_spread(p->along[1])},
                               flat_spread(p->normal),
                               wide_set(p->min_stretch),
                               wide_set(p->max_across * p->max_across),
                               p->max_across < INFINITY};
}

static inline wide3 load_image(const float *from)
{
    return (wide3){wide_load(from), wide_load(from + PLI_GRADIENT_LANES), wide_load(from + 2 * PLI_GRADIENT_LANES)};
}

// With u at angle phi, the component of G u across u is (g21 - g12) / 2 + (g12 + g21) / 2 cos 2 phi + (g22 - g11) / 2
// sin 2 phi. Its square is at most g12^2 + g21^2 + (g22 - g11)^2 / 2; the normal component adds to it.
static inline bool flat_holds(const float *gradients, const certificate_plane *p)
{
    for (int32_t lane = 0; lane < PLI_GRADIENT_LANES; lane += WIDE) {
        wide3 a = load_image(gradients + lane), b = load_image(gradients + 3 * PLI_GRADIENT_LANES + lane);
        wide more_a = wide3_dot(p->along[0], a) - p->min_stretch, more_b = wide3_dot(p->along[1], b) - p->min_stretch;
        wide ab = wide3_dot(p->along[0], b), ba = wide3_dot(p->along[1], a);
        // G = R^T F is 2 x 2. u . G u > min_stretch for all unit u if and only if the symmetric part of G - min_stretch I is
        // positive definite: its diagonal and its determinant are positive.
        wide sum = ab + ba;
        wide zero = wide_set(0.0f);
        wide_mask good = wide_and(wide_and(wide_less(zero, more_a), wide_less(zero, more_b)),
                                  wide_less(sum * sum, wide_set(4.0f) * more_a * more_b));
        if (p->limits_across) {
            wide up_a = wide3_dot(p->normal, a), up_b = wide3_dot(p->normal, b), difference = more_b - more_a;
            wide off = up_a * up_a + up_b * up_b + ab * ab + ba * ba + wide_set(0.5f) * difference * difference;
            good = wide_and(good, wide_less(off, p->max_across_squared));
        }
        if (wide_bits(good) != (uint32_t)((1u << WIDE) - 1u))
            return false;
    }
    return true;
}

static inline const float *gradients_of(const float *gradients, int32_t cluster)
{
    return gradients + PLI_GRADIENT_ROWS * PLI_GRADIENT_LANES * (int64_t)cluster;
}

static uint64_t which_hold(const float *gradients, const int32_t *clusters, uint64_t which,
                           const pli_gradient_plane *against)
{
    certificate_plane p = flat_spread_plane(against);
    uint64_t certified = 0;
    for (; which; which &= which - 1)
        if (flat_holds(gradients_of(gradients, clusters[__builtin_ctzll(which)]), &p))
            certified |= which & -which;
    return certified;
}

static bool all_hold(const float *gradients, const int32_t *clusters, uint64_t which, const pli_gradient_plane *against)
{
    certificate_plane p = flat_spread_plane(against);
    for (; which; which &= which - 1)
        if (!flat_holds(gradients_of(gradients, clusters[__builtin_ctzll(which)]), &p))
            return false;
    return true;
}

const pli_gradient_kernels PLI_NAMED(pli_gradient) = {refit, which_hold, all_hold};
