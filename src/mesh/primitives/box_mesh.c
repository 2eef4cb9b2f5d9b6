// Boxes: eight vertices, six quads.
//
//         2 ---- 3         Corner i lies on the high side of axis k when bit k of i is set.
//        /|     /|
//       6 ---- 7 |          y
//       | 0 ---| 1          |_ x
//       |/     |/          /
//       4 ---- 5          z
#include "mesh/primitives/mesh_list.h"

pli_status pli_mesh_create_box_with(const pli_hooks *hooks, pli_vec3 size, pli_mesh **mesh, pli_error *error)
{
    // Quads, counter-clockwise from outside.
    static const int32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    if (!pli_is_length(size.x) || !pli_is_length(size.y) || !pli_is_length(size.z))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "box: the sizes %g, %g and %g [m] must be positive",
                        (double)size.x, (double)size.y, (double)size.z);
    const double x = 0.5 * (double)size.x, y = 0.5 * (double)size.y, z = 0.5 * (double)size.z;
    pli_mesh_list list = pli_mesh_list_start(hooks);
    for (int32_t i = 0; i < 8; i++)
        pli_mesh_list_vertex(&list, i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    for (int32_t face = 0; face < 6; face++)
        pli_mesh_list_quad(&list, faces[face][0], faces[face][1], faces[face][2], faces[face][3]);
    return pli_mesh_list_finish(&list, mesh, error);
}
