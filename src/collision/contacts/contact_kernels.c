// SIMD kernels of contacts: the same arithmetic as the scalar solver (contact_solve.c), without rigid bodies; and the arithmetic of
// persistent forces.
#include "collision/contacts/contact_kernels.h"

static inline wide_particle contact_load(const pli_particle *from, const int32_t *at)
{
    wide_particle p;
    wide_load_particles(from, at, &p.x.x, &p.x.y, &p.x.z, &p.w);
    return p;
}

// Blocks of a colour run on several threads and share fixed particles, including the dummy; these are therefore not stored.
WIDE_SELDOM void store_at(pli_particle *to, const int32_t *at, wide_particle p, wide mass)
{
    pli_particle row[WIDE];
    wide_store_row(row, p.x, p.w);
    for (uint32_t left = wide_bits(wide_less(wide_set(0.0f), mass)); left; left &= left - 1)
        to[at[__builtin_ctz(left)]] = row[__builtin_ctz(left)];
}

static inline wide3 load_rows(float rows[3][PLI_CONTACT_LANES], int32_t lane)
{
    return (wide3){wide_load(rows[0] + lane), wide_load(rows[1] + lane), wide_load(rows[2] + lane)};
}

static inline void store_rows(float rows[3][PLI_CONTACT_LANES], int32_t lane, wide3 a)
{
    wide_store(rows[0] + lane, a.x), wide_store(rows[1] + lane, a.y), wide_store(rows[2] + lane, a.z);
}

// Displacement of side a relative to side b since the start of the substep. The differences per particle are exact at
// any position; differences of weighted sums would round differently in each state.
static inline wide3 contact_displaced(const wide_particle at[4], const wide_particle before[4], const wide weights[4])
{
    wide3 sum = wide3_scale(wide3_sub(at[0].x, before[0].x), weights[0]);
    for (int k = 1; k < 4; k++)
        sum = wide3_add_scaled(sum, wide3_sub(at[k].x, before[k].x), weights[k]);
    return sum;
}

// Sum of w * weight^2: the inverse mass against an impulse along any direction [1/kg].
static inline wide contact_inverse_mass(const wide_particle at[4], const wide weights[4])
{
    wide sum = at[0].w * weights[0] * weights[0];
    for (int k = 1; k < 4; k++)
        sum = sum + at[k].w * weights[k] * weights[k];
    return sum;
}

// Rounding removes a part of each displacement. The part is kept for the velocities: friction in short substeps is a
// few units in the last place.
WIDE_SELDOM void contact_move(wide_mask lanes, wide_particle at[4], wide3 lost[4], const wide weights[4], wide3 push)
{
    for (int k = 0; k < 4; k++) {
        wide3 contact_move = wide3_scale(push, at[k].w * weights[k]), to = wide3_add(at[k].x, contact_move);
        wide3 off = wide3_sub(contact_move, wide3_sub(to, at[k].x));
        lost[k] = wide3_select(lanes, wide3_add(lost[k], off), lost[k]);
        at[k].x = wide3_select(lanes, to, at[k].x);
    }
}

// Coulomb friction on positions: an impulse of at most friction times the normal impulse undoes slip since the start of
// the substep. Mueller et al. 2020, Detailed Rigid Body Simulation with Extended Position Based Dynamics, section 3.5.
static inline wide contact_apply_friction(wide_mask lanes, wide_particle at[4], wide3 lost[4],
                                          const wide_particle before[4], const wide weights[4], wide3 normal,
                                          wide inverse_mass, wide limit, wide *slips)
{
    wide3 slip = contact_displaced(at, before, weights);
    wide3 along = wide3_sub(slip, wide3_scale(normal, wide3_dot(slip, normal)));
    wide length = wide3_length(along), zero = wide_set(0.0f);
    lanes = wide_and(lanes, wide_less(zero, length));
    wide held = length / inverse_mass;
    *slips = wide_select(wide_and(lanes, wide_less(limit, held)), wide_set(1.0f), zero);
    lanes = wide_and(lanes, wide_less(zero, limit));
    wide push = wide_select(lanes, wide_min(held, limit), zero);
    wide3 direction = wide3_scale(along, wide_inverse_above(length, 0.0f));
    contact_move(lanes, at, lost, weights, wide3_scale(direction, -push));
    return push;
}

// Friction for contacts that start from the forces of the previous substep. It is a vector here, which turns with the slip.
static inline void contact_follow_friction(wide_mask lanes, wide_particle at[4], wide3 lost[4],
                                           const wide_particle before[4], const wide weights[4], wide3 normal,
                                           wide inverse_mass, wide limit, pli_contact_block *b, int32_t lane,
                                           wide *slips)
{
    wide3 slip = contact_displaced(at, before, weights), drag = load_rows(b->drag, lane);
    wide3 along = wide3_sub(slip, wide3_scale(normal, wide3_dot(slip, normal)));
    wide3 stopped = wide3_add_scaled(drag, along, -wide_set(1.0f) / inverse_mass);
    wide length = wide3_length(stopped), zero = wide_set(0.0f);
    limit = wide_max(limit, zero);
    wide_mask beyond = wide_less(limit, length);
    wide scale = wide_select(beyond, limit * wide_inverse_above(length, 0.0f), wide_set(1.0f));
    *slips = wide_select(beyond, wide_set(1.0f), zero);
    wide3 now = wide3_scale(stopped, scale);
    contact_move(lanes, at, lost, weights, wide3_sub(now, drag));
    store_rows(b->drag, lane, wide3_select(lanes, now, drag));
    wide_store(b->friction_sum + lane, wide_select(lanes, wide3_length(now), wide_load(b->friction_sum + lane)));
}

// Is any of these contacts pushed, or has any pushed in this substep? The others change nothing, not even the sign of a
// zero, so skipping them does not depend on the number of lanes.
static inline wide_mask acts(wide depth, wide pushed)
{
    wide zero = wide_set(0.0f);
    return wide_or(wide_less(zero, depth), wide_less(zero, pushed));
}

// A contact that others have pushed beyond its distance gives back the part of its own impulse that friction has not used.
static inline void push_lanes(const pli_contact_arrays *on, pli_contact_block *b, int32_t lane, wide_mask acting,
                              wide_particle at[4], const wide_particle before[4], const wide weights[4], wide3 normal,
                              wide depth)
{
    wide3 lost[4];
    wide zero = wide_set(0.0f), inverse_mass = contact_inverse_mass(at, weights);
    for (int k = 0; k < 4; k++)
        lost[k] = load_rows(b->lost[k], lane);
    wide_mask movable = wide_and(acting, wide_less(zero, inverse_mass));
    inverse_mass = wide_select(movable, inverse_mass, wide_set(1.0f));
    wide friction = wide_load(b->friction + lane), friction_sum = wide_load(b->friction_sum + lane);
    wide pushed = wide_load(b->normal_sum + lane), spare = pushed;
    if (!on->warm_started)
        spare = pushed - friction_sum * wide_inverse_above(friction, 0.0f);
    wide push = wide_select(movable, wide_max(depth / inverse_mass, -wide_max(spare, zero)), zero),
         normal_sum = pushed + push;
    contact_move(movable, at, lost, weights, wide3_scale(normal, push));
    wide_store(b->normal_sum + lane, normal_sum);
    wide_mask slides = wide_and(movable, wide_and(wide_less(zero, friction), wide_less(zero, normal_sum)));
    wide slips = zero;
    if (on->warm_started && on->with_friction) {
        contact_follow_friction(wide_and(movable, wide_less(zero, friction)), at, lost, before, weights, normal,
                                inverse_mass, friction * normal_sum, b, lane, &slips);
    } else if (on->with_friction && wide_bits(slides)) {
        wide friction_push = contact_apply_friction(slides, at, lost, before, weights, normal, inverse_mass,
                                                    friction * normal_sum - friction_sum, &slips);
        wide_store(b->friction_sum + lane, friction_sum + friction_push);
    }
    wide_store(b->slips + lane, wide_select(acting, slips, wide_load(b->slips + lane)));
    for (int k = 0; k < 4; k++) {
        store_rows(b->lost[k], lane, lost[k]);
        store_at(on->particles, b->at[k] + lane, at[k], at[k].w);
    }
}

// Most contacts exist because they might push, but do not push: they need only a distance test.
static inline void contact_project_lanes(const pli_contact_arrays *on, pli_contact_block *b, int32_t lane)
{
    wide_particle at[4], before[4];
    wide weights[4];
    wide_mask chosen = wide_less(wide_set(0.0f), on->again ? wide_load(b->again + lane) : wide_set(1.0f));
    if (!wide_bits(chosen))
        return;
    for (int k = 0; k < 4; k++) {
        at[k] = contact_load(on->particles, b->at[k] + lane);
        before[k] = contact_load(on->previous, b->at[k] + lane);
        weights[k] = wide_load(b->weights[k] + lane);
    }
    wide3 normal = load_rows(b->normal, lane);
    wide depth = wide_load(b->depth + lane) - wide3_dot(normal, contact_displaced(at, before, weights));
    wide pushed = wide_load(b->normal_sum + lane);
    if (on->warm_started) // Friction that remains without a normal force is undone.
        pushed = pushed + wide_load(b->friction_sum + lane);
    wide_mask acting = wide_and(chosen, acts(depth, pushed));
    if (wide_bits(acting))
        push_lanes(on, b, lane, acting, at, before, weights, normal, depth);
}

static void contact_project(const pli_contact_arrays *on, pli_contact_block *blocks, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        for (int32_t lane = 0; lane < PLI_CONTACT_LANES; lane += WIDE)
            contact_project_lanes(on, &blocks[i], lane);
}

// Friction follows the final normal impulse of a contact. If the contact slips, friction gives back its part of the normal impulse that
// the velocity pass removes; if the contact reflects, friction adds its part. Returns the impulse along the slip, whose speed is given [N
// s].
static inline wide contact_friction_of_change(const pli_contact_arrays *on, pli_contact_block *b, int32_t lane,
                                              wide_mask lanes, wide impulse, wide speed, wide inverse_mass)
{
    wide zero = wide_set(0.0f), step = wide_set(on->step), sum = wide_load(b->friction_sum + lane),
         friction = wide_load(b->friction + lane);
    wide given = wide_min(friction * wide_max(-impulse, zero), sum / step) * wide_load(b->slips + lane),
         taken = wide_min(friction * wide_max(impulse, zero), speed / inverse_mass);
    wide change = wide_select(wide_and(lanes, wide_less(zero, speed)), given - taken, zero);
    wide_store(b->friction_sum + lane, sum - change * step);
    return change;
}

// Velocity pass. Approaching contacts are reflected (Mueller et al. 2006, section 3.4); velocity that comes from
// pushing sides apart is removed (Mueller et al. 2020, section 3.6).
static inline void rebound_lanes(const pli_contact_arrays *on, pli_contact_block *b, int32_t lane, float bounce)
{
    wide_particle at[4], speed[4];
    wide weights[4], zero = wide_set(0.0f), per_second = wide_set(1.0f / on->step);
    wide approach = wide_load(b->approach + lane);
    wide_mask pushed = wide_less(zero, wide_load(b->normal_sum + lane));
    if (!wide_bits(pushed))
        return;
    for (int k = 0; k < 4; k++) {
        at[k] = contact_load(on->particles, b->at[k] + lane);
        speed[k] = contact_load(on->velocities, b->at[k] + lane);
        wide3 kept = wide3_add_scaled(speed[k].x, load_rows(b->lost[k], lane), per_second);
        speed[k].x = wide3_select(pushed, kept, speed[k].x);
        weights[k] = wide_load(b->weights[k] + lane);
    }
    wide3 normal = load_rows(b->normal, lane);
    wide inverse_mass = contact_inverse_mass(at, weights), restitution = wide_load(b->restitution + lane);
    wide_mask movable = wide_and(pushed, wide_less(zero, inverse_mass)), fast = wide_less(approach, wide_set(-bounce));
    inverse_mass = wide_select(movable, inverse_mass, wide_set(1.0f));
    wide wanted = wide_select(fast, -restitution * approach, wide_max(approach, zero));
    // Weighted sum of velocities, as differences to one of them: the weights sum to zero, so a common speed causes no
    // rounding.
    wide3 relative = wide3_scale(wide3_sub(speed[1].x, speed[0].x), weights[1]);
    for (int k = 2; k < 4; k++)
        relative = wide3_add(relative, wide3_scale(wide3_sub(speed[k].x, speed[0].x), weights[k]));
    wide along = wide3_dot(normal, relative), change = wanted - along;
    wide_mask reflects = wide_and(wide_less(zero, change), wide_and(wide_less(zero, restitution), fast));
    movable = wide_and(movable, wide_or(wide_less(change, zero), reflects));
    wide_store(b->restitution_impulse + lane,
               wide_load(b->restitution_impulse + lane) + wide_select(movable, change / inverse_mass, zero));
    wide3 tangent = wide3_sub(relative, wide3_scale(normal, along));
    wide slip_speed = wide3_length(tangent), push = change / inverse_mass;
    wide rub = contact_friction_of_change(on, b, lane, movable, push, slip_speed, inverse_mass);
    wide3 impulse = wide3_add_scaled(wide3_scale(normal, push), tangent, rub * wide_inverse_above(slip_speed, 0.0f));
    for (int k = 0; k < 4; k++) {
        wide3 faster = wide3_add_scaled(speed[k].x, impulse, at[k].w * weights[k]);
        speed[k].x = wide3_select(movable, faster, speed[k].x);
        store_at(on->velocities, b->at[k] + lane, speed[k], at[k].w);
    }
}

static void contact_rebound(const pli_contact_arrays *on, pli_contact_block *blocks, int32_t count, float bounce)
{
    for (int32_t i = 0; i < count; i++)
        for (int32_t lane = 0; lane < PLI_CONTACT_LANES; lane += WIDE)
            rebound_lanes(on, &blocks[i], lane, bounce);
}

const pli_contact_batch_kernels PLI_NAMED(pli_contact_batch) = {contact_project, contact_rebound};
