// Worlds: settings, the step, and what is in them.
#include "world.h"

#include <stdlib.h>
#include <string.h>

pli_world *web_world_of(const web_world *world) { return world->world; }

uint32_t web_made(web_world *world, uint32_t id, uint32_t tag)
{
    if (id)
        world->tag = tag;
    return id;
}

pli_deformable web_deformable(const web_world *world, uint32_t id) { return (pli_deformable){id, world->tag}; }
pli_constraints web_constraint_set(const web_world *world, uint32_t id) { return (pli_constraints){id, world->tag}; }
pli_rigid_body web_rigid_body(const web_world *world, uint32_t id) { return (pli_rigid_body){id, world->tag}; }
pli_attachment web_attachment(const web_world *world, uint32_t id) { return (pli_attachment){id, world->tag}; }
pli_collider web_collider(const web_world *world, uint32_t id) { return (pli_collider){id, world->tag}; }

static bool keep_change(web_change *change, const pli_topology_change *from)
{
    size_t copies = 2 * (size_t)from->copy_count, faces = (size_t)from->face_count;
    change->numbers = malloc(sizeof *change->numbers * (copies + faces + 1));
    if (!change->numbers)
        return false;
    for (size_t i = 0; i < copies / 2; i++) {
        change->numbers[2 * i] = from->copies[i].source;
        change->numbers[2 * i + 1] = from->copies[i].copy;
    }
    if (faces)
        memcpy(change->numbers + copies, from->faces, sizeof *change->numbers * faces);
    return true;
}

// Changes are kept until JavaScript takes them, since it may not be called in the midst of a step.
static void topology_changed(void *user, pli_deformable deformable, const pli_topology_change *from)
{
    web_world *world = user;
    if (world->change_count == world->change_capacity) {
        int32_t capacity = world->change_capacity ? 2 * world->change_capacity : 8;
        web_change *grown = realloc(world->changes, sizeof *grown * (size_t)capacity);
        if (!grown) {
            world->lost = true;
            return;
        }
        world->changes = grown;
        world->change_capacity = capacity;
    }
    web_change *change = &world->changes[world->change_count];
    *change = (web_change){deformable.id, from->copy_count, from->face_count, from->vertex_count, NULL};
    if (keep_change(change, from))
        world->change_count++;
    else
        world->lost = true;
}

// Every handle of a world has its tag.
static uint32_t tag_of(const pli_world *world)
{
    uint32_t tag = pli_world_deformable_at(world, 0).world;
    if (!tag)
        tag = pli_world_collider_at(world, 0).world;
    return tag ? tag : pli_world_rigid_body_at(world, 0).world;
}

static web_world *wrapper(void)
{
    web_world *wrapped = calloc(1, sizeof *wrapped);
    if (wrapped)
        wrapped->thread_count = 1;
    else
        pli_fail(&web_error, PLI_STATUS_OUT_OF_MEMORY, "out of memory: the world was not made");
    return wrapped;
}

static void wrap(pli_world *world, web_world *wrapped)
{
    wrapped->world = world;
    wrapped->tag = tag_of(world);
    pli_world_set_topology_callback(world, topology_changed, wrapped);
}

pli_status web_world_wrap(pli_world *world, web_world **wrapped)
{
    *wrapped = wrapper();
    if (!*wrapped)
        return PLI_STATUS_OUT_OF_MEMORY;
    wrap(world, *wrapped);
    return PLI_STATUS_OK;
}

/// The world of the definition, with at most as many threads as the module has. `simd` names a back end.
EXPORT(world_create) web_world *web_world_create(const char *simd)
{
    pli_world_def *def = &web_definition.world;
    pli_world *world;
    web_world *wrapped = wrapper();
    if (!wrapped)
        return NULL;
    wrapped->thread_count = def->thread_count < web_threads_most() ? def->thread_count : web_threads_most();
    def->tasks = web_task_hooks(&wrapped->thread_count);
    const int32_t back_end = pli_choice_value("simd", simd);
    if (back_end >= 0)
        def->simd = (pli_simd)back_end;
    web_error.status = pli_world_create(def, &world, &web_error);
    if (web_error.status != PLI_STATUS_OK) {
        free(wrapped);
        return NULL;
    }
    wrap(world, wrapped);
    return wrapped;
}

EXPORT(changes_clear) void web_changes_clear(web_world *world)
{
    for (int32_t i = 0; i < world->change_count; i++)
        free(world->changes[i].numbers);
    world->change_count = 0;
    world->lost = false;
}

EXPORT(world_destroy) void web_world_destroy(web_world *world)
{
    pli_world_destroy(world->world);
    web_changes_clear(world);
    free(world->changes);
    free(world);
}

EXPORT(changes_count) int32_t web_changes_count(const web_world *world) { return world->change_count; }
EXPORT(changes_lost) bool web_changes_lost(const web_world *world) { return world->lost; }

/// Values: deformable, copies, faces, vertices now, address of the numbers.
EXPORT(changes_at) void web_changes_at(const web_world *world, int32_t i)
{
    const web_change *change = &world->changes[i];
    web_values[0] = change->deformable;
    web_values[1] = change->copy_count;
    web_values[2] = change->face_count;
    web_values[3] = change->vertex_count;
    web_values[4] = (double)(uintptr_t)change->numbers;
}

EXPORT(world_step) pli_status web_world_step(web_world *world, float dt)
{
    return pli_world_step(world->world, dt, &web_error);
}

/// Values: settled, steps, speed, kinetic energy.
EXPORT(world_settle) pli_status web_world_settle(web_world *world, float dt, float speed, int32_t max_steps)
{
    pli_settled found = {false, 0, 0.0, 0.0};
    pli_status status = pli_world_settle(world->world, dt, speed, max_steps, &found, &web_error);
    web_values[0] = found.settled, web_values[1] = found.steps;
    web_values[2] = found.speed, web_values[3] = found.kinetic_energy;
    return status;
}

EXPORT(world_set_time_limit) pli_status web_world_set_time_limit(web_world *world, double seconds)
{
    return pli_world_set_time_limit(world->world, seconds, &web_error);
}

EXPORT(world_time) double web_world_time(const web_world *world) { return pli_world_time(world->world); }
EXPORT(world_step_count) double web_world_step_count(const web_world *world)
{
    return (double)pli_world_step_count(world->world);
}
EXPORT(world_thread_count) int32_t web_world_thread_count(const web_world *world) { return world->thread_count; }
EXPORT(world_simd) const char *web_world_simd(const web_world *world)
{
    return pli_choice_name("simd", (int32_t)pli_world_simd(world->world));
}

/// Takes the settings into the definition of a world, where properties read and write them.
EXPORT(settings_load) void web_settings_load(const web_world *world)
{
    web_definition.world.settings = pli_world_settings(world->world);
}
EXPORT(settings_store) pli_status web_settings_store(web_world *world)
{
    return pli_world_set_settings(world->world, &web_definition.world.settings, &web_error);
}

/// The halves of the hash, the higher one first.
EXPORT(world_hash) void web_world_hash(const web_world *world)
{
    uint64_t hash = pli_world_hash(world->world);
    web_values[0] = (double)(hash >> 32);
    web_values[1] = (double)(hash & UINT32_MAX);
}

EXPORT(deformable_at) uint32_t web_deformable_at(const web_world *world, int32_t i)
{
    return pli_world_deformable_at(world->world, i).id;
}
EXPORT(constraint_set_at) uint32_t web_constraint_set_at(const web_world *world, int32_t i)
{
    return pli_world_constraints_at(world->world, i).id;
}
EXPORT(attachment_at) uint32_t web_attachment_at(const web_world *world, int32_t i)
{
    return pli_world_attachment_at(world->world, i).id;
}
EXPORT(collider_at) uint32_t web_collider_at(const web_world *world, int32_t i)
{
    return pli_world_collider_at(world->world, i).id;
}

EXPORT(world_origin) void web_world_origin(const web_world *world) { pli_world_get_origin(world->world, web_values); }
EXPORT(world_set_origin) pli_status web_world_set_origin(web_world *world)
{
    return pli_world_set_origin(world->world, web_values, &web_error);
}
EXPORT(world_shift) pli_status web_world_shift(web_world *world)
{
    return pli_world_shift(world->world, web_values, &web_error);
}

/// Poses from and to: values 0 to 13; `ids` has the deformables, then the colliders.
EXPORT(world_teleport)
pli_status web_world_teleport(web_world *world, const uint32_t *ids, int32_t deformable_count, int32_t collider_count,
                              bool everything, bool keep_velocities)
{
    pli_teleport_def def = pli_teleport_def_default();
    def.from = web_pose(0), def.to = web_pose(7);
    def.everything = everything, def.keep_velocities = keep_velocities;
    pli_deformable *deformables = malloc(sizeof *deformables * (size_t)(deformable_count + 1));
    pli_collider *colliders = malloc(sizeof *colliders * (size_t)(collider_count + 1));
    for (int32_t i = 0; deformables && i < deformable_count; i++)
        deformables[i] = web_deformable(world, ids[i]);
    for (int32_t i = 0; colliders && i < collider_count; i++)
        colliders[i] = web_collider(world, ids[deformable_count + i]);
    def.deformables = deformables, def.deformable_count = deformable_count;
    def.colliders = colliders, def.collider_count = collider_count;
    pli_status status = deformables && colliders
                            ? pli_world_teleport(world->world, &def, &web_error)
                            : pli_fail(&web_error, PLI_STATUS_OUT_OF_MEMORY, "out of memory: nothing was teleported");
    free(deformables);
    free(colliders);
    return status;
}

EXPORT(snapshot_size) size_t web_snapshot_size(const web_world *world) { return pli_world_snapshot_size(world->world); }
EXPORT(snapshot_write) pli_status web_snapshot_write(const web_world *world, void *buffer, size_t size)
{
    return pli_world_snapshot_write(world->world, buffer, size, &web_error);
}
EXPORT(snapshot_read) pli_status web_snapshot_read(web_world *world, const void *buffer, size_t size)
{
    return pli_world_snapshot_read(world->world, buffer, size, &web_error);
}
EXPORT(cooked_size) size_t web_cooked_size(const web_world *world) { return pli_world_cooked_size(world->world); }
EXPORT(cooked_write) pli_status web_cooked_write(const web_world *world, void *buffer, size_t size)
{
    return pli_world_cooked_write(world->world, buffer, size, &web_error);
}
/// The buffer is borrowed until the last set is made, or until this is called with null.
EXPORT(cooked_use) pli_status web_cooked_use(web_world *world, const void *buffer, size_t size)
{
    return pli_world_set_cooked(world->world, buffer, size, &web_error);
}

#define STATISTICS(F, V, A)                                                                                            \
    F(step)                                                                                                            \
    F(time)                                                                                                            \
    A(stage_seconds, 9)                                                                                                \
    F(step_seconds)                                                                                                    \
    F(kinetic_energy)                                                                                                  \
    A(momentum, 3)                                                                                                     \
    A(angular_momentum, 3)                                                                                             \
    F(stretch_rms)                                                                                                     \
    F(stretch_max)                                                                                                     \
    F(particle_count)                                                                                                  \
    F(fixed_count)                                                                                                     \
    F(contact_count)                                                                                                   \
    F(surface_contact_count)                                                                                           \
    F(candidate_count)                                                                                                 \
    F(limited_count)                                                                                                   \
    F(intersection_count)                                                                                              \
    F(failed_pair_count)                                                                                               \
    F(projection_count)                                                                                                \
    F(memory)                                                                                                          \
    F(off_target_count)                                                                                                \
    F(tracking_error)                                                                                                  \
    F(work)                                                                                                            \
    F(shortened_count)                                                                                                 \
    F(substep_count)                                                                                                   \
    F(plastic_work)                                                                                                    \
    F(stuck)

_Static_assert(PLI_STAGE_COUNT == 9, "the names of a record hold the number as it is written");

WEB_RECORD(statistics, pli_statistics, STATISTICS)

EXPORT(world_statistics) void web_world_statistics(const web_world *world)
{
    pli_statistics statistics;
    pli_world_get_statistics(world->world, &statistics);
    web_put_statistics(&statistics);
}
