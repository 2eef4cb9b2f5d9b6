// Twist: a square plate held at three corners and pushed at the fourth takes the shape w = F x y / (2 D (1 - nu)), exactly, so that the
// corner goes down by F a^2 / (2 D (1 - nu)). The shape is bent nowhere along its sides, and what resists is the Gaussian term.
//
// The bend-twist test of Romero et al. 2021 is of rods with natural curvature, which are not there.
#include "base/clamped_strip.h"

#include <math.h>
#include <string.h>

enum { CELLS = 16, POISSONS = 3, FRAMES = 1200, FRAMES_QUICK = 300 };

#define SIDE 0.2        // [m]
#define RIGIDITY 1e-4   // [N m]
#define DEFLECTION 5e-3 // [m]
#define COMPLIANCE 1.0  // The edges are this soft [m/N]
#define DAMPING 2.0f    // [1/s]

static const double poissons[POISSONS] = {0.0, 0.3, 0.5};

// By how far the corner goes down.
static double push(lab *l, const char *model, double poisson, pli_grid_pattern pattern)
{
    const int32_t mark = lab_mark(l), side = CELLS + 1;
    const double force = 2.0 * RIGIDITY * (1.0 - poisson) * DEFLECTION / (SIDE * SIDE);
    const pli_mesh *mesh = lab_grid(l, side, side, (float)SIDE, (float)SIDE, pattern);
    if (!lab_ok(l))
        return NAN;
    // A plate starts from the exact shape, so that it is near rest; the others, which are not, from the square.
    const double from = strcmp(model, "plate") == 0 ? DEFLECTION : 0.0;
    float *start = lab_memory(l, 3 * (size_t)(side * side), sizeof *start);
    for (int32_t i = 0; i < side * side; i++) {
        memcpy(start + 3 * i, pli_mesh_topology(mesh)->positions + 3 * i, 3 * sizeof *start);
        start[3 * i + 1] = (float)(-from * (i % side) * (i / side) / (CELLS * CELLS));
    }
    lab_body_def def = {
        .mesh = mesh, .positions = start, .settings = lab_settings(PLI_METHOD_XPBD, 10, 1), .automatic = true};
    def.settings.damping = DAMPING;
    lab_bend(&def, model, RIGIDITY);
    // Edges as soft as this store less than a hundredth of the energy of the twist, and without them bending alone leaves mechanisms.
    def.sets[0] = (lab_set){.type = "distance", .values = {{"compliance", COMPLIANCE}}};
    def.plate.poisson = (float)poisson;
    lab_body body = lab_body_make(l, &def);
    lab_hold(l, &body, 0);
    lab_hold(l, &body, side - 1);
    lab_hold(l, &body, side * (side - 1));
    const int32_t corner = side * side - 1;
    pli_error error;
    for (int32_t frame = 0; frame < lab_long_or_quick(l, FRAMES, FRAMES_QUICK) && lab_ok(l); frame++) {
        lab_note(l,
                 pli_deformable_add_force(body.world, body.deformable, corner, (pli_vec3){0.0f, (float)-force, 0.0f},
                                          &error),
                 &error);
        lab_step(l, body.world, 1.0f / 60.0f);
    }
    const double down = lab_ok(l)
                            ? -(double)pli_view_at(pli_deformable_positions(body.world, body.deformable), corner)[1]
                            : NAN;
    lab_release_to(l, mark);
    return down;
}

static void run(lab *l)
{
    const char *models[LAB_MODELS_MAX];
    const int32_t count = lab_rigid_models(models), shown = lab_long_or_quick(l, count, 1);
    pli_text *csv = lab_file_add(l, "twist.csv");
    pli_text_add(csv, "model,poisson,deflection,exact\n");
    for (int32_t model = 0; model < shown && lab_ok(l); model++) {
        for (int32_t i = 0; i < (model ? 1 : POISSONS) && lab_ok(l); i++) {
            const double down = push(l, models[model], poissons[i], PLI_GRID_ALTERNATING);
            pli_text_add(csv, "%s,%g,%.6g,%.6g\n", models[model], poissons[i], down, DEFLECTION);
            lab_row_near(l,
                         lab_format(l, "%s, Poisson's ratio %s, corner of a square goes down by", models[model],
                                    model ? "not known to it, 0 asked" : lab_format(l, "%g", poissons[i])),
                         1e3 * DEFLECTION, 1e3 * down, "mm", 0.02,
                         model == 0 ? NULL
                                    : "The energy is that of the mean curvature alone, which a twisted sheet does not "
                                      "have: as with a Poisson's ratio of 1 nothing but the tessellation resists.");
        }
        lab_progress(l, (model + 1.0) / shown);
    }
    lab_say(l, "The bend-twist test of Romero et al. 2021 is of rods with natural curvature, which the engine does not "
               "have; what a "
               "sheet does under twist has this closed form.\n\n");
}

const lab_experiment lab_check_bend_twist = {
    .name = "bend-twist",
    .title = "A square held at three corners and pushed at the fourth",
    .source = "Timoshenko and Woinowsky-Krieger: w = F x y / (2 D (1 - nu))",
    .run = run,
};
