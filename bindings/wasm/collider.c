// Colliders.
#include "world.h"

/// The pose is in values 0 to 6. `mesh` and `positions` may be null, and `body` 0. Returns 0 when it fails.
EXPORT(collider_create)
uint32_t web_collider_create(web_world *world, const pli_mesh *mesh, const float *positions, uint32_t body)
{
    pli_collider_def *def = &web_definition.collider;
    pli_collider made = {0, 0};
    def->mesh = mesh, def->positions = positions;
    def->pose = web_pose(0);
    if (body)
        def->body = web_rigid_body(world, body);
    web_error.status = pli_collider_create(world->world, def, &made, &web_error);
    return web_made(world, made.id, made.world);
}
EXPORT(collider_destroy) pli_status web_collider_destroy(web_world *world, uint32_t id)
{
    return pli_collider_destroy(world->world, web_collider(world, id), &web_error);
}

EXPORT(collider_load) pli_status web_collider_load(const web_world *world, uint32_t id)
{
    return pli_collider_get_def(world->world, web_collider(world, id), &web_definition.collider, &web_error);
}
/// With `mesh` and `positions` those, else those that it has.
EXPORT(collider_store)
pli_status web_collider_store(web_world *world, uint32_t id, const pli_mesh *mesh, const float *positions)
{
    pli_collider_def *def = &web_definition.collider;
    if (mesh)
        def->mesh = mesh;
    def->positions = positions;
    return pli_collider_set_def(world->world, web_collider(world, id), def, &web_error);
}

EXPORT(collider_pose) pli_status web_collider_pose(const web_world *world, uint32_t id)
{
    pli_transform pose = pli_transform_identity();
    pli_status status = pli_collider_pose(world->world, web_collider(world, id), &pose, &web_error);
    web_put_pose(web_values, pose);
    return status;
}
EXPORT(collider_set_pose) pli_status web_collider_set_pose(web_world *world, uint32_t id)
{
    return pli_collider_set_pose(world->world, web_collider(world, id), web_pose(0), &web_error);
}
EXPORT(collider_teleport) pli_status web_collider_teleport(web_world *world, uint32_t id)
{
    return pli_collider_teleport(world->world, web_collider(world, id), web_pose(0), &web_error);
}
EXPORT(collider_set_vertices)
pli_status web_collider_set_vertices(web_world *world, uint32_t id, const float *positions, int32_t count)
{
    return pli_collider_set_vertices(world->world, web_collider(world, id), positions, count, &web_error);
}
EXPORT(collider_teleport_vertices)
pli_status web_collider_teleport_vertices(web_world *world, uint32_t id, const float *positions, int32_t count)
{
    return pli_collider_teleport_vertices(world->world, web_collider(world, id), positions, count, &web_error);
}
EXPORT(collider_vertices) void web_collider_vertices(const web_world *world, uint32_t id)
{
    web_put_view(pli_collider_vertices(world->world, web_collider(world, id)));
}

/// Faces that collide, with a reference of its own; null for smooth shapes.
EXPORT(collider_mesh) const pli_mesh *web_collider_mesh(const web_world *world, uint32_t id)
{
    const pli_mesh *mesh = pli_collider_mesh(world->world, web_collider(world, id));
    return mesh ? pli_mesh_retain(mesh) : NULL;
}

/// Origin and direction: values 0 to 5. Values become distance and normal.
EXPORT(collider_ray) bool web_collider_ray(const web_world *world, uint32_t id, float reach)
{
    float distance = 0.0f;
    pli_vec3 normal = {0};
    bool met = pli_collider_ray(world->world, web_collider(world, id), web_vector(0), web_vector(3), reach, &distance,
                                &normal);
    web_values[0] = (double)distance;
    web_put_vector(web_values + 1, normal);
    return met;
}
