// Plane, sphere, capsule and box as signed distances in their own frames: how far a point is from the surface, negative
// inside [m], and the unit normal there. Never more than the true distance, so that a way may be marched by it.
#ifndef PLI_WIDE_SHAPE_DISTANCE_H
#define PLI_WIDE_SHAPE_DISTANCE_H

#include "pliant/world.h"
#include "simd/wide.h"

typedef wide (*wide_shape_distance)(const pli_collider_def *def, wide3 point, wide3 *normal);

static inline wide3 wide3_set(float x, float y, float z) { return (wide3){wide_set(x), wide_set(y), wide_set(z)}; }

static inline wide wide_plane_distance(const pli_collider_def *def, wide3 point, wide3 *normal)
{
    (void)def;
    *normal = wide3_set(0.0f, 1.0f, 0.0f);
    return point.y;
}

// Where the length is 0 the direction is `other`.
static inline wide wide_direction(wide3 v, wide3 other, wide3 *direction)
{
    wide length = wide3_length(v);
    *direction = wide3_select(wide_less(wide_set(0.0f), length), wide3_scale(v, wide_inverse_above(length, 0.0f)),
                              other);
    return length;
}

static inline wide wide_sphere_distance(const pli_collider_def *def, wide3 point, wide3 *normal)
{
    return wide_direction(point, wide3_set(0.0f, 1.0f, 0.0f), normal) - wide_set(def->radius);
}

static inline wide wide_capsule_distance(const pli_collider_def *def, wide3 point, wide3 *normal)
{
    wide half = wide_set(def->half_height);
    wide3 out = {point.x, point.y - wide_min(wide_max(point.y, -half), half), point.z};
    return wide_direction(out, wide3_set(1.0f, 0.0f, 0.0f), normal) - wide_set(def->radius);
}

// Inside, the nearest face decides.
static inline wide wide_box_distance(const pli_collider_def *def, wide3 point, wide3 *normal)
{
    wide zero = wide_set(0.0f), one = wide_set(1.0f);
    wide3 side = {wide_select(wide_less(point.x, zero), -one, one), wide_select(wide_less(point.y, zero), -one, one),
                  wide_select(wide_less(point.z, zero), -one, one)};
    wide3 over = wide3_sub((wide3){wide_abs(point.x), wide_abs(point.y), wide_abs(point.z)},
                           wide3_set(def->half_extents.x, def->half_extents.y, def->half_extents.z));
    wide3 out = {wide_max(over.x, zero), wide_max(over.y, zero), wide_max(over.z, zero)};
    wide length = wide3_length(out);
    wide_mask outside = wide_less(zero, length),
              beside_x = wide_or(wide_less(over.x, over.y), wide_less(over.x, over.z));
    wide_mask above_z = wide_less(over.y, over.z);
    wide3 inner = {wide_select(beside_x, zero, side.x), wide_select(beside_x, wide_select(above_z, zero, side.y), zero),
                   wide_select(beside_x, wide_select(above_z, side.z, zero), zero)};
    wide divisor = wide_select(outside, length, one);
    wide3 outer = {side.x * out.x / divisor, side.y * out.y / divisor, side.z * out.z / divisor};
    *normal = wide3_select(outside, outer, inner);
    return wide_select(outside, length, wide_max(over.x, wide_max(over.y, over.z)));
}

#endif
