// Stretch of fine meshes: sweeps over edges, substeps, long-range attachments (Kim, Chentanez, Mueller 2012) and
// the hierarchy (after Mueller 2008).
//
// A square sheet of cloth with rigid edges and no bending hangs from its upper corners, or from its upper row, for four
// seconds. Then what has no anchors: a sheet that falls over a ball, and one whose corners fly apart. Then a ball of
// a hundred times the mass of the strip that carries it.
#include "lab/lab_measures.h"

#include <pliant/rigid.h>

#include <math.h>

enum { SIZES = 3, HOLDS = 2, METHODS = 6, FREE = 2, FRAMES = 240, FREE_FRAMES = 60, HEAVY = 4 };

typedef struct method {
    const char *name;
    int32_t substeps, iterations;
    pli_stretch_kind limit;
} method;

static const method methods[METHODS] = {
    {"20 iterations", 1, 20, PLI_STRETCH_NONE},
    {"20 substeps", 20, 1, PLI_STRETCH_NONE},
    {"20 iterations + attachments", 1, 20, PLI_STRETCH_LONG_RANGE_ATTACHMENTS},
    {"20 substeps + attachments", 20, 1, PLI_STRETCH_LONG_RANGE_ATTACHMENTS},
    {"10 substeps + attachments", 10, 1, PLI_STRETCH_LONG_RANGE_ATTACHMENTS},
    {"10 substeps + hierarchy", 10, 1, PLI_STRETCH_HIERARCHY},
};
enum { ITERATIONS, SUBSTEPS, ITERATIONS_ATTACHED, SUBSTEPS_ATTACHED, FEW_ATTACHED, FEW_LEVELS };

static const int32_t sizes[SIZES] = {33, 65, 129};
static const char *const holds[HOLDS] = {"two corners", "upper row"};
static const char *const frees[FREE] = {"falls over a ball", "corners fly apart"};

typedef struct result {
    double most, mean;   // Stretch of the longest edge, and mean over those that are stretched at all.
    double peak, usual;  // The most over all frames, and its mean over them.
    double milliseconds; // A frame.
} result;

static void measure(const lab_body *body, result *r)
{
    const pli_topology *t = pli_mesh_topology(body->mesh);
    pli_view view = pli_deformable_positions(body->world, body->deformable);
    double sum = 0.0;
    r->most = 0.0;
    for (int32_t e = 0; e < t->edge_count; e++) {
        const float *a = pli_view_at(view, t->edges[2 * e]), *b = pli_view_at(view, t->edges[2 * e + 1]);
        const float *p = t->positions + 3 * t->edges[2 * e], *q = t->positions + 3 * t->edges[2 * e + 1];
        double now = hypot(hypot((double)(a[0] - b[0]), (double)(a[1] - b[1])), (double)(a[2] - b[2]));
        double rest = hypot(hypot((double)(p[0] - q[0]), (double)(p[1] - q[1])), (double)(p[2] - q[2]));
        double stretch = fmax(now / rest - 1.0, 0.0);
        sum += stretch;
        r->most = fmax(r->most, stretch);
    }
    r->mean = sum / t->edge_count;
    r->peak = fmax(r->peak, r->most);
}

static result run_frames(lab *l, const lab_body *body, int32_t frames)
{
    result r = {0};
    for (int32_t frame = 0; frame < frames && lab_ok(l); frame++) {
        r.milliseconds += 1e3 * lab_step(l, body->world, 1.0f / 60.0f) / frames;
        measure(body, &r);
        r.usual += r.most / frames;
    }
    return r;
}

static lab_body_def sheet_def(lab *l, int32_t side, const method *m)
{
    lab_body_def def = {.mesh = lab_grid(l, side, side, 1.0f, 1.0f, PLI_GRID_DIAGONAL),
                        .settings = lab_settings(PLI_METHOD_XPBD, m->substeps, m->iterations),
                        .limit = m->limit};
    def.sets[0] = (lab_set){.type = "distance"};
    return def;
}

static result hang(lab *l, int32_t side, int32_t held, const method *m)
{
    int32_t mark = lab_mark(l);
    lab_body_def def = sheet_def(l, side, m);
    def.settings.gravity = (pli_vec3){0.0f, 0.0f, 9.81f}; // Rows lie along z; the first is fixed.
    lab_body body = lab_body_make(l, &def);
    for (int32_t v = 0; v < side && lab_ok(l); v += held == 0 ? side - 1 : 1)
        lab_hold(l, &body, v);
    result r = run_frames(l, &body, lab_long_or_quick(l, FRAMES, FRAMES / 4));
    lab_release_to(l, mark);
    return r;
}

static result let_go(lab *l, int32_t side, int32_t kind, const method *m)
{
    int32_t mark = lab_mark(l);
    lab_body_def def = sheet_def(l, side, m);
    if (kind == 0)
        def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    lab_body body = lab_body_make(l, &def);
    if (kind == 0) {
        pli_collider_def ball = pli_collider_def_default();
        ball.shape = PLI_SHAPE_SPHERE, ball.radius = 0.2f, ball.pose.position = (pli_vec3){0.0f, -0.3f, 0.0f};
        lab_collider(l, &body, &ball);
    } else if (lab_ok(l)) {
        // Two corners, each as heavy as the sheet, move apart at 0.5 m/s.
        const float away[6] = {-0.35f, 0.0f, -0.35f, 0.35f, 0.0f, 0.35f}, inverse_mass = 5.0f;
        pli_error error;
        for (int32_t i = 0; i < 2; i++) {
            int32_t corner = i * (side * side - 1);
            lab_note(l,
                     pli_deformable_set_inverse_masses(body.world, body.deformable, corner, 1, &inverse_mass, &error),
                     &error);
            lab_note(l, pli_deformable_set_velocities(body.world, body.deformable, corner, 1, away + 3 * i, &error),
                     &error);
        }
    }
    result r = run_frames(l, &body, FREE_FRAMES);
    lab_release_to(l, mark);
    return r;
}

/* ---- a heavy body on a light strip --------------------------------------------------------------- */

typedef struct heavy {
    int32_t substeps;
    pli_stretch_kind limit;
    double sunk; // Furthest below where it was hung [m].
    double stretch;
} heavy;

static heavy heavies[HEAVY] = {{10, PLI_STRETCH_NONE, 0, 0},
                               {40, PLI_STRETCH_NONE, 0, 0},
                               {5, PLI_STRETCH_LONG_RANGE_ATTACHMENTS, 0, 0},
                               {10, PLI_STRETCH_LONG_RANGE_ATTACHMENTS, 0, 0}};

static pli_rigid_body attach_ball(lab *l, const lab_body *body, const int32_t *ends, float mass)
{
    pli_error error;
    pli_rigid_body_def def = pli_rigid_body_def_default();
    pli_rigid_body ball = {0};
    def.inverse_mass = 1.0f / mass;
    for (int32_t k = 0; k < 3; k++)
        def.inverse_inertia[k] = 1.0f / (0.4f * mass * 0.03f * 0.03f);
    def.state.pose.position = (pli_vec3){0.0f, 0.0f, 0.1f};
    lab_note(l, pli_rigid_body_create(body->world, &def, &ball, &error), &error);
    pli_attachment_def attachment_def = pli_attachment_def_default();
    pli_attachment attachment;
    attachment_def.deformable = body->deformable, attachment_def.particles = ends, attachment_def.particle_count = 4,
    attachment_def.body = ball;
    if (lab_ok(l))
        lab_note(l, pli_attachment_create(body->world, &attachment_def, &attachment, &error), &error);
    return ball;
}

static void carry(lab *l, heavy *h)
{
    int32_t mark = lab_mark(l);
    const int32_t ends[4] = {60, 61, 62, 63};
    lab_body_def def = {.mesh = lab_grid(l, 4, 16, 0.02f, 0.1f, PLI_GRID_ALTERNATING),
                        .settings = lab_settings(PLI_METHOD_XPBD, h->substeps, 1),
                        .limit = h->limit};
    def.settings.gravity = (pli_vec3){0.0f, 0.0f, 9.81f};
    def.sets[0] = (lab_set){.type = "distance"};
    lab_body body = lab_body_make(l, &def);
    for (int32_t v = 0; v < 4 && lab_ok(l); v++)
        lab_hold(l, &body, v);
    pli_rigid_body ball = lab_ok(l) ? attach_ball(l, &body, ends, 100.0f * 0.2f * 0.002f) : (pli_rigid_body){0};
    result r = {0};
    for (int32_t frame = 0; frame < FRAMES && lab_ok(l); frame++) {
        pli_rigid_state now;
        pli_error error;
        lab_note(l, pli_rigid_body_state(body.world, ball, &now, &error), &error);
        now.acceleration = def.settings.gravity;
        lab_note(l, pli_rigid_body_set_state(body.world, ball, &now, false, &error), &error);
        if (!lab_ok(l) || !lab_try_step(l, body.world, 1.0f / 60.0f))
            break;
        lab_note(l, pli_rigid_body_state(body.world, ball, &now, &error), &error);
        h->sunk = fmax(h->sunk, (double)now.pose.position.z - 0.1);
        measure(&body, &r);
    }
    h->stretch = r.most;
    lab_release_to(l, mark);
}

/* ---- report --------------------------------------------------------------------------------------- */

typedef struct table {
    result hung[HOLDS][SIZES][METHODS], free[FREE][2];
} table;

static void say_hung(lab *l, const table *t, int32_t count)
{
    pli_text *csv = lab_file_add(l, "hanging.csv");
    pli_text_add(csv, "held,side,method,stretch_max,stretch_mean,ms_per_frame\n");
    lab_say(l,
            "Stretch of the longest edge after %d frames [%%], its mean over all edges, and the time of a frame with "
            "one thread.\n\n| held by | sheet |",
            (int)lab_long_or_quick(l, FRAMES, FRAMES / 4));
    for (int32_t m = 0; m < METHODS; m++)
        lab_say(l, " %s: %% | mean | ms |", methods[m].name);
    lab_say(l, "\n| --- | --- |");
    for (int32_t m = 0; m < METHODS; m++)
        lab_say(l, " --- | --- | --- |");
    for (int32_t h = 0; h < HOLDS; h++) {
        for (int32_t s = 0; s < count; s++) {
            lab_say(l, "\n| %s | %d x %d |", holds[h], (int)sizes[s], (int)sizes[s]);
            for (int32_t m = 0; m < METHODS; m++) {
                const result *r = &t->hung[h][s][m];
                lab_say(l, " %.3g | %.2g | %.2f |", 100.0 * r->most, 100.0 * r->mean, r->milliseconds);
                pli_text_add(csv, "%s,%d,%s,%.6g,%.6g,%.4g\n", holds[h], (int)sizes[s], methods[m].name, r->most,
                             r->mean, r->milliseconds);
            }
        }
    }
    lab_say(l, "\n\n");
}

static void say_free(lab *l, const table *t, int32_t side)
{
    pli_text *csv = lab_file_add(l, "free.csv");
    pli_text_add(csv, "case,levels,stretch_peak,stretch_usual,ms_per_frame\n");
    lab_say(l,
            "Without anchors, %d x %d, 10 substeps, the longest edge [%%] at its worst and on average over the frames "
            "of a second:\n\n"
            "| case | edges alone: worst | average | ms | hierarchy: worst | average | ms |\n| --- | --- | --- | --- | "
            "--- | --- | --- |\n",
            (int)side, (int)side);
    for (int32_t i = 0; i < FREE; i++) {
        lab_say(l, "| %s |", frees[i]);
        for (int32_t with = 0; with < 2; with++) {
            const result *r = &t->free[i][with];
            lab_say(l, " %.3g | %.3g | %.2f |", 100.0 * r->peak, 100.0 * r->usual, r->milliseconds);
            pli_text_add(csv, "%s,%d,%.6g,%.6g,%.4g\n", frees[i], (int)with, r->peak, r->usual, r->milliseconds);
        }
        lab_say(l, "\n");
    }
    lab_say(l, "\nA ball of a hundred times the mass of the strip of 4 x 16 particles and 0.1 m that carries it:\n\n"
               "| substeps | limit | sinks by mm | longest edge %% |\n| --- | --- | --- | --- |\n");
    for (int32_t i = 0; i < HEAVY; i++)
        lab_say(l, "| %d | %s | %.3g | %.3g |\n", (int)heavies[i].substeps, pli_stretch_kind_name(heavies[i].limit),
                1e3 * heavies[i].sunk, 100.0 * heavies[i].stretch);
    lab_say(l, "\n");
}

static void claims(lab *l, const table *t, int32_t last)
{
    const result *corners = t->hung[0][last], *row = t->hung[1][last];
    lab_claim_add(l, (lab_claim){"Substeps stretch less than as many iterations (corners, finest).",
                                 "Macklin et al. 2019", NAN, corners[ITERATIONS].most / corners[SUBSTEPS].most, "times",
                                 LAB_AT_LEAST, 5.0, "Neither holds the sheet."});
    lab_claim_add(l, (lab_claim){"Long-range attachments hold the finest sheet by its corners.", "Kim et al. 2012", NAN,
                                 100.0 * corners[SUBSTEPS_ATTACHED].most, "%", LAB_AT_MOST, 0.2,
                                 "It has not come to rest."});
    lab_claim_add(l, (lab_claim){"And by its row.", "Kim et al. 2012", NAN, 100.0 * row[SUBSTEPS_ATTACHED].most, "%",
                                 LAB_AT_MOST, 0.02, "It has not come to rest."});
    lab_claim_add(l, (lab_claim){"The hierarchy holds it by its corners at half the substeps, without anchors.",
                                 "Mueller 2008", NAN, 100.0 * corners[FEW_LEVELS].most, "%", LAB_AT_MOST, 1.5,
                                 "It has not come to rest."});
    lab_claim_add(l, (lab_claim){"What falls over a ball stretches less with the hierarchy.", "Mueller 2008", NAN,
                                 t->free[0][0].usual / t->free[0][1].usual, "times", LAB_AT_LEAST, 1.5,
                                 "The sheet is coarse."});
    lab_claim_add(l, (lab_claim){"What is pulled apart by heavy corners does.", "Mueller 2008", NAN,
                                 t->free[1][0].usual / t->free[1][1].usual, "times", LAB_AT_LEAST, 5.0,
                                 "The pull is on single edges, which no level helps."});
    lab_claim_add(
        l, (lab_claim){"A body of a hundred times the mass of its strip is held within a quarter of a millimetre "
                       "at 10 substeps.",
                       "not in the papers", NAN, 1e3 * heavies[HEAVY - 1].sunk, "mm", LAB_AT_MOST, 0.25, "It swings."});
}

static void run(lab *l)
{
    table *t = lab_memory(l, 1, sizeof *t);
    int32_t count = lab_long_or_quick(l, SIZES, 2), side = sizes[count - 1], done = 0;
    for (int32_t h = 0; h < HOLDS; h++)
        for (int32_t s = 0; s < count; s++)
            for (int32_t m = 0; m < METHODS && lab_ok(l); m++) {
                t->hung[h][s][m] = hang(l, sizes[s], h, &methods[m]);
                lab_progress(l, 0.7 * ++done / (HOLDS * count * METHODS));
            }
    for (int32_t i = 0; i < FREE && lab_ok(l); i++)
        for (int32_t with = 0; with < 2; with++) {
            const method m = {"", 10, 1, with ? PLI_STRETCH_HIERARCHY : PLI_STRETCH_NONE};
            t->free[i][with] = let_go(l, side, i, &m);
        }
    for (int32_t i = 0; i < HEAVY && lab_ok(l); i++) {
        heavies[i].sunk = 0.0;
        carry(l, &heavies[i]);
    }
    if (!lab_ok(l))
        return;
    say_hung(l, t, count);
    say_free(l, t, side);
    claims(l, t, count - 1);
}

const lab_experiment lab_row_stretch_limit = {
    .name = "stretch-limit",
    .title = "What fine meshes stretch by: sweeps, attachments, levels",
    .source = "Kim, Chentanez, Mueller 2012; Mueller 2008",
    .run = run,
};
