// Functions of JavaScript that the library calls in the midst of a step: contact filters, vertex sources, fields of the air and
// constraint types.
// Each has a number, under which package/src/callbacks.ts finds it. An error that one throws is kept there, and thrown after
// the call.
#include "world.h"

#define IMPORT(name) __attribute__((import_module("pliant"), import_name(#name)))

// Both sides of a pair are in web_values, as contact_at has them.
IMPORT(filter_contact) extern bool web_filter_contact(int32_t number);
IMPORT(move_vertices) extern bool web_move_vertices(int32_t number, double time, float *positions);
IMPORT(blow_air)
extern bool web_blow_air(int32_t number, double time, const float *points, float *velocities, int32_t count);
// Positions, rest values, values and gradients are addresses; the last two are 0 in turn where they are not asked for.
IMPORT(rest_constraint) extern bool web_rest_constraint(int32_t number, const double *positions, float *rest);
IMPORT(evaluate_constraint)
extern void web_evaluate_constraint(int32_t number, const double *positions, const float *rest, const float *parameters,
                                    double *values, double *gradients);

static int32_t number_of(void *user) { return (int32_t)(uintptr_t)user; }
static void *user_of(int32_t number) { return (void *)(uintptr_t)number; }

static bool filter_contact(void *user, const pli_contact_side *a, const pli_contact_side *b)
{
    web_put_side(web_put_side(web_values, a), b);
    return web_filter_contact(number_of(user));
}

/// Number 0 accepts every pair again.
EXPORT(world_set_contact_filter) void web_world_set_contact_filter(web_world *world, int32_t number)
{
    pli_world_set_contact_filter(world->world, number ? filter_contact : NULL, user_of(number));
}

static bool move_vertices(void *user, double time, float *positions)
{
    return web_move_vertices(number_of(user), time, positions);
}

/// Number 0 ends the animation.
EXPORT(collider_set_source) pli_status web_collider_set_source(web_world *world, uint32_t id, int32_t number)
{
    return pli_collider_set_source(world->world, web_collider(world, id), number ? move_vertices : NULL,
                                   user_of(number), &web_error);
}

static bool blow_air(void *user, double time, const float *points, float *velocities, int32_t count)
{
    return web_blow_air(number_of(user), time, points, velocities, count);
}

/// Number 0 stands for the wind alone.
EXPORT(world_set_air_field) void web_world_set_air_field(web_world *world, int32_t number)
{
    pli_world_set_air_field(world->world, number ? blow_air : NULL, user_of(number));
}

static bool rest(const pli_stencil *s, float *values)
{
    return web_rest_constraint(number_of(s->user), &s->positions[0][0], values);
}

static void evaluate(const pli_stencil *s, double *values, double *gradients)
{
    web_evaluate_constraint(number_of(s->user), &s->positions[0][0], s->rest, s->parameters, values, gradients);
}

/// Registers a type for sets of this world, without parameters of its own.
EXPORT(constraint_type_register)
pli_status web_constraint_type_register(web_world *world, const char *name, const char *generator, int32_t number,
                                        int32_t cardinality, int32_t dimension, int32_t rest_count, int32_t sense)
{
    const pli_constraint_type type = {.name = name,
                                      .summary = "A type of the page.",
                                      .formula = "C = f(x)",
                                      .source = "the page",
                                      .unit = "",
                                      .generator = generator,
                                      .cardinality = cardinality,
                                      .dimension = dimension,
                                      .rest_count = rest_count,
                                      .world_anchored = cardinality == 1,
                                      .sense = (pli_sense)sense,
                                      .rest = rest_count > 0 ? rest : NULL,
                                      .evaluate = evaluate,
                                      .user = user_of(number)};
    if (world->thread_count > 1)
        return pli_fail(&web_error, PLI_STATUS_UNSUPPORTED,
                        "a constraint type of JavaScript runs on one thread: new World({ threads: 1 })");
    return pli_world_register_type(world->world, &type, &web_error);
}
