#include "wide/slopes.h"

#include "simd/four.h"

// Where particles are at both ends, one after the other.
static inline void place(const pli_slope_patch *patch, const pli_near_ways *ways, const float ages[2], pli_particle *at,
                         pli_slope_extent *extent)
{
    pli_four low[2], high[2], sum[2];
    for (int t = 0; t < 2; t++)
        low[t] = pli_four_set(INFINITY), high[t] = pli_four_set(-INFINITY), sum[t] = pli_four_set(0.0f);
    for (int32_t i = 0; i < patch->count; i++) {
        pli_four start = pli_four_of(&ways->starts[patch->places[i]]),
                 way = pli_four_of(&ways->steps[patch->places[i]]);
        pli_four both = pli_four_set(0.0f);
        for (int t = 0; t < 2; t++) {
            pli_four p = start + way * ages[t];
            low[t] = pli_four_lower(p, low[t]);
            high[t] = pli_four_higher(p, high[t]);
            both += p;
            memcpy(&at[t * patch->count + i], &p, sizeof p);
        }
        for (int k = 0; k < 2; k++)
            sum[k] += both * patch->weights[2 * i + k];
    }
    memcpy(extent->low, low, sizeof low);
    memcpy(extent->high, high, sizeof high);
    memcpy(extent->sum, sum, sizeof sum);
}

static inline wide3 load_corner(const pli_particle *at, const int32_t *corners)
{
    wide_particle p;
    wide_load_particles(at, corners, &p.x.x, &p.x.y, &p.x.z, &p.w);
    return p.x;
}

static inline wide3 spread(pli_vec3 v) { return (wide3){wide_set(v.x), wide_set(v.y), wide_set(v.z)}; }

static void lay(const pli_slope_patch *patch, const pli_near_ways *ways, const float ages[2], float *slopes,
                pli_slope_extent *extent)
{
    pli_particle at[2 * PLI_SLOPE_PLACES];
    place(patch, ways, ages, at, extent);
    for (int32_t lane = 0; lane < PLI_SLOPE_LANES; lane += WIDE) {
        const int32_t *corners = patch->corners + lane;
        const float *inverse = patch->inverses + lane;
        wide3 first = load_corner(at, corners);
        wide3 p = wide3_sub(load_corner(at, corners + PLI_SLOPE_LANES), first);
        wide3 q = wide3_sub(load_corner(at, corners + 2 * PLI_SLOPE_LANES), first);
        for (int32_t k = 0; k < 2; k++) {
            wide3 image = wide3_add_scaled(wide3_scale(p, wide_load(inverse + k * PLI_SLOPE_LANES)), q,
                                           wide_load(inverse + (2 + k) * PLI_SLOPE_LANES));
            float *to = slopes + 3 * k * PLI_SLOPE_LANES + lane;
            wide_store(to, image.x);
            wide_store(to + PLI_SLOPE_LANES, image.y);
            wide_store(to + 2 * PLI_SLOPE_LANES, image.z);
        }
    }
}

typedef struct plane {
    wide3 along[2], normal;
    wide least, square_off;
    bool bounds_off;
} plane;

static inline plane plane_of(const pli_slope_plane *p)
{
    return (plane){{spread(p->along[0]), spread(p->along[1])},
                   spread(p->normal),
                   wide_set(p->least),
                   wide_set(p->most_off * p->most_off),
                   p->most_off < INFINITY};
}

static inline wide3 load_image(const float *from)
{
    return (wide3){wide_load(from), wide_load(from + PLI_SLOPE_LANES), wide_load(from + 2 * PLI_SLOPE_LANES)};
}

// G, of two columns, is what of the gradient is in the plane. u . G u >= least for all unit u when the symmetric part of
// G - least is positive definite.
static inline wide_mask is_above(wide more_a, wide more_b, wide sum)
{
    wide zero = wide_set(0.0f);
    return wide_and(wide_and(wide_less(zero, more_a), wide_less(zero, more_b)),
                    wide_less(sum * sum, wide_set(4.0f) * more_a * more_b));
}

// What G u has across u is (g21 - g12) / 2 + (g12 + g21) / 2 cos 2 phi + (g22 - g11) / 2
// sin 2 phi, with a square of at most g12^2 + g21^2 + (g22 - g11)^2 / 2; what is along the normal adds to it.
static inline bool holds(const float *slopes, const plane *p)
{
    for (int32_t lane = 0; lane < PLI_SLOPE_LANES; lane += WIDE) {
        wide3 a = load_image(slopes + lane), b = load_image(slopes + 3 * PLI_SLOPE_LANES + lane);
        wide more_a = wide3_dot(p->along[0], a) - p->least, more_b = wide3_dot(p->along[1], b) - p->least;
        wide ab = wide3_dot(p->along[0], b), ba = wide3_dot(p->along[1], a);
        wide_mask good = is_above(more_a, more_b, ab + ba);
        if (p->bounds_off) {
            wide up_a = wide3_dot(p->normal, a), up_b = wide3_dot(p->normal, b), difference = more_b - more_a;
            wide off = up_a * up_a + up_b * up_b + ab * ab + ba * ba + wide_set(0.5f) * difference * difference;
            good = wide_and(good, wide_less(off, p->square_off));
        }
        if (wide_bits(good) != (uint32_t)((1u << WIDE) - 1u))
            return false;
    }
    return true;
}

static inline const float *slopes_of(const float *slopes, int32_t patch)
{
    return slopes + PLI_SLOPE_ROWS * PLI_SLOPE_LANES * (int64_t)patch;
}

static uint64_t which_hold(const float *slopes, const int32_t *patches, uint64_t which, const pli_slope_plane *against)
{
    plane p = plane_of(against);
    uint64_t held = 0;
    for (; which; which &= which - 1)
        if (holds(slopes_of(slopes, patches[__builtin_ctzll(which)]), &p))
            held |= which & -which;
    return held;
}

static bool all_hold(const float *slopes, const int32_t *patches, uint64_t which, const pli_slope_plane *against)
{
    plane p = plane_of(against);
    for (; which; which &= which - 1)
        if (!holds(slopes_of(slopes, patches[__builtin_ctzll(which)]), &p))
            return false;
    return true;
}

const pli_slope_kernels PLI_NAMED(pli_slope) = {lay, which_hold, all_hold};
