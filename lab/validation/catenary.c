// A chain of 64 rigid links between two points at one height: its sag, and its tension at the ends, against the catenary.
//
// A ribbon of two vertices a row stands for the chain: the library has no meshes of lines. With a = H / w and a span s,
// 1 = 2 a sinh(s / (2 a)) for a length of 1; the sag is a (cosh(s / (2 a)) - 1), the tension at a length q from the middle
// w sqrt(a^2 + q^2).
#include "base/lab_world.h"
#include "base/plots.h"

#include <math.h>

enum { LINKS = 64, ROWS = LINKS + 1, COUNT = 2 * ROWS, SPANS = 4, FRAMES = 900, FRAMES_QUICK = 200, SUBSTEPS = 10 };

#define WIDTH 0.02
#define GRAVITY 9.81

static const double spans[SPANS] = {0.5, 0.8, 0.9, 0.95};

static double parameter_of(double span)
{
    double low = 1e-3, high = 1e3;
    for (int32_t i = 0; i < 200; i++) {
        const double a = sqrt(low * high);
        if (2.0 * a * sinh(span / (2.0 * a)) > 1.0)
            low = a;
        else
            high = a;
    }
    return sqrt(low * high);
}

// The exact shape to start from: vertex i of row i / 2 at a length q from the middle.
static void hang_exactly(double a, float *positions)
{
    for (int32_t i = 0; i < COUNT; i++) {
        const double q = (double)(i / 2) / LINKS - 0.5;
        positions[3 * i] = (float)((i % 2 - 0.5) * WIDTH);
        positions[3 * i + 1] = (float)(sqrt(a * a + q * q) - a);
        positions[3 * i + 2] = (float)(a * asinh(q / a));
    }
}

typedef struct hung {
    double sag, tension; // [m], over the weight.
} hung;

// Mean tension of the last links at one end over the weight, times what a link in the middle of the last one lacks.
static double tension_of(lab *l, const lab_body *body, double a)
{
    double sum = 0.0;
    const double mass = lab_motion_of(body).mass * (double)ROWS / (ROWS - 2.0), h = 1.0 / (60.0 * SUBSTEPS);
    for (int32_t i = 0; i < lab_set_count(l, body, 0); i++) {
        int32_t pair[2], count;
        float lambda = 0.0f;
        pli_error error;
        lab_note(l, pli_constraints_stencil(body->world, body->sets[0], i, pair, &count, NULL, &lambda, &error),
                 &error);
        if (lab_ok(l) && (pair[0] < 2) != (pair[1] < 2))
            sum += fabs((double)lambda) / (h * h);
    }
    const double middle = 0.5 - 0.5 / LINKS;
    return sum / (mass * GRAVITY) * sqrt(a * a + 0.25) / sqrt(a * a + middle * middle);
}

static hung hang(lab *l, double span)
{
    const int32_t mark = lab_mark(l);
    const double a = parameter_of(span);
    float start[3 * COUNT], end[3 * COUNT];
    hang_exactly(a, start);
    lab_body_def def = {.mesh = lab_grid(l, 2, ROWS, (float)WIDTH, 1.0f, PLI_GRID_QUADS),
                        .positions = start,
                        .settings = lab_settings(PLI_METHOD_XPBD, SUBSTEPS, 1),
                        .stretch = PLI_STRETCH_SOLVED};
    def.settings.gravity = (pli_vec3){0.0f, (float)-GRAVITY, 0.0f};
    def.settings.damping = 41.6f;
    def.sets[0] = (lab_set){.type = "distance", .keep_lambda = true};
    lab_body body = lab_body_make(l, &def);
    for (int32_t i = 0; i < 2; i++) {
        lab_hold(l, &body, i);
        lab_hold(l, &body, COUNT - 1 - i);
    }
    for (int32_t frame = 0; frame < lab_long_or_quick(l, FRAMES, FRAMES_QUICK) && lab_ok(l); frame++)
        lab_step(l, body.world, 1.0f / 60.0f);
    hung result = {NAN, NAN};
    if (lab_ok(l)) {
        lab_positions(&body, end);
        result = (hung){(double)end[1] - (double)end[3 * LINKS + 1], tension_of(l, &body, a)};
    }
    lab_release_to(l, mark);
    return result;
}

static void run(lab *l)
{
    pli_text *csv = lab_file_add(l, "catenary.csv");
    pli_text_add(csv, "span,sag,sag_exact,tension,tension_exact\n");
    for (int32_t i = 0; i < SPANS && lab_ok(l); i += lab_long_or_quick(l, 1, SPANS - 1)) {
        const double a = parameter_of(spans[i]), sag = sqrt(a * a + 0.25) - a, tension = sqrt(a * a + 0.25);
        const hung found = hang(l, spans[i]);
        pli_text_add(csv, "%g,%.6g,%.6g,%.6g,%.6g\n", spans[i], found.sag, sag, found.tension, tension);
        lab_row_near(l, lab_format(l, "span %g of the length, sag", spans[i]), sag, found.sag, "m", 0.002, NULL);
        lab_row_near(l, lab_format(l, "span %g, tension at the ends over the weight, by multipliers", spans[i]),
                     tension, found.tension, "", 0.02, NULL);
        lab_progress(l, (i + 1.0) / SPANS);
    }
}

const lab_experiment lab_check_catenary = {
    .name = "catenary",
    .title = "A chain of 64 rigid links between two points",
    .source = "The catenary",
    .run = run,
};
