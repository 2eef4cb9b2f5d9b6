// Triangle bending that keeps the sign of its triangle's area: the special case for mirror images that the paper
// leaves for future work.
//
//   Kelager, Niebe, Erleben 2010, section 6: "compute the signed area of the triangle ... upon creation", and a special
//   case for the projection if the sign differs from the sign at rest. In space an area has a sign only relative to a
//   direction: here the one across the chord and the surface's normal n at v, so the sign is the sign of the altitude.
//
//            v              u = relative position of the foot of v on the chord b0 b1, t = direction of the chord
//           /|\             e = v - (1 - u) b0 - u b1, the altitude; area = |b1 - b0| |e| / 2
//          / |e\            sign = sign of e . n; n need not be perpendicular to the chord
//        b0--+--b1
//
//   Same sign as at rest:  C = |v - c| - h0                          as printed, eq. (5)
//   The other sign:        C = -2/3 (|e| + |e0|), gradient along -e  which takes v through the chord to the other side
//
//   Gradients of |e| are e/|e| at v and its fractions -(1 - u), -u at the base, so both momenta are conserved in either
//   case. 2/3 |e| is |v - c| if the foot is the middle of the chord, as at rest on a grid; there both cases lead to the
//   same place, so nothing jumps at a change of sign. Every projection determines the sign, relative to the normal at the
//   start of the substep.
#include "base/text.h"
#include "constraints/types/triangle_kernel.h"

// Altitudes below this fraction of the chord, and altitudes that rise out of the surface by less than this fraction, have no side at rest:
// only the paper's projection acts. The latter are bent within the surface, as around a corner of it.
#define LEAST_ALTITUDE 1e-3
#define TRIANGLE_AREA_LEAST_RISE 0.5

enum { TRIANGLE_AREA_ALTITUDE, TRIANGLE_AREA_HEIGHT };

// The altitude, and the relative position u of its foot along the chord.
static pli_dvec3 altitude_of(const pli_stencil *s, double *foot)
{
    pli_dvec3 b0 = pli_dmake(s->positions[0]), chord = pli_dsub(pli_dmake(s->positions[1]), b0);
    pli_dvec3 tip = pli_dsub(pli_dmake(s->positions[2]), b0);
    double square = pli_ddot(chord, chord);
    *foot = square > 0.0 ? pli_ddot(tip, chord) / square : 0.5;
    return pli_dsub(tip, pli_dscale(chord, *foot));
}

static bool triangle_area_rest(const pli_stencil *s, float *rest_values)
{
    double foot, base = triangle_base(s);
    pli_dvec3 altitude = altitude_of(s, &foot);
    double length = pli_dlength(altitude), rise = s->normals ? pli_ddot(altitude, pli_dmake(s->normals[2])) : 0.0;
    bool has_side = length > LEAST_ALTITUDE * base && fabs(rise) >= TRIANGLE_AREA_LEAST_RISE * length;
    rest_values[TRIANGLE_AREA_HEIGHT] = (float)pli_dlength(triangle_height(s));
    rest_values[TRIANGLE_AREA_ALTITUDE] = has_side ? (float)copysign(length, rise) : 0.0f;
    return base > 0.0;
}

static void triangle_area_evaluate(const pli_stencil *s, double *values, double *gradients)
{
    double foot;
    pli_dvec3 d = triangle_height(s), e = altitude_of(s, &foot);
    double height = pli_dlength(d), altitude = pli_dlength(e);
    double out = s->normals ? pli_ddot(e, pli_dmake(s->normals[2])) : 0.0;
    if (out * (double)s->rest[TRIANGLE_AREA_ALTITUDE] >= 0.0) {
        values[0] = height - (double)s->rest[TRIANGLE_AREA_HEIGHT];
        if (gradients)
            triangle_gradients(height > 0.0 ? pli_dscale(d, 1.0 / height) : (pli_dvec3){0}, gradients);
        return;
    }
    values[0] = -2.0 / 3.0 * (altitude + fabs((double)s->rest[TRIANGLE_AREA_ALTITUDE]));
    if (!gradients)
        return;
    pli_dvec3 n = altitude > 0.0 ? pli_dscale(e, 1.0 / altitude) : (pli_dvec3){0};
    const double factors[3] = {2.0 / 3.0 * (1.0 - foot), 2.0 / 3.0 * foot, -2.0 / 3.0};
    for (int32_t k = 0; k < 3; k++) {
        gradients[3 * k] = factors[k] * n.x;
        gradients[3 * k + 1] = factors[k] * n.y;
        gradients[3 * k + 2] = factors[k] * n.z;
    }
}

static float triangle_area_compliance_scale(const pli_stencil *s, const float *rest_values)
{
    (void)rest_values;
    return triangle_scale_over(triangle_base(s), s->area);
}

PLI_KERNEL wide3 wide_altitude_of(const wide_particle *stencil, wide *foot)
{
    wide3 chord = wide3_sub(stencil[1].x, stencil[0].x), tip = wide3_sub(stencil[2].x, stencil[0].x);
    *foot = wide3_dot(tip, chord) * wide_inverse_above(wide3_dot(chord, chord), 0.0f);
    return wide3_sub(tip, wide3_scale(chord, *foot));
}

PLI_LOOP triangle_area_loop(const pli_projection *p, int32_t begin, int32_t end)
{
    wide zero = wide_set(0.0f), one = wide_set(1.0f), third = wide_set(1.0f / 3.0f), two_thirds = wide_set(2.0f / 3.0f);
    for (int32_t slot = begin; slot < end; slot += WIDE) {
        wide_particle stencil[3];
        wide foot, rest_altitude = pli_rest(p, TRIANGLE_AREA_ALTITUDE, slot);
        pli_load_stencil(p, slot, 3, stencil);
        wide3 d = wide3_scale(wide_triangle_sum(stencil), third), e = wide_altitude_of(stencil, &foot);
        wide3 normal = pli_load_listed(p, p->normals, 2, slot).x;
        wide_mask mirrored = wide_less(wide3_dot(e, normal) * rest_altitude, zero);
        wide height = wide3_length(d), altitude = wide3_length(e);
        wide value = wide_select(mirrored, -(two_thirds * (altitude + wide_abs(rest_altitude))),
                                 height - pli_rest(p, TRIANGLE_AREA_HEIGHT, slot));
        wide3 along = wide3_select(mirrored, wide3_scale(e, -wide_inverse_above(altitude, 0.0f)),
                                   wide3_scale(d, wide_inverse_above(height, 0.0f)));
        wide first = wide_select(mirrored, two_thirds * (one - foot), third);
        wide second = wide_select(mirrored, two_thirds * foot, third);
        wide3 gradients[3] = {wide3_scale(along, -first), wide3_scale(along, -second), wide3_scale(along, two_thirds)};
        pli_update(p, slot, 3, stencil, gradients, value);
    }
}

static void triangle_area_project(const pli_projection *p, int32_t begin, int32_t end)
{
    pli_run(p, begin, end, triangle_area_loop);
}

static const pli_constraint_type triangle_area_type = {
    .name = "triangle_area",
    .label = PLI_TEXT("Triangle, signed area"),
    .summary = PLI_TEXT(
        "Resists bending by the triangle as printed, and takes a triangle whose area has changed its sign back "
        "through its chord."),
    .formula = PLI_TEXT(
        "C = |v - c| - h0; where the area's sign is not that at rest, C = -2/3 (|e| + |e0|) of its altitude e"),
    .source = PLI_TEXT("after Kelager, Niebe, Erleben 2010, section 6 (future work)"),
    .unit = "m",
    .generator = "triples",
    .cardinality = 3,
    .dimension = 1,
    .rest_count = 2,
    .needs_normals = true,
    .bending = true,
    .rest = triangle_area_rest,
    .evaluate = triangle_area_evaluate,
    .compliance_scale = triangle_area_compliance_scale,
};

const pli_constraint_row PLI_NAMED(pli_row_triangle_area) = PLI_ROW(triangle_area_type, triangle_area_project, 0, 0);
