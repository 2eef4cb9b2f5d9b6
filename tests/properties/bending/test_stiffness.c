// The meaning of compliance: static loads, oscillation, and independence of iterations; and that PBD's stiffness has no
// such meaning.
#include "samples.h"
#include "worlds.h"

enum { LINKS = 10 };

// A chain of LINKS links along x, its first particle held, hanging along gravity.
typedef struct chain {
    pli_world *world;
    pli_mesh *mesh;
    pli_deformable body;
    pli_constraints set;
} chain;

static chain chain_make(pli_method method, pli_sweeps sweeps, int32_t iterations, double mass)
{
    chain c;
    double points[LINKS + 1][3] = {{0}};
    float w[LINKS + 1] = {0};
    int32_t links[2 * LINKS];
    for (int32_t i = 0; i <= LINKS; i++) {
        points[i][0] = 0.1 * i;
        // The zigzag gives the strip's faces area; links are measured along it.
        points[i][2] = 1e-3 * (i % 2);
        w[i] = i ? (float)(1.0 / mass) : 0.0f;
    }
    for (int32_t i = 0; i < LINKS; i++)
        links[2 * i] = i, links[2 * i + 1] = i + 1;
    pli_world_def def = plain_world_def(method);
    def.settings.iterations = iterations;
    def.settings.sweeps = sweeps;
    def.settings.gravity = (pli_vec3){9.81f, 0.0f, 0.0f};
    c.world = world_from(&def);
    c.mesh = mesh_of_points((const double(*)[3])points, LINKS + 1);
    c.body = deform(c.world, c.mesh, NULL);
    weigh(c.world, c.body, w, LINKS + 1);
    pli_constraints_def set = pli_constraints_def_default();
    set.deformable = c.body;
    set.type = "distance";
    set.particles = links;
    set.constraint_count = LINKS;
    set.keep_lambda = true;
    must(pli_constraints_create(c.world, &set, &c.set, &problem));
    return c;
}

static void chain_free(chain *c)
{
    pli_world_destroy(c->world);
    pli_mesh_destroy(c->mesh);
}

// Steps with the velocities taken out until nothing moves: a static solution of the stepping rule.
static void settle(chain *c, double dt, int32_t steps)
{
    for (int32_t i = 0; i < steps; i++) {
        rest_velocities(c->world, c->body);
        step(c->world, dt);
    }
}

static double link_stretch(const chain *c, int32_t i)
{
    double rest = sqrt(0.1 * 0.1 + 1e-3 * 1e-3);
    return distance(position_of(c->world, c->body, i), position_of(c->world, c->body, i + 1)) - rest;
}

static void sag_does_not_hang_on(const int32_t iterations[3], pli_sweeps sweeps)
{
    double compliance = 1e-3, mass = 0.05, sags[3];
    for (int32_t i = 0; i < 3; i++) {
        chain c = chain_make(PLI_METHOD_XPBD, sweeps, iterations[i], mass);
        tune(c.world, c.set, "compliance", compliance);
        settle(&c, 1.0 / 60.0, 1500);
        sags[i] = 0.0;
        for (int32_t k = 0; k < LINKS; k++) {
            double force = mass * 9.81 * (LINKS - k);
            near(link_stretch(&c, k), compliance * force, 0.02 * compliance * force + 2e-6,
                 "stretch of link %d with %d iterations", k, iterations[i]);
            sags[i] += link_stretch(&c, k);
        }
        chain_free(&c);
    }
    for (int32_t i = 0; i < 2; i++)
        near(sags[i], sags[2], 0.02 * sags[2], "sag with %d and with %d iterations", iterations[i], iterations[2]);
}

// Sweeps that turn converge a little later: 2.1 % are left after 20 of them.
static void sag_does_not_hang_on_iterations(void **state)
{
    (void)state;
    sag_does_not_hang_on((const int32_t[]){20, 40, 80}, PLI_SWEEPS_FORWARD);
    sag_does_not_hang_on((const int32_t[]){22, 40, 80}, PLI_SWEEPS_BACK_AND_FORTH);
}

static void multipliers_are_forces(void **state)
{
    (void)state;
    double dt = 1.0 / 60.0, mass = 0.05;
    chain c = chain_make(PLI_METHOD_XPBD, PLI_SWEEPS_BACK_AND_FORTH, 80, mass);
    tune(c.world, c.set, "compliance", 1e-3);
    settle(&c, dt, 1500);
    for (int32_t k = 0; k < LINKS; k++) {
        float lambda;
        must(pli_constraints_stencil(c.world, c.set, k, NULL, NULL, NULL, &lambda, &problem));
        double force = mass * 9.81 * (LINKS - k);
        near(fabs((double)lambda) / (dt * dt), force, 0.02 * force, "force of link %d from its multiplier", k);
    }
    chain_free(&c);
}

// Links at rest store 1/2 alpha F^2 each, in a gravity whose potential is that of the masses; nothing is stored without compliance.
static void energy_is_that_of_springs(void **state)
{
    (void)state;
    double mass = 0.05, compliance = 1e-3, expected = 0.0, height = 0.0, energy = -1.0;
    chain c = chain_make(PLI_METHOD_XPBD, PLI_SWEEPS_BACK_AND_FORTH, 80, mass);
    pli_statistics statistics;
    tune(c.world, c.set, "compliance", compliance);
    settle(&c, 1.0 / 60.0, 1500);
    for (int32_t k = 0; k < LINKS; k++) {
        double force = mass * 9.81 * (LINKS - k);
        expected += 0.5 * compliance * force * force;
        height += position_of(c.world, c.body, k + 1).x;
    }
    energy = pli_constraints_energy(c.world, c.set);
    near(energy, expected, 0.03 * expected, "energy of the chain");
    pli_world_get_statistics(c.world, &statistics);
    near(statistics.potential_energy, -mass * 9.81 * height, 1e-6, "potential of the chain");
    tune(c.world, c.set, "compliance", 0.0);
    energy = pli_constraints_energy(c.world, c.set);
    near(energy, 0.0, 0.0, "energy of a rigid chain");
    must(pli_constraints_destroy(c.world, c.set, &problem));
    holds(isnan(pli_constraints_energy(c.world, c.set)), "energy of no set");
    chain_free(&c);
}

static void pbd_stiffness_hangs_on_iterations_and_steps(void **state)
{
    (void)state;
    double sags[2];
    for (int32_t i = 0; i < 2; i++) {
        chain c = chain_make(PLI_METHOD_PBD, PLI_SWEEPS_BACK_AND_FORTH, 10, 0.05);
        tune(c.world, c.set, "stiffness", 0.3);
        settle(&c, i ? 1.0 / 120.0 : 1.0 / 60.0, 1500);
        sags[i] = 0.0;
        for (int32_t k = 0; k < LINKS; k++)
            sags[i] += link_stretch(&c, k);
        chain_free(&c);
    }
    holds(sags[0] > 2.5 * sags[1] && sags[1] > 0.0, "sag %g at 60 Hz and %g at 120 Hz", sags[0], sags[1]);
}

// Validation B10: k = 1000, m = 1 is the implicit Euler oscillator: lambda = 1/(1 -+ i z), z = omega dt.
static void a_spring_is_an_implicit_euler_oscillator(void **state)
{
    (void)state;
    // At rest at the origin, where floats are finest.
    const double resting[3][3] = {{-1, 0, 0}, {0, 0, 0}, {0, 0, 1}};
    const float w[3] = {0.0f, 1.0f, 0.0f}, start[9] = {-1, 0, 0, 0.5f, 0, 0, 0, 0, 1};
    const int32_t substeps[] = {1, 4, 10, 20, 50};
    const double kept[] = {0.2044, 0.6618, 0.8475, 0.9206, 0.9674};
    pli_mesh *mesh = mesh_of_points(resting, 3);
    for (int32_t i = 0; i < COUNT_OF(substeps); i++) {
        pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
        def.settings.substeps = substeps[i];
        pli_world *world = world_from(&def);
        pli_deformable body = deform(world, mesh, start);
        weigh(world, body, w, 3);
        const int32_t ends[2] = {0, 1};
        tune(world, constrain_list(world, body, "distance", ends, 1), "compliance", 1e-3);
        double dt = (double)(float)(1.0 / 60.0) / substeps[i], z = sqrt(1000.0) * dt;
        double growth = 1.0 / sqrt(1.0 + z * z), turn = atan(z), amplitude = 0.5;
        near(pow(growth, 2.0 * 3.14159265358979 / turn), kept[i], 6e-5, "amplitude kept a period, in closed form");
        for (int32_t frame = 1; frame <= 40; frame++) {
            step(world, 1.0 / 60.0);
            int32_t n = frame * substeps[i];
            // x_0 = a and v_0 = 0 mean x_n = a r^n (cos n phi + tan-free sine term of the start): x_1 = a r^2.
            double sine = (growth * growth - growth * cos(turn)) / (growth * sin(turn));
            double expected = amplitude * pow(growth, n) * (cos(n * turn) + sine * sin(n * turn));
            near(position_of(world, body, 1).x, expected, 2e-6 * sqrt(n) + 1e-6, "%d substeps, frame %d", substeps[i],
                 frame);
        }
        pli_world_destroy(world);
    }
    pli_mesh_destroy(mesh);
}

// XPBD damping takes energy out of a constraint, and only there.
static void damping_calms_the_spring(void **state)
{
    (void)state;
    const double resting[3][3] = {{-1, 0, 0}, {0, 0, 0}, {0, 0, 1}};
    const float w[3] = {0.0f, 1.0f, 0.0f}, start[9] = {-1, 0, 0, 0.2f, 0, 0, 0, 0, 1};
    pli_mesh *mesh = mesh_of_points(resting, 3);
    double left[3];
    for (int32_t i = 0; i < 3; i++) {
        pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
        def.settings.substeps = 50;
        pli_world *world = world_from(&def);
        pli_deformable body = deform(world, mesh, start);
        weigh(world, body, w, 3);
        const int32_t ends[2] = {0, 1};
        pli_constraints set = constrain_list(world, body, "distance", ends, 1);
        tune(world, set, "compliance", 1e-2);
        // tau = c/k: the damping ratio is tau omega / 2, here 0, 0.05 and 0.5 of critical.
        double omega = 10.0, ratio = i == 0 ? 0.0 : (i == 1 ? 0.05 : 0.5);
        tune(world, set, "damping", 2.0 * ratio / omega);
        double most = 0.0;
        for (int32_t frame = 0; frame < 120; frame++) {
            step(world, 1.0 / 60.0);
            if (frame >= 82)
                most = fmax(most, fabs(position_of(world, body, 1).x));
        }
        left[i] = most / 0.2;
        pli_world_destroy(world);
    }
    holds(left[0] > 0.9, "undamped: %g left", left[0]);
    near(left[1], exp(-0.05 * 10.0 * 83.0 / 60.0), 0.08, "damping ratio 0.05");
    holds(left[2] < 2e-3, "damping ratio 0.5: %g left", left[2]);
    pli_mesh_destroy(mesh);
}

// A compliance of the size of sum w |grad C|^2 dt^2, for which Gauss-Seidel converges quickly.
static double soft_compliance(const pli_constraint_type *type, const pli_mesh *mesh, double w, double dt)
{
    static sample s;
    double values[3], jacobian[9 * SAMPLE_PARTICLES], sum = 0.0;
    sample_make(&s, type, mesh, 0.1);
    pli_stencil stencil = stencil_at(&s, (const double(*)[3])s.positions, (const double(*)[3])s.normals);
    type->evaluate(&stencil, values, jacobian);
    for (int32_t i = 0; i < 3 * s.count; i++)
        sum += jacobian[i] * jacobian[i] * w;
    return sum * dt * dt;
}

// Lets it swing with half of its velocity left each step.
static void swing(pli_world *world, pli_deformable body, double dt, int32_t steps)
{
    float velocities[3 * SAMPLE_PARTICLES];
    int32_t count = vertex_count_of(world, body);
    for (int32_t k = 0; k < steps; k++) {
        for (int32_t i = 0; i < 3 * count; i++)
            velocities[i] = 0.9f * pli_view_at(pli_deformable_velocities(world, body), i / 3)[i % 3];
        must(pli_deformable_set_velocities(world, body, 0, count, velocities, &problem));
        step(world, dt);
    }
}

static double cantilever_drop(const pli_constraint_type *type, const pli_mesh *mesh, int32_t iterations)
{
    double dt = 1.0 / 60.0, w = 50.0;
    float masses[15];
    for (int32_t i = 0; i < 15; i++)
        masses[i] = i % 5 < 2 ? 0.0f : (float)w;
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.settings.iterations = iterations;
    def.settings.gravity = (pli_vec3){0.0f, -0.3f, 0.0f};
    pli_world *world = world_from(&def);
    pli_deformable body = deform(world, mesh, NULL);
    weigh(world, body, masses, 15);
    random_state = 3;
    tune(world, constrain(world, body, "distance", NULL), "compliance",
         soft_compliance(pli_constraint_type_find("distance"), mesh, w, dt));
    tune(world, constrain(world, body, type->name, NULL), "compliance", soft_compliance(type, mesh, w, dt));
    swing(world, body, dt, 1500);
    double drop = -position_of(world, body, 9).y;
    pli_world_destroy(world);
    return drop;
}

// A cantilever of each type that has a physical compliance droops alike, however many iterations.
static void bending_sag_does_not_hang_on_iterations(void **state)
{
    (void)state;
    pli_mesh *mesh = NULL;
    must(pli_mesh_create_grid(5, 3, 0.4f, 0.2f, PLI_GRID_ALTERNATING, &mesh, &problem));
    for (int32_t row = 0; row < pli_constraint_type_count(); row++) {
        const pli_constraint_type *type = pli_constraint_type_at(row);
        if (!type->compliance_scale)
            continue;
        double drops[3] = {cantilever_drop(type, mesh, 20), cantilever_drop(type, mesh, 40),
                           cantilever_drop(type, mesh, 80)};
        holds(drops[2] > 1e-3 && drops[2] < 0.25, "%s: drop %g", type->name, drops[2]);
        near(drops[0], drops[2], 0.02 * drops[2], "%s: drop with 20 and with 80 iterations", type->name);
        near(drops[1], drops[2], 0.02 * drops[2], "%s: drop with 40 and with 80 iterations", type->name);
    }
    pli_mesh_destroy(mesh);
}

// Energy of the constraints of a sheet that lies on a cylinder of radius 1 about z: C^2 / (2 alpha), alpha = a / B.
static double rolled_energy(const pli_constraint_type *type, const pli_mesh *mesh)
{
    pli_stencils stencils = {0};
    must(pli_stencils_generate(mesh, type->generator, &stencils, &problem));
    double energy = 0.0;
    for (int32_t i = 0; i < stencils.count; i++) {
        static sample s;
        s = (sample){.type = type, .mesh = mesh, .state = 1.0f};
        for (int32_t p = 0; p < type->parameter_count; p++)
            s.parameters[p] = (float)type->parameters[p].initial;
        sample_take(&s, &stencils, i);
        for (int32_t k = 0; k < s.count; k++) {
            const float *p = pli_mesh_topology(mesh)->positions + 3 * s.particles[k];
            const double flat[3] = {(double)p[0], (double)p[1], (double)p[2]}, up[3] = {0, 1, 0};
            const double rolled[3] = {sin(flat[0]), cos(flat[0]) - 1.0, flat[2]};
            memcpy(s.rest_positions[k], flat, sizeof flat);
            memcpy(s.rest_normals[k], up, sizeof up);
            memcpy(s.positions[k], rolled, sizeof rolled);
        }
        pli_stencil stencil = stencil_at(&s, (const double(*)[3])s.rest_positions, (const double(*)[3])s.rest_normals);
        stencil.rest = NULL;
        if (!type->rest(&stencil, s.rest))
            continue;
        stencil.rest = s.rest;
        double value = sample_value(&s, (const double(*)[3])s.positions);
        energy += 0.5 * value * value / (double)type->compliance_scale(&stencil, s.rest);
    }
    pli_stencils_release(&stencils);
    return energy;
}

// Validation B9: a sheet of 1 m2 and rigidity 1 N m rolled to radius 1 holds 1/2 J, whatever the type.
static void rigidity_is_that_of_a_sheet(void **state)
{
    (void)state;
    const pli_grid_pattern patterns[] = {PLI_GRID_QUADS, PLI_GRID_DIAGONAL, PLI_GRID_ALTERNATING};
    for (int32_t p = 0; p < COUNT_OF(patterns); p++) {
        pli_mesh *mesh = mesh_grid(33, 33, 1.0, patterns[p]);
        for (int32_t row = 0; row < pli_constraint_type_count(); row++) {
            const pli_constraint_type *type = pli_constraint_type_at(row);
            if (type->compliance_scale)
                near(2.0 * rolled_energy(type, mesh), 1.0, 0.3, "%s on pattern %d: energy over the sheet's", type->name,
                     p);
        }
        pli_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(sag_does_not_hang_on_iterations),
        property(multipliers_are_forces),
        property(energy_is_that_of_springs),
        property(pbd_stiffness_hangs_on_iterations_and_steps),
        property(a_spring_is_an_implicit_euler_oscillator),
        property(damping_calms_the_spring),
        property(bending_sag_does_not_hang_on_iterations),
        property(rigidity_is_that_of_a_sheet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
