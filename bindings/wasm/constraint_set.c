// Constraint sets, and constraints by themselves.
#include "world.h"

#include <stdlib.h>
#include <string.h>

// Parameters that the next set is made with.
static pli_parameter_value parameters[PLI_PARAMETERS_MAX];
static int32_t parameter_count;

/// Adds a parameter for the next set; the name is borrowed until then.
EXPORT(parameter_add) pli_status web_parameter_add(const char *name, double value)
{
    if (parameter_count == PLI_PARAMETERS_MAX)
        return pli_fail(&web_error, PLI_STATUS_INVALID_ARGUMENT, "a type has at most %d parameters",
                        PLI_PARAMETERS_MAX);
    parameters[parameter_count++] = (pli_parameter_value){name, value};
    return PLI_STATUS_OK;
}
EXPORT(parameters_clear) void web_parameters_clear(void) { parameter_count = 0; }

/// `generator` and `name` may be null, and so may `particles`, an explicit list of `count` constraints.
EXPORT(constraint_set_create)
uint32_t web_constraint_set_create(web_world *world, uint32_t deformable, const char *type, const char *generator,
                                   const char *name, const int32_t *particles, int32_t count, bool keep_lambda)
{
    pli_constraints_def def = pli_constraints_def_default();
    pli_constraints made = {0, 0};
    def.deformable = web_deformable(world, deformable);
    def.type = type, def.generator = generator, def.name = name;
    def.parameters = parameters, def.parameter_count = parameter_count;
    def.particles = particles, def.constraint_count = count, def.keep_lambda = keep_lambda;
    web_error.status = pli_constraints_create(world->world, &def, &made, &web_error);
    return made.id;
}
EXPORT(constraint_set_destroy) pli_status web_constraint_set_destroy(web_world *world, uint32_t id)
{
    return pli_constraints_destroy(world->world, web_constraint_set(world, id), &web_error);
}

/// Values: addresses of name, type and generator, deformable, constraints, degenerate ones, colours, memory, values of C,
/// rest values, particles of each.
EXPORT(constraint_set_info) pli_status web_constraint_set_info(const web_world *world, uint32_t id)
{
    pli_constraints_info info;
    pli_status status = pli_constraints_get_info(world->world, web_constraint_set(world, id), &info, &web_error);
    if (status != PLI_STATUS_OK)
        return status;
    double *to = web_values;
    *to++ = (double)(uintptr_t)info.name;
    *to++ = (double)(uintptr_t)info.type->name;
    *to++ = (double)(uintptr_t)info.generator;
    *to++ = info.deformable.id;
    *to++ = info.constraint_count;
    *to++ = info.degenerate_count;
    *to++ = info.colour_count;
    *to++ = (double)info.memory;
    *to++ = info.type->dimension;
    *to++ = info.type->rest_count;
    *to++ = info.type->cardinality;
    return status;
}

EXPORT(constraint_set_read)
pli_status web_constraint_set_read(const web_world *world, uint32_t id, const char *name)
{
    return pli_constraints_get_parameter(world->world, web_constraint_set(world, id), name, web_values, &web_error);
}
EXPORT(constraint_set_write)
pli_status web_constraint_set_write(web_world *world, uint32_t id, const char *name, double value)
{
    return pli_constraints_set_parameter(world->world, web_constraint_set(world, id), name, value, &web_error);
}

EXPORT(constraint_set_paint)
pli_status web_constraint_set_paint(web_world *world, uint32_t id, const char *name, int32_t element,
                                    const float *values, int32_t count)
{
    return pli_constraints_paint(world->world, web_constraint_set(world, id), name, (pli_element)element, values, count,
                                 &web_error);
}
EXPORT(constraint_set_attribute)
pli_status web_constraint_set_attribute(const web_world *world, uint32_t id, const char *name, float *values,
                                        int32_t count)
{
    return pli_constraints_get_attribute(world->world, web_constraint_set(world, id), name, values, count, &web_error);
}

/// Values: root of the mean square, largest, how many, index of the worst.
EXPORT(constraint_set_residual) pli_status web_constraint_set_residual(const web_world *world, uint32_t id)
{
    pli_residual residual;
    pli_status status = pli_constraints_get_residual(world->world, web_constraint_set(world, id), &residual,
                                                     &web_error);
    if (status != PLI_STATUS_OK)
        return status;
    web_values[0] = residual.rms, web_values[1] = residual.max;
    web_values[2] = residual.count, web_values[3] = residual.worst;
    return status;
}

/// Value 0 becomes the number of particles. `lambda` may be null.
EXPORT(constraint_at)
pli_status web_constraint_at(const web_world *world, uint32_t id, int32_t index, int32_t *particles, float *rest,
                             float *lambda)
{
    int32_t count = 0;
    pli_status status = pli_constraints_stencil(world->world, web_constraint_set(world, id), index, particles, &count,
                                                rest, lambda, &web_error);
    web_values[0] = count;
    return status;
}

/// All constraints in the order of a forward sweep; see pli_constraints_sequence.
EXPORT(constraint_set_sequence)
pli_status web_constraint_set_sequence(const web_world *world, uint32_t id, int32_t *order, int32_t *particles,
                                       float *rest, float *scales)
{
    return pli_constraints_sequence(world->world, web_constraint_set(world, id), order, particles, rest, scales,
                                    &web_error);
}

// The type's own parameters: defaults, and what was added above.
static pli_status own_parameters(const pli_constraint_type *type, float *own)
{
    for (int32_t i = 0; i < type->parameter_count; i++)
        own[i] = (float)type->parameters[i].initial;
    for (int32_t i = 0; i < parameter_count; i++) {
        int32_t k = 0;
        while (k < type->parameter_count && strcmp(type->parameters[k].name, parameters[i].name) != 0)
            k++;
        if (k == type->parameter_count)
            return pli_fail(&web_error, PLI_STATUS_NOT_FOUND, "'%s' has no parameter '%s' of its own", type->name,
                            parameters[i].name);
        if (pli_property_check(&type->parameters[k], (double[3]){parameters[i].value}, &web_error) != PLI_STATUS_OK)
            return web_error.status;
        own[k] = (float)parameters[i].value;
    }
    return PLI_STATUS_OK;
}

/// C and its gradient on one stencil: values get particles of the type, values of C, rest values, whether the rest state
/// is degenerate, then C, the gradients and the rest values.
EXPORT(constraint_evaluate)
pli_status web_constraint_evaluate(const char *name, const double (*rest_positions)[3], const double (*positions)[3],
                                   int32_t count)
{
    const pli_constraint_type *type = pli_constraint_type_find(name);
    if (!type)
        return pli_fail(&web_error, PLI_STATUS_NOT_FOUND, "no constraint type is called '%s'", name);
    if (type->cardinality == 0 || type->needs_normals)
        return pli_fail(&web_error, PLI_STATUS_UNSUPPORTED, "'%s' cannot be evaluated on a stencil of its own", name);
    if (count != type->cardinality)
        return pli_fail(&web_error, PLI_STATUS_INVALID_ARGUMENT, "'%s' has %d particles; %d were given", name,
                        (int)type->cardinality, (int)count);
    float own[PLI_PARAMETERS_MAX], rest[PLI_REST_MAX] = {0};
    if (own_parameters(type, own) != PLI_STATUS_OK)
        return web_error.status;
    pli_stencil stencil = {.positions = rest_positions, .count = count, .parameters = own, .state = 1.0f};
    stencil.user = type->user;
    bool good = !type->rest || type->rest(&stencil, rest);
    double *to = web_values;
    *to++ = type->dimension, *to++ = type->rest_count, *to++ = good;
    stencil.positions = positions, stencil.rest = rest;
    double *gradients = to + type->dimension;
    if (good)
        type->evaluate(&stencil, to, gradients);
    to = gradients + 3 * type->dimension * count;
    for (int32_t i = 0; i < type->rest_count; i++)
        *to++ = (double)rest[i];
    return PLI_STATUS_OK;
}
