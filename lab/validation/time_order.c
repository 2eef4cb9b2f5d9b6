// The order of the integrator in time: a pendulum of 0.1 rad and a chain of twenty links, whose energy stays; free fall, whose error
// falls with a power of the substep; and a sheet that swings down from level about its edge, which the substeps must not change.
#include "base/lab_world.h"

#include <math.h>

enum { INTEGRATORS = 2, MOST_LINKS = 20, SIDE = 11, RATES = 3 };

#define GRAVITY 9.81
#define ANGLE 0.1

static const int32_t rates[RATES] = {5, 10, 20};
static const char *const names[INTEGRATORS] = {"implicit Euler", "BDF2"};

// Energy of particles of 1 kg, from where a chain of `links` links of 1 m in all hangs at rest [J].
static double energy_of(const lab_body *body, int32_t links)
{
    const pli_view at = pli_deformable_positions(body->world, body->deformable);
    const pli_view velocities = pli_deformable_velocities(body->world, body->deformable);
    double energy = 0.0;
    for (int32_t i = 1; i <= links; i++) {
        const float *v = pli_view_at(velocities, i);
        for (int32_t k = 0; k < 3; k++)
            energy += 0.5 * (double)v[k] * (double)v[k];
        energy += GRAVITY * ((double)pli_view_at(at, i)[1] + (double)i / links);
    }
    return energy;
}

// A chain of `links` links, straight and turned by ANGLE; what is left of its energy after 10 s. Momenta are not kept about its end, which would hide
// what the integrator does.
static double swing(lab *l, pli_integrator integrator, int32_t links)
{
    const int32_t mark = lab_mark(l);
    float positions[3 * (MOST_LINKS + 2)], inverse[MOST_LINKS + 2];
    int32_t ends[2 * MOST_LINKS], triangles[3 * MOST_LINKS];
    for (int32_t i = 0; i < links + 2; i++) {
        const double r = (double)i / links;
        positions[3 * i] = (float)(r * sin(ANGLE)), positions[3 * i + 1] = (float)(-r * cos(ANGLE));
        positions[3 * i + 2] = i > links ? 0.01f : 0.0f;
        inverse[i] = i && i <= links ? 1.0f : 0.0f;
    }
    for (int32_t i = 0; i < links; i++) {
        const int32_t corners[3] = {i, i + 1, links + 1};
        ends[2 * i] = i, ends[2 * i + 1] = i + 1;
        for (int32_t k = 0; k < 3; k++)
            triangles[3 * i + k] = corners[k];
    }
    lab_body_def def = {.mesh = lab_mesh_make(l, positions, links + 2, triangles, links),
                        .settings = lab_settings(PLI_METHOD_XPBD, 10, 1),
                        .stretch = links > 1 ? PLI_STRETCH_SOLVED : PLI_STRETCH_SWEPT};
    def.settings.gravity = (pli_vec3){0.0f, (float)-GRAVITY, 0.0f};
    def.settings.integrator = integrator, def.settings.keep_momentum = false;
    def.sets[0] = (lab_set){.type = "distance", .particles = ends, .constraint_count = links};
    lab_body body = lab_body_make(l, &def);
    pli_error error;
    if (lab_ok(l))
        lab_note(l, pli_deformable_set_inverse_masses(body.world, body.deformable, 0, links + 2, inverse, &error),
                 &error);
    const double before = lab_ok(l) ? energy_of(&body, links) : NAN;
    for (int32_t frame = 0; frame < 600 && lab_ok(l); frame++)
        lab_step(l, body.world, 1.0f / 60.0f);
    const double after = lab_ok(l) ? energy_of(&body, links) : NAN;
    lab_release_to(l, mark);
    return after / before;
}

// Where the middle of the free edge of a sheet is that has swung from level for 0.2 s about its first row, or fallen [m].
static double drop(lab *l, pli_integrator integrator, int32_t count, bool held)
{
    const int32_t mark = lab_mark(l);
    lab_body_def def = {.mesh = lab_grid(l, SIDE, SIDE, 0.5f, 0.5f, PLI_GRID_ALTERNATING),
                        .settings = lab_settings(PLI_METHOD_XPBD, count, 1)};
    def.settings.gravity = (pli_vec3){0.0f, (float)-GRAVITY, 0.0f};
    def.settings.integrator = integrator;
    def.sets[0] = (lab_set){.type = "distance", .values = {{"compliance", 1e-4}}};
    lab_body body = lab_body_make(l, &def);
    for (int32_t i = 0; held && i < SIDE; i++)
        lab_hold(l, &body, i);
    for (int32_t frame = 0; frame < 12 && lab_ok(l); frame++)
        lab_step(l, body.world, 1.0f / 60.0f);
    const double y = lab_ok(l) ? (double)pli_view_at(pli_deformable_positions(body.world, body.deformable),
                                                     SIDE * (SIDE - 1) + SIDE / 2)[1]
                               : NAN;
    lab_release_to(l, mark);
    return y;
}

static void run_integrator(lab *l, pli_text *csv, int32_t i)
{
    static const char first[] = "Implicit Euler is of the first order: it loses omega^2 h t of the energy.";
    const pli_integrator integrator = (pli_integrator)i;
    static const char inexact[] = "One cycle of multigrid a substep leaves some of each solution to the next substep.";
    const char *why = i == 0 ? first : NULL;
    const double kept = swing(l, integrator, 1), chain = swing(l, integrator, MOST_LINKS);
    lab_row_near(l, lab_format(l, "%s, energy of a pendulum after 10 s", names[i]), 1.0, kept, "", 1e-3, why);
    if (i == 0)
        lab_row_near(l, "implicit Euler, the same against exp(-omega^2 h t)", exp(-GRAVITY * 10.0 / 600.0), kept, "",
                     5e-3, NULL);
    lab_row_near(l, lab_format(l, "%s, energy of a chain of 20 links after 10 s", names[i]), 1.0, chain, "", 0.01,
                 i == 0 ? first : inexact);
    double fall[RATES], swung[RATES];
    for (int32_t k = 0; k < RATES && lab_ok(l); k++) {
        fall[k] = drop(l, integrator, rates[k], false) + 0.5 * GRAVITY * 0.04;
        swung[k] = -drop(l, integrator, rates[k], true);
        pli_text_add(csv, "%s,%d,%.6g,%.6g,%.6g,%.6g\n", names[i], (int)rates[k], kept, chain, fall[k], swung[k]);
    }
    if (!lab_ok(l))
        return;
    lab_row_near(l, lab_format(l, "%s, free fall: order of the error, 5 and 10 substeps", names[i]), i == 0 ? 1.0 : 2.0,
                 log2(fabs(fall[0] / fall[1])), "", 0.1, NULL);
    lab_row_near(l, lab_format(l, "%s, a sheet swings down for 0.2 s: 10 substeps against 20", names[i]), swung[2],
                 swung[1], "m", 0.002,
                 i == 0 ? "Of the first order: half of the difference is left with twice the substeps." : NULL);
}

static void run(lab *l)
{
    pli_text *csv = lab_file_add(l, "time-order.csv");
    pli_text_add(csv, "integrator,substeps,pendulum,chain,fall_error,swing\n");
    for (int32_t i = 0; i < INTEGRATORS && lab_ok(l); i++) {
        run_integrator(l, csv, i);
        lab_progress(l, (i + 1.0) / INTEGRATORS);
    }
}

const lab_experiment lab_check_time_order = {
    .name = "time-order",
    .title = "Pendulum, chain, fall and a sheet, by both integrators",
    .source = "Gear 1971",
    .run = run,
};
