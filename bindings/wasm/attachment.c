// Attachments, and hands that hold cloth softly.
#include "world.h"

#include <stdlib.h>

/// The pose is in values 0 to 6. `body` is the rigid body that they follow, or 0. Returns 0 when it fails.
EXPORT(attachment_create)
uint32_t web_attachment_create(web_world *world, uint32_t deformable, const int32_t *particles, int32_t count,
                               uint32_t body)
{
    pli_attachment_def *def = &web_definition.attachment;
    pli_attachment made = {0, 0};
    def->deformable = web_deformable(world, deformable);
    def->particles = particles, def->particle_count = count;
    def->pose = web_pose(0);
    if (body)
        def->body = web_rigid_body(world, body);
    web_error.status = pli_attachment_create(world->world, def, &made, &web_error);
    return made.id;
}
EXPORT(attachment_destroy) pli_status web_attachment_destroy(web_world *world, uint32_t id)
{
    return pli_attachment_destroy(world->world, web_attachment(world, id), &web_error);
}
EXPORT(attachment_set_pose) pli_status web_attachment_set_pose(web_world *world, uint32_t id)
{
    return pli_attachment_set_pose(world->world, web_attachment(world, id), web_pose(0), &web_error);
}
EXPORT(attachment_teleport) pli_status web_attachment_teleport(web_world *world, uint32_t id)
{
    return pli_attachment_teleport(world->world, web_attachment(world, id), web_pose(0), &web_error);
}

EXPORT(attachment_load) pli_status web_attachment_load(const web_world *world, uint32_t id)
{
    return pli_attachment_get_def(world->world, web_attachment(world, id), &web_definition.attachment, &web_error);
}
/// With `particles` other ones, which keep their places in the frame as it is at the pose in values 0 to 6.
EXPORT(attachment_store)
pli_status web_attachment_store(web_world *world, uint32_t id, const int32_t *particles, int32_t count)
{
    pli_attachment_def *def = &web_definition.attachment;
    def->particles = particles, def->particle_count = count;
    if (particles)
        def->pose = web_pose(0);
    return pli_attachment_set_def(world->world, web_attachment(world, id), def, &web_error);
}

EXPORT(attachment_deformable) uint32_t web_attachment_deformable(const web_world *world, uint32_t id)
{
    pli_attachment_def def = pli_attachment_def_default();
    pli_status status = pli_attachment_get_def(world->world, web_attachment(world, id), &def, &web_error);
    return status == PLI_STATUS_OK ? def.deformable.id : 0;
}

/// Value 0 becomes the number of particles, of which at most `capacity` are written.
EXPORT(attachment_particles)
pli_status web_attachment_particles(const web_world *world, uint32_t id, int32_t *particles, int32_t capacity)
{
    int32_t count = 0;
    pli_status status = pli_attachment_particles(world->world, web_attachment(world, id), particles, capacity, &count,
                                                 &web_error);
    web_values[0] = count;
    return status;
}

/// Values: particles that lag, largest distance, force.
EXPORT(attachment_tracking_error) pli_status web_attachment_tracking_error(const web_world *world, uint32_t id)
{
    pli_attachment_tracking_error lag = {0};
    pli_status status = pli_attachment_get_tracking_error(world->world, web_attachment(world, id), &lag, &web_error);
    web_values[0] = lag.count, web_values[1] = lag.distance, web_values[2] = lag.force;
    return status;
}

/// Null when it fails; the caller gives the memory back.
EXPORT(grab_begin)
pli_grab *web_grab_begin(web_world *world, uint32_t deformable, int32_t vertex, float radius, float strength,
                         float reach, int32_t ramp)
{
    pli_grab_def def = pli_grab_def_default();
    def.deformable = web_deformable(world, deformable), def.vertex = vertex;
    def.radius = radius, def.strength = strength, def.reach = reach, def.ramp = ramp;
    pli_grab *grab = malloc(sizeof *grab);
    if (!grab) {
        pli_fail(&web_error, PLI_STATUS_OUT_OF_MEMORY, "out of memory: nothing was taken hold of");
        return NULL;
    }
    web_error.status = pli_grab_begin(world->world, &def, grab, &web_error);
    if (web_error.status == PLI_STATUS_OK)
        return grab;
    free(grab);
    return NULL;
}

/// The target: values 0 to 2.
EXPORT(grab_update) pli_status web_grab_update(web_world *world, pli_grab *grab, float dt, bool holds)
{
    return pli_grab_update(world->world, grab, web_vector(0), dt, holds, &web_error);
}

/// Values: attachment, particles, limit, reach, share, force.
EXPORT(grab_read) void web_grab_read(const pli_grab *grab)
{
    double *to = web_values;
    *to++ = grab->attachment.id;
    *to++ = grab->particle_count;
    *to++ = (double)grab->limit;
    *to++ = (double)grab->reach;
    *to++ = (double)grab->share;
    web_put_vector(to, grab->force);
}
