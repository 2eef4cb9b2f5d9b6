// Constraint types and generators by name, from the built-in tables or registered by the user.
#include "model/user_types.h"

#include "base/error.h"
#include "constraints/registry.h"
#include "model/handles.h"
#include "model/model.h"

#include <string.h>

static const pli_constraint_type *user_type(const pli_world *world, const char *name)
{
    for (int32_t i = 0; i < world->user_type_count; i++)
        if (strcmp(world->user_types[i]->name, name) == 0)
            return world->user_types[i];
    return NULL;
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
    const char *names[2 * PLI_TYPE_COUNT_MAX];
    int32_t count = 0;
    for (int32_t i = 0; i < world->user_type_count && i < PLI_TYPE_COUNT_MAX; i++)
        names[count++] = world->user_types[i]->name;
    for (int32_t i = 0; i < pli_constraint_type_count(); i++)
        names[count++] = pli_constraint_type_at(i)->name;
    pli_fail_unknown(error, "no constraint type is called", name ? name : "", names, count);
    return NULL;
}

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
    if (type->bend && (type->bend_rest < 0 || type->bend_rest >= type->rest_count))
        return "its bend_rest is none of its rest values";
    if (type->sense_parameter && pli_parameter_slot(type, type->sense_parameter) < 0)
        return "its sense_parameter is none of its parameters";
    return NULL;
}

pli_status pli_world_register_type(pli_world *world, const pli_constraint_type *type, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    PLI_ASSERT(&world->memory.hooks, type);
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
    pli_constraint_type *copy = PLI_ALLOCATE(&world->memory, pli_constraint_type, 1);
    if (!copy)
        return pli_fail_memory(error);
    *copy = *type;
    copy->world_anchored = type->world_anchored ||
                           type->cardinality == 1; // One particle has nothing else to act against.
    world->user_types[world->user_type_count++] = copy;
    return pli_succeed(error);
}

/* ---- generators ------------------------------------------------------------------------------- */

const pli_generator *pli_world_find_generator(const pli_world *world, const char *name)
{
    for (int32_t i = 0; name && i < world->user_generator_count; i++)
        if (strcmp(world->user_generators[i]->name, name) == 0)
            return world->user_generators[i];
    return pli_generator_find(name);
}

static const char *generator_complaint(const pli_world *world, const pli_generator *generator)
{
    if (!generator || !generator->name || !generator->name[0])
        return "it has no name";
    if (!generator->generate)
        return "it has no generate function";
    if (generator->cardinality < 1 || generator->cardinality > PLI_CARDINALITY_MAX)
        return "its cardinality must be 1 to 4";
    if (generator->reversible_pairs < 0 || 2 * generator->reversible_pairs > generator->cardinality)
        return "it has more reversible pairs than its particles make";
    return pli_world_find_generator(world, generator->name) ? "one of that name is there already" : NULL;
}

pli_status pli_world_register_generator(pli_world *world, const pli_generator *generator, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    const char *complaint = generator_complaint(world, generator);
    if (complaint)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "generator '%s' is refused: %s",
                        generator && generator->name ? generator->name : "", complaint);
    if (!pli_reserve(&world->memory, &world->user_generators, &world->user_generator_capacity,
                     (int64_t)world->user_generator_count + 1, sizeof *world->user_generators))
        return pli_fail_memory(error);
    world->user_generators[world->user_generator_count++] = generator;
    return pli_succeed(error);
}
