// Bending by the vertex-ring Laplacian: cotangent weights of the rest shape on a closed one-ring.
//
//   Wardetzky et al. 2007, Discrete Quadratic Curvature Energies, in position-based form; measured
//   least dependent on the mesh of all models here (docs/errata.md, bending energy).
//   s = sum K_j (x_j - x_v), E = (B/2) |s|^2 / A_v. Curved rest shapes keep the signed length s0
//   along s, with the sign given by the ring's normal, as in linear_form.h.
//
//        x1 -- x0
//       /  \   / \.       K_j = cotangents of the two angles opposite to the edge v - x_j
//     x2 --- v -- x4
//       \   /  /
//         x3
//
// Particles: v, then its ring in order. Rest values: s0, then K of every particle. Rings differ in
// size, so the kernel is plain in every back end.
#include "base/vector.h"
#include "constraints/kernel.h"

// Rest lengths below this share of the weighted ring are flat to rounding.
#define FLAT 1e-5

static double cotangent_at(const pli_stencil *s, int32_t corner, int32_t a, int32_t b)
{
    pli_dvec3 o = pli_dmake(s->positions[corner]);
    pli_dvec3 u = pli_dsub(pli_dmake(s->positions[a]), o), w = pli_dsub(pli_dmake(s->positions[b]), o);
    double area = pli_dlength(pli_dcross(u, w));
    double size = sqrt(pli_ddot(u, u) * pli_ddot(w, w));
    return area > 1e-4 * size ? pli_ddot(u, w) / area : NAN;
}

static pli_dvec3 ring_normal(const pli_stencil *s)
{
    pli_dvec3 v = pli_dmake(s->positions[0]), normal = {0};
    for (int32_t i = 1; i < s->count; i++) {
        int32_t next = i + 1 < s->count ? i + 1 : 1;
        normal = pli_dadd(
            normal, pli_dcross(pli_dsub(pli_dmake(s->positions[i]), v), pli_dsub(pli_dmake(s->positions[next]), v)));
    }
    return normal;
}

static pli_dvec3 ring_sum(const pli_stencil *s, const float *weights)
{
    pli_dvec3 v = pli_dmake(s->positions[0]), sum = {0};
    for (int32_t i = 1; i < s->count; i++)
        sum = pli_dadd(sum, pli_dscale(pli_dsub(pli_dmake(s->positions[i]), v), (double)weights[i]));
    return sum;
}

static bool rest(const pli_stencil *s, float *rest_values)
{
    float *weights = rest_values + 1;
    double total = 0.0, size = 0.0;
    if (s->count < 4)
        return false;
    for (int32_t i = 1; i < s->count; i++) {
        int32_t next = i + 1 < s->count ? i + 1 : 1, before = i > 1 ? i - 1 : s->count - 1;
        double weight = 0.5 * (cotangent_at(s, before, 0, i) + cotangent_at(s, next, 0, i));
        if (!isfinite(weight))
            return false;
        weights[i] = (float)weight;
        total += (double)weights[i];
        size += fabs(weight) * pli_dlength(pli_dsub(pli_dmake(s->positions[i]), pli_dmake(s->positions[0])));
    }
    weights[0] = (float)-total;
    pli_dvec3 sum = ring_sum(s, weights);
    double length = pli_dlength(sum), side = pli_ddot(sum, ring_normal(s)) < 0.0 ? -1.0 : 1.0;
    rest_values[0] = length > FLAT * size ? (float)(side * length) : 0.0f;
    return true;
}

static void evaluate(const pli_stencil *s, double *values, double *gradients)
{
    const float *weights = s->rest + 1;
    pli_dvec3 sum = ring_sum(s, weights), normal = ring_normal(s), target = {0};
    double s0 = (double)s->rest[0], length = pli_dlength(sum), reach = pli_dlength(normal);
    if (s0 != 0.0 && length > 0.0)
        target = pli_dscale(sum, (pli_ddot(sum, normal) < 0.0 ? -s0 : s0) / length);
    else if (s0 != 0.0 && reach > 0.0)
        target = pli_dscale(normal, s0 / reach);
    pli_dvec3 value = pli_dsub(sum, target);
    values[0] = value.x, values[1] = value.y, values[2] = value.z;
    for (int32_t i = 0; gradients && i < 9 * s->count; i++) {
        int32_t particle = i % (3 * s->count) / 3;
        gradients[i] = i / (3 * s->count) == i % 3 ? (double)weights[particle] : 0.0;
    }
}

static float compliance_scale(const pli_stencil *s, const float *rest_values)
{
    (void)rest_values;
    return (float)s->area;
}

#if WIDE == 1 && !defined PLI_RUNS

static pli_vec3 position_of(const pli_projection *p, int32_t particle)
{
    const pli_particle *at = &p->particles[particle];
    return (pli_vec3){at->x, at->y, at->z};
}

static pli_vec3 value_of(const pli_projection *p, const int32_t *members, int32_t count, const float *rest_values)
{
    pli_vec3 v = position_of(p, members[0]), sum = {0}, normal = {0};
    pli_vec3 before = pli_sub(position_of(p, members[count - 1]), v);
    for (int32_t i = 1; i < count; i++) {
        pli_vec3 side = pli_sub(position_of(p, members[i]), v);
        sum = pli_add(sum, pli_scale(side, rest_values[1 + i]));
        normal = pli_add(normal, pli_cross(before, side));
        before = side;
    }
    float s0 = rest_values[0], length = pli_length(sum), reach = pli_length(normal);
    if (s0 == 0.0f)
        return sum;
    if (length > 0.0f)
        return pli_sub(sum, pli_scale(sum, (pli_dot(sum, normal) < 0.0f ? -s0 : s0) / length));
    return reach > 0.0f ? pli_scale(normal, -s0 / reach) : sum;
}

static void correct_ring(const pli_projection *p, int32_t slot)
{
    pli_span span = p->variable.member_spans[slot];
    const int32_t *members = p->variable.members + span.begin;
    int32_t count = span.end - span.begin;
    const float *rest_values = p->variable.rest + p->variable.rest_spans[slot].begin;
    float weight = 0.0f;
    pli_vec3 drift = {0};
    for (int32_t i = 0; i < count; i++) {
        float k = rest_values[1 + i];
        const pli_particle *before = &p->previous[members[i]];
        pli_vec3 moved = pli_sub(position_of(p, members[i]), (pli_vec3){before->x, before->y, before->z});
        weight = weight + p->particles[members[i]].w * (k * k);
        drift = pli_add(drift, pli_scale(moved, k));
    }
    pli_vec3 value = value_of(p, members, count, rest_values);
    pli_vec3 change = {
        pli_multiplier(p, 0, slot, value.x, weight, drift.x),
        pli_multiplier(p, 1, slot, value.y, weight, drift.y),
        pli_multiplier(p, 2, slot, value.z, weight, drift.z),
    };
    for (int32_t i = 0; i < count; i++) {
        pli_particle *at = &p->particles[members[i]];
        float scale = at->w * rest_values[1 + i];
        at->x += change.x * scale, at->y += change.y * scale, at->z += change.z * scale;
    }
}

void pli_project_rings(const pli_projection *p, int32_t begin, int32_t end);
void pli_project_rings(const pli_projection *p, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++)
        correct_ring(p, pli_slot_in_order(p, begin, end, i));
}

#else
void pli_project_rings(const pli_projection *p, int32_t begin, int32_t end);
#endif

static const pli_constraint_type type = {
    .name = "ring_laplacian",
    .label = "Ring Laplacian",
    .summary = "Resists bending by the cotangent Laplacian of each closed one-ring; least sensitive to tessellation.",
    .formula = "C = sum K_j (x_j - x_v) (a vector; for curved rest shapes minus s0 along it)",
    .source = "Wardetzky et al. 2007, Discrete Quadratic Curvature Energies",
    .unit = "m",
    .generator = "rings",
    .dimension = 3,
    .rest_count = 1,
    .rest_per_particle = true,
    .bending = true,
    .rest = rest,
    .evaluate = evaluate,
    .compliance_scale = compliance_scale,
};

const pli_constraint_row PLI_NAMED(pli_row_ring_laplacian) = {&type, pli_project_rings, 0};
