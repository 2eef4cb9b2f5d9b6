// Worlds: made, set up and destroyed.
#define _POSIX_C_SOURCE 200809L
#include "base/nearest_name.h"
#include "descriptors/groups.h"
#include "solver/surfaces.h"

#include <string.h>

#define WORLD_COOKIE 0x504c4957u

pli_world_def pli_world_def_default(void)
{
    return (pli_world_def){
        .cookie = WORLD_COOKIE,
        .settings = {.method = PLI_METHOD_XPBD,
                     .substeps = 10,
                     .iterations = 1,
                     .gravity = {0.0f, -9.81f, 0.0f},
                     .speed_limit = INFINITY},
        .order = PLI_ORDER_COLOURED,
        .thread_count = 1,
        .hooks = pli_hooks_default(),
    };
}

pli_status pli_settings_check(const pli_settings *s, pli_error *error)
{
    pli_status status = pli_descriptor_check(&pli_settings_descriptors, s, error);
    return status == PLI_STATUS_OK ? pli_descriptor_check(&pli_contact_descriptors, s, error) : status;
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
                        pli_simd_name(def->simd));
    return pli_settings_check(&def->settings, error);
}

pli_status pli_world_create(const pli_world_def *def, pli_world **world, pli_error *error)
{
    *world = NULL;
    PLI_ASSERT(&def->hooks, def->cookie == WORLD_COOKIE);
    pli_status status = check_def(def, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_memory memory = pli_memory_make(&def->hooks);
    pli_world *made = PLI_ALLOCATE(&memory, pli_world, 1);
    if (!made)
        return pli_fail_memory(error);
    made->memory = memory;
    made->settings = def->settings;
    made->order = def->order;
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
    if (!world)
        return;
    while (world->kept_count > 0) {
        pli_kept kept = world->kept[--world->kept_count];
        kept.destroy(kept.thing);
    }
    pli_release(&world->memory, world->kept);
    while (world->ties.count > 0)
        pli_tie_free(world, (pli_tie *)(void *)world->ties.items[world->ties.count - 1]);
    while (world->sets.count > 0)
        pli_set_free(world, (pli_set *)(void *)world->sets.items[world->sets.count - 1]);
    while (world->bodies.count > 0)
        pli_body_free(world, (pli_body *)(void *)world->bodies.items[world->bodies.count - 1]);
    while (world->solids.count > 0)
        pli_solid_free(world, (pli_solid *)(void *)world->solids.items[world->solids.count - 1]);
    while (world->rigids.count > 0)
        pli_rigid_free(world, (pli_rigid *)(void *)world->rigids.items[world->rigids.count - 1]);
    pli_release(&world->memory, world->rigids.items);
    pli_release(&world->memory, world->solids.items);
    pli_release(&world->memory, world->bodies.items);
    pli_release(&world->memory, world->sets.items);
    pli_release(&world->memory, world->ties.items);
    pli_release(&world->memory, world->shapes);
    pli_release(&world->memory, world->layer_groups);
    pli_box_tree_release(&world->memory, &world->shape_tree);
    pli_release(&world->memory, world->islands);
    pli_store_release(&world->memory, &world->store);
    world->space.memory = &world->memory;
    pli_space_release(&world->space);
    pli_release(&world->memory, world->user_types);
    pli_tasks_destroy(&world->memory, world->tasks);
    pli_memory memory = world->memory;
    pli_release(&memory, world);
}

pli_status pli_world_attach_lifetime(pli_world *world, void *thing, void (*destroy)(void *thing), pli_error *error)
{
    PLI_ASSERT(NULL, world != NULL && destroy != NULL);
    if (!pli_reserve(&world->memory, &world->kept, &world->kept_capacity, (int64_t)world->kept_count + 1,
                     sizeof *world->kept))
        return pli_fail_memory(error);
    world->kept[world->kept_count++] = (pli_kept){thing, destroy};
    return pli_succeed(error);
}

pli_settings pli_world_settings(const pli_world *world) { return world->settings; }

pli_status pli_world_set_settings(pli_world *world, const pli_settings *settings, pli_error *error)
{
    pli_status status = pli_settings_check(settings, error);
    if (status != PLI_STATUS_OK)
        return status;
    for (int32_t i = 0; settings->method == PLI_METHOD_PBD && i < world->bodies.count; i++) {
        const pli_body *body = (const pli_body *)(const void *)world->bodies.items[i];
        if (body->def.tearing.force < INFINITY)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                            "'%s' tears by force, and PBD knows none; let it tear by "
                            "stretch first",
                            body->name ? body->name : "");
    }
    // Without a guarantee anything may have come into anything.
    if (settings->guarantee != world->settings.guarantee)
        pli_space_expect_intersections(&world->space);
    world->settings = *settings;
    return status;
}

double pli_world_time(const pli_world *world) { return world->time; }

int64_t pli_world_step_count(const pli_world *world) { return world->step_count; }

static const char *type_complaint(const pli_constraint_type *type)
{
    if (!type->name || !type->name[0])
        return "it has no name";
    if (!type->evaluate)
        return "it has no evaluate function";
    if (type->cardinality < 1 || type->cardinality > PLI_CARDINALITY_MAX)
        return "its cardinality must be 1 to 4";
    if (type->dimension != 1 && type->dimension != 3)
        return "its dimension must be 1 or 3";
    if (type->rest_count < 0 || type->rest_count > PLI_REST_MAX || (type->rest_count > 0 && !type->rest))
        return "its rest_count must be 0 to 6, with a rest function unless 0";
    if (type->parameter_count < 0 || type->parameter_count > PLI_PARAMETERS_MAX - PLI_PARAMETER_COMMON_COUNT)
        return "it has too many parameters";
    for (int32_t i = 0; i < type->parameter_count; i++)
        if ((unsigned)type->parameters[i].kind > PLI_PROPERTY_CHOICE ||
            (type->parameters[i].kind == PLI_PROPERTY_CHOICE && !type->parameters[i].choices))
            return "a parameter must be a number, a boolean or a choice with its choices";
    if (type->sense_parameter && pli_parameter_slot(type, type->sense_parameter) < 0)
        return "its sense_parameter is none of its parameters";
    return NULL;
}

static const pli_constraint_type *user_type(const pli_world *world, const char *name)
{
    for (int32_t i = 0; i < world->user_type_count; i++)
        if (strcmp(world->user_types[i]->name, name) == 0)
            return world->user_types[i];
    return NULL;
}

pli_status pli_world_register_type(pli_world *world, const pli_constraint_type *type, pli_error *error)
{
    const char *complaint = type_complaint(type);
    if (complaint)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "constraint type '%s' is refused: %s",
                        type->name ? type->name : "", complaint);
    if (pli_constraint_type_index(type->name) >= 0 || user_type(world, type->name))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "a constraint type '%s' is there already; choose another "
                        "name",
                        type->name);
    if (!pli_reserve(&world->memory, &world->user_types, &world->user_type_capacity,
                     (int64_t)world->user_type_count + 1, sizeof *world->user_types))
        return pli_fail_memory(error);
    world->user_types[world->user_type_count++] = type;
    return pli_succeed(error);
}

const pli_constraint_type *pli_world_find_type(const pli_world *world, const char *name, const pli_constraint_row **row,
                                               pli_error *error)
{
    *row = NULL;
    int32_t index = pli_constraint_type_index(name);
    if (index >= 0) {
        *row = world->kernels->types().rows[index];
        return pli_constraint_type_at(index);
    }
    const pli_constraint_type *type = name ? user_type(world, name) : NULL;
    if (type)
        return type;
    const char *names[PLI_TYPE_COUNT_MAX];
    int32_t count = pli_constraint_type_count();
    for (int32_t i = 0; i < count; i++)
        names[i] = pli_constraint_type_at(i)->name;
    pli_fail(error, PLI_STATUS_NOT_FOUND, "no constraint type is called '%s'; the nearest is '%s'", name ? name : "",
             pli_nearest_name(name ? name : "", names, count));
    return NULL;
}
