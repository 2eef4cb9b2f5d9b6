#include "view/bounds.h"

#include <pliant/math.h>

#include <math.h>

void pli_cli_bounds_add(pli_vec3 bounds[2], pli_view positions)
{
    for (int32_t i = 0; i < positions.count; i++) {
        const float *p = pli_view_at(positions, i);
        bounds[0] = (pli_vec3){fminf(bounds[0].x, p[0]), fminf(bounds[0].y, p[1]), fminf(bounds[0].z, p[2])};
        bounds[1] = (pli_vec3){fmaxf(bounds[1].x, p[0]), fmaxf(bounds[1].y, p[1]), fmaxf(bounds[1].z, p[2])};
    }
}

// By its vertices, or by a ball about it where it has none.
void pli_cli_bounds_add_shape(pli_vec3 bounds[2], const pli_collider_def *c)
{
    enum { ROUND = 24 };
    const pli_vec3 at = c->pose.position;
    const float reach = pli_shape_reach(c);
    pli_mesh *mesh = NULL;
    if (!isfinite(reach))
        return;
    if (pli_shape_tessellate(c, ROUND, NULL, &mesh, NULL) != PLI_STATUS_OK) {
        const float corners[] = {at.x - reach, at.y - reach, at.z - reach, at.x + reach, at.y + reach, at.z + reach};
        pli_cli_bounds_add(bounds, (pli_view){corners, 2, 12});
        return;
    }
    const pli_topology *t = pli_mesh_topology(mesh);
    for (int32_t v = 0; v < t->vertex_count; v++) {
        const float *from = t->positions + 3 * (size_t)v;
        const pli_vec3 p = pli_add(at, pli_rotate(c->pose.rotation, (pli_vec3){from[0], from[1], from[2]}));
        pli_cli_bounds_add(bounds, (pli_view){&p.x, 1, sizeof p});
    }
    pli_mesh_destroy(mesh);
}

void pli_cli_bounds_leave_room(pli_vec3 bounds[2])
{
    pli_vec3 low = bounds[0], high = bounds[1];
    float x = high.x - low.x, y = high.y - low.y, z = high.z - low.z;
    float room = 0.03f * sqrtf(x * x + y * y + z * z);
    bounds[0] = (pli_vec3){low.x - room, low.y - room, low.z - room};
    bounds[1] = (pli_vec3){high.x + room, high.y + room, high.z + room};
}

void pli_cli_bounds_turn(pli_vec3 bounds[2], pli_vec3 up)
{
    const pli_vec3 middle = pli_scale(pli_add(bounds[0], bounds[1]), 0.5f);
    const pli_vec3 half = pli_scale(pli_sub(bounds[1], bounds[0]), 0.5f);
    const float height = fabsf(half.x * up.x) + fabsf(half.y * up.y) + fabsf(half.z * up.z);
    const float radius = sqrtf(fmaxf(pli_dot(half, half) - height * height, 0.0f));
    const bool is_z = fabsf(up.z) > fabsf(up.y);
    const pli_vec3 reach = {radius, is_z ? radius : height, is_z ? height : radius};
    bounds[0] = pli_sub(middle, reach);
    bounds[1] = pli_add(middle, reach);
}
