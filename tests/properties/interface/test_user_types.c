// Constraint types and generators of the user's own: registered, projected, refused, and caught when they misbehave.
#include "scenery.h"

static bool own_rest(const pli_stencil *stencil, float *rest)
{
    rest[0] = (float)distance(vec_of(stencil->positions[0]), vec_of(stencil->positions[1]));
    return rest[0] > 0.0f;
}

static void own_distance(const pli_stencil *stencil, double *values, double *gradients)
{
    vec d = sub(vec_of(stencil->positions[0]), vec_of(stencil->positions[1]));
    double size = length(d);
    values[0] = size - (double)stencil->rest[0] * (double)stencil->parameters[0];
    vec n = size > 0.0 ? scale(d, 1.0 / size) : (vec){1, 0, 0};
    const double both[6] = {n.x, n.y, n.z, -n.x, -n.y, -n.z};
    if (gradients)
        memcpy(gradients, both, sizeof both);
}

static const pli_parameter own_parameters[] = {
    {.name = "scale", .unit = "", .summary = "of the rest length", .minimum = 0.0, .maximum = 10.0, .initial = 1.0},
};

static pli_constraint_type own_type(const char *name)
{
    return (pli_constraint_type){.name = name,
                                 .summary = "a distance, again",
                                 .formula = "C = |x1 - x2| - s l0",
                                 .source = "this test",
                                 .unit = "m",
                                 .generator = "edges",
                                 .cardinality = 2,
                                 .dimension = 1,
                                 .rest_count = 1,
                                 .parameters = own_parameters,
                                 .parameter_count = 1,
                                 .rest = own_rest,
                                 .evaluate = own_distance};
}

static double farthest_apart(const pli_world *a, const pli_world *b)
{
    double most = 0.0;
    pli_deformable first = pli_world_deformable_at(a, 0), second = pli_world_deformable_at(b, 0);
    for (int32_t i = 0; i < vertex_count_of(a, first); i++)
        most = fmax(most, distance(position_of(a, first, i), position_of(b, second, i)));
    return most;
}

static void an_own_distance_equals_the_built_in(void **state)
{
    (void)state;
    for (int32_t m = 0; m < 4; m++) {
        pli_world_def def = pli_world_def_default();
        def.settings.method = m % 2 ? PLI_METHOD_PBD : PLI_METHOD_XPBD;
        // The same order of projection: creation.
        def.order = PLI_ORDER_SEQUENTIAL;
        def.settings.substeps = 4;
        def.settings.iterations = 2;
        pli_world *worlds[2] = {world_from(&def), world_from(&def)};
        pli_constraint_type type = own_type("own_distance");
        must(pli_world_register_type(worlds[1], &type, &problem));
        for (int32_t i = 0; i < 2; i++) {
            random_state = 8;
            pli_mesh *mesh = mesh_hilly(8);
            pli_deformable body = deform(worlds[i], mesh, NULL);
            pli_mesh_destroy(mesh);
            scatter(worlds[i], body, 0.01);
            const float held[1] = {0.0f};
            must(pli_deformable_set_inverse_masses(worlds[i], body, 0, 1, held, &problem));
            pli_constraints set = constrain(worlds[i], body, i ? "own_distance" : "distance", NULL);
            tune(worlds[i], set, "compliance", m / 2 ? 1e-3 : 0.0);
            tune(worlds[i], set, "stiffness", m / 2 ? 0.7 : 1.0);
            tune(worlds[i], set, "damping", m / 2 ? 1e-3 : 0.0);
        }
        for (int32_t i = 0; i < 10; i++) {
            step(worlds[0], 1.0 / 60.0);
            step(worlds[1], 1.0 / 60.0);
        }
        near(farthest_apart(worlds[0], worlds[1]), 0.0, 2e-5, "positions after 10 frames, case %d", m);
        near(residual_of(worlds[1], pli_world_constraints_at(worlds[1], 0)).rms,
             residual_of(worlds[0], pli_world_constraints_at(worlds[0], 0)).rms, 1e-5, "residual, case %d", m);
        pli_world_destroy(worlds[0]);
        pli_world_destroy(worlds[1]);
    }
}

static void own_parameters_are_live(void **state)
{
    (void)state;
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.settings.iterations = 200;
    def.settings.keep_momentum = false; // In one step from 1 to 1.5, a turn that is taken out is no small one.
    pli_world *world = world_from(&def);
    pli_constraint_type type = own_type("own_distance");
    must(pli_world_register_type(world, &type, &problem));
    pli_mesh *mesh = mesh_grid(4, 4, 1.0, PLI_GRID_QUADS);
    pli_deformable body = deform(world, mesh, NULL);
    pli_mesh_destroy(mesh);
    pli_constraints set = constrain(world, body, "own_distance", NULL);
    tune(world, set, "scale", 1.5);
    step(world, 1.0);
    near(distance(position_of(world, body, 0), position_of(world, body, 1)), 1.5 / 3.0, 1e-3, "edges scaled by 1.5");
    holds(pli_constraints_set_parameter(world, set, "scale", 11.0, &problem) == PLI_STATUS_INVALID_ARGUMENT, "range");
    pli_world_destroy(world);
}

// The same bits whatever the threads, in the coloured order too.
static void own_types_are_deterministic(void **state)
{
    (void)state;
    uint64_t first = 0;
    for (int32_t threads = 1; threads <= 4; threads++) {
        pli_world_def def = pli_world_def_default();
        def.thread_count = threads;
        pli_world *world = world_from(&def);
        pli_constraint_type type = own_type("own_distance");
        must(pli_world_register_type(world, &type, &problem));
        pli_mesh *mesh = mesh_grid(50, 50, 1.0, PLI_GRID_DIAGONAL);
        pli_deformable body = deform(world, mesh, NULL);
        pli_mesh_destroy(mesh);
        random_state = 8;
        scatter(world, body, 0.002);
        constrain(world, body, "own_distance", NULL);
        for (int32_t i = 0; i < 3; i++)
            step(world, 1.0 / 60.0);
        uint64_t hash = pli_world_hash(world);
        first = threads == 1 ? hash : first;
        holds(hash == first, "%d threads: hash %016llx, expected %016llx", threads, (unsigned long long)hash,
              (unsigned long long)first);
        pli_world_destroy(world);
    }
}

static void wrong_rows_are_refused(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    for (int32_t i = 0; i < 10; i++) {
        pli_constraint_type type = own_type("own_distance");
        switch (i) {
        case 0:
            type.name = NULL;
            break;
        case 1:
            type.name = "";
            break;
        case 2:
            type.name = "distance";
            break; // taken by a built-in
        case 3:
            type.cardinality = 5;
            break;
        case 4:
            type.cardinality = -1;
            break;
        case 5:
            type.dimension = 2;
            break;
        case 6:
            type.rest_count = PLI_REST_MAX + 1;
            break;
        case 7:
            type.evaluate = NULL;
            break;
        case 8:
            type.rest = NULL;
            break;
        default:
            type.parameter_count = PLI_PARAMETERS_MAX;
            break;
        }
        pli_status status = pli_world_register_type(world, &type, &problem);
        holds(status == PLI_STATUS_INVALID_ARGUMENT, "row %d: %s", i, pli_status_name(status));
    }
    pli_constraint_type type = own_type("own_distance"), twin = own_type("own_distance");
    must(pli_world_register_type(world, &type, &problem));
    holds(pli_world_register_type(world, &twin, &problem) == PLI_STATUS_INVALID_ARGUMENT, "a name twice");
    pli_world_destroy(world);
}

static void not_a_number(const pli_stencil *stencil, double *values, double *gradients)
{
    own_distance(stencil, values, gradients);
    // Only once the first particle has fallen a little.
    if (stencil->positions[0][1] < -0.01)
        values[0] = NAN;
}

static void enormous(const pli_stencil *stencil, double *values, double *gradients)
{
    own_distance(stencil, values, gradients);
    if (stencil->positions[0][1] < -0.01)
        values[0] = 1e60;
}

static void blow_ups_are_undone_and_named(void **state)
{
    (void)state;
    void (*const bad[])(const pli_stencil *, double *, double *) = {not_a_number, enormous};
    for (int32_t i = 0; i < 4; i++) {
        pli_world_def def = pli_world_def_default();
        def.settings.method = i % 2 ? PLI_METHOD_PBD : PLI_METHOD_XPBD;
        pli_world *world = world_from(&def);
        pli_constraint_type type = own_type("my_wild_type");
        type.evaluate = bad[i / 2];
        must(pli_world_register_type(world, &type, &problem));
        pli_mesh *mesh = mesh_grid(5, 5, 1.0, PLI_GRID_QUADS);
        pli_deformable body = deform(world, mesh, NULL);
        pli_mesh_destroy(mesh);
        constrain(world, body, "distance", NULL);
        constrain(world, body, "my_wild_type", NULL);
        pli_status status = PLI_STATUS_OK;
        uint64_t before = 0;
        double time = 0.0;
        for (int32_t k = 0; k < 60 && !status; k++) {
            before = pli_world_hash(world);
            time = pli_world_time(world);
            status = pli_world_step(world, 1.0f / 60.0f, &problem);
        }
        holds(status == PLI_STATUS_NON_FINITE, "case %d: status %s", i, pli_status_name(status));
        holds(pli_world_hash(world) == before, "case %d: the last good state is back", i);
        near(pli_world_time(world), time, 0.0, "case %d: time", i);
        holds(all_finite(world), "case %d: finite", i);
        holds(strstr(problem.message, "my_wild_type") != NULL, "case %d: message %.200s", i, problem.message);
        holds(strpbrk(problem.message, "0123456789") != NULL, "case %d: the particle: %.200s", i, problem.message);
        // Without the culprit it goes on.
        must(pli_constraints_destroy(world, pli_world_constraints_at(world, 1), &problem));
        step(world, 1.0 / 60.0);
        pli_world_destroy(world);
    }
}

static void enormous_forces_are_undone(void **state)
{
    (void)state;
    pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_grid(5, 5, 1.0, PLI_GRID_QUADS);
    pli_deformable body = deform(world, mesh, NULL);
    pli_mesh_destroy(mesh);
    constrain(world, body, "distance", NULL);
    step(world, 1.0 / 60.0);
    uint64_t before = pli_world_hash(world);
    must(pli_deformable_add_force(world, body, 7, (pli_vec3){3e38f, 0, 0}, &problem));
    holds(pli_world_step(world, 1.0f / 60.0f, &problem) == PLI_STATUS_NON_FINITE, "a force of 3e38 N");
    holds(pli_world_hash(world) == before, "the last good state is back");
    holds(strstr(problem.message, "7") != NULL, "the particle is named: %.200s", problem.message);
    // The force was for that step only.
    step(world, 1.0 / 60.0);
    holds(all_finite(world), "it goes on");
    pli_world_destroy(world);
}

/* ---- generators ------------------------------------------------------------------------------- */

static pli_status own_edges(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    return pli_stencils_fill(stencils, 2, t->edges, NULL, t->edge_count, error);
}

static pli_status edges_out_of_range(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    const int32_t beyond[] = {0, pli_mesh_topology(mesh)->vertex_count};
    return pli_stencils_fill(stencils, 2, beyond, NULL, 1, error);
}

static pli_status triples_of_edges(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    return pli_stencils_fill(stencils, 3, pli_mesh_topology(mesh)->triangles, NULL, 1, error);
}

static uint64_t state_with(const pli_generator *generator, const char *name)
{
    pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    if (generator)
        must(pli_world_register_generator(world, generator, &problem));
    pli_mesh *mesh = mesh_grid(9, 7, 1.0, PLI_GRID_ALTERNATING);
    pli_deformable body = deform(world, mesh, NULL);
    pli_mesh_destroy(mesh);
    pli_constraints_def set_def = pli_constraints_def_default();
    pli_constraints set;
    set_def.deformable = body, set_def.type = "distance", set_def.generator = name;
    must(pli_constraints_create(world, &set_def, &set, &problem));
    must(pli_deformable_add_force(world, body, 7, (pli_vec3){3, 1, 2}, &problem));
    for (int32_t frame = 0; frame < 5; frame++)
        step(world, 1.0 / 60.0);
    uint64_t hash = pli_world_hash(world);
    pli_world_destroy(world);
    return hash;
}

static void an_own_generator_is_as_one_of_the_table(void **state)
{
    (void)state;
    const pli_generator own = {.name = "own_edges", .cardinality = 2, .generate = own_edges, .reversible_pairs = 1};
    holds(state_with(&own, "own_edges") == state_with(NULL, "edges"), "the same stencils give the same state");
}

static void wrong_generators_are_refused(void **state)
{
    (void)state;
    const pli_generator rows[] = {
        {.name = "", .cardinality = 2, .generate = own_edges},
        {.name = "none", .cardinality = 2},
        {.name = "wide", .cardinality = 5, .generate = own_edges},
        {.name = "any", .cardinality = 0, .generate = own_edges},
        {.name = "edges", .cardinality = 2, .generate = own_edges},
        {.name = "turned", .cardinality = 2, .generate = own_edges, .reversible_pairs = 2},
    };
    const pli_generator lying[] = {{.name = "beyond", .cardinality = 2, .generate = edges_out_of_range},
                                   {.name = "three", .cardinality = 2, .generate = triples_of_edges}};
    pli_world_def def = pli_world_def_default();
    pli_world *world = world_from(&def);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        holds(pli_world_register_generator(world, &rows[i], &problem) == PLI_STATUS_INVALID_ARGUMENT, "row %d", (int)i);
    holds(pli_world_register_generator(world, NULL, &problem) == PLI_STATUS_INVALID_ARGUMENT, "no row");
    pli_mesh *mesh = mesh_grid(3, 3, 1.0, PLI_GRID_QUADS);
    pli_constraints_def set_def = pli_constraints_def_default();
    pli_constraints set;
    set_def.deformable = deform(world, mesh, NULL), set_def.type = "distance";
    pli_mesh_destroy(mesh);
    for (size_t i = 0; i < 2; i++) {
        must(pli_world_register_generator(world, &lying[i], &problem));
        holds(pli_world_register_generator(world, &lying[i], &problem) == PLI_STATUS_INVALID_ARGUMENT, "twice");
        set_def.generator = lying[i].name;
        holds(pli_constraints_create(world, &set_def, &set, &problem) == PLI_STATUS_INVALID_ARGUMENT, "%s",
              lying[i].name);
        holds(strstr(problem.message, lying[i].name) != NULL, "its name: %.100s", problem.message);
    }
    step(world, 1.0 / 60.0);
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(an_own_distance_equals_the_built_in),
        property(own_parameters_are_live),
        property(own_types_are_deterministic),
        property(wrong_rows_are_refused),
        property(blow_ups_are_undone_and_named),
        property(enormous_forces_are_undone),
        property(an_own_generator_is_as_one_of_the_table),
        property(wrong_generators_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
