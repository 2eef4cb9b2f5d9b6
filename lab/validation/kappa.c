// Kelager's triangle at its closed form: a triple keeps the height h0 + kappa of its middle vertex over the centroid (Kelager et al. 2010), so
// that edges a of an arc turn by phi at each vertex with sin(phi / 2) = 3 (h0 + kappa) / (2 a). Kappa is raised and lowered while it runs.
#include "base/clamped_strip.h"

#include <math.h>
#include <string.h>

enum { CELLS = 24, ROW = CELLS + 1, TRIPLES = 2 * (CELLS - 1), KAPPAS = 5, FRAMES = 300 };

#define EDGE 0.02      // [m]
#define REST_TURN 0.08 // At each vertex at rest [radians].

static const double kappas[KAPPAS] = {0.0, 0.5, 1.5, 0.25, 0.0}; // Over h0.

// Two rows of vertices on an arc, with quads between them.
static const pli_mesh *make_arc(lab *l)
{
    float positions[6 * ROW];
    int32_t corners[4 * CELLS], sizes[CELLS];
    for (int32_t i = 0; i < 2 * ROW; i++) {
        const double radius = EDGE / (2.0 * sin(0.5 * REST_TURN)), angle = REST_TURN * (i % ROW - CELLS / 2);
        positions[3 * i] = (float)(radius * sin(angle));
        positions[3 * i + 1] = (float)(radius * cos(angle));
        positions[3 * i + 2] = (float)(EDGE * (i / ROW));
    }
    for (int32_t i = 0; i < CELLS; i++) {
        const int32_t quad[4] = {i, i + 1, ROW + i + 1, ROW + i};
        memcpy(corners + 4 * (size_t)i, quad, sizeof quad);
        sizes[i] = 4;
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = 2 * ROW;
    def.face_sizes = sizes, def.face_vertices = corners, def.face_count = CELLS;
    pli_mesh *mesh = NULL;
    pli_error error;
    lab_note(l, pli_mesh_create(&def, &mesh, &error), &error);
    return lab_mesh_keep(l, mesh);
}

// The mean of sin(phi / 2) over the first row.
static double turn_of(const lab_body *body)
{
    const pli_view at = pli_deformable_positions(body->world, body->deformable);
    double sum = 0.0;
    for (int32_t i = 1; i < CELLS; i++) {
        const float *a = pli_view_at(at, i - 1), *b = pli_view_at(at, i), *c = pli_view_at(at, i + 1);
        double along = 0.0, before = 0.0, behind = 0.0;
        for (int32_t k = 0; k < 3; k++) {
            const double u = (double)b[k] - (double)a[k], v = (double)c[k] - (double)b[k];
            along += u * v, before += u * u, behind += v * v;
        }
        sum += sqrt(fmax(0.0, 0.5 - 0.5 * along / sqrt(before * behind))) / (CELLS - 1);
    }
    return sum;
}

static void run(lab *l)
{
    const double h0 = 2.0 / 3.0 * EDGE * sin(0.5 * REST_TURN);
    int32_t triples[3 * TRIPLES];
    for (int32_t k = 0; k < TRIPLES; k++) {
        const int32_t v = k / (CELLS - 1) * ROW + k % (CELLS - 1) + 1, triple[3] = {v - 1, v + 1, v};
        memcpy(triples + 3 * (size_t)k, triple, sizeof triple);
    }
    lab_body_def def = {.mesh = make_arc(l), .settings = lab_settings(PLI_METHOD_XPBD, 10, 1)};
    def.settings.damping = 41.6f;
    def.sets[0] = (lab_set){.type = "distance"};
    def.sets[1] = (lab_set){.type = "triangle",
                            .values = {{"rigidity", 1e-3}, {"solve", 1.0}},
                            .particles = triples,
                            .constraint_count = TRIPLES};
    pli_text *csv = lab_file_add(l, "turns.csv");
    pli_text_add(csv, "kappa_over_h0,turn,closed_form\n");
    lab_body body = lab_body_make(l, &def);
    for (int32_t k = 0; k < KAPPAS && lab_ok(l); k++) {
        lab_set_parameter(l, &body, 1, "kappa", kappas[k] * h0);
        for (int32_t frame = 0; frame < FRAMES && lab_ok(l); frame++)
            lab_step(l, body.world, 1.0f / 60.0f);
        if (!lab_ok(l))
            return;
        const double turn = turn_of(&body), exact = 1.5 * h0 * (1.0 + kappas[k]) / EDGE;
        pli_text_add(csv, "%g,%.6g,%.6g\n", kappas[k], turn, exact);
        lab_row_near(l,
                     lab_format(l, "solved, kappa = %g h0%s, sin(phi / 2) of an arc's vertices", kappas[k],
                                k == KAPPAS - 1 ? " again" : ""),
                     exact, turn, "", 0.001, NULL);
        lab_progress(l, (k + 1.0) / KAPPAS);
    }
}

const lab_experiment lab_check_kappa = {
    .name = "kappa",
    .title = "Kelager's triangle: an arc that kappa bends and opens",
    .source = "Kelager et al. 2010: sin(phi / 2) = 3 (h0 + kappa) / (2 a)",
    .run = run,
};
