// A box about the origin, along the axes of its frame.
//
//            ______         half_extents = (a, b, c)
//          /      /|  2b
//         /_____ / |        distance: outside to the nearest point of the box, inside to the nearest face
//         |      | /  2c
//         |______|/
//            2a
#include "mesh/primitives/mesh_list.h"
#include "shapes/contact_kernel.h"
#include "shapes/shape.h"

static const char *box_complaint(const pli_collider_def *def)
{
    bool sound = pli_is_length(def->half_extents.x) && pli_is_length(def->half_extents.y) &&
                 pli_is_length(def->half_extents.z);
    return sound ? NULL : "its half_extents must be positive [m]";
}

static float box_reach(const pli_collider_def *def) { return pli_length(def->half_extents); }

static pli_vec3 box_support(const pli_collider_def *def, pli_vec3 direction)
{
    pli_vec3 half = def->half_extents;
    return (pli_vec3){direction.x < 0.0f ? -half.x : half.x, direction.y < 0.0f ? -half.y : half.y,
                      direction.z < 0.0f ? -half.z : half.z};
}

static pli_shape_core box_core(const pli_collider_def *def)
{
    return (pli_shape_core){.half_extents = def->half_extents};
}

static pli_mass_properties box_mass(const pli_collider_def *def)
{
    double x = (double)def->half_extents.x, y = (double)def->half_extents.y, z = (double)def->half_extents.z;
    double all = 8.0 * x * y * z, third = all / 3.0;
    x *= x, y *= y, z *= z;
    return (pli_mass_properties){all, {0, 0, 0}, {third * (y + z), third * (x + z), third * (x + y), 0, 0, 0}};
}

static pli_status box_tessellate(const pli_collider_def *def, int32_t resolution, const pli_hooks *hooks,
                                 pli_mesh **mesh, pli_error *error)
{
    // Corner i lies on the high side of axis k when bit k of i is set.
    static const int32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    double x = (double)def->half_extents.x, y = (double)def->half_extents.y, z = (double)def->half_extents.z;
    pli_mesh_list list = pli_mesh_list_start(hooks);
    (void)resolution;
    for (int32_t i = 0; i < 8; i++)
        pli_mesh_list_vertex(&list, i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    for (int32_t face = 0; face < 6; face++)
        pli_mesh_list_quad(&list, faces[face][0], faces[face][1], faces[face][2], faces[face][3]);
    return pli_mesh_list_finish(&list, mesh, error);
}

// Inside, the nearest face decides.
WIDE_INLINE wide box_distance(const pli_collider_def *def, wide3 point, wide3 *normal)
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

PLI_SHAPE_KERNELS(box, true)

const pli_shape_row PLI_NAMED(pli_shape_box) = {
    .shape = PLI_SHAPE_BOX,
    .complaint = box_complaint,
    .reach = box_reach,
    .support = box_support,
    .core = box_core,
    .mass = box_mass,
    .tessellate = box_tessellate,
    .find = PLI_SHAPE_FIND(box),
    .distances = PLI_SHAPE_DISTANCES(box),
};
