// Bending by the vertex-ring Laplacian: cotangent weights of the rest shape on a closed one-ring.
//
//   Wardetzky et al. 2007, Discrete Quadratic Curvature Energies, in position-based form; measured
//   least dependent on the mesh of all models here (docs/errata.md, bending energy).
//   s = sum K_j (x_j - x_v), E = (B/2) |s|^2 / A_v. Of a curved rest shape s has a height h0 along the ring's normal n
//   and a length t0 across it, and C is its distance from the circle about n of all places that have both: for t0 = 0,
//   where the ring is regular, the |s - s0 n/|n|| of linear_form.h, which says why it has no sign.
//
//        x1 -- x0
//       /  \   / \.       K_j = cotangents of the two angles opposite to the edge v - x_j
//     x2 --- v -- x4
//       \   /  /
//         x3
//
// Particles: v, then its ring in order. Rest values: h0, t0, then K of every particle. Rings differ in
// size, so the kernel is plain in every back end.
#include "base/vector.h"
#include "constraints/kernel.h"

// Rest lengths below this share of the weighted ring are flat to rounding.
#define FLAT 1e-5
enum { HEIGHT = 0, ACROSS = 1, WEIGHTS = 2 };

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

// The normal and, of s, the height along it and the direction and length across it.
typedef struct ring_parts {
    pli_dvec3 up, side;
    double reach, height, across;
} ring_parts;

static ring_parts ring_parts_of(const pli_stencil *s, pli_dvec3 sum)
{
    pli_dvec3 normal = ring_normal(s);
    ring_parts r = {.reach = pli_dlength(normal)};
    r.up = pli_dscale(normal, r.reach > 0.0 ? 1.0 / r.reach : 0.0);
    r.height = pli_ddot(sum, r.up);
    r.side = pli_dsub(sum, pli_dscale(r.up, r.height));
    r.across = pli_dlength(r.side);
    r.side = pli_dscale(r.side, r.across > 0.0 ? 1.0 / r.across : 0.0);
    return r;
}

static bool rest(const pli_stencil *s, float *rest_values)
{
    float *weights = rest_values + WEIGHTS;
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
    ring_parts r = ring_parts_of(s, sum);
    bool is_curved = pli_dlength(sum) > FLAT * size;
    // A height of 0 would stand for a flat rest shape.
    rest_values[HEIGHT] = is_curved ? (float)copysign(fmax(fabs(r.height), 1e-30), r.height) : 0.0f;
    rest_values[ACROSS] = is_curved ? (float)r.across : 0.0f;
    return true;
}

// Gradients of the distance from the circle: those of s along it with the normal fixed, and q . dn.
static void curved_gradients(const pli_stencil *s, pli_dvec3 along, pli_dvec3 q, double *gradients)
{
    const double axes[3] = {along.x, along.y, along.z};
    pli_dvec3 total = {0};
    for (int32_t i = s->count - 1; i >= 0; i--) {
        int32_t next = i + 1 < s->count ? i + 1 : 1, before = i > 1 ? i - 1 : s->count - 1;
        pli_dvec3 across = pli_dsub(pli_dmake(s->positions[next]), pli_dmake(s->positions[before]));
        pli_dvec3 g = pli_dadd(pli_dscale(along, (double)s->rest[WEIGHTS + i]), pli_dcross(across, q));
        g = i > 0 ? g : pli_dscale(total, -1.0);
        total = pli_dadd(total, g);
        for (int32_t d = 0; d < 3; d++) {
            double *row = gradients + 3 * (d * s->count + i);
            row[0] = axes[d] * g.x, row[1] = axes[d] * g.y, row[2] = axes[d] * g.z;
        }
    }
}

static void evaluate(const pli_stencil *s, double *values, double *gradients)
{
    const float *weights = s->rest + WEIGHTS;
    pli_dvec3 value = ring_sum(s, weights);
    double height = (double)s->rest[HEIGHT], across = (double)s->rest[ACROSS];
    ring_parts r = ring_parts_of(s, value);
    value = pli_dsub(value, pli_dadd(pli_dscale(r.up, height), pli_dscale(r.side, across)));
    double length = pli_dlength(value);
    values[0] = value.x, values[1] = value.y, values[2] = value.z;
    if (gradients && height != 0.0 && length > 0.0) {
        double turning = r.reach > 0.0 ? (across * r.height - height * r.across) / (length * r.reach) : 0.0;
        curved_gradients(s, pli_dscale(value, 1.0 / length), pli_dscale(r.side, turning), gradients);
        return;
    }
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

typedef struct ring {
    const int32_t *members;
    const float *rest, *weights;
    int32_t count;
    pli_vec3 sum, normal;
} ring;

static ring ring_at(const pli_projection *p, int32_t slot)
{
    pli_span span = p->variable.member_spans[slot];
    ring r = {.members = p->variable.members + span.begin,
              .rest = p->variable.rest + p->variable.rest_spans[slot].begin,
              .count = span.end - span.begin};
    r.weights = r.rest + WEIGHTS;
    pli_vec3 v = position_of(p, r.members[0]), before = pli_sub(position_of(p, r.members[r.count - 1]), v);
    for (int32_t i = 1; i < r.count; i++) {
        pli_vec3 side = pli_sub(position_of(p, r.members[i]), v);
        r.sum = pli_add(r.sum, pli_scale(side, r.weights[i]));
        r.normal = pli_add(r.normal, pli_cross(before, side));
        before = side;
    }
    return r;
}

static pli_vec3 moved(const pli_projection *p, int32_t particle)
{
    const pli_particle *before = &p->previous[particle];
    return pli_sub(position_of(p, particle), (pli_vec3){before->x, before->y, before->z});
}

static pli_vec3 multipliers(const pli_projection *p, int32_t slot, pli_vec3 value, float weight, pli_vec3 drift)
{
    return (pli_vec3){
        pli_multiplier(p, 0, slot, value.x, weight, drift.x),
        pli_multiplier(p, 1, slot, value.y, weight, drift.y),
        pli_multiplier(p, 2, slot, value.z, weight, drift.z),
    };
}

static void correct_flat(const pli_projection *p, int32_t slot, const ring *r)
{
    float weight = 0.0f;
    pli_vec3 drift = {0};
    for (int32_t i = 0; i < r->count; i++) {
        float k = r->weights[i];
        weight = weight + p->particles[r->members[i]].w * (k * k);
        drift = pli_add(drift, pli_scale(moved(p, r->members[i]), k));
    }
    pli_vec3 change = multipliers(p, slot, r->sum, weight, drift);
    for (int32_t i = 0; i < r->count; i++) {
        float scale = p->particles[r->members[i]].w * r->weights[i];
        pli_move_one(p, r->members[i], change.x * scale, change.y * scale, change.z * scale);
    }
}

// The way from the circle to s, its direction, and minus the sum of the gradients by the ring, that by v.
typedef struct ring_distance {
    pli_vec3 value, along, q, of_centre;
    float weight, drift;
} ring_distance;

static pli_vec3 distance_gradient(const ring_distance *c, float k, pli_vec3 next, pli_vec3 before)
{
    return pli_add(pli_scale(c->along, k), pli_cross(pli_sub(next, before), c->q));
}

static void add_gradient(ring_distance *c, const pli_projection *p, int32_t particle, pli_vec3 g)
{
    c->weight = c->weight + p->particles[particle].w * pli_dot(g, g);
    c->drift = c->drift + pli_dot(g, moved(p, particle));
}

static ring_distance distance_of(const pli_projection *p, const ring *r)
{
    float reach = pli_length(r->normal), h0 = r->rest[HEIGHT], t0 = r->rest[ACROSS];
    pli_vec3 up = pli_scale(r->normal, reach > 0.0f ? 1.0f / reach : 0.0f);
    float height = pli_dot(r->sum, up);
    pli_vec3 side = pli_sub(r->sum, pli_scale(up, height));
    float across = pli_length(side);
    side = pli_scale(side, across > 0.0f ? 1.0f / across : 0.0f);
    ring_distance c = {.value = pli_add(pli_scale(up, height - h0), pli_scale(side, across - t0))};
    float length = pli_length(c.value);
    c.along = pli_scale(c.value, length > 0.0f ? 1.0f / length : 0.0f);
    c.q = pli_scale(side, length > 0.0f && reach > 0.0f ? (t0 * height - h0 * across) / (length * reach) : 0.0f);
    for (int32_t i = 1; i < r->count; i++) {
        int32_t next = i + 1 < r->count ? i + 1 : 1, before = i > 1 ? i - 1 : r->count - 1;
        pli_vec3 g = distance_gradient(&c, r->weights[i], position_of(p, r->members[next]),
                                       position_of(p, r->members[before]));
        c.of_centre = pli_sub(c.of_centre, g);
        add_gradient(&c, p, r->members[i], g);
    }
    add_gradient(&c, p, r->members[0], c.of_centre);
    return c;
}

// The gradient by a member holds the places of its neighbours before any of them moves.
static void correct_curved(const pli_projection *p, int32_t slot, const ring *r)
{
    ring_distance c = distance_of(p, r);
    float change = pli_dot(multipliers(p, slot, c.value, c.weight, pli_scale(c.along, c.drift)), c.along);
    pli_vec3 first = position_of(p, r->members[1]), before = position_of(p, r->members[r->count - 1]), here = first;
    for (int32_t i = 1; i < r->count; i++) {
        pli_vec3 next = i + 1 < r->count ? position_of(p, r->members[i + 1]) : first;
        pli_vec3 g = distance_gradient(&c, r->weights[i], next, before);
        float scale = p->particles[r->members[i]].w * change;
        pli_move_one(p, r->members[i], g.x * scale, g.y * scale, g.z * scale);
        before = here, here = next;
    }
    float scale = p->particles[r->members[0]].w * change;
    pli_move_one(p, r->members[0], c.of_centre.x * scale, c.of_centre.y * scale, c.of_centre.z * scale);
}

static void correct_ring(const pli_projection *p, int32_t slot)
{
    ring r = ring_at(p, slot);
    if (r.rest[HEIGHT] != 0.0f)
        correct_curved(p, slot, &r);
    else
        correct_flat(p, slot, &r);
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
    .formula =
        "C = sum K_j (x_j - x_v) (a vector; for curved rest shapes minus its rest value, which turns with the ring)",
    .source = "Wardetzky et al. 2007, Discrete Quadratic Curvature Energies",
    .unit = "m",
    .generator = "rings",
    .dimension = 3,
    .rest_count = 2,
    .rest_per_particle = true,
    .bending = true,
    .rest = rest,
    .evaluate = evaluate,
    .compliance_scale = compliance_scale,
};

const pli_constraint_row PLI_NAMED(pli_row_ring_laplacian) = {&type, pli_project_rings, 0};
