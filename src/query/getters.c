// Queries of objects: their definitions as they stand, names, counts, mass and bounds.
#include "base/tasks.h"
#include "world/attachment.h"
#include "model/deformable_parts.h"
#include "rigid/rigid_proxy.h"

#include <string.h>

static bool is_called(const char *own, const char *name) { return name && strcmp(own ? own : "", name) == 0; }

pli_deformable pli_world_deformable_find(const pli_world *world, const char *name)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_data *deformable = (const pli_deformable_data *)(const void *)world->deformables.items[i];
        if (is_called(deformable->name, name))
            return (pli_deformable){deformable->id, world->tag};
    }
    return (pli_deformable){0, 0};
}

pli_constraint_set pli_world_constraint_set_find(const pli_world *world, const char *name)
{
    for (int32_t i = 0; i < world->sets.count; i++) {
        const pli_constraint_set_data *set = (const pli_constraint_set_data *)(const void *)world->sets.items[i];
        if (is_called(set->name, name))
            return (pli_constraint_set){set->id, world->tag};
    }
    return (pli_constraint_set){0, 0};
}

pli_rigid_body pli_world_rigid_body_find(const pli_world *world, const char *name)
{
    for (int32_t i = 0; i < world->rigids.count; i++) {
        const pli_rigid_body_data *rigid = (const pli_rigid_body_data *)(const void *)world->rigids.items[i];
        if (is_called(rigid->name, name))
            return (pli_rigid_body){rigid->id, world->tag};
    }
    return (pli_rigid_body){0, 0};
}

pli_status pli_deformable_get_def_sized(const pli_world *world, pli_deformable handle, pli_deformable_def *def,
                                        size_t size, pli_error *error)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    pli_deformable_def found = deformable->def;
    found.size = (uint32_t)size;
    found.name = deformable->name, found.mesh = deformable->mesh;
    pli_struct_write(def, size, &found, sizeof found);
    return pli_succeed(error);
}

pli_status pli_deformable_get_stretch_limit(const pli_world *world, pli_deformable handle, pli_stretch_limit *limit,
                                            pli_error *error)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    *limit = deformable->def.stretch_limit;
    return pli_succeed(error);
}

int32_t pli_deformable_vertex_count(const pli_world *world, pli_deformable handle)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, NULL);
    return deformable ? deformable->count : 0;
}

pli_status pli_deformable_mass(const pli_world *world, pli_deformable handle, double *mass, pli_error *error)
{
    int32_t stride;
    const float *inverse = pli_deformable_inverse_masses(world, handle, &stride);
    int32_t count = pli_deformable_vertex_count(world, handle);
    if (!pli_deformable_get(world, handle, error))
        return PLI_STATUS_NOT_FOUND;
    *mass = 0.0;
    for (int32_t i = 0; i < count; i++) {
        float w = *(const float *)(const void *)((const char *)inverse + (size_t)i * (size_t)stride);
        *mass += w > 0.0f ? 1.0 / (double)w : 0.0;
    }
    return pli_succeed(error);
}

pli_status pli_deformable_bounds(const pli_world *world, pli_deformable handle, pli_vec3 *minimum, pli_vec3 *maximum,
                                 pli_error *error)
{
    if (!pli_deformable_get(world, handle, error))
        return PLI_STATUS_NOT_FOUND;
    pli_view view = pli_deformable_positions(world, handle);
    *minimum = *maximum = (pli_vec3){0.0f, 0.0f, 0.0f};
    for (int32_t i = 0; i < view.count; i++) {
        const float *p = pli_view_at(view, i);
        pli_vec3 at = {p[0], p[1], p[2]};
        *minimum = i == 0 ? at : (pli_vec3){fminf(minimum->x, at.x), fminf(minimum->y, at.y), fminf(minimum->z, at.z)};
        *maximum = i == 0 ? at : (pli_vec3){fmaxf(maximum->x, at.x), fmaxf(maximum->y, at.y), fmaxf(maximum->z, at.z)};
    }
    return pli_succeed(error);
}

static const pli_attachment_data *attachment_of(const pli_world *world, pli_attachment handle, pli_error *error)
{
    const pli_attachment_data *attachment = handle.world == world->tag ? pli_list_find(&world->attachments, handle.id)
                                                                       : NULL;
    if (!attachment)
        pli_fail(error, PLI_STATUS_NOT_FOUND,
                 "no such attachment: the handle is null or of another world, or it was destroyed");
    return attachment;
}

pli_status pli_attachment_get_def_sized(const pli_world *world, pli_attachment handle, pli_attachment_def *def,
                                        size_t size, pli_error *error)
{
    const pli_attachment_data *attachment = attachment_of(world, handle, error);
    if (!attachment)
        return PLI_STATUS_NOT_FOUND;
    pli_attachment_def found = pli_attachment_def_default();
    found.size = (uint32_t)size;
    found.deformable = (pli_deformable){attachment->deformable->id, world->tag};
    found.particle_count = attachment->count;
    found.pose = attachment->pose;
    found.fixed = !attachment->set && !attachment->rigid;
    found.compliance = attachment->set ? attachment->set->parameters[PLI_PARAMETER_COMPLIANCE] : attachment->compliance;
    found.stiffness = attachment->set ? attachment->set->parameters[PLI_PARAMETER_STIFFNESS] : attachment->stiffness;
    if (attachment->rigid)
        found.body = (pli_rigid_body){attachment->rigid->id, world->tag};
    pli_struct_write(def, size, &found, sizeof found);
    return pli_succeed(error);
}

pli_status pli_attachment_particles(const pli_world *world, pli_attachment handle, int32_t *particles, int32_t capacity,
                                    int32_t *count, pli_error *error)
{
    const pli_attachment_data *attachment = attachment_of(world, handle, error);
    if (!attachment)
        return PLI_STATUS_NOT_FOUND;
    if (capacity < 0 || (!particles && capacity > 0))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "there is room for %d particles%s; give an array, or 0",
                        (int)capacity, particles ? "" : " at null");
    for (int32_t i = 0; i < attachment->count && i < capacity; i++)
        particles[i] = pli_vertex(attachment->deformable, attachment->particles[i]);
    *count = attachment->count;
    return pli_succeed(error);
}

pli_status pli_rigid_body_get_def_sized(const pli_world *world, pli_rigid_body body, pli_rigid_body_def *def,
                                        size_t size, pli_error *error)
{
    const pli_rigid_body_data *rigid = pli_rigid_get(world, body, error);
    if (!rigid)
        return PLI_STATUS_NOT_FOUND;
    pli_rigid_body_def found = rigid->def;
    found.size = (uint32_t)size;
    found.name = rigid->name;
    pli_rigid_body_state(world, body, &found.state, NULL);
    pli_struct_write(def, size, &found, sizeof found);
    return pli_succeed(error);
}

int32_t pli_world_thread_count(const pli_world *world) { return pli_tasks_width(world->tasks); }

pli_order pli_world_order(const pli_world *world) { return world->order; }

pli_simd pli_world_simd(const pli_world *world)
{
    for (int i = PLI_SIMD_SCALAR; i < PLI_SIMD_COUNT; i++)
        if (pli_simd_available((pli_simd)i) && pli_kernels_of((pli_simd)i) == world->kernels)
            return (pli_simd)i;
    return PLI_SIMD_SCALAR;
}
