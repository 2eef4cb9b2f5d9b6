// Signed distances to a collider's smooth shapes in closed form, in double.
#ifndef PLIANT_TESTS_SHAPES_H
#define PLIANT_TESTS_SHAPES_H

#include "property.h"

// In the shape's own frame.
static UNUSED double signed_distance(const pli_collider_def *def, vec p)
{
    double radius = (double)def->radius, half = (double)def->half_height;
    if (def->shape == PLI_SHAPE_PLANE)
        return p.y;
    if (def->shape == PLI_SHAPE_SPHERE)
        return length(p) - radius;
    if (def->shape == PLI_SHAPE_CAPSULE)
        return length((vec){p.x, p.y - fmax(-half, fmin(half, p.y)), p.z}) - radius;
    vec q = {fabs(p.x) - (double)def->half_extents.x, fabs(p.y) - (double)def->half_extents.y,
             fabs(p.z) - (double)def->half_extents.z};
    vec out = {fmax(q.x, 0.0), fmax(q.y, 0.0), fmax(q.z, 0.0)};
    return length(out) + fmin(0.0, fmax(q.x, fmax(q.y, q.z)));
}

#endif
