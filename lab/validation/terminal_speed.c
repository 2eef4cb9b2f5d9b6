// Terminal speeds of a sheet in still air: sqrt(rho_s g / rho) flat, and sqrt(rho_s g / (c rho)) edgewise, c being its skin friction. A
// substep h adds (g h / 2)^2 to the square (docs/decisions/air.md).
#include "base/clamped_strip.h"

#include <math.h>

enum { SIDE = 9, WAYS = 2, RATES = 3, FRAMES = 360, FRAMES_QUICK = 120 };

#define GRAVITY 9.81
#define AIR 1.2
#define DENSITY 0.2

static const int32_t substeps[RATES] = {10, 4, 1};

static double fall(lab *l, bool edgewise, int32_t count, double near_to, double *friction)
{
    const int32_t mark = lab_mark(l);
    lab_body_def def = {.mesh = lab_grid(l, SIDE, SIDE, 0.4f, 0.4f, PLI_GRID_ALTERNATING),
                        .settings = lab_settings(PLI_METHOD_XPBD, count, 1),
                        .density = (float)DENSITY,
                        .automatic = true};
    const float down = (float)(-0.9 * near_to);
    def.settings.air_density = (float)AIR;
    def.settings.gravity = edgewise ? (pli_vec3){(float)-GRAVITY, 0.0f, 0.0f} : (pli_vec3){0.0f, (float)-GRAVITY, 0.0f};
    def.velocity = edgewise ? (pli_vec3){down, 0.0f, 0.0f} : (pli_vec3){0.0f, down, 0.0f};
    *friction = (double)def.settings.air_friction;
    lab_bend(&def, "plate", 1e-4);
    lab_body body = lab_body_make(l, &def);
    for (int32_t frame = 0; frame < lab_long_or_quick(l, FRAMES, FRAMES_QUICK) && lab_ok(l); frame++)
        lab_step(l, body.world, 1.0f / 60.0f);
    const lab_motion end = lab_motion_of(&body);
    lab_release_to(l, mark);
    return -end.momentum[edgewise ? 0 : 1] / end.mass;
}

static void run(lab *l)
{
    double friction = (double)lab_settings(PLI_METHOD_XPBD, 1, 1).air_friction;
    pli_text *csv = lab_file_add(l, "speeds.csv");
    pli_text_add(csv, "way,substeps,speed,exact\n");
    for (int32_t way = 0; way < WAYS && lab_ok(l); way++)
        for (int32_t i = 0; i < RATES && lab_ok(l); i++) {
            const double exact = sqrt(DENSITY * GRAVITY / (AIR * (way ? friction : 1.0)));
            const double speed = fall(l, way == 1, substeps[i], exact, &friction);
            pli_text_add(csv, "%s,%d,%.5g,%.5g\n", way ? "edgewise" : "flat", (int)substeps[i], speed, exact);
            lab_row_near(l,
                         lab_format(l, "%s, %d substep%s", way ? "edgewise" : "flat", (int)substeps[i],
                                    substeps[i] == 1 ? "" : "s"),
                         exact, speed, "m/s", 0.01, NULL);
            lab_progress(l, (way * RATES + i + 1.0) / (WAYS * RATES));
        }
}

const lab_experiment lab_check_terminal_speed = {
    .name = "terminal-speed",
    .title = "A sheet that falls in still air",
    .source = "Quadratic drag",
    .run = run,
};
