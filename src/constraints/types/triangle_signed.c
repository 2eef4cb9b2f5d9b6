// Triangle bending with a sign, so that a stencil pushed through to its mirror image comes back.
//
//   The future work of Kelager, Niebe, Erleben 2010, section 6. The sign comes from the surface
//   normal at v at the start of the substep; the correction stays along v - c, so that linear and
//   angular momentum are conserved. Near the plane the last sign is kept, to avoid chatter; elsewhere every
//   projection evaluates it again, so that the next one does not undo a projection that has pushed v through.
//
//   s = sign((v - c) . n_v) |v - c|,  C = s - s0
#include "base/text.h"
#include "constraints/types/triangle_kernel.h"

// Fraction of |s0| within which the sign is not updated.
#define TRIANGLE_SIGNED_DEAD_BAND 0.1
// If less than this fraction of v - c rises out of the surface at rest, the rest offset is mostly tangential and its side carries no
// information: the rest sign is then kept, since flips would add energy.
#define TRIANGLE_SIGNED_LEAST_RISE 0.5

enum { TRIANGLE_SIGNED_LENGTH, TRIANGLE_SIGNED_BAND };

static bool triangle_signed_rest(const pli_stencil *s, float *rest_values)
{
    pli_dvec3 d = triangle_height(s);
    double side = s->normals && pli_ddot(d, pli_dmake(s->normals[2])) < 0.0 ? -1.0 : 1.0;
    double length = pli_dlength(d), rise = s->normals ? fabs(pli_ddot(d, pli_dmake(s->normals[2]))) : 0.0;
    rest_values[TRIANGLE_SIGNED_LENGTH] = (float)(side * length);
    rest_values[TRIANGLE_SIGNED_BAND] = rise >= TRIANGLE_SIGNED_LEAST_RISE * length
                                            ? (float)(TRIANGLE_SIGNED_DEAD_BAND * length)
                                            : 1e30f;
    return triangle_base(s) > 0.0;
}

static double triangle_side(const pli_stencil *s, pli_dvec3 height)
{
    double out = s->normals ? pli_ddot(height, pli_dmake(s->normals[2])) : 0.0;
    if (fabs(out) < (double)s->rest[TRIANGLE_SIGNED_BAND])
        return (double)s->state;
    return out < 0.0 ? -1.0 : 1.0;
}

static void triangle_signed_evaluate(const pli_stencil *s, double *values, double *gradients)
{
    pli_dvec3 d = triangle_height(s);
    double height = pli_dlength(d), side = triangle_side(s, d);
    values[0] = side * height - (double)s->rest[TRIANGLE_SIGNED_LENGTH];
    if (!gradients)
        return;
    pli_dvec3 n = height > 0.0 ? pli_dscale(d, side / height) : s->normals ? pli_dmake(s->normals[2]) : (pli_dvec3){0};
    triangle_gradients(n, gradients);
}

static float triangle_signed_compliance_scale(const pli_stencil *s, const float *rest_values)
{
    (void)rest_values;
    return triangle_scale_over(triangle_base(s), s->area);
}

// The side of `sum`, 3 (v - c); the last side if it is in doubt.
PLI_KERNEL wide triangle_side_now(const pli_projection *p, int32_t slot, wide3 sum, wide3 normal)
{
    wide out = wide3_dot(wide3_scale(sum, wide_set(1.0f / 3.0f)), normal), last = wide_load(p->state + slot);
    wide side = wide_select(wide_less(out, wide_set(0.0f)), wide_set(-1.0f), wide_set(1.0f));
    return wide_select(wide_less(wide_abs(out), pli_rest(p, TRIANGLE_SIGNED_BAND, slot)), last, side);
}

static void triangle_signed_prepare(const pli_projection *p, int32_t begin, int32_t end)
{
    for (int32_t slot = begin; slot < end; slot += WIDE) {
        wide_particle stencil[3];
        pli_load_stencil(p, slot, 3, stencil);
        wide3 normal = pli_load_listed(p, p->normals, 2, slot).x;
        wide_store(p->state + slot, triangle_side_now(p, slot, wide_triangle_sum(stencil), normal));
    }
}

PLI_LOOP triangle_signed_loop(const pli_projection *p, int32_t begin, int32_t end)
{
    for (int32_t slot = begin; slot < end; slot += WIDE) {
        wide_particle stencil[3];
        pli_load_stencil(p, slot, 3, stencil);
        wide3 d = wide_triangle_sum(stencil);
        wide3 normal = pli_load_listed(p, p->normals, 2, slot).x;
        wide length = wide3_length(d), side = triangle_side_now(p, slot, d, normal);
        wide value = side * (length * wide_set(1.0f / 3.0f)) - pli_rest(p, TRIANGLE_SIGNED_LENGTH, slot);
        wide_mask thick = wide_less(wide_set(0.0f), length);
        d = (wide3){wide_select(thick, side * d.x, normal.x), wide_select(thick, side * d.y, normal.y),
                    wide_select(thick, side * d.z, normal.z)};
        length = wide_select(thick, length, wide_set(1.0f));
        wide weight = (stencil[0].w + stencil[1].w + wide_set(4.0f) * stencil[2].w) * wide_set(1.0f / 9.0f);
        pli_update_along(p, slot, 3, stencil, d, length, triangle_shares, value, weight);
    }
}

static void triangle_signed_project(const pli_projection *p, int32_t begin, int32_t end)
{
    pli_run(p, begin, end, triangle_signed_loop);
}

static const pli_constraint_type triangle_signed_type = {
    .name = "triangle_signed",
    .label = PLI_TEXT("Triangle, signed"),
    .summary = PLI_TEXT(
        "Resists bending by the triangle and knows its mirror image, for plants and shells that must not turn "
        "inside out."),
    .formula = PLI_TEXT("C = sign((v - c) . n) |v - c| - s0"),
    .source = PLI_TEXT("after Kelager, Niebe, Erleben 2010, section 6 (future work)"),
    .unit = "m",
    .generator = "triples",
    .cardinality = 3,
    .dimension = 1,
    .rest_count = 2,
    .needs_normals = true,
    .bending = true,
    .rest = triangle_signed_rest,
    .evaluate = triangle_signed_evaluate,
    .compliance_scale = triangle_signed_compliance_scale,
};

const pli_constraint_row PLI_NAMED(pli_row_triangle_signed) = PLI_ROW(triangle_signed_type, triangle_signed_project,
                                                                      triangle_signed_prepare, 0);
