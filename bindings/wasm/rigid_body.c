// Proxies of the rigid bodies of another engine.
#include "world.h"

// The state in web_values: pose (7), velocity, angular velocity, acceleration.
static pli_rigid_state state_of(void)
{
    return (pli_rigid_state){web_pose(0), web_vector(7), web_vector(10), web_vector(13)};
}

static void read_mass(int32_t first, float *inverse_mass, float inverse_inertia[6])
{
    *inverse_mass = (float)web_values[first];
    for (int32_t k = 0; k < 6; k++)
        inverse_inertia[k] = (float)web_values[first + 1 + k];
}

/// Values: state (16), centre of mass, inverse mass, inverse inertia (6), mass scale. 0 when it fails.
EXPORT(rigid_body_create) uint32_t web_rigid_body_create(web_world *world, const char *name)
{
    pli_rigid_body_def def = pli_rigid_body_def_default();
    pli_rigid_body made = {0, 0};
    def.name = name;
    def.state = state_of();
    def.centre_of_mass = web_vector(16);
    read_mass(19, &def.inverse_mass, def.inverse_inertia);
    def.mass_scale = (float)web_values[26];
    web_error.status = pli_rigid_body_create(world->world, &def, &made, &web_error);
    return web_made(world, made.id, made.world);
}
EXPORT(rigid_body_destroy) pli_status web_rigid_body_destroy(web_world *world, uint32_t id)
{
    return pli_rigid_body_destroy(world->world, web_rigid_body(world, id), &web_error);
}
EXPORT(rigid_body_at) uint32_t web_rigid_body_at(const web_world *world, int32_t i)
{
    return pli_world_rigid_body_at(world->world, i).id;
}
EXPORT(rigid_body_name) const char *web_rigid_body_name(const web_world *world, uint32_t id)
{
    return pli_rigid_body_name(world->world, web_rigid_body(world, id));
}

/// Values become the state, in the order of rigid_body_create.
EXPORT(rigid_body_state) pli_status web_rigid_body_state(const web_world *world, uint32_t id)
{
    pli_rigid_state state = {.pose = pli_transform_identity()};
    pli_status status = pli_rigid_body_get_state(world->world, web_rigid_body(world, id), &state, &web_error);
    double *to = web_put_pose(web_values, state.pose);
    web_put_vector(web_put_vector(web_put_vector(to, state.velocity), state.angular_velocity), state.acceleration);
    return status;
}
EXPORT(rigid_body_set_state) pli_status web_rigid_body_set_state(web_world *world, uint32_t id, bool teleport)
{
    pli_rigid_state state = state_of();
    return pli_rigid_body_set_state(world->world, web_rigid_body(world, id), &state, teleport, &web_error);
}
/// Values: inverse mass, inverse inertia (6).
EXPORT(rigid_body_set_mass) pli_status web_rigid_body_set_mass(web_world *world, uint32_t id)
{
    float inverse_mass, inverse_inertia[6];
    read_mass(0, &inverse_mass, inverse_inertia);
    return pli_rigid_body_set_mass(world->world, web_rigid_body(world, id), inverse_mass, inverse_inertia, &web_error);
}
/// Values become the changes of velocity and angular velocity, then the impulses.
EXPORT(rigid_body_take_change) pli_status web_rigid_body_take_change(web_world *world, uint32_t id)
{
    pli_rigid_change change = {.velocity = {0}};
    pli_status status = pli_rigid_body_take_change(world->world, web_rigid_body(world, id), &change, &web_error);
    double *to = web_put_vector(web_put_vector(web_values, change.velocity), change.angular_velocity);
    web_put_vector(web_put_vector(to, change.impulse), change.angular_impulse);
    return status;
}
