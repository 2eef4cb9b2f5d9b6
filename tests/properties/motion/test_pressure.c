// Pressure in pascal and gas in moles, against closed forms: the force of a kept pressure, p V = n R T, the volume at which gas is at the
// pressure outside, Laplace's law, and a pillow that is flat at rest. And that nothing of it acts where it is 0, that it neither
// pushes nor turns, and that states do not hang on the width.
#include "samples.h"
#include "worlds.h"

#include <string.h>

enum { SUBSTEPS = 10 };

static const double gas_constant = 8.31446261815324, temperature = 293.15, outside = 101325.0, radius = 0.1;

typedef struct balloon {
    pli_world *world;
    pli_mesh *mesh;
    pli_deformable body;
    pli_constraints edges, gas;
} balloon;

static pli_constraints fill(pli_world *world, pli_deformable body, const char *parameter, double value)
{
    const pli_parameter_value values[] = {{parameter, value}};
    pli_constraints_def def = pli_constraints_def_default();
    pli_constraints set;
    def.deformable = body;
    def.type = "volume";
    def.parameters = values;
    def.parameter_count = 1;
    def.keep_lambda = true;
    must(pli_constraints_create(world, &def, &set, &problem));
    return set;
}

static balloon blow(pli_mesh *mesh, double compliance, const char *parameter, double value, pli_simd simd)
{
    balloon b = {.mesh = mesh};
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.settings.substeps = SUBSTEPS;
    def.settings.damping = 21.4f;
    def.simd = simd;
    b.world = world_from(&def);
    b.body = deform(b.world, mesh, NULL);
    b.edges = constrain_keeping(b.world, b.body, "distance", NULL, true);
    tune(b.world, b.edges, "compliance", compliance);
    b.gas = fill(b.world, b.body, parameter, value);
    return b;
}

static void pop(balloon *b)
{
    pli_world_destroy(b->world);
    pli_mesh_destroy(b->mesh);
}

static pli_mesh *sphere(void)
{
    pli_mesh *mesh = NULL;
    must(pli_mesh_create_sphere(2, (float)radius, &mesh, &problem));
    return mesh;
}

static void run(balloon *b, int32_t frames)
{
    for (int32_t i = 0; i < frames; i++)
        step(b->world, 1.0 / 60.0);
}

static double volume_of_body(const balloon *b)
{
    const pli_topology *t = pli_mesh_topology(b->mesh);
    double sum = 0.0;
    for (int32_t k = 0; k < t->triangle_count; k++) {
        const vec a = position_of(b->world, b->body, t->triangles[3 * k]);
        const vec c = position_of(b->world, b->body, t->triangles[3 * k + 1]);
        sum += dot(a, cross(c, position_of(b->world, b->body, t->triangles[3 * k + 2]))) / 6.0;
    }
    return sum;
}

// The pressure over that outside, from the mean multiplier of the last step.
static double pressure_of(const balloon *b)
{
    float lambda;
    const double h = (double)(float)(1.0 / 60.0) / SUBSTEPS;
    must(pli_constraints_stencil(b->world, b->gas, 0, NULL, NULL, NULL, &lambda, &problem));
    return (double)lambda / (h * h);
}

// Twice the tension over the radius, by the virial of the edges: 3 p V = sum f l.
static double tension_pressure(const balloon *b)
{
    double sum = 0.0;
    pli_constraints_info info;
    const double h = (double)(float)(1.0 / 60.0) / SUBSTEPS;
    must(pli_constraints_get_info(b->world, b->edges, &info, &problem));
    for (int32_t i = 0; i < info.constraint_count; i++) {
        int32_t ends[2];
        float lambda;
        must(pli_constraints_stencil(b->world, b->edges, i, ends, NULL, NULL, &lambda, &problem));
        sum += fabs((double)lambda) / (h * h) *
               distance(position_of(b->world, b->body, ends[0]), position_of(b->world, b->body, ends[1]));
    }
    return sum / (3.0 * volume_of_body(b));
}

static void a_kept_pressure_is_balanced_by_the_skin(void **state)
{
    (void)state;
    const double pressures[] = {0.5, 2.0, 5.0};
    for (int32_t i = 0; i < COUNT_OF(pressures); i++) {
        balloon b = blow(sphere(), 1.0, "gauge_pressure", pressures[i], PLI_SIMD_AUTO);
        run(&b, 400);
        near(pressure_of(&b), pressures[i], 1e-3 * pressures[i], "pressure of %g Pa by its multiplier", pressures[i]);
        near(tension_pressure(&b), pressures[i], 0.02 * pressures[i], "2 T / R at %g Pa", pressures[i]);
        pop(&b);
    }
}

// Air that has nowhere to go grows until its pressure is that outside: V = n R T / p0; what it lacks is the skin's.
static void gas_is_isothermal(void **state)
{
    (void)state;
    const double grows[] = {0.8, 1.0, 1.5};
    for (int32_t i = 0; i < COUNT_OF(grows); i++) {
        pli_mesh *mesh = sphere();
        const double rest = pli_mesh_get_report(mesh)->volume,
                     amount = grows[i] * rest * outside / (gas_constant * temperature);
        balloon b = blow(mesh, 1.0, "amount", amount, PLI_SIMD_AUTO);
        run(&b, 300);
        const double volume = volume_of_body(&b);
        near(volume / rest, grows[i], 1e-3 * grows[i], "volume of gas for %g of that at rest", grows[i]);
        near((pressure_of(&b) + outside) * volume, amount * gas_constant * temperature,
             1e-4 * amount * gas_constant * temperature, "p V at %g", grows[i]);
        tune(b.world, b.gas, "temperature", 1.1 * temperature);
        tune(b.world, b.gas, "ambient_pressure", 0.9 * outside);
        run(&b, 300);
        near(volume_of_body(&b) / volume, 1.1 / 0.9, 2e-3, "growth when it is warmer and there is less outside, at %g",
             grows[i]);
        pop(&b);
    }
}

// Two squares of `side` cells that share their rims.
static pli_mesh *pillow(int32_t side, double width)
{
    enum { MOST = 16 };
    static float positions[6 * (MOST + 1) * (MOST + 1)];
    static int32_t faces[12 * MOST * MOST], below[(MOST + 1) * (MOST + 1)];
    const int32_t n = side + 1;
    int32_t count = n * n, face_count = 0;
    for (int32_t i = 0; i < n * n; i++) {
        positions[3 * i] = (float)(width * (i % n) / side), positions[3 * i + 1] = 0.0f;
        positions[3 * i + 2] = (float)(width * (i / n) / side);
    }
    for (int32_t i = 0; i < n * n; i++) {
        const bool rim = i % n == 0 || i % n == side || i / n == 0 || i / n == side;
        below[i] = rim ? i : count;
        if (!rim)
            memcpy(positions + 3 * count++, positions + 3 * i, 3 * sizeof *positions);
    }
    for (int32_t i = 0; i < side * side; i++) {
        const int32_t a = i / side * n + i % side, corners[4] = {a, a + n, a + n + 1, a + 1};
        // Diagonals go through the corners of the square: no edge joins two vertices of the rim but the rim's own.
        static const int32_t orders[2][6] = {{0, 1, 2, 0, 2, 3}, {1, 2, 3, 1, 3, 0}};
        const int32_t *order = orders[(i % side < side / 2) != (i / side < side / 2)];
        for (int32_t k = 0; k < 6; k++)
            faces[face_count++] = corners[order[k]];
        for (int32_t k = 0; k < 6; k++)
            faces[face_count++] = below[corners[order[5 - k]]];
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = count;
    def.face_vertices = faces, def.face_count = face_count / 3;
    pli_mesh *mesh = NULL;
    must(pli_mesh_create(&def, &mesh, &problem));
    return mesh;
}

static void gas_fills_a_flat_pillow(void **state)
{
    (void)state;
    // A bag of unit width holds at most some .2: half of that leaves the gas at the pressure outside.
    const double amount = 0.08 * 0.125 * outside / (gas_constant * temperature);
    balloon b = blow(pillow(8, 0.5), 1e-2, "amount", amount, PLI_SIMD_AUTO);
    near(volume_of_body(&b), 0.0, 1e-12, "volume at rest");
    run(&b, 400);
    near(volume_of_body(&b), 0.08 * 0.125, 0.01 * 0.08 * 0.125, "volume of the gas in it");
    pop(&b);
    b = blow(pillow(8, 0.5), 1e-2, "gauge_pressure", 5.0, PLI_SIMD_AUTO);
    run(&b, 200);
    holds(volume_of_body(&b) > 0.1 * 0.125, "a pressure of 5 Pa fills it to %g m3", volume_of_body(&b));
    pop(&b);
    // A factor of nothing has nothing to aim at, and is skipped as before.
    b = blow(pillow(8, 0.5), 1e-2, "pressure", 1.2, PLI_SIMD_AUTO);
    pli_constraints_info info;
    must(pli_constraints_get_info(b.world, b.gas, &info, &problem));
    near(info.degenerate_count, 1, 0.0, "volumes without one that are skipped");
    pop(&b);
}

// A lopsided body floats freely: gas moves its vertices, not its centre, nor does it spin.
static void gas_neither_pushes_nor_turns(void **state)
{
    (void)state;
    pli_mesh *mesh = pillow(6, 0.3);
    balloon b = blow(mesh, 1e-2, "amount", 0.02, PLI_SIMD_AUTO);
    pli_statistics now;
    run(&b, 60);
    pli_world_get_statistics(b.world, &now);
    const double mass = pli_deformable_mass(b.world, b.body);
    for (int32_t k = 0; k < 3; k++) {
        near(now.momentum[k], 0.0, 1e-4 * mass, "momentum along axis %d", k);
        near(now.angular_momentum[k], 0.0, 1e-4 * mass, "spin about axis %d", k);
    }
    pop(&b);
}

static uint64_t hash_after(pli_simd simd, const char *parameter, double value)
{
    balloon b = blow(sphere(), 1e-2, parameter, value, simd);
    run(&b, 20);
    const uint64_t hash = pli_world_hash(b.world);
    pop(&b);
    return hash;
}

static void widths_agree(void **state)
{
    (void)state;
    const uint64_t gas = hash_after(PLI_SIMD_SCALAR, "amount", 0.2),
                   kept = hash_after(PLI_SIMD_SCALAR, "gauge_pressure", 3.0);
    for (int32_t simd = PLI_SIMD_SSE2; simd < PLI_SIMD_COUNT; simd++)
        if (pli_simd_available((pli_simd)simd)) {
            holds(hash_after((pli_simd)simd, "amount", 0.2) == gas, "%s: other bits with gas",
                  pli_choice_name("simd", simd));
            holds(hash_after((pli_simd)simd, "gauge_pressure", 3.0) == kept, "%s: other bits under pressure",
                  pli_choice_name("simd", simd));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(a_kept_pressure_is_balanced_by_the_skin),
        property(gas_is_isothermal),
        property(gas_fills_a_flat_pillow),
        property(gas_neither_pushes_nor_turns),
        property(widths_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
