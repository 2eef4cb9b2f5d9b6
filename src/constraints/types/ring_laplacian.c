// Bending by the vertex-ring Laplacian: cotangent weights of the rest shape on a closed one-ring.
//
//   Wardetzky et al. 2007, Discrete Quadratic Curvature Energies, in position-based form; measured
//   least dependent on the mesh of all models here (docs/errata.md, bending energy).
//   s = sum K_j (x_j - x_v), E = (B/2) |s|^2 / A_v. Curved rest shapes keep the signed length s0 of s relative to the
//   ring's normal; it is continuous, since near the tangent plane it is the height along the normal over CONE.
//
//        x1 -- x0
//       /  \   / \.       K_j = cotangents of the two angles opposite to the edge v - x_j
//     x2 --- v -- x4
//       \   /  /
//         x3
//
// Particles: v, then its ring in order. Rest values: s0, then K of every particle. Rings differ in
// size, so the kernel is plain in every back end.
#include "constraints/types/ring_laplacian.h"

#include "base/text.h"
#include "base/vector.h"
#include "constraints/kernel.h"
#include "constraints/solve_parameter.h"

// Rest lengths below this fraction of the weighted ring are flat to rounding.
#define RING_FLAT 1e-5
// Minimum height along the normal, as a fraction of |s|, at which the signed length is the length.
#define CONE 0.5

static const pli_property ring_parameters[] = {PLI_SOLVE_PARAMETER};

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

// Whether s is so close to the tangent plane that its signed length is its height along the normal over CONE.
static bool is_across(pli_dvec3 sum, pli_dvec3 normal)
{
    return fabs(pli_ddot(sum, normal)) < CONE * pli_dlength(sum) * pli_dlength(normal);
}

static double signed_length(pli_dvec3 sum, pli_dvec3 normal)
{
    double height = pli_ddot(sum, normal);
    if (is_across(sum, normal))
        return height / (CONE * pli_dlength(normal));
    return height < 0.0 ? -pli_dlength(sum) : pli_dlength(sum);
}

static bool ring_rest(const pli_stencil *s, float *rest_values)
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
    double s0 = signed_length(sum, ring_normal(s));
    // A length of 0 would denote a flat rest shape.
    rest_values[0] = pli_dlength(sum) > RING_FLAT * size ? (float)copysign(fmax(fabs(s0), 1e-30), s0) : 0.0f;
    return true;
}

// Gradients of the height over CONE: the gradients of s with the normal fixed, plus q . dn, with q the component of s across n, over |n|.
static void height_gradients(const pli_stencil *s, pli_dvec3 sum, pli_dvec3 normal, double *gradients)
{
    double reach = pli_dlength(normal);
    pli_dvec3 up = pli_dscale(normal, 1.0 / reach), total = {0};
    pli_dvec3 q = pli_dscale(pli_dsub(sum, pli_dscale(up, pli_ddot(sum, up))), 1.0 / reach);
    const double axes[3] = {up.x, up.y, up.z};
    for (int32_t i = s->count - 1; i >= 0; i--) {
        int32_t next = i + 1 < s->count ? i + 1 : 1, before = i > 1 ? i - 1 : s->count - 1;
        pli_dvec3 across = pli_dsub(pli_dmake(s->positions[next]), pli_dmake(s->positions[before]));
        pli_dvec3 g = pli_dadd(pli_dscale(up, (double)s->rest[1 + i]), pli_dcross(across, q));
        g = i > 0 ? pli_dscale(g, 1.0 / CONE) : pli_dscale(total, -1.0);
        total = pli_dadd(total, g);
        for (int32_t d = 0; d < 3; d++) {
            double *row = gradients + 3 * (d * s->count + i);
            row[0] = axes[d] * g.x, row[1] = axes[d] * g.y, row[2] = axes[d] * g.z;
        }
    }
}

static void ring_evaluate(const pli_stencil *s, double *values, double *gradients)
{
    const float *weights = s->rest + 1;
    pli_dvec3 sum = ring_sum(s, weights), normal = ring_normal(s), value = sum;
    double s0 = (double)s->rest[0], length = pli_dlength(sum), reach = pli_dlength(normal);
    bool across = s0 != 0.0 && is_across(sum, normal);
    if (across)
        value = pli_dscale(normal, (signed_length(sum, normal) - s0) / reach);
    else if (s0 != 0.0 && length > 0.0)
        value = pli_dscale(sum, 1.0 - (pli_ddot(sum, normal) < 0.0 ? -s0 : s0) / length);
    else if (s0 != 0.0 && reach > 0.0)
        value = pli_dscale(normal, -s0 / reach);
    values[0] = value.x, values[1] = value.y, values[2] = value.z;
    if (gradients && across)
        height_gradients(s, sum, normal, gradients);
    for (int32_t i = 0; gradients && !across && i < 9 * s->count; i++) {
        int32_t particle = i % (3 * s->count) / 3;
        gradients[i] = i / (3 * s->count) == i % 3 ? (double)weights[particle] : 0.0;
    }
}

static float ring_compliance_scale(const pli_stencil *s, const float *rest_values)
{
    (void)rest_values;
    return (float)s->area;
}

#if WIDE == 1 && !defined PLI_RUNS

static pli_vec3 ring_position_of(const pli_projection *p, int32_t particle)
{
    const pli_particle *at = &p->particles[particle];
    return (pli_vec3){at->x, at->y, at->z};
}

typedef struct ring_stencil {
    const int32_t *members;
    const float *rest; // s0, then K of every member.
    int32_t count;
    pli_vec3 sum, normal;
} ring_stencil;

static ring_stencil ring_at(const pli_projection *p, int32_t slot)
{
    pli_span span = p->variable.member_spans[slot];
    ring_stencil r = {.members = p->variable.members + span.begin,
                      .rest = p->variable.rest + p->variable.rest_spans[slot].begin,
                      .count = span.end - span.begin};
    pli_vec3 v = ring_position_of(p, r.members[0]), before = pli_sub(ring_position_of(p, r.members[r.count - 1]), v);
    for (int32_t i = 1; i < r.count; i++) {
        pli_vec3 side = pli_sub(ring_position_of(p, r.members[i]), v);
        r.sum = pli_add(r.sum, pli_scale(side, r.rest[1 + i]));
        r.normal = pli_add(r.normal, pli_cross(before, side));
        before = side;
    }
    return r;
}

static pli_vec3 ring_moved(const pli_projection *p, int32_t particle)
{
    const pli_particle *before = &p->previous[particle];
    return pli_sub(ring_position_of(p, particle), (pli_vec3){before->x, before->y, before->z});
}

static pli_vec3 multipliers(const pli_projection *p, int32_t slot, pli_vec3 value, float weight, pli_vec3 drift)
{
    return (pli_vec3){
        pli_multiplier(p, 0, slot, value.x, weight, drift.x),
        pli_multiplier(p, 1, slot, value.y, weight, drift.y),
        pli_multiplier(p, 2, slot, value.z, weight, drift.z),
    };
}

static void correct_along(const pli_projection *p, int32_t slot, const ring_stencil *r)
{
    float weight = 0.0f, s0 = r->rest[0], length = pli_length(r->sum), reach = pli_length(r->normal);
    pli_vec3 drift = {0}, value = r->sum;
    for (int32_t i = 0; i < r->count; i++) {
        float k = r->rest[1 + i];
        weight = weight + p->particles[r->members[i]].w * (k * k);
        drift = pli_add(drift, pli_scale(ring_moved(p, r->members[i]), k));
    }
    if (s0 != 0.0f && length > 0.0f)
        value = pli_sub(value, pli_scale(value, (pli_dot(value, r->normal) < 0.0f ? -s0 : s0) / length));
    else if (s0 != 0.0f)
        value = reach > 0.0f ? pli_scale(r->normal, -s0 / reach) : value;
    pli_vec3 change = multipliers(p, slot, value, weight, drift);
    for (int32_t i = 0; i < r->count; i++) {
        float scale = p->particles[r->members[i]].w * r->rest[1 + i];
        pli_move_one(p, r->members[i], change.x * scale, change.y * scale, change.z * scale);
    }
}

// The height over CONE, its gradients with respect to the members of the ring, and minus their sum, the gradient with respect to v.
typedef struct ring_height {
    pli_vec3 up, q, of_centre;
    float weight, drift, value;
} ring_height;

static pli_vec3 height_gradient(const ring_height *h, float k, pli_vec3 next, pli_vec3 before)
{
    return pli_scale(pli_add(pli_scale(h->up, k), pli_cross(pli_sub(next, before), h->q)), (float)(1.0 / CONE));
}

static void ring_add_gradient(ring_height *h, const pli_projection *p, int32_t particle, pli_vec3 g)
{
    h->weight = h->weight + p->particles[particle].w * pli_dot(g, g);
    h->drift = h->drift + pli_dot(g, ring_moved(p, particle));
}

static ring_height ring_height_of(const pli_projection *p, const ring_stencil *r)
{
    float per_reach = 1.0f / pli_length(r->normal);
    ring_height h = {.up = pli_scale(r->normal, per_reach)};
    float height = pli_dot(r->sum, h.up);
    h.q = pli_scale(pli_sub(r->sum, pli_scale(h.up, height)), per_reach);
    h.value = height * (float)(1.0 / CONE) - r->rest[0];
    for (int32_t i = 1; i < r->count; i++) {
        int32_t next = i + 1 < r->count ? i + 1 : 1, before = i > 1 ? i - 1 : r->count - 1;
        pli_vec3 g = height_gradient(&h, r->rest[1 + i], ring_position_of(p, r->members[next]),
                                     ring_position_of(p, r->members[before]));
        h.of_centre = pli_sub(h.of_centre, g);
        ring_add_gradient(&h, p, r->members[i], g);
    }
    ring_add_gradient(&h, p, r->members[0], h.of_centre);
    return h;
}

// The gradient of a member reads the places of its neighbours, so it is computed before any of them moves.
static void correct_across(const pli_projection *p, int32_t slot, const ring_stencil *r)
{
    ring_height h = ring_height_of(p, r);
    pli_vec3 value = pli_scale(h.up, h.value), drift = pli_scale(h.up, h.drift);
    float change = pli_dot(multipliers(p, slot, value, h.weight, drift), h.up);
    pli_vec3 first = ring_position_of(p, r->members[1]), before = ring_position_of(p, r->members[r->count - 1]),
             here = first;
    for (int32_t i = 1; i < r->count; i++) {
        pli_vec3 next = i + 1 < r->count ? ring_position_of(p, r->members[i + 1]) : first;
        pli_vec3 g = height_gradient(&h, r->rest[1 + i], next, before);
        float scale = p->particles[r->members[i]].w * change;
        pli_move_one(p, r->members[i], g.x * scale, g.y * scale, g.z * scale);
        before = here, here = next;
    }
    float scale = p->particles[r->members[0]].w * change;
    pli_move_one(p, r->members[0], h.of_centre.x * scale, h.of_centre.y * scale, h.of_centre.z * scale);
}

static void correct_ring(const pli_projection *p, int32_t slot)
{
    ring_stencil r = ring_at(p, slot);
    float height = fabsf(pli_dot(r.sum, r.normal));
    if (r.rest[0] != 0.0f && height < (float)CONE * pli_length(r.sum) * pli_length(r.normal))
        correct_across(p, slot, &r);
    else
        correct_along(p, slot, &r);
}

void pli_project_rings(const pli_projection *p, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++)
        correct_ring(p, pli_slot_in_order(p, begin, end, i));
}

#endif

static const pli_constraint_type ring_type = {
    .name = "ring_laplacian",
    .label = PLI_TEXT("Ring Laplacian"),
    .summary = PLI_TEXT(
        "Resists bending by the cotangent Laplacian of each closed one-ring; least sensitive to tessellation."),
    .formula = PLI_TEXT("C = sum K_j (x_j - x_v) (a vector; for curved rest shapes minus s0 along it)"),
    .source = PLI_TEXT("Wardetzky et al. 2007, Discrete Quadratic Curvature Energies"),
    .unit = "m",
    .generator = "rings",
    .dimension = 3,
    .rest_count = 1,
    .rest_per_particle = true,
    .bending = true,
    .parameters = ring_parameters,
    .parameter_count = sizeof ring_parameters / sizeof *ring_parameters,
    .rest = ring_rest,
    .evaluate = ring_evaluate,
    .compliance_scale = ring_compliance_scale,
};

const pli_constraint_row PLI_NAMED(pli_row_ring_laplacian) = PLI_ROW(ring_type, pli_project_rings, 0, 0);
