// The half-space below local y = 0: floors and walls. Its signed distance is y.
#include "shapes/contact_kernel.h"
#include "shapes/shape.h"

static const char *plane_complaint(const pli_collider_def *def)
{
    (void)def;
    return NULL;
}

static float plane_reach(const pli_collider_def *def)
{
    (void)def;
    return INFINITY;
}

WIDE_INLINE wide plane_distance(const pli_collider_def *def, wide3 point, wide3 *normal)
{
    (void)def;
    *normal = wide3_set(0.0f, 1.0f, 0.0f);
    return point.y;
}

PLI_SHAPE_KERNELS(plane, false)

const pli_shape_row PLI_NAMED(pli_shape_plane) = {
    .shape = PLI_SHAPE_PLANE,
    .complaint = plane_complaint,
    .reach = plane_reach,
    .find = PLI_SHAPE_FIND(plane),
    .distances = PLI_SHAPE_DISTANCES(plane),
};
