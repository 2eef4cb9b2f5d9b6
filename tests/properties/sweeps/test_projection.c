// Every row of the table through the solver: one projection against a double-precision one made
// from evaluate (itself checked in test_gradients), momenta, exactness, PBD against XPBD.
#include "samples.h"
#include "worlds.h"

enum { SAMPLES = 8 };

typedef struct trial {
    sample s;
    double w[SAMPLE_PARTICLES];           ///< Inverse masses of the stencil's particles.
    double before[SAMPLE_PARTICLES][3];   ///< Positions of the stencil at the start of the step.
    double after[SAMPLE_PARTICLES][3];    ///< And at its end.
    double expected[SAMPLE_PARTICLES][3]; ///< In double.
    double velocity[SAMPLE_PARTICLES][3]; ///< At the start.
    double compliance, damping, dt;
} trial;

static void masses_draw(trial *t, int32_t held)
{
    for (int32_t k = 0; k < t->s.count; k++)
        t->w[k] = k == held ? 0.0 : (double)(float)exp(uniform(-1.5, 1.5));
}

static pli_world *trial_world(const trial *t, pli_method method, pli_constraints *set)
{
    pli_world *world = single_sweep_world(method);
    float positions[3 * SAMPLE_PARTICLES], velocities[3 * SAMPLE_PARTICLES] = {0}, w[SAMPLE_PARTICLES];
    int32_t count = pli_mesh_topology(t->s.mesh)->vertex_count;
    for (int32_t i = 0; i < 3 * count; i++)
        positions[i] = (float)t->s.mesh_positions[i / 3][i % 3];
    for (int32_t i = 0; i < count; i++)
        w[i] = 1.0f;
    for (int32_t k = 0; k < t->s.count; k++) {
        w[t->s.particles[k]] = (float)t->w[k];
        for (int32_t d = 0; d < 3; d++)
            velocities[3 * t->s.particles[k] + d] = (float)t->velocity[k][d];
    }
    pli_deformable body = deform(world, t->s.mesh, positions);
    weigh(world, body, w, count);
    must(pli_deformable_set_velocities(world, body, 0, count, velocities, &problem));
    if (t->s.type->cardinality)
        *set = constrain_list(world, body, t->s.type->name, t->s.particles, 1);
    else
        *set = constrain(world, body, t->s.type->name, NULL);
    for (int32_t i = 0; i < t->s.type->parameter_count; i++)
        tune(world, *set, t->s.type->parameters[i].name, (double)t->s.parameters[i]);
    return world;
}

static void trial_run(trial *t, pli_world *world)
{
    pli_deformable body = pli_world_deformable_at(world, 0);
    for (int32_t k = 0; k < t->s.count; k++) {
        vec p = position_of(world, body, t->s.particles[k]);
        t->before[k][0] = p.x, t->before[k][1] = p.y, t->before[k][2] = p.z;
    }
    step(world, t->dt);
    for (int32_t k = 0; k < t->s.count; k++) {
        vec p = position_of(world, body, t->s.particles[k]);
        t->after[k][0] = p.x, t->after[k][1] = p.y, t->after[k][2] = p.z;
    }
}

// Solves the n x n system in place by elimination with pivoting. Values that depend on each other leave some unknowns
// free, which are 0.
static void solve(double a[3][3], double *b, int32_t n)
{
    double least = 0.0;
    for (int32_t i = 0; i < n; i++)
        least = fmax(least, 1e-9 * a[i][i]);
    for (int32_t i = 0; i < n; i++) {
        int32_t pivot = i;
        for (int32_t r = i + 1; r < n; r++)
            pivot = fabs(a[r][i]) > fabs(a[pivot][i]) ? r : pivot;
        for (int32_t c = 0; c < n; c++) {
            double swap = a[i][c];
            a[i][c] = a[pivot][c], a[pivot][c] = swap;
        }
        double swap = b[i];
        b[i] = b[pivot], b[pivot] = swap;
        for (int32_t r = i + 1; r < n && fabs(a[i][i]) > least; r++) {
            double factor = a[r][i] / a[i][i];
            for (int32_t c = i; c < n; c++)
                a[r][c] -= factor * a[i][c];
            b[r] -= factor * b[i];
        }
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t c = i + 1; c < n; c++)
            b[i] -= a[i][c] * b[c];
        b[i] = fabs(a[i][i]) > least ? b[i] / a[i][i] : 0.0;
    }
}

// The angle that one projection may take out; infinite for types without such a limit.
static double largest_turn(const trial *t)
{
    const pli_constraint_type *type = t->s.type;
    for (int32_t i = 0; i < type->parameter_count; i++)
        if (strcmp(type->parameters[i].name, "change_limit") == 0 && strcmp(type->parameters[i].unit, "rad") == 0)
            return (double)t->s.parameters[i];
    return (double)INFINITY;
}

// One projection in double: Macklin 2016, eqs. (18) and (26), with lambda 0 before.
static void project_in_double(trial *t)
{
    const sample *s = &t->s;
    int32_t n = s->type->dimension, size = 3 * s->count;
    double values[3], jacobian[9 * SAMPLE_PARTICLES], a[3][3] = {{0}}, b[3], moved[SAMPLE_PARTICLES][3];
    for (int32_t i = 0; i < size; i++)
        moved[i / 3][i % 3] = t->before[i / 3][i % 3] + (t->w[i / 3] > 0.0 ? t->dt * t->velocity[i / 3][i % 3] : 0.0);
    pli_stencil stencil = stencil_at(s, (const double(*)[3])moved, (const double(*)[3])s->normals);
    s->type->evaluate(&stencil, values, jacobian);
    double alpha = t->compliance / (t->dt * t->dt), gamma = t->damping / t->dt, weight = 0.0;
    for (int32_t i = 0; i < size; i++)
        weight += jacobian[i] * jacobian[i] * t->w[i / 3];
    for (int32_t r = 0; r < n; r++) {
        b[r] = -values[r];
        for (int32_t i = 0; i < size; i++) {
            b[r] -= gamma * jacobian[r * size + i] * (moved[i / 3][i % 3] - t->before[i / 3][i % 3]);
            for (int32_t c = 0; c < n; c++)
                a[r][c] += (1.0 + gamma) * jacobian[r * size + i] * jacobian[c * size + i] * t->w[i / 3];
        }
        a[r][r] += alpha;
    }
    solve(a, b, n);
    for (int32_t r = 0; r < n; r++)
        if ((s->type->sense == PLI_SENSE_AT_MOST && b[r] > 0.0) || (s->type->sense == PLI_SENSE_AT_LEAST && b[r] < 0.0))
            b[r] = 0.0;
    if (fabs(b[0]) * weight > largest_turn(t))
        b[0] = copysign(largest_turn(t) / weight, b[0]);
    for (int32_t i = 0; i < size; i++) {
        t->expected[i / 3][i % 3] = moved[i / 3][i % 3];
        for (int32_t r = 0; r < n; r++)
            t->expected[i / 3][i % 3] += t->w[i / 3] * jacobian[r * size + i] * b[r];
    }
}

static double largest_move(const trial *t)
{
    double largest = 0.0;
    for (int32_t k = 0; k < t->s.count; k++)
        largest = fmax(largest, distance(vec_of(t->expected[k]), vec_of(t->before[k])));
    return largest;
}

// The arccos form does nothing near flat (errata E11, measured in test_errata).
static bool in_dead_zone(const trial *t)
{
    double farthest = 0.0;
    for (int32_t i = 0; i < 3 * t->s.count; i++) {
        double drift = t->w[i / 3] > 0.0 ? t->dt * t->velocity[i / 3][i % 3] : 0.0;
        farthest = fmax(farthest, fabs(t->after[i / 3][i % 3] - t->before[i / 3][i % 3] - drift));
    }
    return farthest < 2e-7 && strcmp(t->s.type->name, "dihedral_printed") == 0;
}

static void compare(const trial *t, const char *how)
{
    if (in_dead_zone(t))
        return;
    double move = largest_move(t);
    for (int32_t i = 0; i < 3 * t->s.count; i++)
        near(t->after[i / 3][i % 3], t->expected[i / 3][i % 3], 1e-5 * move + 3e-7, "%s, %s, particle %d axis %d",
             t->s.type->name, how, i / 3, i % 3);
}

// Room for a whole step: what limits a projection is lifted.
static void open_limits(sample *s)
{
    for (int32_t i = 0; i < s->type->parameter_count; i++)
        if (strcmp(s->type->parameters[i].name, "change_limit") == 0)
            s->parameters[i] = (float)s->type->parameters[i].maximum;
}

static void each_sample(const pli_constraint_type *type, pli_mesh *mesh, void (*visit)(trial *))
{
    assert_non_null(mesh);
    for (int32_t i = 0; i < SAMPLES; i++) {
        static trial t;
        t = (trial){.dt = 1.0};
        sample_make(&t.s, type, mesh, 0.2);
        open_limits(&t.s);
        masses_draw(&t, i % 2 ? below(t.s.count) : -1);
        if (t.s.count > 1 || t.w[0] > 0.0)
            visit(&t);
    }
    pli_mesh_destroy(mesh);
}

static void each_type(void (*visit)(trial *))
{
    for (int32_t row = 0; row < pli_constraint_type_count(); row++)
        each_sample(pli_constraint_type_at(row), mesh_for(pli_constraint_type_at(row)), visit);
}

static void check_pbd(trial *t)
{
    pli_constraints set;
    pli_world *world = trial_world(t, PLI_METHOD_PBD, &set);
    trial_run(t, world);
    project_in_double(t);
    compare(t, "PBD");
    pli_world_destroy(world);
}

static void a_projection_is_the_one_of_the_gradients(void **state)
{
    (void)state;
    each_type(check_pbd);
}

static void check_xpbd(trial *t)
{
    pli_constraints set;
    double w = 0.0, values[3], jacobian[9 * SAMPLE_PARTICLES];
    pli_stencil stencil = stencil_at(&t->s, (const double(*)[3])t->s.positions, (const double(*)[3])t->s.normals);
    t->s.type->evaluate(&stencil, values, jacobian);
    for (int32_t i = 0; i < 3 * t->s.count; i++)
        w += jacobian[i] * jacobian[i] * t->w[i / 3];
    t->dt = 0.01;
    t->compliance = (double)(float)(uniform(0.2, 2.0) * w * t->dt * t->dt);
    t->damping = (double)(float)(uniform(0.2, 2.0) * t->dt);
    for (int32_t i = 0; i < 3 * t->s.count; i++)
        t->velocity[i / 3][i % 3] = (double)(float)uniform(-2.0, 2.0);
    pli_world *world = trial_world(t, PLI_METHOD_XPBD, &set);
    tune(world, set, "compliance", t->compliance);
    tune(world, set, "damping", t->damping);
    trial_run(t, world);
    project_in_double(t);
    compare(t, "XPBD with compliance and damping");
    pli_world_destroy(world);
}

static void compliance_and_damping_follow_the_formula(void **state)
{
    (void)state;
    each_type(check_xpbd);
}

static int32_t limited_types;

// The angle is measured before and after: by geometry the change is that of the limit but for its square.
static void check_limited(trial *t)
{
    double turn = 0.01;
    t->dt = 1.0 / 60.0;
    for (int32_t i = 0; i < t->s.type->parameter_count; i++)
        if (strcmp(t->s.type->parameters[i].name, "change_limit") == 0)
            t->s.parameters[i] = (float)turn;
    if (!isfinite(largest_turn(t)))
        return;
    for (int32_t m = 0; m < 3; m++) {
        pli_constraints set;
        pli_world *world = trial_world(t, m ? PLI_METHOD_XPBD : PLI_METHOD_PBD, &set);
        // So soft that the projection stays below the limit, or not.
        t->compliance = m == 2 ? 1e4 : m * 1e-6;
        if (m)
            tune(world, set, "compliance", t->compliance);
        trial_run(t, world);
        project_in_double(t);
        compare(t, m == 2 ? "soft, below the limit" : "limited");
        double before = sample_value(&t->s, (const double(*)[3])t->before);
        double after = sample_value(&t->s, (const double(*)[3])t->after);
        if (m < 2 && before > 3.0 * turn && !in_dead_zone(t)) {
            near(before - after, turn, 0.2 * turn, "%s: the angle taken out of %g", t->s.type->name, before);
            limited_types++;
        }
        pli_world_destroy(world);
    }
}

static void a_projection_turns_no_further_than_its_limit(void **state)
{
    (void)state;
    limited_types = 0;
    each_type(check_limited);
    holds(limited_types > 2 * SAMPLES, "%d projections of the dihedral types were limited", limited_types);
}

static void check_momenta(trial *t)
{
    if (t->s.type->world_anchored)
        return;
    masses_draw(t, -1);
    pli_constraints set;
    pli_world *world = trial_world(t, PLI_METHOD_PBD, &set);
    trial_run(t, world);
    vec linear = {0, 0, 0}, angular = {0, 0, 0}, centre = {0, 0, 0};
    double moved = 0.0, turned_round = 0.0, mass = 0.0, rounding = 0.0;
    for (int32_t k = 0; k < t->s.count; k++) {
        centre = add(centre, scale(vec_of(t->before[k]), 1.0 / t->w[k]));
        mass += 1.0 / t->w[k];
    }
    for (int32_t k = 0; k < t->s.count; k++) {
        vec push = scale(sub(vec_of(t->after[k]), vec_of(t->before[k])), 1.0 / t->w[k]);
        vec arm = sub(vec_of(t->before[k]), scale(centre, 1.0 / mass));
        linear = add(linear, push);
        angular = add(angular, cross(arm, push));
        moved += length(push);
        turned_round += length(arm) * length(push);
        rounding += 6e-8 * length(vec_of(t->before[k])) / t->w[k];
    }
    near(length(linear), 0.0, 1e-5 * moved + rounding, "%s: linear momentum of the correction", t->s.type->name);
    near(length(angular), 0.0, 1e-5 * turned_round + rounding, "%s: angular momentum of the correction",
         t->s.type->name);
    holds(moved > 1e-4, "%s: moved %g", t->s.type->name, moved);
    pli_world_destroy(world);
}

static void corrections_carry_no_momentum(void **state)
{
    (void)state;
    each_type(check_momenta);
}

static int32_t exact_types;
static const char *exact_last;

// Where one step along the gradient solves C = 0 in double, it must do so in the solver, with unequal masses
// and a held particle.
static void check_exact(trial *t)
{
    pli_constraints set;
    pli_world *world = trial_world(t, PLI_METHOD_PBD, &set);
    trial_run(t, world);
    project_in_double(t);
    double before = sample_value(&t->s, (const double(*)[3])t->before);
    double ideal = sample_value(&t->s, (const double(*)[3])t->expected);
    if (ideal < 1e-7 * before) {
        double after = sample_value(&t->s, (const double(*)[3])t->after);
        near(after, 0.0, 1e-5 * before + 2e-7, "%s: residual after one projection of %g", t->s.type->name, before);
        near(residual_of(world, set).max, after, 1e-3 * after + 3e-7, "%s: residual reported", t->s.type->name);
        if (exact_last != t->s.type->name)
            exact_types++;
        exact_last = t->s.type->name;
    }
    pli_world_destroy(world);
}

static void one_projection_is_exact_along_the_gradient(void **state)
{
    (void)state;
    exact_types = 0, exact_last = NULL;
    each_type(check_exact);
    // distance, stick, tether, opposite_distance, triangle and its signed, area and edge forms, ring_laplacian, attachment
    holds(exact_types >= 10, "%d types are exact", exact_types);
}

static void check_squashed(trial *t)
{
    sample_squash(&t->s, 0.1);
    check_pbd(t);
}

// The targets of curved forms fade where their normals are short.
static void collapsed_forms_follow_their_gradients(void **state)
{
    (void)state;
    const char *const forms[] = {"isometric", "triangle_linear"};
    for (int32_t i = 0; i < COUNT_OF(forms); i++)
        each_sample(pli_constraint_type_find(forms[i]), mesh_hilly(6), check_squashed);
}

// Linear forms are exact for flat rest shapes; a curved one's target turns with the stencil.
static void linear_forms_are_exact_on_flat_sheets(void **state)
{
    (void)state;
    const char *const forms[] = {"isometric", "triangle_linear", "ring_laplacian"};
    exact_types = 0, exact_last = NULL;
    for (int32_t i = 0; i < COUNT_OF(forms); i++)
        each_sample(pli_constraint_type_find(forms[i]), mesh_grid(3, 3, 1.0, PLI_GRID_ALTERNATING), check_exact);
    holds(exact_types == COUNT_OF(forms), "%d linear forms are exact", exact_types);
}

static void check_methods_agree(trial *t)
{
    float after[2][6 * SAMPLE_PARTICLES] = {{0}};
    t->dt = 1.0 / 60.0;
    for (int32_t i = 0; i < 3 * t->s.count; i++)
        t->velocity[i / 3][i % 3] = uniform(-1.0, 1.0);
    for (int32_t m = 0; m < 2; m++) {
        pli_constraints set;
        pli_world *world = trial_world(t, m ? PLI_METHOD_XPBD : PLI_METHOD_PBD, &set);
        step(world, t->dt);
        for (int32_t i = 0; i < vertex_count_of(world, pli_world_deformable_at(world, 0)); i++) {
            memcpy(after[m] + 6 * i, pli_view_at(pli_deformable_positions(world, pli_world_deformable_at(world, 0)), i),
                   12);
            memcpy(after[m] + 6 * i + 3,
                   pli_view_at(pli_deformable_velocities(world, pli_world_deformable_at(world, 0)), i), 12);
        }
        pli_world_destroy(world);
    }
    for (int32_t i = 0; i < 6 * SAMPLE_PARTICLES; i++)
        holds(memcmp(&after[0][i], &after[1][i], sizeof(float)) == 0, "%s: value %d, PBD %.9g, XPBD %.9g",
              t->s.type->name, i, (double)after[0][i], (double)after[1][i]);
}

static void stiff_pbd_is_rigid_xpbd_to_the_bit(void **state)
{
    (void)state;
    each_type(check_methods_agree);
}

static void check_all_held(trial *t)
{
    memset(t->w, 0, sizeof t->w);
    for (int32_t m = 0; m < 2; m++) {
        pli_constraints set;
        pli_world *world = trial_world(t, m ? PLI_METHOD_XPBD : PLI_METHOD_PBD, &set);
        trial_run(t, world);
        for (int32_t i = 0; i < 3 * t->s.count; i++)
            near(t->after[i / 3][i % 3], t->before[i / 3][i % 3], 0.0, "%s all held, value %d", t->s.type->name, i);
        pli_world_destroy(world);
    }
}

static void held_particles_do_not_move(void **state)
{
    (void)state;
    each_type(check_all_held);
}

// Puts the displaced mesh into a state that no formula likes.
static void spoil(sample *s, int32_t how)
{
    int32_t count = pli_mesh_topology(s->mesh)->vertex_count;
    for (int32_t i = 0; i < count; i++) {
        double *p = s->mesh_positions[i];
        const double *first = s->mesh_positions[0];
        if (how == 0)
            memcpy(p, first, sizeof(double[3]));
        else if (how == 1)
            memcpy(p, s->mesh_positions[i / 2 * 2], sizeof(double[3]));
        else if (how == 2)
            p[1] = 0.0, p[2] = 0.0;
        else if (how == 3)
            p[1] = 0.0;
        else
            p[0] *= 1e-18, p[1] *= 1e-18, p[2] *= 1e-18;
    }
}

static void check_spoilt(trial *t)
{
    for (int32_t how = 0; how < 5; how++) {
        for (int32_t variant = 0; variant < 6; variant++) {
            trial spoilt = *t;
            spoilt.dt = 1.0 / 60.0;
            spoil(&spoilt.s, how);
            for (int32_t i = 0; i < t->s.type->parameter_count; i++)
                if (t->s.type->parameters[i].choices)
                    spoilt.s.parameters[i] = (float)fmin(variant / 2, t->s.type->parameters[i].maximum);
            pli_constraints set;
            pli_world *world = trial_world(&spoilt, variant % 2 ? PLI_METHOD_XPBD : PLI_METHOD_PBD, &set);
            for (int32_t i = 0; i < 3; i++) {
                pli_status status = pli_world_step(world, 1.0f / 60.0f, &problem);
                // C = E - E0 starts with a step of E0 / |grad E|, which no float may hold (errata E17).
                bool told = status == PLI_STATUS_NON_FINITE && strcmp(t->s.type->name, "isometric_energy") == 0;
                holds(status == PLI_STATUS_OK || told, "%s spoilt in way %d: %.99s", t->s.type->name, how,
                      problem.message);
            }
            holds(all_finite(world), "%s spoilt in way %d, variant %d", t->s.type->name, how, variant);
            holds(isfinite(residual_of(world, set).max), "%s spoilt in way %d: residual", t->s.type->name, how);
            pli_world_destroy(world);
        }
    }
}

static void degenerate_states_step_on(void **state)
{
    (void)state;
    each_type(check_spoilt);
}

// alpha = compliance_scale / B: seen through the first constraint's lambda after one sequential iteration.
static void rigidity_is_a_compliance(void **state)
{
    (void)state;
    int32_t seen = 0;
    for (int32_t row = 0; row < pli_constraint_type_count(); row++) {
        const pli_constraint_type *type = pli_constraint_type_at(row);
        if (!type->compliance_scale)
            continue;
        pli_mesh *mesh = mesh_for(type);
        double lambdas[2];
        static sample s;
        for (int32_t pass = 0; pass < 2; pass++) {
            random_state = 5;
            sample_make(&s, type, mesh, 0.2);
            float positions[3 * SAMPLE_PARTICLES], lambda[3] = {0};
            for (int32_t i = 0; i < 3 * pli_mesh_topology(mesh)->vertex_count; i++)
                positions[i] = (float)s.mesh_positions[i / 3][i % 3];
            pli_world *world = single_sweep_world(PLI_METHOD_XPBD);
            pli_deformable body = deform(world, mesh, positions);
            pli_constraints set = constrain_keeping(world, body, type->name, NULL, true);
            pli_stencils stencils = {0};
            must(pli_stencils_generate(mesh, type->generator, &stencils, &problem));
            sample_take(&s, &stencils, 0);
            sample_displace(&s, 0.0);
            assert_true(sample_measure_rest(&s));
            pli_stencil stencil = stencil_at(&s, (const double(*)[3])s.rest_positions,
                                             (const double(*)[3])s.rest_normals);
            double rigidity = 1e-3, compliance = (double)type->compliance_scale(&stencil, s.rest) / rigidity;
            if (pass)
                tune(world, set, "compliance", compliance);
            else
                tune(world, set, "rigidity", rigidity);
            step(world, 0.01);
            must(pli_constraints_stencil(world, set, 0, NULL, NULL, NULL, lambda, &problem));
            lambdas[pass] = sqrt((double)(lambda[0] * lambda[0] + lambda[1] * lambda[1] + lambda[2] * lambda[2]));
            holds(compliance > 0.0 && isfinite(compliance), "%s: compliance %g", type->name, compliance);
            pli_stencils_release(&stencils);
            pli_world_destroy(world);
        }
        holds(lambdas[0] > 0.0, "%s: lambda %g", type->name, lambdas[0]);
        near(lambdas[0], lambdas[1], 1e-5 * lambdas[1], "%s: lambda by rigidity and by compliance", type->name);
        seen++;
        pli_mesh_destroy(mesh);
    }
    holds(seen >= 4, "%d types have a rigidity", seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(a_projection_is_the_one_of_the_gradients),
        property(compliance_and_damping_follow_the_formula),
        property(a_projection_turns_no_further_than_its_limit),
        property(corrections_carry_no_momentum),
        property(one_projection_is_exact_along_the_gradient),
        property(linear_forms_are_exact_on_flat_sheets),
        property(collapsed_forms_follow_their_gradients),
        property(stiff_pbd_is_rigid_xpbd_to_the_bit),
        property(held_particles_do_not_move),
        property(degenerate_states_step_on),
        property(rigidity_is_a_compliance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
