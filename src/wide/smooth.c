// Each particle's way over the substep is taken into the collider's own frame, from its pose at the start to its pose at
// the end, so that moving colliders are continuous as fast particles are.
#include "wide/smooth.h"

#include "wide/shape_distance.h"

#define INLINE static inline __attribute__((always_inline))

enum { STEPS_MAX = 16 };

// A way this close to the surface has arrived [part of the way, and m].
#define ARRIVED 1e-3f

// From three arrays of `room` floats that lie one after the other.
INLINE wide3 take(const float *from, int32_t room, int32_t k)
{
    return (wide3){wide_load(from + k), wide_load(from + room + k), wide_load(from + 2 * room + k)};
}

INLINE void put(float *to, int32_t room, int32_t k, wide3 v)
{
    wide_store(to + k, v.x);
    wide_store(to + room + k, v.y);
    wide_store(to + 2 * room + k, v.z);
}

/* ---- particles of a block ------------------------------------------------------------------- */

static pli_particle lowest(quads all)
{
    pli_particle from[QUADS], p;
    quads_store(from, all);
    p = from[0];
    for (int32_t k = 1; k < QUADS; k++)
        p = (pli_particle){from[k].x < p.x ? from[k].x : p.x, from[k].y < p.y ? from[k].y : p.y,
                           from[k].z < p.z ? from[k].z : p.z, from[k].w < p.w ? from[k].w : p.w};
    return p;
}

static pli_particle highest(quads all)
{
    quads zero = quads_set(0.0f, 0.0f, 0.0f, 0.0f);
    pli_particle p = lowest(quads_subtract(zero, all));
    return (pli_particle){-p.x, -p.y, -p.z, -p.w};
}

// What is no number leaves the bounds as they are, whatever the width.
static void bound(const pli_contact_job *job, int32_t begin, int32_t end, pli_smooth_bounds *bounds)
{
    pli_particle after[QUADS], before[QUADS];
    quads low = quads_set(INFINITY, INFINITY, INFINITY, INFINITY);
    quads high = quads_set(-INFINITY, -INFINITY, -INFINITY, -INFINITY), way = quads_set(0.0f, 0.0f, 0.0f, 0.0f);
    for (int32_t i = begin; i < end; i += QUADS) {
        const pli_particle *to = job->particles + i, *from = job->previous + i;
        // What does not fill a register is done in a copy, with the last one several times.
        for (int32_t k = 0; end - i < QUADS && k < QUADS; k++) {
            int32_t at = i + k < end ? i + k : end - 1;
            after[k] = job->particles[at], before[k] = job->previous[at];
            to = after, from = before;
        }
        quads p = quads_load(to), q = quads_load(from);
        low = quads_min(quads_min(p, q), low);
        high = quads_max(high, quads_max(p, q));
        way = quads_max(way, quads_max(quads_subtract(p, q), quads_subtract(q, p)));
    }
    *bounds = (pli_smooth_bounds){lowest(low), highest(high), highest(way)};
}

static void gather(const pli_contact_job *job, int32_t begin, int32_t end, pli_smooth_block *block)
{
    block->first = begin;
    block->count = (end - begin + PLI_BATCH - 1) / PLI_BATCH * PLI_BATCH;
    for (int32_t i = 0; i < block->count; i += WIDE) {
        pli_particle after[WIDE], before[WIDE];
        const pli_particle *to = job->particles + begin + i, *from = job->previous + begin + i;
        int32_t left = end - begin - i;
        if (left < WIDE) {
            for (int32_t k = 0; k < WIDE; k++) {
                after[k] = k < left ? to[k] : (pli_particle){0};
                before[k] = k < left ? from[k] : (pli_particle){0};
            }
            to = after, from = before;
        }
        wide_particle p = wide_load_row(to);
        put(block->before[0], PLI_SMOOTH_BLOCK, i, wide_load_row(from).x);
        put(block->after[0], PLI_SMOOTH_BLOCK, i, p.x);
        wide_store(block->w + i, p.w);
    }
}

/* ---- finding -------------------------------------------------------------------------------- */

typedef struct frame {
    wide3 axis; // Imaginary part of the rotation.
    wide real;
    wide3 position;
} frame;

INLINE frame frame_of(pli_transform t)
{
    return (frame){wide3_set(t.rotation.x, t.rotation.y, t.rotation.z), wide_set(t.rotation.w),
                   wide3_set(t.position.x, t.position.y, t.position.z)};
}

INLINE wide3 rotate(wide3 axis, wide real, wide3 v)
{
    wide3 t = wide3_scale(wide3_cross(axis, v), wide_set(2.0f));
    return wide3_add(v, wide3_add(wide3_scale(t, real), wide3_cross(axis, t)));
}

INLINE wide3 out_of(frame f, wide3 p) { return wide3_add(rotate(f.axis, f.real, p), f.position); }
INLINE wide3 into(frame f, wide3 p) { return rotate(wide3_negate(f.axis), f.real, wide3_sub(p, f.position)); }

// What all particles share.
typedef struct search {
    const pli_moving_shape *shape;
    frame from, to;
    wide thickness, per_second;
} search;

typedef struct way {
    wide3 from, to; // In the collider's frame.
    wide length;
} way;

// The plane that keeps a particle outside, in the collider's frame.
typedef struct barrier {
    wide_mask stands;
    wide3 point, normal;
} barrier;

// Where ways from outside first meet the surface: the planes of those that do. Newton's method: the shapes are convex, so
// the distance along a way is, and tangents to it never lead beyond the surface.
INLINE barrier enter(const search *s, wide_shape_distance distance, const way *w, wide_mask going, wide clear,
                     wide3 normal)
{
    wide zero = wide_set(0.0f), close = wide_set(ARRIVED) * w->length, gone = zero;
    wide3 direction = wide3_scale(wide3_sub(w->to, w->from), wide_inverse_above(w->length, 0.0f));
    barrier b = {wide_less(zero, zero), w->from, normal};
    for (int32_t i = 0; i < STEPS_MAX && wide_bits(going); i++) {
        wide slope = wide3_dot(b.normal, direction);
        wide_mask nears = wide_less(slope, zero);
        gone = gone + clear / wide_select(nears, -slope, wide_set(1.0f));
        going = wide_and(going, wide_and(nears, wide_less(gone, w->length)));
        wide3 point = wide3_add_scaled(w->from, direction, gone);
        clear = distance(s->shape->def, point, &normal) - s->thickness;
        // The point pulled onto the surface.
        b.point = wide3_select(going, wide3_sub(point, wide3_scale(normal, clear)), b.point);
        b.normal = wide3_select(going, normal, b.normal);
        b.stands = wide_or(b.stands, wide_and(going, wide_not(wide_less(close, clear))));
        going = wide_and(going, wide_less(close, clear));
    }
    b.stands = wide_or(b.stands, going);
    return b;
}

// Particles that end near the surface get a plane too, since projections may still push them in.
INLINE barrier barrier_of(const search *s, wide_shape_distance distance, const way *w, wide_mask asked)
{
    const pli_collider_def *def = s->shape->def;
    wide3 first, normal;
    wide start = distance(def, w->from, &first) - s->thickness, margin = w->length + wide_set(0.5f) * s->thickness;
    asked = wide_and(asked, wide_not(wide_less(w->length + margin, start)));
    barrier b = {asked, w->to, w->to};
    if (!wide_bits(asked))
        return b;
    wide end = distance(def, w->to, &normal) - s->thickness;
    b.stands = wide_and(asked, wide_not(wide_less(margin, end)));
    b.point = wide3_sub(w->to, wide3_scale(normal, end));
    b.normal = normal;
    wide_mask going = wide_and(asked, wide_and(wide_less(wide_set(0.0f), start), wide_less(start, w->length)));
    if (!wide_bits(going))
        return b;
    // The end of a way that meets the surface is nearer than its length, so it stands already.
    barrier met = enter(s, distance, w, going, start, first);
    b.point = wide3_select(met.stands, met.point, b.point);
    b.normal = wide3_select(met.stands, met.normal, b.normal);
    return b;
}

// Those that end too far from a bounded shape to need more than this look are left out. The margin is that of barrier_of,
// with the shape's own way added to the particle's.
INLINE wide_mask near_enough(const search *s, wide3 before, wide3 after)
{
    pli_vec3 own = pli_sub(s->shape->to.position, s->shape->from.position);
    wide3 moved = wide3_sub(after, before), apart = wide3_sub(after, s->to.position);
    wide square = wide3_dot(moved, moved) + wide_set(pli_dot(own, own));
    wide near = wide_set(s->shape->reach) + wide_set(2.0f) * s->thickness;
    // (near + 4 way)^2 <= 9/8 near^2 + 144 way^2, without a square root.
    wide most = wide_set(1.125f) * near * near + wide_set(144.0f) * square;
    return wide_less(wide3_dot(apart, apart), most);
}

// Fills the lanes from k on.
INLINE void fill(const search *s, const barrier *b, const pli_smooth_block *block, int32_t i, pli_contact_group *group,
                 int32_t k)
{
    wide zero = wide_set(0.0f);
    wide3 moved = wide3_sub(take(block->after[0], PLI_SMOOTH_BLOCK, i), take(block->before[0], PLI_SMOOTH_BLOCK, i));
    wide3 touch = out_of(s->to, b->point), normal = rotate(s->to.axis, s->to.real, b->normal);
    wide3 carried = s->shape->rests ? wide3_set(0.0f, 0.0f, 0.0f) : wide3_sub(touch, out_of(s->from, b->point));
    put(group->normal[0], PLI_BATCH, k, normal);
    put(group->velocity[0], PLI_BATCH, k, wide3_scale(carried, s->per_second));
    wide_store(group->offset + k, wide_select(b->stands, wide3_dot(normal, touch), wide_set(-INFINITY)));
    wide_store(group->approach + k, wide3_dot(normal, wide3_scale(wide3_sub(moved, carried), s->per_second)));
    wide_store(group->push + k, zero);
    wide_store(group->impulse + k, zero);
}

INLINE barrier look(const search *s, wide_shape_distance distance, const pli_smooth_block *block, int32_t i)
{
    wide3 before = take(block->before[0], PLI_SMOOTH_BLOCK, i), after = take(block->after[0], PLI_SMOOTH_BLOCK, i);
    barrier none = {wide_less(wide_set(0.0f), wide_load(block->w + i)), after, after};
    if (distance != wide_plane_distance)
        none.stands = wide_and(none.stands, near_enough(s, before, after));
    if (!wide_bits(none.stands))
        return none;
    way w = {into(s->from, before), into(s->to, after), wide_set(0.0f)};
    w.length = wide3_length(wide3_sub(w.to, w.from));
    return barrier_of(s, distance, &w, none.stands);
}

INLINE int32_t find(const pli_contact_job *job, const pli_smooth_block *block, int32_t collider,
                    pli_contact_group *groups, int32_t capacity, wide_shape_distance distance)
{
    const pli_moving_shape *shape = &job->shapes[collider];
    search s = {shape, frame_of(shape->from), frame_of(shape->to), wide_set(job->thickness + shape->def->thickness),
                wide_set(1.0f / job->step)};
    int32_t found = 0;
    for (int32_t begin = 0; begin < block->count; begin += PLI_BATCH) {
        barrier barriers[PLI_BATCH / WIDE];
        uint32_t lanes = 0;
        for (int32_t k = 0; k < PLI_BATCH; k += WIDE) {
            barriers[k / WIDE] = look(&s, distance, block, begin + k);
            lanes |= wide_bits(barriers[k / WIDE].stands) << k;
        }
        if (!lanes || found++ >= capacity)
            continue;
        pli_contact_group *group = &groups[found - 1];
        group->first = block->first + begin, group->collider = collider, group->lanes = lanes;
        for (int32_t k = 0; k < PLI_BATCH; k += WIDE)
            fill(&s, &barriers[k / WIDE], block, begin + k, group, k);
    }
    return found;
}

#define FIND(shape)                                                                                                    \
    static int32_t find_##shape(const pli_contact_job *job, const pli_smooth_block *block, int32_t collider,           \
                                pli_contact_group *groups, int32_t capacity)                                           \
    {                                                                                                                  \
        return find(job, block, collider, groups, capacity, wide_##shape##_distance);                                  \
    }
FIND(plane)
FIND(sphere)
FIND(capsule)
FIND(box)

/* ---- projecting ----------------------------------------------------------------------------- */

// The particles of a group: where they are, or a copy where there are fewer.
static pli_particle *whole(pli_particle *particles, int32_t count, const pli_contact_group *group, pli_particle *copy)
{
    if (group->first + PLI_BATCH <= count)
        return particles + group->first;
    for (int32_t k = 0; k < PLI_BATCH; k++)
        copy[k] = group->first + k < count ? particles[group->first + k] : (pli_particle){0};
    return copy;
}

static void bring_back(pli_particle *particles, int32_t count, const pli_contact_group *group, const pli_particle *from)
{
    for (int32_t k = 0; from != particles + group->first && group->first + k < count; k++)
        particles[group->first + k] = from[k];
}

static inline void project_lanes(pli_particle *particles, pli_contact_group *group, int32_t k)
{
    wide3 normal = take(group->normal[0], PLI_BATCH, k);
    wide_particle p = wide_load_row(particles + k);
    wide depth = wide_load(group->offset + k) - wide3_dot(normal, p.x), push = wide_load(group->push + k);
    wide_mask within = wide_less(wide_set(0.0f), depth);
    if (!wide_bits(within))
        return;
    wide_store_row(particles + k, wide3_select(within, wide3_add_scaled(p.x, normal, depth), p.x), p.w);
    wide_store(group->push + k, wide_select(within, push + depth, push));
}

static void project(const pli_contact_job *job, pli_contact_group *groups, int32_t count)
{
    pli_particle copy[PLI_BATCH];
    for (int32_t i = 0; i < count; i++) {
        pli_particle *particles = whole(job->particles, job->count, &groups[i], copy);
        for (int32_t k = 0; k < PLI_BATCH; k += WIDE)
            project_lanes(particles, &groups[i], k);
        bring_back(job->particles, job->count, &groups[i], particles);
    }
}

/* ---- friction and restitution --------------------------------------------------------------- */

// Coulomb: the tangential velocity falls by at most friction times the normal change of velocity.
// The position moves with it, or resting cloth would creep by g sin(a) h^2 every substep.
static inline void update_lanes(const pli_contact_job *job, pli_particle *particles, pli_particle *velocities,
                                pli_contact_group *group, int32_t k)
{
    const pli_moving_shape *shape = &job->shapes[group->collider];
    wide zero = wide_set(0.0f), one = wide_set(1.0f), step = wide_set(job->step), push = wide_load(group->push + k);
    wide_mask pushed = wide_less(zero, push);
    if (!wide_bits(pushed))
        return;
    wide3 normal = take(group->normal[0], PLI_BATCH, k);
    wide approach = wide_load(group->approach + k);
    wide_particle p = wide_load_row(particles + k), v = wide_load_row(velocities + k);
    wide3 relative = wide3_sub(v.x, take(group->velocity[0], PLI_BATCH, k));
    wide normal_speed = wide3_dot(relative, normal);
    wide3 tangent = wide3_sub(relative, wide3_scale(normal, normal_speed));
    wide speed = wide3_length(tangent), stopped = wide_set(shape->friction) * push / step;
    wide_mask slides = wide_less(stopped, speed);
    wide share = wide_select(slides, stopped / wide_select(slides, speed, one), one);
    wide3 change = wide3_scale(tangent, -share);
    wide_store_row(particles + k, wide3_select(pushed, wide3_add_scaled(p.x, change, step), p.x), p.w);

    wide rebound = wide_set(-shape->restitution) * approach;
    wide_mask bounces = wide_and(wide_less(approach, wide_set(-job->bounce)), wide_less(normal_speed, rebound));
    wide kick = wide_select(bounces, rebound - normal_speed, zero);
    change = wide3_select(bounces, wide3_add_scaled(change, normal, kick), change);
    wide_store_row(velocities + k, wide3_select(pushed, wide3_add(v.x, change), v.x), v.w);
    wide impulse = (push / step + kick) / wide_select(pushed, p.w, one);
    wide_store(group->impulse + k, wide_select(pushed, impulse, zero));
}

static void update(const pli_contact_job *job, pli_contact_group *groups, int32_t count)
{
    pli_particle copies[2][PLI_BATCH];
    for (int32_t i = 0; i < count; i++) {
        pli_particle *particles = whole(job->particles, job->count, &groups[i], copies[0]);
        pli_particle *velocities = whole(job->velocities, job->count, &groups[i], copies[1]);
        for (int32_t k = 0; k < PLI_BATCH; k += WIDE)
            update_lanes(job, particles, velocities, &groups[i], k);
        bring_back(job->particles, job->count, &groups[i], particles);
        bring_back(job->velocities, job->count, &groups[i], velocities);
    }
}

const pli_smooth_kernels PLI_NAMED(pli_smooth) = {
    bound, gather, {find_plane, find_sphere, find_capsule, find_box}, project, update,
};
