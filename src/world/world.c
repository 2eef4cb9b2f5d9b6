// Creates, configures and destroys worlds.
#define _POSIX_C_SOURCE 200809L
#include "model/backends/backends.h"
#include "base/hash.h"
#include "base/stop_request.h"
#include "base/timer.h"
#include "properties/groups.h"
#include "sweep/crowd.h"
#include "model/handles.h"
#include "model/settings.h"
#include "particles/air.h"
#include "particles/store.h"
#include "rigid/coupling/rigid_proxy.h"
#include "world/attachment.h"
#include "world/collider.h"
#include "world/constraint_set.h"
#include "world/deformable.h"

#include <stddef.h>
#include <string.h>

pli_world_def pli_world_def_default(void)
{
    pli_world_def standard = {.hooks = pli_hooks_default()};
    pli_descriptor_write_defaults(&pli_world_descriptors, &standard);
    pli_descriptor_write_defaults(&pli_settings_descriptors, &standard.settings);
    pli_descriptor_write_defaults(&pli_contact_descriptors, &standard.settings);
    return standard;
}

static pli_status check_def(const pli_world_def *def, pli_error *error)
{
    pli_status status = pli_descriptor_check(&pli_world_descriptors, def, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (!pli_simd_available(def->simd))
        return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                        "%s instructions are not in this build or processor; use "
                        "PLI_SIMD_AUTO",
                        pli_choice_name("simd", (int32_t)def->simd));
    return pli_settings_check(&def->settings, error);
}

// A tag that distinguishes handles of different worlds without a shared counter: worlds that exist simultaneously differ
// by address, successive worlds at one address by time. It is not part of the state.
static uint32_t tag_of(const pli_world *world)
{
    double now = pli_seconds();
    uint64_t bits;
    memcpy(&bits, &now, sizeof bits);
    uint64_t hash = pli_hash_mix(pli_hash_mix(PLI_HASH_START, (uint64_t)(uintptr_t)world), bits);
    return (uint32_t)(hash >> 32) ^ (uint32_t)hash;
}

pli_status pli_world_create_version(int32_t version, const pli_world_def *def, pli_world **world, pli_error *error)
{
    *world = NULL;
    if (version != PLI_VERSION_NUMBER)
        return pli_fail(
            error, PLI_STATUS_UNSUPPORTED,
            "the caller has headers of version %d.%d.%d, and the library is %s; compile both from one version",
            (int)(version / 10000), (int)(version / 100 % 100), (int)(version % 100), PLI_VERSION_STRING);
    PLI_ASSERT(def ? &def->hooks : NULL, def);
    pli_status status = check_def(def, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_memory memory = pli_memory_make(&def->hooks);
    pli_world *made = PLI_ALLOCATE(&memory, pli_world, 1);
    if (!made)
        return pli_fail_memory(error);
    made->memory = memory;
    made->tag = tag_of(made);
    made->settings = def->settings;
    made->order = def->order;
    made->timing.limit = INFINITY;
    pli_gusts_make(&made->air.gusts, (double)def->gust_length, def->gust_seed);
    made->kernels = pli_kernels_of(def->simd);
    made->tasks = pli_tasks_create(&made->memory, def->thread_count, &def->tasks);
    if (!made->tasks) {
        pli_world_destroy(made);
        return pli_fail_memory(error);
    }
    *world = made;
    return pli_succeed(error);
}

void pli_world_destroy(pli_world *world)
{
    // The world may destroy objects of the application, but these objects must not destroy the world.
    if (!world || world->lifetimes.closes || !pli_world_may_change(world, NULL))
        return;
    world->lifetimes.closes = true;
    while (world->lifetimes.count > 0) {
        pli_lifetime kept = world->lifetimes.items[--world->lifetimes.count];
        kept.destroy(kept.thing);
    }
    pli_release(&world->memory, world->lifetimes.items);
    pli_collision_expect_intersections(&world->collision); // Attachments then need no search.
    while (world->attachments.count > 0)
        pli_attachment_free(world, pli_attachment_at(world, world->attachments.count - 1));
    while (world->sets.count > 0)
        pli_constraints_free(world, pli_constraints_data_at(world, world->sets.count - 1));
    while (world->deformables.count > 0)
        pli_deformable_free(world, pli_deformable_at(world, world->deformables.count - 1));
    while (world->colliders.count > 0)
        pli_collider_free(world, pli_collider_at(world, world->colliders.count - 1));
    while (world->rigids.count > 0)
        pli_rigid_free(world, pli_rigid_at(world, world->rigids.count - 1));
    pli_release(&world->memory, world->rigids.items);
    pli_array_release(&world->memory, &world->coupling.support_contacts.now);
    pli_array_release(&world->memory, &world->coupling.support_contacts.good);
    pli_release(&world->memory, world->colliders.items);
    pli_release(&world->memory, world->deformables.items);
    pli_release(&world->memory, world->sets.items);
    pli_release(&world->memory, world->attachments.items);
    pli_release(&world->memory, world->during.analytic.shapes);
    pli_release(&world->memory, world->during.layers.groups);
    pli_bvh16_release(&world->memory, &world->during.analytic.tree);
    pli_bvh16_release(&world->memory, &world->during.isolated.tree);
    pli_crowds_release(world);
    pli_release(&world->memory, world->coupling.islands);
    pli_array_release(&world->memory, &world->reports.findings);
    pli_store_release(&world->memory, &world->store);
    world->collision.memory = &world->memory;
    pli_collision_release(&world->collision);
    for (int32_t i = 0; i < world->registry.type_count; i++)
        pli_release(&world->memory, (void *)(uintptr_t)world->registry.types[i]);
    pli_release(&world->memory, world->registry.types);
    pli_release(&world->memory, world->registry.generators);
    pli_tasks_destroy(&world->memory, world->tasks);
    pli_memory memory = world->memory;
    pli_release(&memory, world);
}

pli_status pli_world_own(pli_world *world, void *thing, void (*destroy)(void *thing), pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    PLI_ASSERT(NULL, world != NULL && destroy != NULL);
    if (!pli_reserve(&world->memory, &world->lifetimes.items, &world->lifetimes.capacity,
                     (int64_t)world->lifetimes.count + 1, sizeof *world->lifetimes.items))
        return pli_fail_memory(error);
    world->lifetimes.items[world->lifetimes.count++] = (pli_lifetime){thing, destroy};
    return pli_succeed(error);
}

pli_settings pli_world_settings(const pli_world *world) { return world->settings; }

pli_status pli_world_set_settings(pli_world *world, const pli_settings *settings, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_status status = pli_settings_check(settings, error);
    if (status != PLI_STATUS_OK)
        return status;
    for (int32_t i = 0; settings->method == PLI_METHOD_PBD && i < world->deformables.count; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (deformable->def.tearing.force < INFINITY)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                            "'%s' tears by force, and PBD knows none; let it tear by "
                            "stretch first",
                            deformable->name ? deformable->name : "");
    }
    // Without the guarantee, surfaces may intersect by now.
    if (settings->ccd != world->settings.ccd)
        pli_collision_expect_intersections(&world->collision);
    world->settings = *settings;
    world->collision.stirred = true;
    return status;
}

void pli_world_cancel(pli_world *world) { pli_tasks_stop(world->tasks); }

pli_status pli_world_set_time_limit(pli_world *world, double seconds, pli_error *error)
{
    PLI_ASSERT(NULL, world != NULL);
    if (!(seconds > 0.0))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the time limit is %g; it must be positive [s]", seconds);
    world->timing.limit = seconds;
    return pli_succeed(error);
}

double pli_world_time(const pli_world *world) { return world->time; }

int64_t pli_world_step_count(const pli_world *world) { return world->timing.step_count; }

// Also destroys the attachments and colliders of the body.
pli_status pli_rigid_body_destroy(pli_world *world, pli_rigid_body handle, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_rigid_body_data *rigid = pli_rigid_get(world, handle, error);
    if (!rigid)
        return PLI_STATUS_NOT_FOUND;
    for (int32_t i = world->attachments.count - 1; i >= 0; i--) {
        pli_attachment_data *attachment = pli_attachment_at(world, i);
        if (attachment->rigid == rigid)
            pli_attachment_free(world, attachment);
    }
    for (int32_t i = world->colliders.count - 1; i >= 0; i--) {
        pli_collider_data *collider = pli_collider_at(world, i);
        if (collider->rigid == rigid)
            pli_collider_free(world, collider);
    }
    pli_rigid_free(world, rigid);
    return pli_succeed(error);
}
