#include "surfaces.h"

const pli_mesh *pli_cli_collider_faces(const pli_world *world, pli_collider collider)
{
    pli_collider_def def;
    bool has = pli_collider_get(world, collider, &def, NULL) == PLI_STATUS_OK &&
               (def.shape == PLI_SHAPE_MESH || def.shape == PLI_SHAPE_HULL);
    return has ? pli_collider_mesh(world, collider) : NULL;
}

static pli_vec3 cross(pli_vec3 a, pli_vec3 b)
{
    return (pli_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

void pli_cli_collider_positions(const pli_world *world, pli_collider collider, float *positions)
{
    pli_transform pose;
    pli_view vertices = pli_collider_vertices(world, collider);
    if (pli_collider_pose(world, collider, &pose, NULL) != PLI_STATUS_OK)
        return;
    pli_vec3 axis = {pose.rotation.x, pose.rotation.y, pose.rotation.z};
    for (int32_t i = 0; i < vertices.count; i++) {
        const float *p = pli_view_at(vertices, i);
        pli_vec3 t = cross(axis, (pli_vec3){p[0], p[1], p[2]}), u = cross(axis, t);
        float w = 2.0f * pose.rotation.w;
        positions[3 * i] = p[0] + w * t.x + 2.0f * u.x + pose.position.x;
        positions[3 * i + 1] = p[1] + w * t.y + 2.0f * u.y + pose.position.y;
        positions[3 * i + 2] = p[2] + w * t.z + 2.0f * u.z + pose.position.z;
    }
}
