// Creates constraint sets from a generator or a list, changes their parameters, and destroys them.
#include "world/constraint_set.h"

#include "base/error.h"
#include "base/hash.h"
#include "constraints/registry.h"
#include "mesh/generators/build.h"
#include "mesh/generators/generator_table.h"
#include "model/handles.h"
#include "model/user_types.h"
#include "particles/normals_wind.h"
#include "sweep/constraint_links.h"
#include "sweep/constraint_slots.h"
#include "sweep/cook.h"
#include "sweep/cooked.h"
#include "sweep/sweep.h"
#include "tearing/tear_edges.h"
#include "tearing/tear_state.h"
#include "sweep/tiles.h"
#include "particles/momentum.h"

#include <stdio.h>
#include <string.h>

pli_constraints_def pli_constraints_def_default(void) { return (pli_constraints_def){0}; }

static pli_status no_parameter(const pli_constraint_type *type, const char *name, pli_error *error)
{
    const char *names[PLI_PARAMETERS_MAX];
    int32_t count = 0;
    const pli_property *parameter;
    while (count < PLI_PARAMETERS_MAX && (parameter = pli_constraint_type_parameter(type, count)))
        names[count++] = parameter->name;
    char what[80];
    snprintf(what, sizeof what, "'%.50s' has no parameter", type->name);
    return pli_fail_unknown(error, what, name, names, count);
}

static pli_status check_value(const pli_constraint_type *type, const char *name, double value, int32_t *slot,
                              pli_error *error)
{
    *slot = name ? pli_parameter_slot(type, name) : -1;
    if (*slot < 0)
        return no_parameter(type, name ? name : "", error);
    const double values[3] = {value};
    pli_error found;
    if (pli_property_check(pli_parameter_of_slot(type, *slot), values, &found) != PLI_STATUS_OK)
        return pli_fail(error, found.status, "'%s': %.400s", type->name, found.message);
    return pli_succeed(error);
}

static pli_status load_parameters(pli_constraints_data *set, const pli_constraints_def *def, pli_error *error)
{
    const pli_constraint_type *type = set->type;
    for (int32_t i = 0; i < PLI_PARAMETER_COMMON_COUNT + type->parameter_count; i++)
        set->parameters[i] = pli_parameter_of_slot(type, i)->initial;
    for (int32_t i = 0; i < def->parameter_count; i++) {
        int32_t slot;
        pli_status status = check_value(type, def->parameters[i].name, def->parameters[i].value, &slot, error);
        if (status != PLI_STATUS_OK)
            return status;
        set->parameters[slot] = def->parameters[i].value;
    }
    pli_constraints_update_parameters(set);
    return pli_succeed(error);
}

static pli_status stencils_from_list(pli_world *world, const pli_constraints_data *set, const pli_constraints_def *def,
                                     pli_stencils *stencils, pli_error *error)
{
    int32_t n = set->type->cardinality;
    *stencils = (pli_stencils){.hooks = world->memory.hooks};
    if (n == 0)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "'%s' constraints have no fixed number of particles; they "
                        "come from the generator '%s'",
                        set->type->name, set->type->generator);
    if (def->constraint_count < 0)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "constraint_count is %d", (int)def->constraint_count);
    for (int64_t i = 0; i < (int64_t)def->constraint_count * n; i++)
        if (def->particles[i] < 0 || def->particles[i] >= set->deformable->count)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "constraint %d names particle %d; there are 0 to %d",
                            (int)(i / n), (int)def->particles[i], (int)set->deformable->count - 1);
    return pli_stencils_fill(stencils, n, def->particles, NULL, def->constraint_count, error);
}

// Checks the output of the user's generators, which may be invalid.
static pli_status check_stencils(const pli_constraints_data *set, const pli_generator *generator,
                                 const pli_stencils *stencils, pli_error *error)
{
    const int64_t particles = (int64_t)stencils->count * generator->cardinality;
    if (pli_generator_find(generator->name))
        return PLI_STATUS_OK;
    if (stencils->count > 0 && (stencils->cardinality != generator->cardinality || !stencils->particles))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the generator '%s' has made stencils of %d particles, but its row says %d", generator->name,
                        (int)stencils->cardinality, (int)generator->cardinality);
    for (int64_t i = 0; i < particles; i++)
        if (stencils->particles[i] < 0 || stencils->particles[i] >= set->deformable->count)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                            "the generator '%s' has made a stencil with particle %d; there are 0 to %d",
                            generator->name, (int)stencils->particles[i], (int)set->deformable->count - 1);
    return PLI_STATUS_OK;
}

static pli_status make_stencils(pli_world *world, pli_constraints_data *set, const pli_constraints_def *def,
                                pli_stencils *stencils, pli_error *error)
{
    if (def->particles)
        return stencils_from_list(world, set, def, stencils, error);
    const char *name = def->generator ? def->generator : set->type->generator;
    const pli_generator *generator = pli_world_find_generator(world, name);
    *stencils = (pli_stencils){.hooks = world->memory.hooks};
    if (!name)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "'%s' has no default generator; name one, or give a list of particles", set->type->name);
    if (!generator)
        return pli_generator_not_found(name, error);
    if (generator->cardinality != set->type->cardinality)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the generator '%s' makes stencils of %d particles, but "
                        "'%s' needs %d (0: any number)",
                        name, (int)generator->cardinality, set->type->name, (int)set->type->cardinality);
    set->made.generator = generator->name;
    const pli_mesh *mesh;
    pli_status status = pli_deformable_data_mesh(world, set->deformable, &mesh, error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_task_hooks tasks = pli_tasks_hooks(world->tasks);
    stencils->tasks = tasks;
    status = generator->generate(mesh, stencils, error);
    return status == PLI_STATUS_OK ? check_stencils(set, generator, stencils, error) : status;
}

static uint64_t source_of(const pli_constraints_data *set, const pli_constraints_def *def)
{
    const char *name = def->generator ? def->generator : set->type->generator;
    size_t particles = (size_t)def->constraint_count * (size_t)set->type->cardinality;
    if (def->particles)
        return pli_hash_bytes(PLI_HASH_START, def->particles, particles * sizeof *def->particles);
    return pli_hash_bytes(0, name, strlen(name));
}

// Reads the results of make_stencils and cooking from cooked data.
static pli_status take_cooked(pli_world *world, pli_constraints_data *set, const pli_constraints_def *def,
                              pli_error *error)
{
    const pli_generator *generator = pli_world_find_generator(world,
                                                              def->generator ? def->generator : set->type->generator);
    set->made.generator = !def->particles && generator ? generator->name : NULL;
    if ((!def->particles && !generator) || (def->particles && def->constraint_count < 0))
        return pli_fail(error, PLI_STATUS_CORRUPT, "a set of '%s' without a known generator or a list was not cooked",
                        set->type->name);
    set->made.hash = source_of(set, def);
    return pli_cooked_take(world, set, set->made.hash, error);
}

static pli_status build_set(pli_world *world, pli_constraints_data *set, const pli_constraints_def *def,
                            pli_error *error)
{
    pli_status status = load_parameters(set, def, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (!pli_copy_string(&world->memory, def->name ? def->name : set->type->name, &set->name) ||
        (set->type->needs_normals && !pli_deformable_reserve_normals(world, set->deformable)))
        return pli_fail_memory(error);
    if (world->cook.data) {
        status = take_cooked(world, set, def, error);
    } else {
        pli_stencils stencils;
        pli_tasks_wake(world->tasks);
        status = make_stencils(world, set, def, &stencils, error);
        set->made.hash = status == PLI_STATUS_OK ? source_of(set, def) : 0;
        if (status == PLI_STATUS_OK)
            status = pli_constraints_cook(world, set, &stencils, error);
        pli_tasks_sleep(world->tasks);
        pli_stencils_release(&stencils);
    }
    if (status == PLI_STATUS_OK && PLI_HAS_TILES && !pli_tiles_make(world, set))
        status = pli_fail_memory(error);
    if (status == PLI_STATUS_OK && set->deformable->tear_state && !pli_tear_state_adopt(world, set))
        status = pli_fail_memory(error);
    return status;
}

// The link of the deformable's list of sets that points to this set, or the end of the list.
static pli_constraints_data **place_among_sets(const pli_constraints_data *set)
{
    pli_constraints_data **at = &set->deformable->first_set;
    while (*at && *at != set)
        at = &(*at)->next;
    return at;
}

pli_status pli_constraints_create(pli_world *world, const pli_constraints_def *def, pli_constraints *handle,
                                  pli_error *error)
{
    *handle = (pli_constraints){0, 0};
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    PLI_ASSERT(&world->memory.hooks, def);
    pli_deformable_data *deformable = pli_deformable_get(world, def->deformable, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    const pli_constraint_row *row;
    const pli_constraint_type *type = pli_world_find_type(world, def->type, &row, error);
    if (!type)
        return PLI_STATUS_NOT_FOUND;
    pli_constraints_data *set = PLI_ALLOCATE(&world->memory, pli_constraints_data, 1);
    if (!set)
        return pli_fail_memory(error);
    set->deformable = deformable;
    set->type = type;
    set->row = row;
    set->keep_lambda = def->keep_lambda;
    pli_world_begin_call(world);
    pli_status status = build_set(world, set, def, error);
    pli_world_end_call(world);
    if (status == PLI_STATUS_OK && !pli_list_add(&world->memory, &world->sets, set))
        status = pli_fail_memory(error);
    if (status != PLI_STATUS_OK) {
        pli_constraints_free(world, set);
        return status;
    }
    pli_constraints_place_targets(world, set);
    *place_among_sets(set) = set;
    deformable->momentum->pieces_known = deformable->momentum->pivots_known = false;
    world->collision.stirred = true;
    set->id = ++world->last_id;
    *handle = (pli_constraints){set->id, world->tag};
    return pli_succeed(error);
}

bool pli_world_reserve_lambdas(pli_world *world)
{
    bool complete = true;
    for (int32_t i = 0; i < world->sets.count && world->settings.method == PLI_METHOD_XPBD; i++) {
        pli_constraints_data *set = pli_constraints_data_at(world, i);
        bool tears = set->type->carries_tension && set->deformable->def.tearing.force < INFINITY;
        bool read = set->keep_lambda || tears;
        if (read || world->settings.iterations > 1 || pli_constraints_passes_multipliers(world, set))
            complete = pli_constraints_reserve_multipliers(world, set, read) && complete;
    }
    return complete;
}

void pli_constraints_unlist(pli_world *world, pli_constraints_data *set)
{
    pli_list_remove(&world->sets, set);
    pli_constraints_data **at = place_among_sets(set);
    *at = *at ? set->next : NULL;
    set->next = NULL;
    set->deformable->momentum->pieces_known = set->deformable->momentum->pivots_known = false;
}

void pli_constraints_free(pli_world *world, pli_constraints_data *set)
{
    pli_constraints_unlist(world, set);
    world->collision.stirred = true;
    pli_constraints_release(world, set);
}

pli_status pli_constraints_destroy(pli_world *world, pli_constraints handle, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_constraints_data *set = pli_constraints_get(world, handle, error);
    if (!set)
        return PLI_STATUS_NOT_FOUND;
    if (set->of_attachment)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "this set belongs to an attachment; destroy that instead");
    pli_constraints_free(world, set);
    return pli_succeed(error);
}

pli_constraints pli_world_constraints_at(const pli_world *world, int32_t i)
{
    uint32_t id = i >= 0 && i < world->sets.count ? *world->sets.items[i] : 0;
    return (pli_constraints){id, id ? world->tag : 0};
}

int32_t pli_world_constraints_count(const pli_world *world) { return world->sets.count; }

pli_status pli_constraints_get_info(const pli_world *world, pli_constraints handle, pli_constraints_info *info,
                                    pli_error *error)
{
    const pli_constraints_data *set = pli_constraints_get(world, handle, error);
    if (!set)
        return PLI_STATUS_NOT_FOUND;
    const pli_constraints_info found = {
        .name = set->name,
        .type = set->type,
        .generator = set->made.generator,
        .deformable = {set->deformable->id, world->tag},
        .constraint_count = set->count,
        .degenerate_count = set->degenerate_count,
        .colour_count = world->order == PLI_ORDER_SEQUENTIAL || set->grid_runs.items ? 0 : set->schedule.colour_count,
        .memory = set->memory,
    };
    *info = found;
    return pli_succeed(error);
}

pli_status pli_constraints_get_parameter(const pli_world *world, pli_constraints handle, const char *name,
                                         double *value, pli_error *error)
{
    const pli_constraints_data *set = pli_constraints_get(world, handle, error);
    if (!set)
        return PLI_STATUS_NOT_FOUND;
    int32_t slot = pli_parameter_slot(set->type, name);
    if (slot < 0)
        return no_parameter(set->type, name, error);
    *value = set->parameters[slot];
    return pli_succeed(error);
}

pli_status pli_constraints_set_parameter(pli_world *world, pli_constraints handle, const char *name, double value,
                                         pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_constraints_data *set = pli_constraints_get(world, handle, error);
    if (!set)
        return PLI_STATUS_NOT_FOUND;
    int32_t slot;
    pli_status status = check_value(set->type, name, value, &slot, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (pli_parameter_of_slot(set->type, slot)->change != PLI_CHANGE_LIVE && value != set->parameters[slot])
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "'%s' of '%s' can be given only when the set is made", name,
                        set->type->name);
    set->parameters[slot] = value;
    world->collision.stirred = true;
    pli_constraints_update_parameters(set);
    return status;
}
