// Collects mesh colliders and shapes carried by rigid bodies as meshes in world space.
#include "view/collider_meshes.h"

#include "frame/folders.h"
#include <pliant/math.h>

#include <pliant/rigid.h>

#include <stdlib.h>

static pli_status add(const pli_world *world, pli_cli_collider_meshes *collider_meshes, int32_t number,
                      pli_error *error)
{
    pli_collider collider = pli_world_collider_at(world, number);
    pli_collider_def def;
    pli_status status = pli_collider_get_def(world, collider, &def, error);
    bool has_mesh = status == PLI_STATUS_OK && pli_shape_at((int32_t)def.shape)->takes_mesh;
    if (status != PLI_STATUS_OK || (!has_mesh && def.body.id == 0))
        return status;
    int32_t i = collider_meshes->count;
    if (!has_mesh)
        status = pli_shape_tessellate(&def, PLI_SHAPE_RESOLUTION, NULL, &collider_meshes->made[i], error);
    if (status != PLI_STATUS_OK)
        return status;
    collider_meshes->meshes[i] = has_mesh ? pli_collider_mesh(world, collider) : collider_meshes->made[i];
    collider_meshes->numbers[i] = number;
    collider_meshes->count++;
    return status;
}

pli_status pli_cli_collider_meshes_open(const pli_world *world, pli_cli_collider_meshes *collider_meshes,
                                        pli_error *error)
{
    int32_t colliders = pli_world_collider_count(world);
    *collider_meshes = (pli_cli_collider_meshes){
        .numbers = calloc((size_t)colliders + 1, sizeof *collider_meshes->numbers),
        .meshes = calloc((size_t)colliders + 1, sizeof *collider_meshes->meshes),
        .made = calloc((size_t)colliders + 1, sizeof *collider_meshes->made),
    };
    if (!collider_meshes->numbers || !collider_meshes->meshes || !collider_meshes->made)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the colliders");
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < colliders && status == PLI_STATUS_OK; i++)
        status = add(world, collider_meshes, i, error);
    return status;
}

void pli_cli_collider_meshes_close(pli_cli_collider_meshes *collider_meshes)
{
    for (int32_t i = 0; i < collider_meshes->count; i++)
        pli_mesh_destroy(collider_meshes->made[i]);
    free(collider_meshes->numbers);
    free(collider_meshes->meshes);
    free(collider_meshes->made);
    *collider_meshes = (pli_cli_collider_meshes){0};
}

int32_t pli_cli_collider_mesh_of(const pli_cli_collider_meshes *collider_meshes, int32_t collider)
{
    for (int32_t i = 0; i < collider_meshes->count; i++)
        if (collider_meshes->numbers[i] == collider)
            return i;
    return -1;
}

// For round shapes, which have meshes only for drawing.
static void write_positions(const pli_cli_collider_meshes *collider_meshes, const pli_world *world,
                            int32_t collider_mesh, pli_transform pose, float *positions)
{
    const pli_topology *topology = pli_mesh_topology(collider_meshes->meshes[collider_mesh]);
    pli_view vertices = {topology->positions, topology->vertex_count, 3 * sizeof(float)};
    if (!collider_meshes->made[collider_mesh])
        vertices = pli_collider_vertices(world, pli_world_collider_at(world, collider_meshes->numbers[collider_mesh]));
    for (int32_t i = 0; i < vertices.count; i++) {
        const float *from = pli_view_at(vertices, i);
        const pli_vec3 p = pli_rotate(pose.rotation, (pli_vec3){from[0], from[1], from[2]});
        positions[3 * i] = p.x + pose.position.x;
        positions[3 * i + 1] = p.y + pose.position.y;
        positions[3 * i + 2] = p.z + pose.position.z;
    }
}

// The vertex positions that the step uses, relative to the world's origin. Returns false for a round shape, which has none.
static bool place(const pli_cli_collider_meshes *collider_meshes, const pli_world *world, int32_t collider_mesh,
                  float *positions)
{
    pli_collider collider = pli_world_collider_at(world, collider_meshes->numbers[collider_mesh]);
    const int32_t count = pli_mesh_topology(collider_meshes->meshes[collider_mesh])->vertex_count;
    return pli_collider_get_placed_vertices(world, collider, positions, count, NULL) == PLI_STATUS_OK;
}

void pli_cli_collider_mesh_positions(const pli_cli_collider_meshes *collider_meshes, const pli_world *world,
                                     int32_t collider_mesh, float *positions)
{
    pli_transform pose;
    double origin[3];
    pli_world_get_origin(world, origin);
    pli_collider collider = pli_world_collider_at(world, collider_meshes->numbers[collider_mesh]);
    if (place(collider_meshes, world, collider_mesh, positions)) {
        const int32_t count = pli_mesh_topology(collider_meshes->meshes[collider_mesh])->vertex_count;
        for (int32_t i = 0; i < 3 * count; i++)
            positions[i] = (float)((double)positions[i] + origin[i % 3]);
    } else if (pli_collider_pose(world, collider, &pose, NULL) == PLI_STATUS_OK) {
        write_positions(collider_meshes, world, collider_mesh, pose, positions);
    }
}

void pli_cli_collider_mesh_local_positions(const pli_cli_collider_meshes *collider_meshes, const pli_world *world,
                                           int32_t collider_mesh, float *positions)
{
    pli_transform pose = pli_transform_identity();
    pli_collider collider = pli_world_collider_at(world, collider_meshes->numbers[collider_mesh]);
    if (!place(collider_meshes, world, collider_mesh, positions) &&
        pli_collider_get_local_pose(world, collider, &pose, NULL) == PLI_STATUS_OK)
        write_positions(collider_meshes, world, collider_mesh, pose, positions);
}
