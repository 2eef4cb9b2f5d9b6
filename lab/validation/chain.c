// A chain of twenty links of compliance 1e-3 m/N that hangs by its end: link i carries what hangs below it, so that its length and the
// force of its multiplier are known (Macklin et al. 2016).
#include "base/lab_world.h"

#include <math.h>

enum { LINKS = 20, POINTS = LINKS + 1, WAYS = 4, FRAMES = 2400, FRAMES_QUICK = 900 };

#define MASS 0.05 // [kg]
#define COMPLIANCE 1e-3
#define GRAVITY 9.81

typedef struct way {
    int32_t substeps, iterations;
} way;

static const way ways[WAYS] = {{1, 50}, {10, 1}, {20, 1}, {50, 1}};

typedef struct errors {
    double length, force; // Relative: for the whole chain, and the largest of a link.
} errors;

static errors errors_of(lab *l, const lab_body *body, double h)
{
    errors e = {0.0, 0.0};
    double sum = 0.0, exact = 0.0;
    for (int32_t i = 0; i < LINKS && lab_ok(l); i++) {
        int32_t ends[2], count;
        float lambda = 0.0f, rest = 0.0f;
        pli_error error;
        lab_note(l, pli_constraints_stencil(body->world, body->sets[0], i, ends, &count, &rest, &lambda, &error),
                 &error);
        const double force = MASS * GRAVITY * (LINKS - i);
        double square = 0.0;
        for (int32_t k = 0; k < 3; k++) {
            const pli_view view = pli_deformable_positions(body->world, body->deformable);
            square += pow((double)pli_view_at(view, ends[1])[k] - (double)pli_view_at(view, ends[0])[k], 2.0);
        }
        sum += sqrt(square) - (double)rest;
        exact += COMPLIANCE * force;
        e.force = fmax(e.force, fabs(fabs((double)lambda) / (h * h) / force - 1.0));
    }
    e.length = sum / exact - 1.0;
    return e;
}

static errors hang(lab *l, const way *w)
{
    const int32_t mark = lab_mark(l);
    float positions[3 * POINTS], inverse[POINTS];
    int32_t links[2 * LINKS], triangles[3 * (POINTS - 2)];
    for (int32_t i = 0; i < POINTS; i++) {
        positions[3 * i] = 0.1f * (float)i;
        positions[3 * i + 1] = 0.0f;
        positions[3 * i + 2] = 1e-3f * (float)(i % 2); // A zigzag: faces need area.
        inverse[i] = i ? (float)(1.0 / MASS) : 0.0f;
    }
    for (int32_t i = 0; i < LINKS; i++)
        links[2 * i] = i, links[2 * i + 1] = i + 1;
    for (int32_t i = 0; i < POINTS - 2; i++)
        for (int32_t k = 0; k < 3; k++)
            triangles[3 * i + k] = i % 2 && k ? i + 3 - k : i + k;
    lab_body_def def = {.mesh = lab_mesh_make(l, positions, POINTS, triangles, POINTS - 2),
                        .settings = lab_settings(PLI_METHOD_XPBD, w->substeps, w->iterations)};
    def.settings.gravity = (pli_vec3){(float)GRAVITY, 0.0f, 0.0f};
    def.sets[0] = (lab_set){.type = "distance",
                            .particles = links,
                            .constraint_count = LINKS,
                            .keep_lambda = true,
                            .values = {{"compliance", COMPLIANCE}}};
    lab_body body = lab_body_make(l, &def);
    pli_error error;
    if (lab_ok(l))
        lab_note(l, pli_deformable_set_inverse_masses(body.world, body.deformable, 0, POINTS, inverse, &error), &error);
    for (int32_t frame = 0; frame < lab_long_or_quick(l, FRAMES, FRAMES_QUICK) && lab_ok(l); frame++) {
        lab_step(l, body.world, 1.0f / 60.0f);
        lab_slow(l, &body, 0.9);
    }
    const errors e = errors_of(l, &body, 1.0 / (60.0 * w->substeps));
    lab_release_to(l, mark);
    return e;
}

static void run(lab *l)
{
    pli_text *csv = lab_file_add(l, "chain.csv");
    pli_text_add(csv, "substeps,iterations,length_error,force_error\n");
    for (int32_t i = 0; i < WAYS && lab_ok(l); i++) {
        const errors e = hang(l, &ways[i]);
        const char *rounding =
            "Positions are floats, whose rounding over h^2 is half a percent of the force of the last "
            "links; what it takes is kept from 1500 substeps a second on.";
        const char *few =
            "The chain sags by the error of one sweep, h^2 g n^2 of its links, beside what its compliance asks for.";
        const char *name = lab_format(l, "%d substep%s of %d iteration%s", (int)ways[i].substeps,
                                      ways[i].substeps == 1 ? "" : "s", (int)ways[i].iterations,
                                      ways[i].iterations == 1 ? "" : "s");
        pli_text_add(csv, "%d,%d,%.4g,%.4g\n", (int)ways[i].substeps, (int)ways[i].iterations, e.length, e.force);
        lab_row_near(l, lab_format(l, "%s, stretch of the chain", name),
                     1e3 * COMPLIANCE * MASS * GRAVITY * LINKS * (LINKS + 1) / 2,
                     1e3 * COMPLIANCE * MASS * GRAVITY * LINKS * (LINKS + 1) / 2 * (1.0 + e.length), "mm", 1e-3,
                     ways[i].substeps > 1 && ways[i].substeps < 50 ? few : NULL);
        lab_row_at_most(l, lab_format(l, "%s, error of a link's force by its multiplier", name), e.force, "", 1e-3,
                        ways[i].substeps == 10 || ways[i].substeps == 20 ? rounding : NULL);
        lab_progress(l, (i + 1.0) / WAYS);
    }
}

const lab_experiment lab_check_chain = {
    .name = "chain",
    .title = "Twenty links with compliance that hang",
    .source = "Macklin et al. 2016",
    .run = run,
};
