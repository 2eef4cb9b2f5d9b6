// Damping of plates: a cantilever rings down as Kelvin and Voigt have it, hangs where it hangs without, and flight is not damped.
#include "scenery.h"
#include "sheets.h"

#define LENGTH 0.2
#define DENSITY 0.2
enum { CELLS = 16, ROWS = 5, COLUMNS = CELLS + 2 };

// A strip that is clamped by two rows of vertices, under so much gravity.
static pli_world *clamped_strip(double rigidity, double damping, double gravity, int32_t substeps,
                                pli_deformable *sheet)
{
    const float edge = (float)(LENGTH / CELLS), zero = 0.0f;
    pli_world_def world_def = pli_world_def_default();
    world_def.settings.gravity = (pli_vec3){0, (float)-gravity, 0}, world_def.settings.substeps = substeps;
    world_def.thread_count = 1;
    pli_world *world = world_from(&world_def);
    pli_mesh *mesh = NULL;
    must(pli_mesh_create_grid(COLUMNS, ROWS, edge * (float)(COLUMNS - 1), edge * (float)(ROWS - 1),
                              PLI_GRID_ALTERNATING, &mesh, &problem));
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh, def.density = (float)DENSITY;
    def.plate = (pli_plate){.rigidity = (float)rigidity, .damping = (float)damping};
    must(pli_deformable_create(world, &def, sheet, &problem));
    pli_mesh_destroy(mesh);
    constrain(world, *sheet, "membrane", NULL);
    for (int32_t i = 0; i < COLUMNS * ROWS; i++)
        if (i % COLUMNS < 2)
            must(pli_deformable_set_inverse_masses(world, *sheet, i, 1, &zero, &problem));
    return world;
}

// The first mode of a clamped beam, at x of its length, with its square integral 1 over the length.
static double mode_at(double x)
{
    const double k = 1.875104, s = 0.734096;
    return cosh(k * x) - cos(k * x) - s * (sinh(k * x) - sin(k * x));
}

static double energy_of(pli_world *world, pli_deformable sheet)
{
    double bent = 0.0;
    must(pli_deformable_get_plate_energy(world, sheet, &bent, &problem));
    return bent + kinetic_energy(world, sheet);
}

// The rate at which the energy of the first mode decays [1/s], over three cycles; `omega` is that of the beam.
static double decay_of(double damping, int32_t substeps, int32_t frames_per_second, double *omega)
{
    const double rigidity = 1e-3;
    pli_deformable sheet;
    pli_world *world = clamped_strip(rigidity, damping, 0.0, substeps, &sheet);
    *omega = 1.875104 * 1.875104 * sqrt(rigidity / (DENSITY * pow(LENGTH, 4.0)));
    for (int32_t i = 0; i < COLUMNS * ROWS; i++)
        if (i % COLUMNS >= 2) {
            const float v[3] = {0.0f, (float)(0.05 * mode_at((i % COLUMNS - 1.0) / CELLS)), 0.0f};
            must(pli_deformable_set_velocities(world, sheet, i, 1, v, &problem));
        }
    const double seconds = 3.0 * 2.0 * 3.14159265358979 / *omega;
    const int32_t frames = (int32_t)lround(seconds * frames_per_second);
    const double begin = energy_of(world, sheet);
    for (int32_t frame = 0; frame < frames; frame++)
        step(world, 1.0 / frames_per_second);
    const double end = energy_of(world, sheet);
    pli_world_destroy(world);
    return log(begin / end) * frames_per_second / frames;
}

// Of a mode at omega, a damping time T takes energy at the rate omega^2 T.
static void test_strips_ring_down(void **state)
{
    (void)state;
    for (int32_t k = 0; k < 4; k++) {
        const int32_t substeps = k == 1 ? 40 : 10, rate = k == 2 ? 240 : 60;
        double omega;
        const double without = decay_of(0.0, substeps, rate, &omega), damping = k == 3 ? 0.005 : 0.02;
        const double with = decay_of(damping, substeps, rate, &omega);
        near((with - without) / (omega * omega * damping), 1.0, 0.02, "%d substeps, %d frames/s: rate", (int)substeps,
             (int)rate);
    }
}

// The elastica drops by 0.12347 of its length at Gamma = 1 (Romero et al. 2021, test 1), however much the strip is damped.
static void test_damped_strips_hang_as_others(void **state)
{
    (void)state;
    for (int32_t k = 0; k < 3; k++) {
        pli_deformable sheet;
        pli_world *world = clamped_strip(DENSITY * 9.81 * pow(LENGTH, 3.0),
                                         (const double[]){0.02, 0.05, PLI_PLATE_DAMPING_MAX}[k], 9.81, k == 1 ? 40 : 10,
                                         &sheet);
        for (int32_t frame = 0; frame < 900; frame++)
            step(world, 1.0 / 60.0);
        near(-position_of(world, sheet, 3 * COLUMNS - 1).y / LENGTH, 0.12347, 0.01 * 0.12347, "drop of strip %d",
             (int)k);
        pli_world_destroy(world);
    }
}

// A free sheet of the mesh, without gravity. Frees the mesh.
static pli_world *free_sheet(pli_mesh *mesh, double damping, pli_deformable *sheet)
{
    pli_world_def world_def = pli_world_def_default();
    world_def.settings.gravity = (pli_vec3){0, 0, 0}, world_def.thread_count = 1;
    pli_world *world = world_from(&world_def);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh, def.plate = (pli_plate){.rigidity = 1e-2f, .poisson = 0.3f, .damping = (float)damping};
    must(pli_deformable_create(world, &def, sheet, &problem));
    pli_mesh_destroy(mesh);
    constrain(world, *sheet, "membrane", NULL);
    return world;
}

// The fraction of the kinetic energy that remains after so many frames.
static double remaining_energy(pli_world *world, pli_deformable sheet, int32_t frames)
{
    const double begin = kinetic_energy(world, sheet);
    for (int32_t frame = 0; frame < frames; frame++)
        step(world, 1.0 / 60.0);
    return kinetic_energy(world, sheet) / begin;
}

// A curved sheet flies for five seconds and spins at 4 rad/s about its centre: the remaining kinetic energy, and the energy of its bending.
static double energy_after_flight(double damping, double *bent)
{
    pli_deformable sheet;
    pli_world *world = free_sheet(mesh_hilly(12), damping, &sheet);
    fly_and_turn(world, sheet, (vec){1, 0, 0}, (vec){0, 0, 4});
    const double remaining = remaining_energy(world, sheet, 300);
    must(pli_deformable_get_plate_energy(world, sheet, bent, &problem));
    pli_world_destroy(world);
    return remaining;
}

// Half a cylinder turns for three seconds about one of its straight borders, whose ends are pinned: the remaining kinetic energy.
static double energy_after_turning(double damping)
{
    const float radius = 0.2f, zero = 0.0f;
    pli_mesh *flat = mesh_grid(13, 13, 0.6, PLI_GRID_ALTERNATING);
    float *positions = copied_positions(flat);
    for (int32_t i = 0; i < 13 * 13; i++) {
        const float angle = (positions[3 * i] + 0.3f) / radius;
        positions[3 * i] = radius * (1.0f - cosf(angle)), positions[3 * i + 1] = radius * sinf(angle);
    }
    pli_deformable sheet;
    pli_world *world = free_sheet(mesh_moved(flat, positions), damping, &sheet);
    free(positions);
    pli_mesh_destroy(flat);
    fly_and_turn(world, sheet, (vec){0, 0, 0}, (vec){0, 0, 2});
    for (int32_t i = 0; i < 13 * 13; i++) {
        const vec at = position_of(world, sheet, i);
        if (length((vec){at.x, at.y, 0}) < 1e-6 && fabs(at.z) > 0.29)
            must(pli_deformable_set_inverse_masses(world, sheet, i, 1, &zero, &problem));
    }
    const double remaining = remaining_energy(world, sheet, 180);
    pli_world_destroy(world);
    return remaining;
}

// A shape that turns as a whole keeps its curvature, in flight and about a hinge, which takes the momentum that a damper of rotation loses.
static void test_rotation_is_not_damped(void **state)
{
    (void)state;
    double bent[2];
    const double without = energy_after_flight(0.0, &bent[0]),
                 with = energy_after_flight(PLI_PLATE_DAMPING_MAX, &bent[1]);
    near(with, without, 0.005, "remaining kinetic energy with damping; it is %g without", without);
    holds(bent[1] < 1.3 * bent[0], "%g J of bending with damping, %g J without", bent[1], bent[0]);
    const double hinged = energy_after_turning(0.0), damped = energy_after_turning(PLI_PLATE_DAMPING_MAX);
    near(damped, hinged, 0.02, "remaining kinetic energy about a hinge with damping; it is %g without", hinged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(test_strips_ring_down),
        property(test_damped_strips_hang_as_others),
        property(test_rotation_is_not_damped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
