// Tension of a woven or uniform sheet by triangles: strain along the warp, along the weft and in shear, with the stiffness of the material
// in N/m, so that it does not depend on the mesh.
//
//   Green and Zerna 1954, Theoretical Elasticity: strain from the deformation gradient. Mueller et al. 2014, Strain Based
//   Dynamics, has one constraint for each component; here the three values form one vector with the compliance matrix of
//   an orthotropic sheet, solved together in each projection (Macklin et al. 2016, eq. 18, for a block).
//
//        x2              F = [a b] takes the material's warp and weft to space: a = d1 B00 + d2 B10, b = d1 B01 + d2 B11,
//       /  \ weft        with B the inverse of the rest triangle's sides in the coordinates (warp, weft).
//     d2    \ |          U = sqrt(F^T F), by Cayley and Hamilton: J = |a x b|, T = tr U = sqrt(|a|^2 + |b|^2 + 2 J),
//     /      \ + warp    U = (F^T F + J) / T; C = sqrt(A) (U11 - 1, U22 - 1, 2 U12).
//   x0 --d1-- x1
//
//   U is Biot's strain: linear in the length of a strip, which is how tension is measured, and equal for all directions
//   of a uniform material. With n = a x b / J, the rotation is r1 = (a + b x n) / T, r2 = (b + n x a) / T, and, with s = U12 / T,
//
//     dU11 = (r1 + s r2) . da - s r1 . db      dU22 = -s r2 . da + (r2 + s r1) . db      dU12 = (U22 r2 . da + U11 r1 . db) / T
//
//   Energy A / 2 e . S^-1 e: the compliance matrix S has 1/warp, 1/weft, -poisson / sqrt(warp weft), 1/shear [m/N], and the
//   set's `compliance` on its diagonal.
#include "base/text.h"
#include "base/vector.h"
#include "constraints/kernel.h"
#include "constraints/membrane_values.h"

#include <math.h>

enum {
    WARP = PLI_MEMBRANE_WARP,
    WEFT = PLI_MEMBRANE_WEFT,
    SHEAR = PLI_MEMBRANE_SHEAR,
    POISSON = PLI_MEMBRANE_POISSON,
    LIMIT = PLI_MEMBRANE_LIMIT,
    DIRECTION_X = PLI_MEMBRANE_DIRECTION,
    DIRECTION_Y,
    DIRECTION_Z
};
enum {
    B00 = PLI_MEMBRANE_B00,
    B01 = PLI_MEMBRANE_B01,
    B10 = PLI_MEMBRANE_B10,
    B11 = PLI_MEMBRANE_B11,
    ROOT = PLI_MEMBRANE_ROOT
};

// Triangles with a height below this fraction of the longest side have no strain; an eliminated row with a pivot below this fraction of
// its diagonal depends on the previous rows.
#define MEMBRANE_LEAST_HEIGHT 1e-6
#define MEMBRANE_LEAST_PIVOT 1e-5f
// The warp direction counts as perpendicular to a triangle if less than this fraction of it lies within.
#define MEMBRANE_LEAST_SHARE 1e-3

static const pli_condition membrane_under_xpbd[] = {{.path = "settings.method", .values = {"xpbd"}}, {.path = NULL}};

#define TENSILE                                                                                                        \
    .unit = "N/m", .maximum = 1e30, .soft_minimum = 1.0, .soft_maximum = 1e5, .scale = PLI_SLIDER_LOG,                 \
    .saturates = PLI_SATURATES_ABOVE, .when = membrane_under_xpbd
#define DIRECTION .minimum = -1e6, .maximum = 1e6, .soft_minimum = -1.0, .soft_maximum = 1.0, .section = "advanced"

static const pli_property membrane_parameters[] = {
    [WARP] = {.name = "warp",
              .label = PLI_TEXT("Warp stiffness"),
              .summary = PLI_TEXT(
                  "Tensile stiffness along the warp under XPBD: tension over strain, Young's modulus times thickness."),
              .help = PLI_TEXT("Rubber of 1 mm has about 1e3, knitwear 1e2, cotton 1e4, Mylar of 25 um 1e5."),
              .zero = "rigid",
              TENSILE},
    [WEFT] = {.name = "weft",
              .label = PLI_TEXT("Weft stiffness"),
              .summary = PLI_TEXT("Tensile stiffness across the warp under XPBD."),
              .zero = "rigid",
              TENSILE},
    [SHEAR] =
        {.name = "shear",
         .label = PLI_TEXT("Shear stiffness"),
         .summary = PLI_TEXT(
             "Shear force over shear angle under XPBD; 0 is that of a sheet alike in all directions, sqrt(warp weft) "
             "/ (2 + 2 poisson)."),
         .help = PLI_TEXT("Woven cloth yields along its bias: a hundredth of the warp stiffness is common."),
         .zero = "uniform",
         TENSILE},
    [POISSON] =
        {.name = "poisson",
         .label = PLI_TEXT("Poisson's ratio"),
         .unit = "",
         .summary = PLI_TEXT(
             "How much a strip narrows for the strain it is stretched by; for different stiffnesses of warp and "
             "weft that of their geometric mean."),
         .minimum = -0.95,
         .maximum = 0.95,
         .soft_minimum = 0.0,
         .soft_maximum = 0.5,
         .when = membrane_under_xpbd},
    [LIMIT] = {.name = "strain_limit",
               .label = PLI_TEXT("Strain limit"),
               .unit = "",
               .summary = PLI_TEXT("Largest strain in any direction, from which on the triangle is rigid."),
               .maximum = 1e6,
               .soft_maximum = 0.3,
               .zero = "none"},
    [DIRECTION_X] = {.name = "warp_x",
                     .label = PLI_TEXT("Warp direction, x"),
                     .unit = "",
                     .summary = PLI_TEXT(
                         "First component of the warp's direction in the rest shape; the direction is laid onto each "
                         "triangle, and where it is perpendicular the next axis, y after x, is taken."),
                     .initial = 1.0,
                     .change = PLI_CHANGE_REMAKE,
                     DIRECTION},
    [DIRECTION_Y] = {.name = "warp_y",
                     .label = PLI_TEXT("Warp direction, y"),
                     .unit = "",
                     .summary = PLI_TEXT("Second component of the warp's direction in the rest shape."),
                     .change = PLI_CHANGE_REMAKE,
                     DIRECTION},
    [DIRECTION_Z] = {.name = "warp_z",
                     .label = PLI_TEXT("Warp direction, z"),
                     .unit = "",
                     .summary = PLI_TEXT("Third component of the warp's direction in the rest shape."),
                     .change = PLI_CHANGE_REMAKE,
                     DIRECTION},
};

/* ---- in double ------------------------------------------------------------------------------------ */

// The unit vector of the warp within a triangle of unit normal n, whose first side is d1.
static pli_dvec3 warp_within(const pli_stencil *s, pli_dvec3 n, pli_dvec3 d1)
{
    pli_dvec3 wanted = {(double)s->parameters[DIRECTION_X], (double)s->parameters[DIRECTION_Y],
                        (double)s->parameters[DIRECTION_Z]};
    for (int32_t turn = 0; turn < 2; turn++) {
        pli_dvec3 within = pli_dsub(wanted, pli_dscale(n, pli_ddot(wanted, n)));
        if (pli_dlength(within) > MEMBRANE_LEAST_SHARE * pli_dlength(wanted))
            return pli_dscale(within, 1.0 / pli_dlength(within));
        wanted = (pli_dvec3){wanted.z, wanted.x, wanted.y};
    }
    return pli_dscale(d1, 1.0 / pli_dlength(d1));
}

static bool membrane_rest(const pli_stencil *s, float *rest_values)
{
    pli_dvec3 x0 = pli_dmake(s->positions[0]);
    pli_dvec3 d1 = pli_dsub(pli_dmake(s->positions[1]), x0), d2 = pli_dsub(pli_dmake(s->positions[2]), x0);
    pli_dvec3 up = pli_dcross(d1, d2), d3 = pli_dsub(d2, d1);
    double twice = pli_dlength(up), longest = fmax(fmax(pli_ddot(d1, d1), pli_ddot(d2, d2)), pli_ddot(d3, d3));
    if (!(twice > MEMBRANE_LEAST_HEIGHT * longest))
        return false;
    up = pli_dscale(up, 1.0 / twice);
    pli_dvec3 warp = warp_within(s, up, d1), weft = pli_dcross(up, warp);
    double u1 = pli_ddot(d1, warp), u2 = pli_ddot(d2, warp), v1 = pli_ddot(d1, weft), v2 = pli_ddot(d2, weft);
    rest_values[B00] = (float)(v2 / twice), rest_values[B01] = (float)(-u2 / twice);
    rest_values[B10] = (float)(-v1 / twice), rest_values[B11] = (float)(u1 / twice);
    rest_values[ROOT] = (float)sqrt(0.5 * twice);
    return true;
}

// A triangle's present U and its related vectors.
typedef struct sheet_strain {
    double u11, u22, u12, inverse; // U and 1 / T, 0 if the triangle is a point.
    pli_dvec3 r1, r2;
} sheet_strain;

static sheet_strain sheet_strain_of(const pli_stencil *s)
{
    pli_dvec3 x0 = pli_dmake(s->positions[0]);
    pli_dvec3 d1 = pli_dsub(pli_dmake(s->positions[1]), x0), d2 = pli_dsub(pli_dmake(s->positions[2]), x0);
    pli_dvec3 a = pli_dadd(pli_dscale(d1, (double)s->rest[B00]), pli_dscale(d2, (double)s->rest[B10]));
    pli_dvec3 b = pli_dadd(pli_dscale(d1, (double)s->rest[B01]), pli_dscale(d2, (double)s->rest[B11]));
    pli_dvec3 n = pli_dcross(a, b);
    double j = pli_dlength(n), aa = pli_ddot(a, a), bb = pli_ddot(b, b), t = sqrt(aa + bb + 2.0 * j);
    n = pli_dscale(n, j > 0.0 ? 1.0 / j : 0.0);
    double inverse = t > 0.0 ? 1.0 / t : 0.0;
    return (sheet_strain){
        .u11 = (aa + j) * inverse,
        .u22 = (bb + j) * inverse,
        .u12 = pli_ddot(a, b) * inverse,
        .inverse = inverse,
        .r1 = pli_dscale(pli_dadd(a, pli_dcross(b, n)), inverse),
        .r2 = pli_dscale(pli_dadd(b, pli_dcross(n, a)), inverse),
    };
}

static void membrane_evaluate(const pli_stencil *s, double *values, double *gradients)
{
    sheet_strain m = sheet_strain_of(s);
    double root = (double)s->rest[ROOT];
    values[0] = root * (m.u11 - 1.0), values[1] = root * (m.u22 - 1.0), values[2] = root * 2.0 * m.u12;
    if (!gradients)
        return;
    double t = m.u12 * m.inverse, c1 = 2.0 * m.u11 * m.inverse, c2 = 2.0 * m.u22 * m.inverse;
    const double p[3] = {-((double)s->rest[B00] + (double)s->rest[B10]), (double)s->rest[B00], (double)s->rest[B10]};
    const double q[3] = {-((double)s->rest[B01] + (double)s->rest[B11]), (double)s->rest[B01], (double)s->rest[B11]};
    for (int32_t k = 0; k < 3; k++) {
        const double along1[3] = {p[k] - t * q[k], t * q[k], c1 * q[k]};
        const double along2[3] = {t * p[k], q[k] - t * p[k], c2 * p[k]};
        for (int32_t d = 0; d < 3; d++) {
            pli_dvec3 g = pli_dadd(pli_dscale(m.r1, root * along1[d]), pli_dscale(m.r2, root * along2[d]));
            gradients[9 * d + 3 * k] = g.x, gradients[9 * d + 3 * k + 1] = g.y, gradients[9 * d + 3 * k + 2] = g.z;
        }
    }
}

/* ---- the kernel ----------------------------------------------------------------------------------- */

// The symmetric matrix S / h^2 of a set; s13 and s23 are 0.
typedef struct softness {
    float s11, s12, s22, s33;
} softness;

static void membrane_soften(const float *own, double compliance[6])
{
    double warp = (double)own[WARP], weft = (double)own[WEFT], nu = (double)own[POISSON], shear = (double)own[SHEAR];
    double mean = sqrt(warp * weft);
    if (!(shear > 0.0))
        shear = mean / (2.0 + 2.0 * nu);
    compliance[0] = warp > 0.0 ? 1.0 / warp : 0.0;
    compliance[1] = mean > 0.0 ? -nu / mean : 0.0;
    compliance[3] = weft > 0.0 ? 1.0 / weft : 0.0;
    compliance[5] = shear > 0.0 ? 1.0 / shear : 0.0;
    compliance[2] = compliance[4] = 0.0;
}

static inline softness softness_of(const pli_projection *p)
{
    double c[6], per_square = (double)p->coefficients.per_square;
    membrane_soften(p->parameters, c);
    return (softness){(float)(per_square * c[0]), (float)(per_square * c[1]), (float)(per_square * c[3]),
                      (float)(per_square * c[5])};
}

// A register of triangles: their particles, how much each moves a and b, and U.
typedef struct membrane_sheets {
    wide_particle stencil[3];
    wide p[3], q[3], root;
    wide u11, u22, u12, share, c1, c2; // share: U12 / T; c1, c2: 2 U11 / T, 2 U22 / T.
    wide3 r1, r2;
} membrane_sheets;

PLI_KERNEL void measure_sheets(membrane_sheets *m)
{
    wide3 d1 = wide3_sub(m->stencil[1].x, m->stencil[0].x), d2 = wide3_sub(m->stencil[2].x, m->stencil[0].x);
    wide3 a = wide3_add_scaled(wide3_scale(d1, m->p[1]), d2, m->p[2]);
    wide3 b = wide3_add_scaled(wide3_scale(d1, m->q[1]), d2, m->q[2]);
    wide3 n = wide3_cross(a, b);
    wide j = wide3_length(n), aa = wide3_dot(a, a), bb = wide3_dot(b, b);
    wide inverse = wide_inverse_above(wide_sqrt(aa + bb + (j + j)), 0.0f);
    n = wide3_scale(n, wide_inverse_above(j, 0.0f));
    m->u11 = (aa + j) * inverse, m->u22 = (bb + j) * inverse, m->u12 = wide3_dot(a, b) * inverse;
    m->r1 = wide3_scale(wide3_add(a, wide3_cross(b, n)), inverse);
    m->r2 = wide3_scale(wide3_add(b, wide3_cross(n, a)), inverse);
    m->share = m->u12 * inverse;
    m->c1 = (m->u11 + m->u11) * inverse, m->c2 = (m->u22 + m->u22) * inverse;
}

PLI_KERNEL void load_sheets(const pli_projection *p, int32_t slot, membrane_sheets *m)
{
    pli_load_stencil(p, slot, 3, m->stencil);
    m->p[1] = pli_rest(p, B00, slot), m->p[2] = pli_rest(p, B10, slot), m->p[0] = -(m->p[1] + m->p[2]);
    m->q[1] = pli_rest(p, B01, slot), m->q[2] = pli_rest(p, B11, slot), m->q[0] = -(m->q[1] + m->q[2]);
    m->root = pli_rest(p, ROOT, slot);
    measure_sheets(m);
}

// grad C . (x - x_prev) of the three values.
PLI_KERNEL wide3 drift_of(const pli_projection *p, int32_t slot, const membrane_sheets *m)
{
    wide zero = wide_set(0.0f);
    wide3 da = {zero, zero, zero}, db = da;
    if (p->coefficients.damping == 0.0f)
        return da;
    for (int32_t k = 0; k < 3; k++) {
        wide3 moved = wide3_sub(m->stencil[k].x, pli_load_previous(p, k, slot));
        da = wide3_add_scaled(da, moved, m->p[k]), db = wide3_add_scaled(db, moved, m->q[k]);
    }
    wide a1 = wide3_dot(da, m->r1), a2 = wide3_dot(da, m->r2), b1 = wide3_dot(db, m->r1), b2 = wide3_dot(db, m->r2);
    return wide3_scale((wide3){a1 + m->share * (a2 - b1), b2 + m->share * (b1 - a2), m->c2 * a2 + m->c1 * b1}, m->root);
}

// J W J^T of the three values, as 11, 12, 13, 22, 23, 33.
PLI_KERNEL void weigh_sheets(const membrane_sheets *m, wide *weights)
{
    wide pp = wide_set(0.0f), pq = pp, qq = pp, area = m->root * m->root, s = m->share, square = s * s;
#pragma GCC unroll 4
    for (int32_t k = 0; k < 3; k++) {
        wide wp = m->stencil[k].w * m->p[k], wq = m->stencil[k].w * m->q[k];
        pp = pp + wp * m->p[k], pq = pq + wp * m->q[k], qq = qq + wq * m->q[k];
    }
    pp = pp * area, pq = pq * area, qq = qq * area;
    wide twice = s * (pq + pq), both = square * (pp + qq), sheared = s * (m->c2 * pp - m->c1 * qq);
    weights[0] = pp + both - twice;
    weights[1] = twice - both;
    weights[2] = m->c1 * pq + sheared;
    weights[3] = qq + both - twice;
    weights[4] = m->c2 * pq - sheared;
    weights[5] = m->c1 * m->c1 * qq + m->c2 * m->c2 * pp;
}

// 1 / pivot, or 0 if the row depends on the eliminated rows, as with two fixed corners.
PLI_KERNEL wide inverse_pivot(wide pivot, wide diagonal)
{
    wide_mask sound = wide_less(wide_set(MEMBRANE_LEAST_PIVOT) * diagonal, pivot);
    return wide_select(sound, wide_inverse_above(pivot, 0.0f), wide_set(0.0f));
}

// Solves the symmetric system by L D L^T.
PLI_KERNEL wide3 solve_block(const wide *m, wide3 b)
{
    wide i1 = inverse_pivot(m[0], m[0]), l21 = m[1] * i1, l31 = m[2] * i1;
    wide d2 = m[3] - l21 * m[1], e23 = m[4] - l21 * m[2], i2 = inverse_pivot(d2, m[3]), l32 = e23 * i2;
    wide d3 = m[5] - l31 * m[2] - l32 * e23, i3 = inverse_pivot(d3, m[5]);
    wide y2 = b.y - l21 * b.x, y3 = b.z - l31 * b.x - l32 * y2;
    wide z = y3 * i3, y = y2 * i2 - l32 * z, x = b.x * i1 - l21 * y - l31 * z;
    return (wide3){x, y, z};
}

// Moves the particles by the changes of the three multipliers.
PLI_KERNEL void move_sheets(const pli_projection *p, int32_t slot, membrane_sheets *m, wide3 change)
{
    wide turned = m->share * (change.x - change.y);
    wide3 of_a = wide3_add_scaled(wide3_scale(m->r1, change.x), m->r2, turned + m->c2 * change.z);
    wide3 of_b = wide3_add_scaled(wide3_scale(m->r2, change.y), m->r1, m->c1 * change.z - turned);
#pragma GCC unroll 4
    for (int32_t k = 0; k < 3; k++) {
        wide3 along = wide3_add_scaled(wide3_scale(of_a, m->p[k]), of_b, m->q[k]);
        pli_move(p, k, slot, &m->stencil[k], along, m->stencil[k].w * m->root);
    }
}

PLI_KERNEL void project_strain(const pli_projection *p, int32_t slot, membrane_sheets *m, const softness *soft)
{
    wide m_[6], one = wide_set(1.0f), compliance = pli_compliance(p, slot);
    wide scale = p->compliance_scale ? wide_load(p->compliance_scale + slot) : one; // 1 / painted factor.
    wide s11 = wide_set(soft->s11) * scale + compliance, s12 = wide_set(soft->s12) * scale;
    wide s22 = wide_set(soft->s22) * scale + compliance, s33 = wide_set(soft->s33) * scale + compliance;
    wide3 drift = drift_of(p, slot, m),
          lambda = {pli_lambda(p, 0, slot), pli_lambda(p, 1, slot), pli_lambda(p, 2, slot)};
    wide pull = wide_set(-p->coefficients.stiffness) * m->root;
    wide3 force = {pull * (m->u11 - one), pull * (m->u22 - one), pull * (m->u12 + m->u12)};
    if (!p->first) {
        force.x = force.x - (s11 * lambda.x + s12 * lambda.y);
        force.y = force.y - (s12 * lambda.x + s22 * lambda.y);
        force.z = force.z - s33 * lambda.z;
    }
    weigh_sheets(m, m_);
    if (p->coefficients.damping != 0.0f) {
        wide damping = pli_damping(p, slot), more = one + damping;
        force = wide3_add_scaled(force, drift, -damping);
        for (int32_t i = 0; i < 6; i++)
            m_[i] = more * m_[i];
    }
    m_[0] = m_[0] + s11, m_[1] = m_[1] + s12, m_[3] = m_[3] + s22, m_[5] = m_[5] + s33;
    wide3 change = solve_block(m_, force);
    if (p->lambda[0]) {
        pli_store_lanes(p, p->lambda[0] + slot, slot, lambda.x + change.x);
        pli_store_lanes(p, p->lambda[1] + slot, slot, lambda.y + change.y);
        pli_store_lanes(p, p->lambda[2] + slot, slot, lambda.z + change.z);
    }
    move_sheets(p, slot, m, change);
}

// Projects the largest principal strain onto the limit: rigid, along its own direction (c, s) of the material, in which
// dU = (c r1 + s r2) . (c da + s db).
PLI_KERNEL void limit_strain(const pli_projection *p, int32_t slot, membrane_sheets *m, wide most)
{
    wide half = wide_set(0.5f), one = wide_set(1.0f), zero = wide_set(0.0f);
    wide mean = half * (m->u11 + m->u22), apart = half * (m->u11 - m->u22);
    wide radius = wide_sqrt(apart * apart + m->u12 * m->u12);
    wide excess = wide_max(mean + radius - one - most, zero);
    // cos^2 of the direction's angle is (1 + apart / radius) / 2; the sine has the sign of U12.
    wide inverse = wide_inverse_above(radius, 0.0f);
    wide cosine = wide_sqrt(wide_max(half + half * apart * inverse, zero));
    wide sine = wide_sqrt(wide_max(half - half * apart * inverse, zero));
    sine = wide_select(wide_less(m->u12, zero), -sine, sine);
    wide3 along = wide3_add_scaled(wide3_scale(m->r1, cosine), m->r2, sine);
    wide weight = zero, shares[3];
#pragma GCC unroll 4
    for (int32_t k = 0; k < 3; k++) {
        shares[k] = cosine * m->p[k] + sine * m->q[k];
        weight = weight + m->stencil[k].w * (shares[k] * shares[k]);
    }
    wide change = wide_set(-p->coefficients.stiffness) * excess * wide_inverse_above(weight, 0.0f);
#pragma GCC unroll 4
    for (int32_t k = 0; k < 3; k++)
        pli_move(p, k, slot, &m->stencil[k], along, m->stencil[k].w * (shares[k] * change));
}

PLI_LOOP membrane_loop(const pli_projection *p, int32_t begin, int32_t end)
{
    const softness soft = softness_of(p);
    const float limit = p->parameters[LIMIT];
    for (int32_t slot = begin; slot < end; slot += WIDE) {
        membrane_sheets m;
        load_sheets(p, slot, &m);
        project_strain(p, slot, &m, &soft);
        if (limit > 0.0f) {
            measure_sheets(&m);
            limit_strain(p, slot, &m, wide_set(limit));
        }
        pli_store_stencil(p, slot, 3, m.stencil);
    }
}

static void membrane_project(const pli_projection *p, int32_t begin, int32_t end)
{
    pli_run(p, begin, end, membrane_loop);
}

static const pli_constraint_type membrane_type = {
    .name = "membrane",
    .label = PLI_TEXT("Membrane"),
    .summary = PLI_TEXT(
        "Resists tension and shear by triangles, with the stiffness of warp and weft in N/m, Poisson's ratio "
        "and a strain "
        "limit, alike on any mesh."),
    .formula = PLI_TEXT("C = sqrt(A) (U11 - 1, U22 - 1, 2 U12), U = sqrt(F^T F) along warp and weft"),
    .source = PLI_TEXT("after Mueller et al. 2014, Strain Based Dynamics, with Biot's strain and the compliance of an "
                       "orthotropic sheet"),
    .unit = "m",
    .generator = "triangles",
    .cardinality = 3,
    .dimension = 3,
    .rest_count = 5,
    .parameters = membrane_parameters,
    .parameter_count = sizeof membrane_parameters / sizeof *membrane_parameters,
    .rest = membrane_rest,
    .evaluate = membrane_evaluate,
};

const pli_constraint_row PLI_NAMED(pli_row_membrane) = PLI_ROW(membrane_type, membrane_project, 0, membrane_soften);
