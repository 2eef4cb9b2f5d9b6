// Conservation: momenta of a sheet in free flight with every bending model, the path of its centre of mass in free fall, and the
// energy of a pendulum.
#include "base/clamped_strip.h"
#include "base/free_flight.h"

#include <pliant/constraint_type.h>

#include <math.h>
#include <string.h>

enum { SIDE = 12, STEPS = 600, STEPS_QUICK = 10, FALL = 60, SWING = 600 };

#define GRAVITY 9.81

typedef struct drift {
    double linear, angular; // Relative; the most in 10 s.
} drift;

static drift fly(lab *l, const char *model, bool physical, pli_text *csv)
{
    const int32_t mark = lab_mark(l), steps = lab_long_or_quick(l, STEPS, STEPS_QUICK);
    double linear[STEPS + 1], angular[STEPS + 1];
    drift most = {0.0, 0.0};
    lab_body_def def = {.mesh = lab_grid(l, SIDE, SIDE, 1.0f, 1.0f, PLI_GRID_DIAGONAL),
                        .settings = lab_settings(PLI_METHOD_XPBD, 10, 1)};
    lab_bend(&def, model, 1e-4);
    if (!physical)
        def.sets[1].values[0] = (pli_parameter_value){0};
    lab_fly(l, &def, steps, linear, angular);
    for (int32_t i = 0; i <= steps && lab_ok(l); i++) {
        most.linear = fmax(most.linear, linear[i]);
        most.angular = fmax(most.angular, angular[i]);
    }
    lab_release_to(l, mark);
    pli_text_add(csv, "%s,%.4g,%.4g\n", model, most.linear, most.angular);
    lab_say(l, "| %s | %.2g | %.2g |\n", model, most.linear, most.angular);
    return most;
}

static void fly_all(lab *l)
{
    const pli_constraint_type *type;
    pli_text *csv = lab_file_add(l, "momenta.csv");
    pli_text_add(csv, "model,linear,angular\n");
    lab_say(l, "A crumpled sheet of unequal masses that flies and spins: the largest relative changes of its momenta "
               "in 10 s.\n\n"
               "| model | linear | angular |\n| --- | --- | --- |\n");
    const drift plate = fly(l, "plate", true, csv);
    drift worst = {0.0, 0.0};
    for (int32_t i = 0; (type = pli_constraint_type_at(i)) && lab_ok(l); i++) {
        if (type->bending && (!lab_is_quick(l) || strcmp(type->name, "isometric") == 0)) {
            const drift d = fly(l, type->name, type->compliance_scale != NULL, csv);
            worst = (drift){fmax(worst.linear, d.linear), fmax(worst.angular, d.angular)};
        }
        lab_progress(l, (i + 1.0) / pli_constraint_type_count());
    }
    lab_say(l, "\n");
    // The short version is too short for it.
    const char *walk = lab_is_quick(l)
                           ? NULL
                           : "Six thousand substeps of floats: what each rounds away adds up to some ulps of the "
                             "momenta a second.";
    lab_row_at_most(l, "plate, linear momentum changes in 10 s by", plate.linear, "", 1e-6, NULL);
    lab_row_at_most(l, "plate, angular momentum changes in 10 s by", plate.angular, "", 1e-5, walk);
    lab_row_at_most(l, "worst of the bending types, linear momentum", worst.linear, "", 1e-6, walk);
    lab_row_at_most(l, "worst of the bending types, angular momentum", worst.angular, "", 1e-5, walk);
}

// The exact sequence: the centre falls by g h^2 n (n + 1) / 2 in n substeps.
static void fall(lab *l)
{
    const int32_t mark = lab_mark(l), substeps = 10;
    lab_body_def def = {.mesh = lab_grid(l, SIDE, SIDE, 1.0f, 1.0f, PLI_GRID_DIAGONAL),
                        .settings = lab_settings(PLI_METHOD_XPBD, substeps, 1)};
    def.settings.gravity = (pli_vec3){0.0f, (float)-GRAVITY, 0.0f};
    lab_bend(&def, "isometric", 1e-4);
    lab_body body = lab_body_make(l, &def);
    const double from = lab_motion_of(&body).centre[1];
    for (int32_t frame = 0; frame < FALL && lab_ok(l); frame++)
        lab_step(l, body.world, 1.0f / 60.0f);
    const double way = from - lab_motion_of(&body).centre[1], n = (double)FALL * substeps, h = 1.0 / (60.0 * substeps);
    lab_release_to(l, mark);
    lab_row_near(l, "free fall of 1 s, way of the centre of mass, against the sum over substeps",
                 GRAVITY * h * h * n * (n + 1.0) / 2.0, way, "m", 1e-5, NULL);
}

// A rigid rod, as a narrow strip of three vertices held at two, that swings by .1 rad: energy left after 10 s.
static void swing(lab *l)
{
    static const float rest[9] = {-0.05f, 0, 0, 0.05f, 0, 0, 0, 0, 1.0f};
    static const float w[3] = {0.0f, 0.0f, 1.0f};
    static const int32_t triangle[3] = {0, 1, 2};
    const int32_t mark = lab_mark(l);
    const double angle = 0.1;
    const float start[9] = {-0.05f, 0, 0, 0.05f, 0, 0, 0, (float)-cos(angle), (float)sin(angle)};
    lab_body_def def = {.mesh = lab_mesh_make(l, rest, 3, triangle, 1),
                        .positions = start,
                        .settings = lab_settings(PLI_METHOD_XPBD, 10, 1),
                        .automatic = true};
    def.settings.gravity = (pli_vec3){0.0f, (float)-GRAVITY, 0.0f};
    def.sets[0] = (lab_set){.type = "distance"};
    lab_body body = lab_body_make(l, &def);
    pli_error error;
    if (lab_ok(l))
        lab_note(l, pli_deformable_set_inverse_masses(body.world, body.deformable, 0, 3, w, &error), &error);
    double left = NAN;
    for (int32_t frame = 0; frame < SWING && lab_ok(l); frame++)
        lab_step(l, body.world, 1.0f / 60.0f);
    if (lab_ok(l)) {
        const double height = (double)pli_view_at(pli_deformable_positions(body.world, body.deformable), 2)[1] + 1.0;
        left = (lab_motion_of(&body).energy + GRAVITY * height) / (GRAVITY * (1.0 - cos(angle)));
    }
    lab_release_to(l, mark);
    lab_row_at_least(l, "pendulum of .1 rad, energy left after 10 s, over that at the start", left, "", 0.99, NULL);
}

// The angular momentum about the centre of mass.
static void own_spin(const lab_motion *m, double spin[3])
{
    for (int32_t k = 0; k < 3; k++) {
        const int32_t i = (k + 1) % 3, j = (k + 2) % 3;
        spin[k] = m->angular[k] - (m->centre[i] * m->momentum[j] - m->centre[j] * m->momentum[i]);
    }
}

static double energy_of(lab *l, const lab_body *body)
{
    double bent = 0.0;
    pli_error error;
    if (lab_ok(l))
        lab_note(l, pli_deformable_get_plate_energy(body->world, body->deformable, &bent, &error), &error);
    return bent + lab_motion_of(body).energy;
}

// A square metre of cotton is thrown, spinning about an axis in its plane: 60 s without a force.
static void spin(lab *l)
{
    const int32_t mark = lab_mark(l), frames = lab_long_or_quick(l, 3600, 60);
    lab_body_def def = {.mesh = lab_grid(l, 21, 21, 1.0f, 1.0f, PLI_GRID_ALTERNATING),
                        .settings = lab_settings(PLI_METHOD_XPBD, 10, 1),
                        .density = 0.15f,
                        .plate = {.rigidity = 1e-5f, .poisson = 0.25f},
                        .automatic = true};
    def.sets[0] = (lab_set){.type = "membrane", .values = {{"warp", 9800.0}, {"weft", 9800.0}, {"shear", 100.0}}};
    lab_body body = lab_body_make(l, &def);
    float *velocities = lab_memory(l, 3 * (size_t)body.count, sizeof *velocities);
    pli_error error;
    for (int32_t i = 0; i < body.count && lab_ok(l); i++) {
        const float *x = pli_view_at(pli_deformable_positions(body.world, body.deformable), i);
        const float v[3] = {0.3f - 4.0f * x[1], 0.2f + 4.0f * x[0], 0.1f};
        memcpy(velocities + 3 * i, v, sizeof v);
    }
    if (lab_ok(l))
        lab_note(l, pli_deformable_set_velocities(body.world, body.deformable, 0, body.count, velocities, &error),
                 &error);
    double begin[3], end[3], most = 0.0;
    const lab_motion first = lab_motion_of(&body);
    const double energy = energy_of(l, &body);
    for (int32_t frame = 0; frame < frames && lab_ok(l); frame++) {
        lab_step(l, body.world, 1.0f / 60.0f);
        most = fmax(most, energy_of(l, &body));
    }
    const lab_motion last = lab_motion_of(&body);
    const double left = energy_of(l, &body);
    own_spin(&first, begin), own_spin(&last, end);
    lab_release_to(l, mark);
    lab_row_at_most(l, "cotton that spins by 4 rad/s for 60 s, largest energy over that at the start", most / energy,
                    "", 1.001, NULL);
    lab_row_at_least(l, "the same, energy that is left", left / energy, "", 0.8, NULL);
    lab_row_at_most(l, "the same, linear momentum changes by", lab_relative_change(last.momentum, first.momentum), "",
                    1e-6, NULL);
    lab_row_at_most(l, "the same, angular momentum about the centre changes by", lab_relative_change(end, begin), "",
                    1e-5, NULL);
}

static void run(lab *l)
{
    fly_all(l);
    spin(l);
    fall(l);
    swing(l);
}

const lab_experiment lab_check_conservation = {
    .name = "conservation",
    .title = "Momenta in free flight, the centre of mass in free fall, a pendulum",
    .source = "Mechanics",
    .run = run,
};
