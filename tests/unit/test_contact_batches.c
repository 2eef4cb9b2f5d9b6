// Contact batches and the distance kernels for pairs (contact_kernels, pair_kernels): every back end against the scalar
// one, and that one against closed forms, momentum and points along the trajectories.
#include "../inside.h"
#include "../properties/property.h"

#include "collision/contacts/contact_kernels.h"
#include "collision/narrowphase/closest_points.h"
#include "collision/narrowphase/pair_kernels.h"

#include <string.h>

enum {
    BLOCKS = 5,
    CONTACTS = BLOCKS * PLI_CONTACT_LANES,
    PARTICLES = 4 * CONTACTS + 1,
    ITEMS = 21,
    ROUNDS = 40,
    TIMES = 9
};

static float any(float low, float high)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return low + (high - low) * (float)(state >> 40) * 0x1p-24f;
}

typedef struct pressed {
    pli_particle particles[PARTICLES], previous[PARTICLES], velocities[PARTICLES];
    pli_contact_block blocks[BLOCKS];
} pressed;

static pli_particle any_particle(float size, float w)
{
    return (pli_particle){any(-size, size), any(-size, size), any(-size, size), w};
}

// A vertex over a triangle or two edges, in any state; one lane in eight is empty.
static void any_contact(pressed *s, int32_t block, int32_t lane, float friction)
{
    pli_contact_block *b = &s->blocks[block];
    int32_t contact = block * PLI_CONTACT_LANES + lane, empty = any(0, 1) < 0.125f;
    float part = any(0, 1), other = any(0, 1), left = any(0, 1) * (1.0f - other);
    const float edges[4] = {part, 1.0f - part, -other, other - 1.0f};
    const float corners[4] = {1.0f, -other, -left, -(1.0f - other - left)};
    float x = any(-1, 1), y = any(-1, 1), z = any(-1, 1), length = sqrtf(x * x + y * y + z * z);
    b->contact[lane] = empty ? -1 : contact;
    for (int32_t k = 0; k < 4; k++) {
        int32_t at = empty ? PARTICLES - 1 : 4 * contact + k;
        b->at[k][lane] = at;
        b->weights[k][lane] = empty ? 0.0f : (contact % 2 ? edges : corners)[k];
        float w = empty || any(0, 1) < 0.2f ? 0.0f : any(0.5f, 3.0f);
        s->previous[at] = any_particle(0.01f, w);
        s->particles[at] = any_particle(0.01f, w);
        s->velocities[at] = any_particle(1.0f, w);
    }
    b->normal[0][lane] = x / length, b->normal[1][lane] = y / length, b->normal[2][lane] = z / length;
    b->depth[lane] = any(-0.005f, 0.02f);
    b->friction[lane] = friction;
    b->restitution[lane] = any(0, 1);
    b->approach[lane] = any(-1, 0.2f);
    b->normal_sum[lane] = b->friction_sum[lane] = b->restitution_impulse[lane] = 0.0f;
}

// Gives two thirds of the contacts forces of a substep before, with more friction than they may have in some.
static void any_forces(pressed *s)
{
    for (int32_t i = 0; i < CONTACTS; i++) {
        pli_contact_block *b = &s->blocks[i / PLI_CONTACT_LANES];
        const int32_t lane = i % PLI_CONTACT_LANES;
        float drag[3] = {any(-1, 1), any(-1, 1), any(-1, 1)}, along = 0.0f, square = 0.0f;
        if (i % 3 == 0 || b->contact[lane] < 0)
            continue;
        for (int32_t k = 0; k < 3; k++)
            along += drag[k] * b->normal[k][lane];
        b->normal_sum[lane] = any(0.0f, 0.02f);
        for (int32_t k = 0; k < 3; k++) {
            b->drag[k][lane] = 0.01f * (drag[k] - along * b->normal[k][lane]);
            square += b->drag[k][lane] * b->drag[k][lane];
        }
        b->friction_sum[lane] = sqrtf(square);
    }
}

static void any_contacts(pressed *s, float friction)
{
    memset(s, 0, sizeof *s);
    for (int32_t i = 0; i < BLOCKS; i++)
        for (int32_t lane = 0; lane < PLI_CONTACT_LANES; lane++)
            any_contact(s, i, lane, friction);
}

static void contact_batch(pressed *s, const pli_contact_batch_kernels *kernels, int32_t sweeps, bool forces_last)
{
    const pli_contact_arrays on = {s->particles, s->velocities, s->previous, 1.0f, true, false, forces_last};
    for (int32_t i = 0; i < sweeps; i++)
        kernels->project(&on, s->blocks, BLOCKS);
    kernels->rebound(&on, s->blocks, BLOCKS, 0.1f);
}

static void back_ends_press_alike(void **state)
{
    (void)state;
    static pressed start, one, other;
    for (int32_t round = 0; round < ROUNDS; round++) {
        any_contacts(&start, round % 2 ? 0.5f : 0.0f);
        if (round % 4 > 1)
            any_forces(&start);
        one = start;
        contact_batch(&one, inside_contact_kernels(PLI_SIMD_SCALAR), 3, round % 4 > 1);
        for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
            if (!pli_simd_available((pli_simd)simd))
                continue;
            other = start;
            contact_batch(&other, inside_contact_kernels((pli_simd)simd), 3, round % 4 > 1);
            assert_true(memcmp(&one, &other, sizeof one) == 0);
        }
    }
}

// How far the sides have come apart since the start of the substep.
static double apart(const pressed *s, const pli_contact_block *b, int32_t lane, const pli_particle *at)
{
    double sum = 0.0;
    for (int32_t k = 0; k < 4; k++) {
        const pli_particle *p = &at[b->at[k][lane]], *q = &s->previous[b->at[k][lane]];
        sum += (double)b->weights[k][lane] * ((double)b->normal[0][lane] * ((double)p->x - (double)q->x) +
                                              (double)b->normal[1][lane] * ((double)p->y - (double)q->y) +
                                              (double)b->normal[2][lane] * ((double)p->z - (double)q->z));
    }
    return sum;
}

static bool can_move(const pressed *s, const pli_contact_block *b, int32_t lane)
{
    for (int32_t k = 0; k < 4; k++)
        if (s->particles[b->at[k][lane]].w * fabsf(b->weights[k][lane]) > 0.05f)
            return true;
    return false;
}

// Without friction one sweep leaves exactly what is to be kept; what is further apart is left alone; and what held
// particles do not take is momentum of both sides.
static void one_sweep_keeps_the_distance(void **state)
{
    (void)state;
    static pressed s, before;
    int32_t pushed = 0, left = 0;
    for (int32_t round = 0; round < ROUNDS; round++) {
        any_contacts(&s, 0.0f);
        before = s;
        const pli_contact_arrays on = {s.particles, s.velocities, s.previous, 1.0f, true, false, false};
        inside_contact_kernels(PLI_SIMD_AUTO)->project(&on, s.blocks, BLOCKS);
        for (int32_t i = 0; i < CONTACTS; i++) {
            const pli_contact_block *b = &s.blocks[i / PLI_CONTACT_LANES];
            int32_t lane = i % PLI_CONTACT_LANES;
            if (b->contact[lane] < 0 || !can_move(&s, b, lane))
                continue;
            double gap = apart(&before, b, lane, before.particles) - (double)b->depth[lane];
            if (gap > 1e-7) {
                left++;
                holds(b->normal_sum[lane] == 0.0f &&
                          !memcmp(&s.particles[4 * i], &before.particles[4 * i], 4 * sizeof(pli_particle)),
                      "contact %d is %g too far and was moved", (int)i, gap);
            } else if (gap < -1e-7) {
                pushed++;
                double kept = apart(&s, b, lane, s.particles) - (double)b->depth[lane];
                holds(fabs(kept) < 2e-7, "contact %d keeps %g too much", (int)i, kept);
            }
        }
    }
    assert_true(pushed > 1000 && left > 500);
}

// Blocks of which all, some or no contacts are out of touch, at coordinates of a zero with either sign.
static void take_apart(pressed *s)
{
    for (int32_t i = 0; i < CONTACTS; i++) {
        pli_contact_block *b = &s->blocks[i / PLI_CONTACT_LANES];
        int32_t lane = i % PLI_CONTACT_LANES;
        float share = (float)(i / PLI_CONTACT_LANES) / (BLOCKS - 1);
        b->depth[lane] = any(0, 1) < share ? 1.0f : -1.0f;
        for (int32_t k = 0; k < 4; k++)
            s->particles[b->at[k][lane]].x = any(0, 1) < 0.5f ? -0.0f : s->particles[b->at[k][lane]].x;
    }
}

// Whatever shares their block, contacts that are out of touch leave their particles as they were, to the sign of a zero,
// with every back end; and those that are in touch push as they do beside others.
static void what_does_not_touch_stays(void **state)
{
    (void)state;
    static pressed start, one, other;
    int32_t left = 0, pushed = 0;
    for (int32_t round = 0; round < ROUNDS; round++) {
        any_contacts(&start, 0.5f);
        take_apart(&start);
        one = start;
        contact_batch(&one, inside_contact_kernels(PLI_SIMD_SCALAR), 2, false);
        for (int32_t i = 0; i < CONTACTS; i++) {
            const pli_contact_block *b = &start.blocks[i / PLI_CONTACT_LANES];
            int32_t lane = i % PLI_CONTACT_LANES;
            bool same = !memcmp(&one.particles[4 * i], &start.particles[4 * i], 4 * sizeof(pli_particle));
            if (b->contact[lane] < 0 || !can_move(&start, b, lane))
                continue;
            holds(same == (b->depth[lane] < 0.0f), "contact %d was %s", (int)i, same ? "left" : "moved");
            left += same, pushed += !same;
        }
        for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
            if (!pli_simd_available((pli_simd)simd))
                continue;
            other = start;
            contact_batch(&other, inside_contact_kernels((pli_simd)simd), 2, false);
            assert_true(memcmp(&one, &other, sizeof one) == 0);
        }
    }
    assert_true(left > 1000 && pushed > 500);
}

static void momentum_is_kept_with_friction(void **state)
{
    (void)state;
    static pressed s, before;
    for (int32_t round = 0; round < ROUNDS; round++) {
        any_contacts(&s, 0.7f);
        before = s;
        contact_batch(&s, inside_contact_kernels(PLI_SIMD_AUTO), 2, false);
        for (int32_t i = 0; i < CONTACTS; i++) {
            const pli_contact_block *b = &s.blocks[i / PLI_CONTACT_LANES];
            double sums[2] = {0.0, 0.0}, size = 0.0, free = 1.0;
            for (int32_t k = 0; k < 4; k++) {
                int32_t at = b->at[k][i % PLI_CONTACT_LANES];
                double w = (double)s.particles[at].w;
                free = w > 0.0 ? free : 0.0;
                sums[0] += w > 0.0 ? ((double)s.particles[at].x - (double)before.particles[at].x) / w : 0.0;
                sums[1] += w > 0.0 ? ((double)s.velocities[at].y - (double)before.velocities[at].y) / w : 0.0;
                size += w > 0.0 ? fabs((double)s.velocities[at].y - (double)before.velocities[at].y) / w : 0.0;
            }
            float rubbed = b->friction_sum[i % PLI_CONTACT_LANES],
                  push = b->normal_sum[i % PLI_CONTACT_LANES] +
                         fmaxf(b->restitution_impulse[i % PLI_CONTACT_LANES], 0.0f);
            holds(rubbed <= 0.7f * push * 1.00001f, "contact %d rubs %g of %g", (int)i, (double)rubbed, (double)push);
            holds(free == 0.0 || (fabs(sums[0]) < 1e-7 && fabs(sums[1]) < 1e-6 * (1.0 + size)),
                  "contact %d has %g kg m and %g kg m/s more", (int)i, sums[0], sums[1]);
        }
    }
}

// Contacts that begin with forces push, rub with at most the friction of their load, give way where nothing loads them, and hold what
// they are able to hold: then no slip is left.
static void forces_that_last_are_those_of_coulomb(void **state)
{
    (void)state;
    static pressed s, before;
    int32_t held = 0, slid = 0, let_go = 0;
    for (int32_t round = 0; round < ROUNDS; round++) {
        any_contacts(&s, 0.7f);
        any_forces(&s);
        before = s;
        const pli_contact_arrays on = {s.particles, s.velocities, s.previous, 1.0f, true, false, true};
        inside_contact_kernels(PLI_SIMD_AUTO)->project(&on, s.blocks, BLOCKS);
        for (int32_t i = 0; i < CONTACTS; i++) {
            const int32_t lane = i % PLI_CONTACT_LANES;
            const pli_contact_block *b = &s.blocks[i / PLI_CONTACT_LANES];
            if (b->contact[lane] < 0 || !can_move(&s, b, lane))
                continue;
            double normal = (double)b->normal_sum[lane], drag = 0.0, slip = 0.0, gap = -(double)b->depth[lane];
            gap += apart(&s, b, lane, s.particles);
            for (int32_t axis = 0; axis < 3; axis++) {
                double moved = 0.0, momentum = 0.0, size = 0.0;
                const double n = (double)b->normal[axis][lane];
                for (int32_t k = 0; k < 4; k++) {
                    const int32_t at = b->at[k][lane];
                    const float *p = &s.particles[at].x, *q = &s.previous[at].x, *r = &before.particles[at].x;
                    const double w = (double)s.particles[at].w, by = (double)p[axis] - (double)r[axis];
                    moved += (double)b->weights[k][lane] * ((double)p[axis] - (double)q[axis]);
                    momentum += w > 0.0 ? by / w : INFINITY, size += w > 0.0 ? fabs(by) / w : 0.0;
                }
                holds(isinf(momentum) || fabs(momentum) < 1e-7 + 1e-5 * size, "contact %d gives %g kg m", (int)i,
                      momentum);
                const double along = moved - n * apart(&s, b, lane, s.particles);
                slip += along * along, drag += (double)b->drag[axis][lane] * (double)b->drag[axis][lane];
            }
            drag = sqrt(drag), slip = sqrt(slip);
            holds(normal >= 0.0 && drag <= 0.7 * normal * 1.00001 + 1e-9, "contact %d: %g with %g", (int)i, drag,
                  normal);
            holds(fabs(gap) < 1e-6 || (gap > 0.0 && normal == 0.0), "contact %d bears %g at %g", (int)i, normal, gap);
            holds(drag >= 0.6999 * normal || slip < 1e-6, "contact %d slips by %g with %g of %g", (int)i, slip, drag,
                  normal);
            held += normal > 0.0 && drag<0.6999 * normal, slid += normal> 0.0 && drag > 0.6999 * normal;
            let_go += before.blocks[i / PLI_CONTACT_LANES].normal_sum[lane] > 0.0f && normal == 0.0;
        }
    }
    assert_true(held > 200 && slid > 200 && let_go > 60);
}

// Primitives of a kind on their trajectories between ages of 0 and 1: contiguous corners, their boxes, and padding
// behind these to read.
typedef struct items {
    pli_particle starts[3 * ITEMS], steps[3 * ITEMS];
    float values[PLI_NEAR_ROWS * ITEMS + PLI_NEAR_CAPACITY];
    int32_t corners;
    pli_near_items view;
} items;

static void widen(items *s, int32_t i, int32_t end, const float at[3])
{
    for (int32_t axis = 0; axis < 3; axis++) {
        float *low = &s->values[(PLI_NEAR_END * end + PLI_NEAR_LOW + axis) * s->view.count + i];
        float *high = &s->values[(PLI_NEAR_END * end + PLI_NEAR_HIGH + axis) * s->view.count + i];
        *low = fminf(*low, at[axis]), *high = fmaxf(*high, at[axis]);
    }
}

static void any_items(items *s, int32_t corners, int32_t count)
{
    s->corners = corners;
    s->view = (pli_near_items){s->values, count};
    for (int32_t k = 0; k < PLI_NEAR_ROWS * count; k++)
        s->values[k] = k / count % PLI_NEAR_END < PLI_NEAR_HIGH ? INFINITY : -INFINITY;
    for (int32_t i = 0; i < count; i++) {
        pli_particle from = any_particle(0.06f, 1.0f), to = any_particle(0.06f, 1.0f);
        for (int32_t c = 0; c < corners; c++) {
            pli_particle a = any_particle(0.015f, 1.0f), b = any_particle(0.015f, 1.0f);
            a.x += from.x, a.y += from.y, a.z += from.z;
            b.x += to.x - a.x, b.y += to.y - a.y, b.z += to.z - a.z;
            s->starts[corners * i + c] = a, s->steps[corners * i + c] = b;
            widen(s, i, 0, (float[3]){a.x, a.y, a.z});
            widen(s, i, 1, (float[3]){a.x + b.x, a.y + b.y, a.z + b.z});
        }
    }
}

static pli_dvec3 corner_at(const items *s, int32_t i, int32_t corner, double time)
{
    pli_particle from = s->starts[s->corners * i + corner], step = s->steps[s->corners * i + corner];
    return (pli_dvec3){(double)from.x + time * (double)step.x, (double)from.y + time * (double)step.y,
                       (double)from.z + time * (double)step.z};
}

// The least distance of two items at times along their trajectories.
static double least_distance(const items *a, int32_t i, const items *b, int32_t k)
{
    double least = INFINITY;
    for (int32_t time = 0; time < TIMES; time++) {
        pli_dvec3 at[4];
        for (int32_t c = 0; c < 4; c++)
            at[c] = c < a->corners ? corner_at(a, i, c, (double)time / (TIMES - 1))
                                   : corner_at(b, k, c - a->corners, (double)time / (TIMES - 1));
        pli_pair_kind kind = a->corners == 1 ? PLI_PAIR_VERTEX_TRIANGLE : PLI_PAIR_EDGE_EDGE;
        least = fmin(least, sqrt(pli_closest_points(kind, at).square));
    }
    return least;
}

// Gaps of one item to all others, by the kernels of a back end. Blocks have lanes to spare.
static void measure_gap(pli_simd simd, const items *a, int32_t i, const items *b, pli_near_pairs blocks[2])
{
    pli_particle starts[2 + 3 * ITEMS] = {{0}}, steps[2 + 3 * ITEMS] = {{0}};
    const pli_near_trajectories trajectories = {starts, steps};
    const float ages[2] = {0.0f, 1.0f};
    for (int32_t c = 0; c < a->corners; c++)
        starts[c] = a->starts[a->corners * i + c], steps[c] = a->steps[a->corners * i + c];
    memcpy(starts + 2, b->starts, sizeof b->starts);
    memcpy(steps + 2, b->steps, sizeof b->steps);
    for (int32_t k = 0; k < 2 * PLI_NEAR_LANES; k++)
        for (int32_t c = 0; c < 4; c++)
            blocks[k / PLI_NEAR_LANES].at[c][k % PLI_NEAR_LANES] =
                c < a->corners ? c : 2 + (k < b->view.count ? b->corners * k : 0) + c - a->corners;
    const pli_near_kernels *kernels = inside_pair_kernels(simd);
    (a->corners == 2 ? kernels->edge_edges : kernels->vertex_triangles)(&trajectories, ages, blocks, 2);
}

// Pairs culled by their boxes are further apart than the limit at all times, and the reported gaps are no more than the
// distances.
static void gaps_are_no_more_than_distances(void **state)
{
    (void)state;
    static items a, b;
    const float most = 0.02f;
    int32_t far = 0, near = 0, known = 0;
    for (int32_t round = 0; round < ROUNDS; round++) {
        int32_t edges = round % 2;
        any_items(&a, edges ? 2 : 1, 1 + round % ITEMS);
        any_items(&b, edges ? 2 : 3, 1 + (5 * round) % ITEMS);
        uint32_t all_found[PLI_NEAR_CAPACITY];
        const pli_near_box all = {{{-100.0f, -100.0f, -100.0f}, {100.0f, 100.0f, 100.0f}},
                                  {{-100.0f, -100.0f, -100.0f}, {100.0f, 100.0f, 100.0f}}};
        assert_int_equal(inside_pair_kernels(PLI_SIMD_AUTO)->meet(&a.view, &all, &b.view, most, all_found),
                         (1u << a.view.count) - 1);
        for (int32_t i = 0; i < a.view.count; i++) {
            pli_near_pairs blocks[2];
            uint32_t found = all_found[i];
            assert_int_equal(found >> b.view.count, 0);
            measure_gap(PLI_SIMD_AUTO, &a, i, &b, blocks);
            for (int32_t k = 0; k < b.view.count; k++) {
                double distance = least_distance(&a, i, &b, k);
                double gap = (double)blocks[k / PLI_NEAR_LANES].gap[k % PLI_NEAR_LANES];
                bool is_found = found >> k & 1;
                far += !is_found, near += is_found, known += gap > 0.5 * distance;
                holds(is_found || distance > (double)most * 0.999, "left out at %g", distance);
                holds(gap <= distance + 1e-6, "a gap of %g at %g", gap, distance);
            }
        }
    }
    assert_true(far > 1000 && near > 500 && known > 1000);
}

// A pair that stands still is found with its distance: a direction that is not that of the closest points would keep pairs in the
// list that are far apart.
static void gaps_of_what_rests_are_distances(void **state)
{
    (void)state;
    static items a, b;
    int32_t count = 0;
    for (int32_t round = 0; round < ROUNDS; round++) {
        int32_t edges = round % 2;
        any_items(&a, edges ? 2 : 1, 1 + round % ITEMS);
        any_items(&b, edges ? 2 : 3, 1 + (5 * round) % ITEMS);
        memset(a.steps, 0, sizeof a.steps);
        memset(b.steps, 0, sizeof b.steps);
        for (int32_t i = 0; i < a.view.count; i++) {
            pli_near_pairs blocks[2];
            measure_gap(PLI_SIMD_AUTO, &a, i, &b, blocks);
            for (int32_t k = 0; k < b.view.count; k++) {
                double distance = least_distance(&a, i, &b, k);
                double gap = (double)blocks[k / PLI_NEAR_LANES].gap[k % PLI_NEAR_LANES];
                holds(gap >= 0.99 * distance - 1e-5, "a gap of %g at %g", gap, distance);
                count++;
            }
        }
    }
    assert_true(count > 1000);
}

static void back_ends_look_alike(void **state)
{
    (void)state;
    static items a, b;
    for (int32_t round = 0; round < ROUNDS; round++) {
        any_items(&a, 1 + round % 2, 1 + round % ITEMS);
        any_items(&b, 3 - round % 2, 1 + (3 * round) % ITEMS);
        const pli_near_box box = {{{-0.01f, -0.02f, -0.03f}, {0.02f, 0.02f, 0.02f}},
                                  {{0.0f, -0.02f, -0.03f}, {0.03f, 0.02f, 0.01f}}};
        const pli_near_kernels *scalar = inside_pair_kernels(PLI_SIMD_SCALAR);
        for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
            if (!pli_simd_available((pli_simd)simd))
                continue;
            const pli_near_kernels *other_kernels = inside_pair_kernels((pli_simd)simd);
            uint32_t found[2][PLI_NEAR_CAPACITY] = {{0}}; // Places of items that do not meet the box stay as they are.
            assert_int_equal(other_kernels->meet(&a.view, &box, &b.view, 0.02f, found[1]),
                             scalar->meet(&a.view, &box, &b.view, 0.02f, found[0]));
            assert_memory_equal(found[0], found[1], sizeof found[0]);
            for (int32_t i = 0; i < a.view.count; i++) {
                pli_near_pairs one[2], other[2];
                measure_gap(PLI_SIMD_SCALAR, &a, i, &b, one);
                measure_gap((pli_simd)simd, &a, i, &b, other);
                assert_memory_equal(one, other, sizeof one);
            }
        }
    }
}

// Items that meet a box at any of some times on the way are found, and what is on one side of it is not.
static void what_meets_a_box_is_found(void **state)
{
    (void)state;
    static items a;
    int32_t inside = 0, found = 0;
    const pli_near_box box = {{{-0.02f, -0.02f, -0.02f}, {0.02f, 0.02f, 0.02f}},
                              {{-0.02f, -0.02f, -0.02f}, {0.02f, 0.02f, 0.02f}}};
    for (int32_t round = 0; round < ROUNDS; round++) {
        any_items(&a, 1, ITEMS);
        uint32_t others[PLI_NEAR_CAPACITY];
        uint32_t bits = inside_pair_kernels(PLI_SIMD_AUTO)->meet(&a.view, &box, &a.view, 0.0f, others);
        for (int32_t i = 0; i < ITEMS; i++) {
            bool meets = false, is_found = bits >> i & 1u;
            for (int32_t time = 0; time < TIMES; time++) {
                pli_dvec3 p = corner_at(&a, i, 0, (double)time / (TIMES - 1));
                meets = meets || (fabs(p.x) < 0.0199 && fabs(p.y) < 0.0199 && fabs(p.z) < 0.0199);
            }
            inside += meets, found += is_found;
            holds(!meets || is_found, "item %d is in the box and was not found", (int)i);
        }
    }
    assert_true(inside > 20 && found < ROUNDS * ITEMS / 2);
}

static void strays_are_measured(void **state)
{
    (void)state;
    enum { COUNT = 53 };
    pli_particle at[2][COUNT], starts[COUNT], steps[COUNT];
    for (int32_t round = 0; round < ROUNDS; round++) {
        int32_t count = 1 + round % COUNT;
        float age = any(0, 20), squares[COUNT + 1], others[COUNT + 1];
        double off[COUNT] = {0.0}, most = 0.0;
        for (int32_t i = 0; i < count; i++) {
            starts[i] = any_particle(1.0f, 1.0f), steps[i] = any_particle(0.01f, 0.0f);
            for (int32_t end = 0; end < 2; end++) {
                pli_particle by = any_particle(0.01f, 0.0f);
                float later = age + (float)end;
                at[end][i] = (pli_particle){starts[i].x + later * steps[i].x + by.x,
                                            starts[i].y + later * steps[i].y + by.y,
                                            starts[i].z + later * steps[i].z + by.z, 1.0f};
                off[i] = fmax(off[i], sqrt((double)by.x * (double)by.x + (double)by.y * (double)by.y +
                                           (double)by.z * (double)by.z));
            }
            most = fmax(most, off[i]);
        }
        const pli_near_trajectories trajectories = {starts, steps};
        squares[count] = others[count] = 7.0f;
        float scalar =
            inside_pair_kernels(PLI_SIMD_SCALAR)->squared_deviations(at[0], at[1], &trajectories, age, count, squares);
        holds(fabs(sqrt((double)scalar) - most) < 1e-6, "%g instead of %g", sqrt((double)scalar), most);
        for (int32_t i = 0; i < count; i++)
            holds(fabs(sqrt((double)squares[i]) - off[i]) < 1e-6, "%g instead of %g", sqrt((double)squares[i]), off[i]);
        for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
            if (!pli_simd_available((pli_simd)simd))
                continue;
            const pli_near_kernels *near = inside_pair_kernels((pli_simd)simd);
            assert_true(near->squared_deviations(at[0], at[1], &trajectories, age, count, others) == scalar);
            assert_true(near->largest_deviation(at[0], at[1], &trajectories, age, count) == scalar);
            assert_memory_equal(squares, others, (size_t)(count + 1) * sizeof *squares);
        }
    }
}

// Particles beyond a limit are found in every lane, and inverse masses are not taken for coordinates.
static void limits_are_found_in_every_lane(void **state)
{
    (void)state;
    enum { COUNT = 21 };
    const float beyond[] = {2.0f, -2.0f, INFINITY, -INFINITY, NAN};
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
        if (!pli_simd_available((pli_simd)simd))
            continue;
        const pli_near_kernels *near = inside_pair_kernels((pli_simd)simd);
        for (int32_t count = 1; count <= COUNT; count++)
            for (int32_t i = 0; i < 4 * COUNT; i++) {
                pli_particle at[COUNT];
                for (int32_t k = 0; k < COUNT; k++)
                    at[k] = (pli_particle){-0.9f, 0.9f, 0.0f, k % 2 ? 7.0f : NAN};
                for (size_t b = 0; b < sizeof beyond / sizeof *beyond; b++) {
                    (&at[i / 4].x)[i % 4] = beyond[b];
                    assert_true(near->are_within(at, count, 1.0f) == (i % 4 == 3 || i / 4 >= count));
                }
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(back_ends_press_alike, checks_begin, checks_end),
        cmocka_unit_test_setup_teardown(one_sweep_keeps_the_distance, checks_begin, checks_end),
        cmocka_unit_test_setup_teardown(what_does_not_touch_stays, checks_begin, checks_end),
        cmocka_unit_test_setup_teardown(momentum_is_kept_with_friction, checks_begin, checks_end),
        cmocka_unit_test_setup_teardown(forces_that_last_are_those_of_coulomb, checks_begin, checks_end),
        cmocka_unit_test_setup_teardown(gaps_are_no_more_than_distances, checks_begin, checks_end),
        cmocka_unit_test_setup_teardown(gaps_of_what_rests_are_distances, checks_begin, checks_end),
        cmocka_unit_test_setup_teardown(back_ends_look_alike, checks_begin, checks_end),
        cmocka_unit_test_setup_teardown(what_meets_a_box_is_found, checks_begin, checks_end),
        cmocka_unit_test_setup_teardown(strays_are_measured, checks_begin, checks_end),
        cmocka_unit_test_setup_teardown(limits_are_found_in_every_lane, checks_begin, checks_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
