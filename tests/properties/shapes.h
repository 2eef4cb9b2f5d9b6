// Signed distances to a collider's shapes in double: closed forms for the plain ones. The distances of others are the
// library's own, which test_shapes holds against triangles.
#ifndef PLIANT_TESTS_SHAPES_H
#define PLIANT_TESTS_SHAPES_H

#include "property.h"

// Whether particles meet the shape by its distance.
static UNUSED bool has_distance(const pli_collider_def *def)
{
    float distance;
    pli_vec3 gradient;
    return pli_shape_distance(def, (pli_vec3){0.0f, 1.0f, 0.0f}, &distance, &gradient);
}

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
    if (def->shape != PLI_SHAPE_BOX) {
        float distance;
        pli_vec3 gradient, at = {(float)p.x, (float)p.y, (float)p.z};
        return pli_shape_distance(def, at, &distance, &gradient) ? (double)distance : NAN;
    }
    vec q = {fabs(p.x) - (double)def->half_extents.x, fabs(p.y) - (double)def->half_extents.y,
             fabs(p.z) - (double)def->half_extents.z};
    vec out = {fmax(q.x, 0.0), fmax(q.y, 0.0), fmax(q.z, 0.0)};
    return length(out) + fmin(0.0, fmax(q.x, fmax(q.y, q.z)));
}

#endif
