// The contact kernels of a shape, generated from its signed distance function (continuous collision detection by
// conservative advancement along the particle's trajectory).
//
// Each trajectory of a particle over the substep is transformed into the frame of the collider, from the start pose to
// the end pose of the collider. Contact thus treats moving colliders as continuously as fast particles:
//
//        from o                     world: both move          o from
//              \      [collider]    collider's frame:          \   distance d0
//               \      ->  ->       only the particle does      o  distance d1 < d0
//             to o                                            ---x---- surface + thickness
//
// A distance must be exact and convex: it never exceeds the true distance, so a trajectory may advance by it, and its
// zero set is convex, so Newton steps along a trajectory never pass the surface.
#ifndef PLI_SHAPES_CONTACT_KERNEL_H
#define PLI_SHAPES_CONTACT_KERNEL_H

#include "shapes/contact_group.h"
#include "base/simd/wide.h"

#include <math.h>

// The signed distance of points from the surface, negative inside [m], and the unit normal there, in the frame of the
// shape.
typedef wide (*wide_shape_distance)(const pli_collider_def *def, wide3 point, wide3 *normal);

enum { SHAPE_STEPS_MAX = 16 };

// A trajectory has reached the surface at this distance, as a fraction of the length of the trajectory.
#define SHAPE_ARRIVED 1e-3f

static inline wide3 wide3_set(float x, float y, float z) { return (wide3){wide_set(x), wide_set(y), wide_set(z)}; }

// Normalises v; where the length is 0 the direction is `other`. Returns the length.
static inline wide wide_direction(wide3 v, wide3 other, wide3 *direction)
{
    wide length = wide3_length(v);
    *direction = wide3_select(wide_less(wide_set(0.0f), length), wide3_scale(v, wide_inverse_above(length, 0.0f)),
                              other);
    return length;
}

typedef struct shape_frame {
    wide3 axis; // Imaginary part of the rotation.
    wide real;
    wide3 position;
} shape_frame;

WIDE_INLINE shape_frame shape_frame_of(pli_transform t)
{
    return (shape_frame){wide3_set(t.rotation.x, t.rotation.y, t.rotation.z), wide_set(t.rotation.w),
                         wide3_set(t.position.x, t.position.y, t.position.z)};
}

WIDE_INLINE wide3 shape_rotate(wide3 axis, wide real, wide3 v)
{
    wide3 t = wide3_scale(wide3_cross(axis, v), wide_set(2.0f));
    return wide3_add(v, wide3_add(wide3_scale(t, real), wide3_cross(axis, t)));
}

WIDE_INLINE wide3 shape_out_of(shape_frame f, wide3 p)
{
    return wide3_add(shape_rotate(f.axis, f.real, p), f.position);
}
WIDE_INLINE wide3 shape_into(shape_frame f, wide3 p)
{
    return shape_rotate(wide3_negate(f.axis), f.real, wide3_sub(p, f.position));
}

// Constants of a job in all lanes.
typedef struct shape_search {
    const pli_moving_shape *shape;
    shape_frame from, to;
    wide thickness, per_second, recovery, least;
} shape_search;

typedef struct shape_trajectory {
    wide3 from, to; // Positions at the start and the end of the substep, in the collider's frame.
    wide length;
} shape_trajectory;

// The tangent plane that keeps a particle outside, in the collider's frame.
typedef struct shape_barrier {
    wide_mask stands;
    wide3 point, normal;
    wide overlap, left; // As in pli_contact_group.
} shape_barrier;

// Computes the tangent planes where trajectories from outside first reach the surface, by Newton's method. The shapes
// are convex, so the distance along a trajectory is convex and its tangents never lead beyond the surface.
WIDE_INLINE shape_barrier shape_enter(const shape_search *s, wide_shape_distance distance, const shape_trajectory *w,
                                      wide_mask going, wide clear, wide3 normal)
{
    wide zero = wide_set(0.0f), close = wide_set(SHAPE_ARRIVED) * w->length, gone = zero;
    wide3 direction = wide3_scale(wide3_sub(w->to, w->from), wide_inverse_above(w->length, 0.0f));
    shape_barrier b = {wide_less(zero, zero), w->from, normal, zero, zero};
    for (int32_t i = 0; i < SHAPE_STEPS_MAX && wide_bits(going); i++) {
        wide gradient = wide3_dot(b.normal, direction);
        wide_mask nears = wide_less(gradient, zero);
        gone = gone + clear / wide_select(nears, -gradient, wide_set(1.0f));
        going = wide_and(going, wide_and(nears, wide_less(gone, w->length)));
        wide3 point = wide3_add_scaled(w->from, direction, gone);
        clear = distance(s->shape->def, point, &normal) - s->thickness;
        // The point is projected onto the surface along its normal.
        b.point = wide3_select(going, wide3_sub(point, wide3_scale(normal, clear)), b.point);
        b.normal = wide3_select(going, normal, b.normal);
        b.stands = wide_or(b.stands, wide_and(going, wide_not(wide_less(close, clear))));
        going = wide_and(going, wide_less(close, clear));
    }
    b.stands = wide_or(b.stands, going);
    return b;
}

// Particles that end near the surface also get a plane, since projections may still move them into it.
WIDE_INLINE shape_barrier shape_barrier_of(const shape_search *s, wide_shape_distance distance,
                                           const shape_trajectory *w, wide_mask asked)
{
    const pli_collider_def *def = s->shape->def;
    wide3 first, normal;
    wide start = distance(def, w->from, &first) - s->thickness, margin = w->length + wide_set(0.5f) * s->thickness;
    wide zero = wide_set(0.0f);
    asked = wide_and(asked, wide_not(wide_less(w->length + margin, start)));
    shape_barrier b = {asked, w->to, w->to, zero, zero};
    if (!wide_bits(asked))
        return b;
    wide end = distance(def, w->to, &normal) - s->thickness;
    b.stands = wide_and(asked, wide_not(wide_less(margin, end)));
    b.point = wide3_sub(w->to, wide3_scale(normal, end));
    b.normal = normal;
    b.overlap = wide_max(zero - start, zero);
    b.left = wide_max(b.overlap - s->recovery * wide_max(s->thickness, s->least), zero);
    // If a particle starts next to a moving shape and ends beyond its middle, the shape has passed through it.
    wide_mask beside = wide_and(asked,
                                wide_and(wide_not(wide_less(zero, start)), wide_less(zero, start + s->thickness)));
    if (!s->shape->rests && wide_bits(beside)) {
        wide_mask through = wide_and(beside, wide_less(wide3_dot(first, normal), zero));
        b.stands = wide_or(b.stands, through);
        b.point = wide3_select(through, wide3_sub(w->from, wide3_scale(first, start)), b.point);
        b.normal = wide3_select(through, first, b.normal);
    }
    wide_mask going = wide_and(asked, wide_and(wide_less(zero, start), wide_less(start, w->length)));
    if (!wide_bits(going))
        return b;
    // A trajectory that reaches the surface ends nearer to it than its own length, so its plane is already active.
    shape_barrier met = shape_enter(s, distance, w, going, start, first);
    b.point = wide3_select(met.stands, met.point, b.point);
    b.normal = wide3_select(met.stands, met.normal, b.normal);
    return b;
}

// Culls particles that end too far from a bounded shape. The margin equals the one of barrier_of, with the displacement
// of the shape added to the displacement of the particle.
WIDE_INLINE wide_mask shape_near_enough(const shape_search *s, wide3 before, wide3 after)
{
    pli_vec3 own = pli_sub(s->shape->to.position, s->shape->from.position);
    wide3 moved = wide3_sub(after, before), apart = wide3_sub(after, s->to.position);
    wide square = wide3_dot(moved, moved) + wide_set(pli_dot(own, own));
    wide near = wide_set(s->shape->reach) + wide_set(2.0f) * s->thickness;
    // (near + 4 step)^2 <= 9/8 near^2 + 144 step^2, which avoids a square root.
    wide most = wide_set(1.125f) * near * near + wide_set(144.0f) * square;
    return wide_less(wide3_dot(apart, apart), most);
}

// Writes the contacts of the lanes from k on to the group.
WIDE_INLINE void shape_fill(const shape_search *s, const shape_barrier *b, const pli_smooth_block *block, int32_t i,
                            pli_contact_group *group, int32_t k)
{
    wide zero = wide_set(0.0f);
    wide3 moved = wide3_sub(pli_lanes_load(block->after[0], PLI_SMOOTH_BLOCK, i),
                            pli_lanes_load(block->before[0], PLI_SMOOTH_BLOCK, i));
    wide3 surface_contact = shape_out_of(s->to, b->point), normal = shape_rotate(s->to.axis, s->to.real, b->normal);
    wide3 carried = s->shape->rests ? wide3_set(0.0f, 0.0f, 0.0f)
                                    : wide3_sub(surface_contact, shape_out_of(s->from, b->point));
    pli_lanes_store(group->normal[0], PLI_BATCH, k, normal);
    pli_lanes_store(group->velocity[0], PLI_BATCH, k, wide3_scale(carried, s->per_second));
    wide offset = wide3_dot(normal, surface_contact) - b->left;
    wide_store(group->offset + k, wide_select(b->stands, offset, wide_set(-INFINITY)));
    wide_store(group->overlap + k, b->overlap);
    wide_store(group->left + k, b->left);
    wide_store(group->approach + k, wide3_dot(normal, wide3_scale(wide3_sub(moved, carried), s->per_second)));
    wide_store(group->push + k, zero);
    wide_store(group->impulse + k, zero);
}

WIDE_INLINE shape_barrier shape_look(const shape_search *s, wide_shape_distance distance, bool bounded,
                                     const pli_smooth_block *block, int32_t i)
{
    wide3 before = pli_lanes_load(block->before[0], PLI_SMOOTH_BLOCK, i),
          after = pli_lanes_load(block->after[0], PLI_SMOOTH_BLOCK, i);
    wide zero = wide_set(0.0f);
    shape_barrier none = {wide_less(zero, wide_load(block->w + i)), after, after, zero, zero};
    if (bounded)
        none.stands = wide_and(none.stands, shape_near_enough(s, before, after));
    if (!wide_bits(none.stands))
        return none;
    shape_trajectory w = {shape_into(s->from, before), shape_into(s->to, after), wide_set(0.0f)};
    w.length = wide3_length(wide3_sub(w.to, w.from));
    return shape_barrier_of(s, distance, &w, none.stands);
}

WIDE_INLINE int32_t shape_find_by(const pli_contact_job *job, const pli_smooth_block *block, int32_t collider,
                                  pli_contact_group *groups, int32_t capacity, wide_shape_distance distance,
                                  bool bounded)
{
    const pli_moving_shape *shape = &job->shapes[collider];
    shape_search s = {shape,
                      shape_frame_of(shape->from),
                      shape_frame_of(shape->to),
                      wide_set(job->thickness + shape->def->thickness),
                      wide_set(1.0f / job->step),
                      wide_set(job->recovery),
                      wide_set(job->least)};
    int32_t found = 0;
    for (int32_t begin = 0; begin < block->count; begin += PLI_BATCH) {
        shape_barrier barriers[PLI_BATCH / WIDE];
        uint32_t lanes = 0, inside = 0;
        for (int32_t k = 0; k < PLI_BATCH; k += WIDE) {
            if (job->thicknesses)
                s.thickness = wide_load(job->thicknesses + block->first + begin + k) + wide_set(shape->def->thickness);
            barriers[k / WIDE] = shape_look(&s, distance, bounded, block, begin + k);
            lanes |= wide_bits(barriers[k / WIDE].stands) << k;
            inside |= wide_bits(wide_less(s.thickness, barriers[k / WIDE].overlap)) << k;
        }
        if (!lanes || found++ >= capacity)
            continue;
        pli_contact_group *group = &groups[found - 1];
        group->first = block->first + begin, group->collider = collider, group->lanes = lanes;
        group->inside = inside, group->slides = false;
        for (int32_t k = 0; k < PLI_BATCH; k += WIDE)
            shape_fill(&s, &barriers[k / WIDE], block, begin + k, group, k);
    }
    return found;
}

WIDE_INLINE void shape_distances_of(const pli_collider_def *def, const float *points, int32_t count, float *distances,
                                    float *gradients, wide_shape_distance distance)
{
    for (int32_t i = 0; i < count; i += WIDE) {
        wide3 normal;
        wide_store(distances + i, distance(def, pli_lanes_load(points, count, i), &normal));
        pli_lanes_store(gradients, count, i, normal);
    }
}

// Defines the functions `find` and `distances` of a row (shapes/shape.h) from a wide_shape_distance. Unbounded shapes
// are not culled. A row names them by PLI_SHAPE_FIND, which is null in the descriptive rows of a build without the scalar
// back end, and by PLI_SHAPE_DISTANCES.
#if defined(PLI_WITHOUT_SCALAR) && PLI_BACKEND_ID == PLI_BACKEND_IS_scalar
#define PLI_SHAPE_FIND(shape) NULL
#define PLI_SHAPE_DEFINE_FIND(shape, bounded)
#else
#define PLI_SHAPE_FIND(shape) PLI_NAMED(shape##_find)
#define PLI_SHAPE_DEFINE_FIND(shape, bounded)                                                                          \
    static int32_t PLI_SHAPE_FIND(shape)(const pli_contact_job *job, const pli_smooth_block *block, int32_t collider,  \
                                         pli_contact_group *groups, int32_t capacity)                                  \
    {                                                                                                                  \
        return shape_find_by(job, block, collider, groups, capacity, shape##_distance, bounded);                       \
    }
#endif

#define PLI_SHAPE_DISTANCES(shape) PLI_NAMED(shape##_distances)
#define PLI_SHAPE_KERNELS(shape, bounded)                                                                              \
    PLI_SHAPE_DEFINE_FIND(shape, bounded)                                                                              \
    static void PLI_SHAPE_DISTANCES(shape)(const pli_collider_def *def, const float *points, int32_t count,            \
                                           float *values, float *gradients)                                            \
    {                                                                                                                  \
        shape_distances_of(def, points, count, values, gradients, shape##_distance);                                   \
    }

#endif
