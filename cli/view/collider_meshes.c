#include "view/collider_meshes.h"

#include "frame/folders.h"

#include <stdlib.h>

static pli_status add(const pli_world *world, pli_cli_shells *shells, int32_t number, pli_error *error)
{
    pli_collider collider = pli_world_collider_at(world, number);
    pli_collider_def def;
    pli_status status = pli_collider_get_def(world, collider, &def, error);
    bool has_mesh = status == PLI_STATUS_OK && pli_shape_at((int32_t)def.shape)->takes_mesh;
    if (status != PLI_STATUS_OK || (!has_mesh && def.body.id == 0))
        return status;
    int32_t i = shells->count;
    if (!has_mesh)
        status = pli_shape_tessellate(&def, PLI_SHAPE_RESOLUTION, NULL, &shells->made[i], error);
    if (status != PLI_STATUS_OK)
        return status;
    shells->meshes[i] = has_mesh ? pli_collider_mesh(world, collider) : shells->made[i];
    shells->numbers[i] = number;
    shells->count++;
    return status;
}

pli_status pli_cli_shells_open(const pli_world *world, pli_cli_shells *shells, pli_error *error)
{
    int32_t colliders = pli_world_collider_count(world);
    *shells = (pli_cli_shells){
        .numbers = calloc((size_t)colliders + 1, sizeof *shells->numbers),
        .meshes = calloc((size_t)colliders + 1, sizeof *shells->meshes),
        .made = calloc((size_t)colliders + 1, sizeof *shells->made),
    };
    if (!shells->numbers || !shells->meshes || !shells->made)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the colliders");
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < colliders && status == PLI_STATUS_OK; i++)
        status = add(world, shells, i, error);
    return status;
}

void pli_cli_shells_close(pli_cli_shells *shells)
{
    for (int32_t i = 0; i < shells->count; i++)
        pli_mesh_destroy(shells->made[i]);
    free(shells->numbers);
    free(shells->meshes);
    free(shells->made);
    *shells = (pli_cli_shells){0};
}

int32_t pli_cli_shell_of(const pli_cli_shells *shells, int32_t collider)
{
    for (int32_t i = 0; i < shells->count; i++)
        if (shells->numbers[i] == collider)
            return i;
    return -1;
}

static pli_vec3 cross(pli_vec3 a, pli_vec3 b)
{
    return (pli_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

void pli_cli_shell_positions(const pli_cli_shells *shells, const pli_world *world, int32_t shell, float *positions)
{
    pli_transform pose;
    pli_collider collider = pli_world_collider_at(world, shells->numbers[shell]);
    const pli_topology *topology = pli_mesh_topology(shells->meshes[shell]);
    pli_view vertices = {topology->positions, topology->vertex_count, 3 * sizeof(float)};
    if (!shells->made[shell])
        vertices = pli_collider_vertices(world, collider);
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
