// A mass on a spring, k = 1000 N/m, m = 1 kg: XPBD is implicit Euler, so that the amplitude is divided by sqrt(1 + z^2) a substep,
// z = omega h, and the phase goes on by atan z (Macklin et al. 2016).
#include "base/lab_world.h"

#include <math.h>

enum { RATES = 5, FRAMES = 120 };

static const int32_t substeps[RATES] = {1, 4, 10, 20, 50};

#define STIFFNESS 1000.0
#define AMPLITUDE 0.5

// Largest difference of the mass from the exact sequence over the frames, over the amplitude at the start; `kept` is the part of the
// amplitude that is left after a period, by the largest values of position and velocity together.
static double follow(lab *l, int32_t count, double *kept)
{
    static const float rest[9] = {-1, 0, 0, 0, 0, 0, 0, 0, 1}, start[9] = {-1, 0, 0, (float)AMPLITUDE, 0, 0, 0, 0, 1};
    static const float w[3] = {0.0f, 1.0f, 0.0f};
    static const int32_t triangle[3] = {0, 1, 2}, ends[2] = {0, 1};
    const int32_t mark = lab_mark(l);
    const double h = (double)(float)(1.0 / 60.0) / count, z = sqrt(STIFFNESS) * h, growth = 1.0 / sqrt(1.0 + z * z),
                 turn = atan(z), sine = (growth - cos(turn)) / sin(turn);
    lab_body_def def = {.mesh = lab_mesh_make(l, rest, 3, triangle, 1),
                        .positions = start,
                        .settings = lab_settings(PLI_METHOD_XPBD, count, 1)};
    def.sets[0] = (lab_set){
        .type = "distance", .particles = ends, .constraint_count = 1, .values = {{"compliance", 1.0 / STIFFNESS}}};
    lab_body body = lab_body_make(l, &def);
    pli_error error;
    double most = 0.0, now = AMPLITUDE, speed = 0.0;
    if (lab_ok(l))
        lab_note(l, pli_deformable_set_inverse_masses(body.world, body.deformable, 0, 3, w, &error), &error);
    for (int32_t frame = 1; frame <= FRAMES && lab_ok(l); frame++) {
        lab_step(l, body.world, (float)(1.0 / 60.0));
        const double n = (double)frame * count;
        const double exact = AMPLITUDE * pow(growth, n) * (cos(n * turn) + sine * sin(n * turn));
        now = (double)pli_view_at(pli_deformable_positions(body.world, body.deformable), 1)[0];
        speed = (double)pli_view_at(pli_deformable_velocities(body.world, body.deformable), 1)[0];
        most = fmax(most, fabs(now - exact) / AMPLITUDE);
        if (frame == 1) // The size of the motion in the plane of position and velocity falls alike in every substep.
            *kept = hypot(now, speed / sqrt(STIFFNESS)) / AMPLITUDE;
    }
    lab_release_to(l, mark);
    *kept = pow(*kept, 2.0 * 3.14159265358979 / (turn * count));
    return most;
}

static void run(lab *l)
{
    pli_text *csv = lab_file_add(l, "spring.csv");
    pli_text_add(csv, "substeps,kept,kept_exact,difference\n");
    for (int32_t i = 0; i < RATES && lab_ok(l); i++) {
        const double z = sqrt(STIFFNESS) * (double)(float)(1.0 / 60.0) / substeps[i];
        const double exact = pow(1.0 + z * z, -3.14159265358979 / atan(z));
        double kept = NAN;
        const double most = follow(l, substeps[i], &kept);
        pli_text_add(csv, "%d,%.6g,%.6g,%.3g\n", (int)substeps[i], kept, exact, most);
        lab_row_near(l, lab_format(l, "%d substeps, amplitude kept in a period", (int)substeps[i]), exact, kept, "",
                     1e-3, NULL);
        lab_row_at_most(l,
                        lab_format(l, "%d substeps, largest difference from implicit Euler in 2 s, over the amplitude",
                                   (int)substeps[i]),
                        most, "", 1e-4,
                        substeps[i] < 50 ? NULL : "Positions are floats: their rounding, divided by h, is the error.");
    }
    lab_say(l, "What is lost of the amplitude is lost by implicit Euler, not by the projection: the same recurrence in "
               "double is what it "
               "is held against.\n\n");
}

const lab_experiment lab_check_spring = {
    .name = "spring",
    .title = "A mass on a spring, against implicit Euler",
    .source = "Macklin et al. 2016",
    .run = run,
};
