// Snapshots that go on to the same bits, parameters by name, settings, statistics and residuals
// against sums of our own.
#include "scenery.h"

static void advance(pli_world *world, int32_t steps)
{
    for (int32_t i = 0; i < steps; i++)
        step(world, 1.0 / 60.0);
}

static void a_restored_world_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    for (int32_t m = 0; m < 4; m++) {
        pli_world_def def = furnished_def(m % 2 ? PLI_METHOD_PBD : PLI_METHOD_XPBD,
                                          m / 2 ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED);
        pli_world *world = furnished_world(&def, SMALL), *twin = furnished_world(&def, SMALL);
        pli_constraints set = pli_world_constraints_at(world, 3);
        tune(world, set, "compliance", 0.5);
        advance(world, 5);
        size_t size;
        void *saved = snapshot_of(world, &size);
        uint64_t middle = pli_world_hash(world);
        advance(world, 7);
        uint64_t end = pli_world_hash(world);
        tune(world, set, "compliance", 0.25);
        must(pli_world_snapshot_read(world, saved, size, &problem));
        double value;
        must(pli_constraints_get_parameter(world, set, "compliance", &value, &problem));
        near(value, 0.5, 0.0, "parameter restored");
        holds(pli_world_hash(world) == middle, "restored");
        advance(world, 7);
        holds(pli_world_hash(world) == end, "the same world goes on to the same bits");
        // And a world made the same way, which never ran.
        must(pli_world_snapshot_read(twin, saved, size, &problem));
        near(pli_world_time(twin), 5.0 / 60.0, 1e-6, "time restored");
        near((double)pli_world_step_count(twin), 5.0, 0.0, "steps restored");
        advance(twin, 7);
        holds(pli_world_hash(twin) == end, "a twin goes on to the same bits");
        free(saved);
        pli_world_destroy(world);
        pli_world_destroy(twin);
    }
}

static void moving_things_survive_a_snapshot(void **state)
{
    (void)state;
    pli_world_def def = furnished_def(PLI_METHOD_XPBD, PLI_ORDER_COLOURED);
    uint64_t hashes[2];
    pli_world *world = furnished_world(&def, SMALL), *twin = furnished_world(&def, SMALL);
    pli_transform pose = pli_transform_identity();
    for (int32_t i = 0; i < 4; i++) {
        pose.position.x += 0.02f;
        must(pli_collider_set_pose(world, pli_world_collider_at(world, 1), pose, &problem));
        step(world, 1.0 / 60.0);
    }
    pose.position.x += 0.02f;
    must(pli_collider_set_pose(world, pli_world_collider_at(world, 1), pose, &problem));
    // Between setting a pose and the step that moves there.
    size_t size;
    void *saved = snapshot_of(world, &size);
    must(pli_world_snapshot_read(twin, saved, size, &problem));
    advance(world, 3);
    advance(twin, 3);
    hashes[0] = pli_world_hash(world), hashes[1] = pli_world_hash(twin);
    holds(hashes[0] == hashes[1], "hashes %016llx and %016llx", (unsigned long long)hashes[0],
          (unsigned long long)hashes[1]);
    free(saved);
    pli_world_destroy(world);
    pli_world_destroy(twin);
}

// Between giving forces and the step that they are for; and forces of the world that reads are dropped.
static void forces_for_the_next_step_survive_a_snapshot(void **state)
{
    (void)state;
    pli_world_def def = furnished_def(PLI_METHOD_XPBD, PLI_ORDER_COLOURED);
    pli_world *world = furnished_world(&def, SMALL), *twin = furnished_world(&def, SMALL);
    pli_deformable first = pli_world_deformable_at(world, 0), last = pli_world_deformable_at(twin, 1);
    must(pli_deformable_add_force(world, first, 3, (pli_vec3){0.5f, 0.1f, -0.3f}, &problem));
    must(pli_deformable_add_force(twin, last, 5, (pli_vec3){7.0f, 8.0f, 9.0f}, &problem));
    size_t size;
    void *saved = snapshot_of(world, &size);
    must(pli_world_snapshot_read(twin, saved, size, &problem));
    pli_world *still = furnished_world(&def, SMALL);
    advance(still, 1), advance(world, 1), advance(twin, 1);
    holds(pli_world_hash(world) == pli_world_hash(twin), "the same forces");
    holds(pli_world_hash(world) != pli_world_hash(still), "the force moves what it acts on");
    free(saved);
    pli_world_destroy(world);
    pli_world_destroy(twin);
    pli_world_destroy(still);
}

static void refused(pli_world *world, const void *buffer, size_t size, const char *what)
{
    uint64_t before = pli_world_hash(world);
    pli_status status = pli_world_snapshot_read(world, buffer, size, &problem);
    holds(status == PLI_STATUS_CORRUPT, "%s: status %s", what, pli_status_name(status));
    holds(pli_world_hash(world) == before, "%s: the world is unchanged", what);
}

static void damaged_snapshots_are_refused(void **state)
{
    (void)state;
    pli_world_def def = furnished_def(PLI_METHOD_XPBD, PLI_ORDER_COLOURED);
    pli_world *world = furnished_world(&def, SMALL);
    advance(world, 2);
    size_t size;
    unsigned char *saved = snapshot_of(world, &size);
    for (size_t cut = 0; cut < size; cut += cut < 200 ? 1 : 997) {
        unsigned char *exact = malloc(cut ? cut : 1);
        memcpy(exact, saved, cut);
        refused(world, exact, cut, "a truncated snapshot");
        free(exact);
    }
    for (int32_t i = 0; i < 300; i++) {
        size_t at = i < 100 ? (size_t)i % size : (size_t)random_bits() % size;
        unsigned char was = saved[at];
        saved[at] ^= (unsigned char)(1u << below(8));
        char what[60];
        snprintf(what, sizeof what, "byte %zu changed", at);
        refused(world, saved, size, what);
        saved[at] = was;
    }
    pli_world *bare = plain_world(PLI_METHOD_XPBD);
    refused(bare, saved, size, "the snapshot of another world");
    pli_world_def other_def = furnished_def(PLI_METHOD_XPBD, PLI_ORDER_COLOURED);
    pli_world *other = furnished_world(&other_def, SMALL + 1);
    refused(other, saved, size, "the snapshot of a world with another mesh");
    holds(pli_world_snapshot_write(world, saved, size - 1, &problem) == PLI_STATUS_INVALID_ARGUMENT,
          "too small a buffer");
    must(pli_world_snapshot_read(world, saved, size, &problem));
    free(saved);
    pli_world_destroy(bare);
    pli_world_destroy(other);
    pli_world_destroy(world);
}

static void check_parameter(pli_world *world, pli_constraints set, const char *type, const pli_property *p)
{
    const bool is_whole = p->choices || p->kind == PLI_PROPERTY_BOOLEAN;
    double value = NAN, middle = is_whole ? p->maximum : (double)(float)fmin(p->maximum, p->minimum + 0.37);
    must(pli_constraints_get_parameter(world, set, p->name, &value, &problem));
    near(value, p->initial, 1e-6 * fabs(p->initial), "%s.%s: default", type, p->name);
    pli_status status = pli_constraints_set_parameter(world, set, p->name, middle, &problem);
    if (p->change != PLI_CHANGE_LIVE) {
        holds(status == PLI_STATUS_INVALID_ARGUMENT || status == PLI_STATUS_UNSUPPORTED, "%s.%s is fixed", type,
              p->name);
        return;
    }
    holds(status == PLI_STATUS_OK, "%s.%s: %.99s", type, p->name, problem.message);
    const double wrong[] = {p->minimum - 0.1 - 0.1 * fabs(p->minimum), p->maximum * 1.01 + 0.1, NAN, INFINITY,
                            -INFINITY};
    for (int32_t i = 0; i < COUNT_OF(wrong); i++) {
        status = pli_constraints_set_parameter(world, set, p->name, wrong[i], &problem);
        holds(status == PLI_STATUS_INVALID_ARGUMENT, "%s.%s = %g: status %d", type, p->name, wrong[i], status);
        holds(strstr(problem.message, p->name) != NULL, "the message names %s: %.99s", p->name, problem.message);
    }
    must(pli_constraints_get_parameter(world, set, p->name, &value, &problem));
    near(value, middle, 1e-6 * fabs(middle), "%s.%s after refused values", type, p->name);
    // A letter dropped: the message tells the name that was meant.
    char misspelt[60];
    snprintf(misspelt, sizeof misspelt, "%.2s%s", p->name, p->name + 3);
    status = pli_constraints_set_parameter(world, set, misspelt, middle, &problem);
    holds(status == PLI_STATUS_NOT_FOUND, "%s.%s: status %d", type, misspelt, status);
    holds(strstr(problem.message, p->name) != NULL, "the message suggests %s: %.99s", p->name, problem.message);
}

static void parameters_are_set_by_name(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_ball(1, 0.1);
    for (int32_t row = 0; row < pli_constraint_type_count(); row++) {
        const pli_constraint_type *type = pli_constraint_type_at(row);
        if (!type->generator)
            continue;
        pli_world *world = plain_world(PLI_METHOD_XPBD);
        pli_constraints set = constrain(world, deform(world, mesh, NULL), type->name, NULL);
        for (int32_t i = 0; i < PLI_PARAMETERS_MAX; i++)
            if (pli_constraint_type_parameter(type, i))
                check_parameter(world, set, type->name, pli_constraint_type_parameter(type, i));
        holds(!pli_constraint_type_parameter(type, PLI_PARAMETERS_MAX), "%s: parameters out of range", type->name);
        pli_world_destroy(world);
    }
    pli_mesh_destroy(mesh);
}

static void wrong_names_are_answered_with_the_nearest(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_ball(1, 0.1);
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_constraints_def def = pli_constraints_def_default();
    def.deformable = deform(world, mesh, NULL);
    pli_constraints set;
    const char *const wrong[][3] = {{"distence", NULL, "distance"},
                                    {"dihedrall", NULL, "dihedral"},
                                    {"triangle_lineer", NULL, "triangle_linear"},
                                    {"distance", "edgs", "edges"},
                                    {"triangle", "triples_fig6", "triples_fig6"}};
    for (int32_t i = 0; i < COUNT_OF(wrong); i++) {
        def.type = wrong[i][0];
        def.generator = wrong[i][1];
        holds(pli_constraints_create(world, &def, &set, &problem) == PLI_STATUS_NOT_FOUND, "%s", wrong[i][0]);
        holds(strstr(problem.message, wrong[i][2]) != NULL, "message: %.150s", problem.message);
    }
    const pli_parameter_value parameters[] = {{"stifness", 0.5}};
    def.type = "distance", def.generator = NULL, def.parameters = parameters, def.parameter_count = 1;
    holds(pli_constraints_create(world, &def, &set, &problem) == PLI_STATUS_NOT_FOUND, "stifness");
    holds(strstr(problem.message, "stiffness") != NULL, "message: %.150s", problem.message);
    // A generator of another cardinality.
    def.parameter_count = 0, def.generator = "hinges";
    holds(pli_constraints_create(world, &def, &set, &problem) == PLI_STATUS_INVALID_ARGUMENT, "distance from hinges");
    near(pli_world_constraints_count(world), 0, 0.0, "sets after refusals");
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

static void settings_out_of_range_are_refused(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_settings good = pli_world_settings(world);
    for (int32_t i = 0; i < 14; i++) {
        pli_settings bad = good;
        switch (i) {
        case 0:
            bad.substeps = 0;
            break;
        case 1:
            bad.substeps = 1001;
            break;
        case 2:
            bad.iterations = 0;
            break;
        case 3:
            bad.iterations = -5;
            break;
        case 4:
            bad.damping = -0.1f;
            break;
        case 5:
            bad.damping = 1.1e6f;
            break;
        case 6:
            bad.gravity.y = NAN;
            break;
        case 7:
            bad.wind.x = INFINITY;
            break;
        case 8:
            bad.air_density = -1.0f;
            break;
        case 9:
            bad.speed_limit = 0.0f;
            break;
        case 10:
            bad.speed_limit = NAN;
            break;
        case 11:
            bad.method = (pli_method)7;
            break;
        case 12:
            bad.damping = NAN;
            break;
        default:
            bad.air_density = INFINITY;
            break;
        }
        holds(pli_world_set_settings(world, &bad, &problem) == PLI_STATUS_INVALID_ARGUMENT, "settings %d", i);
        pli_settings now = pli_world_settings(world);
        holds(now.substeps == good.substeps && now.iterations == good.iterations && now.damping == good.damping &&
                  now.gravity.y == good.gravity.y && now.method == good.method,
              "settings %d changed nothing", i);
    }
    good.substeps = 1000, good.iterations = 7, good.method = PLI_METHOD_PBD;
    must(pli_world_set_settings(world, &good, &problem));
    holds(pli_world_settings(world).iterations == 7, "good settings");
    pli_world_destroy(world);
}

static void statistics_are_sums_over_the_state(void **state)
{
    (void)state;
    pli_world_def def = furnished_def(PLI_METHOD_XPBD, PLI_ORDER_COLOURED);
    pli_world *world = furnished_world(&def, SMALL);
    advance(world, 6);
    pli_statistics found;
    pli_world_get_statistics(world, &found);
    vec linear = {0, 0, 0}, angular = {0, 0, 0};
    double energy = 0.0, squares = 0.0, most = 0.0;
    int32_t held = 0, particles = 0, edges = 0;
    for (int32_t b = 0; b < 2; b++) {
        pli_deformable body = pli_world_deformable_at(world, b);
        const pli_topology *t = pli_mesh_topology(pli_deformable_rest_mesh(world, body));
        for (int32_t i = 0; i < t->vertex_count; i++, particles++) {
            double m = mass_of(world, body, i);
            vec v = velocity_of(world, body, i);
            held += m == 0.0;
            linear = add(linear, scale(v, m));
            angular = add(angular, scale(cross(position_of(world, body, i), v), m));
            energy += 0.5 * m * dot(v, v);
        }
        for (int32_t e = 0; e < t->edge_count; e++, edges++) {
            int32_t i = t->edges[2 * e], j = t->edges[2 * e + 1];
            double rest = distance(vec_of_floats(t->positions + 3 * i), vec_of_floats(t->positions + 3 * j));
            double strain = fabs(distance(position_of(world, body, i), position_of(world, body, j)) / rest - 1.0);
            squares += strain * strain;
            most = fmax(most, strain);
        }
    }
    near(found.particle_count, particles, 0.0, "particles");
    near(found.fixed_count, held, 0.0, "held particles");
    near(found.kinetic_energy, energy, 1e-6 * energy, "kinetic energy");
    near(found.stretch_max, most, 1e-5 * most + 1e-6, "largest stretch");
    near(found.stretch_rms, sqrt(squares / edges), 1e-5 * most + 1e-6, "RMS stretch");
    const double ours[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int32_t i = 0; i < 6; i++)
        near(i < 3 ? found.momentum[i] : found.angular_momentum[i - 3], ours[i], 1e-7 + 1e-6 * fabs(ours[i]),
             "momentum %d", i);
    near(found.time, 0.1, 1e-6, "time");
    near((double)found.step, 6.0, 0.0, "steps");
    holds(found.memory > 10000 && found.projection_count > 1000, "memory %zu, projections %lld", found.memory,
          (long long)found.projection_count);
    double stages = 0.0;
    for (int32_t i = 0; i < PLI_STAGE_COUNT; i++) {
        holds(found.stage_seconds[i] >= 0.0 && *pli_choice_name("stage", i), "stage %d", i);
        stages += found.stage_seconds[i];
    }
    holds(stages <= found.step_seconds * 1.01 + 1e-5, "stages %g s of %g s", stages, found.step_seconds);
    pli_world_destroy(world);
}

// The residual of a set is that of its stencils, by evaluate in double.
static void residuals_are_those_of_the_stencils(void **state)
{
    (void)state;
    for (int32_t row = 0; row < pli_constraint_type_count(); row++) {
        const pli_constraint_type *type = pli_constraint_type_at(row);
        if (!type->generator || type->needs_normals)
            continue;
        pli_mesh *mesh = mesh_for(type);
        pli_world *world = plain_world(PLI_METHOD_XPBD);
        pli_deformable body = deform(world, mesh, NULL);
        pli_constraints set = constrain(world, body, type->name, NULL);
        scatter(world, body, 0.02);
        pli_stencils stencils = {0};
        must(pli_stencils_generate(mesh, type->generator, &stencils, &problem));
        double squares = 0.0, most = 0.0;
        int32_t count = 0;
        for (int32_t i = 0; i < stencils.count; i++) {
            static sample s;
            s = (sample){.type = type, .mesh = mesh, .state = 1.0f};
            for (int32_t p = 0; p < type->parameter_count; p++)
                s.parameters[p] = (float)type->parameters[p].initial;
            sample_take(&s, &stencils, i);
            sample_displace(&s, 0.0);
            if (!sample_measure_rest(&s))
                continue;
            for (int32_t k = 0; k < s.count; k++) {
                vec p = position_of(world, body, s.particles[k]);
                s.positions[k][0] = p.x, s.positions[k][1] = p.y, s.positions[k][2] = p.z;
            }
            double value = sample_acts(&s) ? sample_value(&s, (const double(*)[3])s.positions) : 0.0;
            squares += value * value;
            most = fmax(most, value);
            count++;
        }
        pli_residual found = residual_of(world, set);
        near(found.count, count, 0.0, "%s: constraints", type->name);
        near(found.max, most, 1e-4 * most, "%s: largest residual", type->name);
        near(found.rms, sqrt(squares / count), 1e-4 * most, "%s: RMS residual", type->name);
        pli_stencils_release(&stencils);
        pli_world_destroy(world);
        pli_mesh_destroy(mesh);
    }
}

static void the_hash_sees_every_bit(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_hilly(5);
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_deformable body = deform(world, mesh, NULL);
    uint64_t before = pli_world_hash(world);
    for (int32_t i = 0; i < 25; i++) {
        float p[3], v[3] = {0, 0, 1e-30f}, zero[3] = {0};
        memcpy(p, pli_view_at(pli_deformable_positions(world, body), i), sizeof p);
        float was = p[1];
        p[1] = nextafterf(was, 10.0f);
        must(pli_deformable_set_positions(world, body, i, 1, p, &problem));
        holds(pli_world_hash(world) != before, "position of %d", i);
        p[1] = was;
        must(pli_deformable_set_positions(world, body, i, 1, p, &problem));
        must(pli_deformable_set_velocities(world, body, i, 1, v, &problem));
        holds(pli_world_hash(world) != before, "velocity of %d", i);
        must(pli_deformable_set_velocities(world, body, i, 1, zero, &problem));
        holds(pli_world_hash(world) == before, "put back: %d", i);
    }
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(a_restored_world_goes_on_to_the_same_bits),
        property(moving_things_survive_a_snapshot),
        property(forces_for_the_next_step_survive_a_snapshot),
        property(damaged_snapshots_are_refused),
        property(parameters_are_set_by_name),
        property(wrong_names_are_answered_with_the_nearest),
        property(settings_out_of_range_are_refused),
        property(statistics_are_sums_over_the_state),
        property(residuals_are_those_of_the_stencils),
        property(the_hash_sees_every_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
