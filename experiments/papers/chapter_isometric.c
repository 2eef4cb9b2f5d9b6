// The chapter on cloth, "Isometric Bending" (after Bergou et al. 2006): E = x^T Q x / 2 on the four vertices of a hinge,
// Q constant from the cotangents at rest, C = E; "particularly effective for garment simulation".
//
// First Q itself, made from the cotangents: K^T K, so of rank 1, with rows that sum to zero. Then a full projection: with C = E each halves the bend and leaves a quarter of the energy
// (docs/errata.md E16), with the vector K x one takes all. Then the shipped dress with three models.
#include "lab/lab_measures.h"
#include "lab/lab_pictures.h"

#include <math.h>

enum { MODELS = 3, PROJECTIONS = 6, FRAMES = 120, FRAMES_QUICK = 2 };

static const char *const models[MODELS] = {"isometric", "dihedral", "triangle"};

// An edge (vertices 0 and 1) between two triangles of different shapes.
static const float hinge[12] = {0.0f, 0.0f, 0.0f, 0.1f, 0.0f, 0.0f, 0.03f, 0.0f, 0.08f, 0.07f, 0.0f, -0.06f};

/* ---- Q ------------------------------------------------------------------------------------------ */

// Cotangent of the angle at `at` between the directions to b and c.
static double cotangent(int32_t at, int32_t b, int32_t c)
{
    double dot = 0.0, u[3], v[3], cross = 0.0;
    for (int32_t i = 0; i < 3; i++) {
        u[i] = (double)(hinge[3 * b + i] - hinge[3 * at + i]);
        v[i] = (double)(hinge[3 * c + i] - hinge[3 * at + i]);
        dot += u[i] * v[i];
    }
    for (int32_t i = 0; i < 3; i++)
        cross += pow(u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3], 2.0);
    return dot / sqrt(cross);
}

// K of Bergou et al. 2006: Q = 3 / (A1 + A2) K^T K.
static void weights_of(double k[4])
{
    double c01 = cotangent(0, 1, 2), c02 = cotangent(0, 1, 3), c03 = cotangent(1, 0, 2), c04 = cotangent(1, 0, 3);
    k[0] = c03 + c04, k[1] = c01 + c02, k[2] = -c01 - c03, k[3] = -c02 - c04;
}

static const pli_mesh *hinge_mesh(lab *l)
{
    static const int32_t faces[6] = {0, 1, 2, 1, 0, 3};
    pli_mesh_def def = pli_mesh_def_default();
    pli_mesh *mesh = NULL;
    pli_error error;
    def.positions = hinge;
    def.vertex_count = 4;
    def.face_vertices = faces;
    def.face_count = 2;
    lab_note(l, pli_mesh_create(&def, &mesh, &error), &error);
    return lab_mesh_keep(l, mesh);
}

// Size of K x in a state: the square root of twice the energy, but for the areas.
static double bend_of(const double k[4], const float *positions)
{
    double square = 0.0;
    for (int32_t d = 0; d < 3; d++) {
        double sum = 0.0;
        for (int32_t i = 0; i < 4; i++)
            sum += k[i] * (double)positions[3 * i + d];
        square += sum * sum;
    }
    return sqrt(square);
}

static void check_matrix(lab *l, const double k[4])
{
    double row = 0.0, most = 0.0;
    for (int32_t i = 0; i < 4; i++) {
        double sum = 0.0;
        for (int32_t j = 0; j < 4; j++) {
            sum += k[i] * k[j];
            most = fmax(most, fabs(k[i] * k[j]));
        }
        row = fmax(row, fabs(sum));
    }
    lab_say(l,
            "## Q\n\nK = (%.4f, %.4f, %.4f, %.4f) from the cotangents of a hinge of two unequal triangles, Q = 3 / (A1 "
            "+ A2) K^T K.\n\n",
            k[0], k[1], k[2], k[3]);
    lab_claim_add(l, (lab_claim){"Rows of Q sum to zero: moving the hinge costs nothing.",
                                 "\"a constant matrix\" from "
                                 "cotangents",
                                 0.0, row / most, "of its largest entry", LAB_AT_MOST, 1e-6, NULL});
    lab_claim_add(l, (lab_claim){"Flat at rest, the hinge has no energy: K x there.", "E is of second order", 0.0,
                                 bend_of(k, hinge) / 0.1, "edges", LAB_AT_MOST, 1e-6, NULL});
}

/* ---- projections -------------------------------------------------------------------------------- */

// Share of the energy that one full projection leaves, in the mean over several.
static double left_by_projection(lab *l, const pli_mesh *mesh, const char *type, const double k[4], int32_t count)
{
    int32_t mark = lab_mark(l);
    lab_body_def def = lab_paper_def(mesh, 1);
    def.settings.sweeps = PLI_SWEEPS_FORWARD; // One sweep an iteration.
    float positions[12];
    for (int32_t i = 0; i < 12; i++)
        positions[i] = hinge[i];
    positions[7] += 0.03f, positions[10] += 0.02f;
    def.positions = positions;
    def.sets[0] = (lab_set){.type = type};
    lab_body body = lab_body_make(l, &def);
    double before = bend_of(k, positions);
    for (int32_t i = 0; i < count && lab_ok(l); i++) {
        lab_stop(l, &body);
        lab_step(l, body.world, 1.0f / 60.0f);
    }
    if (lab_ok(l))
        lab_positions(&body, positions);
    lab_release_to(l, mark);
    return pow(bend_of(k, positions) / before, 2.0 / count);
}

static void project(lab *l, const double k[4])
{
    const pli_mesh *mesh = hinge_mesh(l);
    double energy = left_by_projection(l, mesh, "isometric_energy", k, PROJECTIONS);
    double vector = left_by_projection(l, mesh, "isometric", k, 1);
    lab_say(l,
            "## A projection\n\nThe hinge is bent, and projected with k = 1 without velocity. C = E leaves %.4f of the "
            "energy each time, in the mean of %d; the vector K x leaves %.2g at once.\n\n",
            energy, PROJECTIONS, vector);
    lab_claim_add(l, (lab_claim){"With C = E, each full projection leaves a quarter of the energy.",
                                 "\"defined directly from this energy\"", 0.25, energy, "of it", LAB_NEAR, 0.01, NULL});
    lab_claim_add(l, (lab_claim){"With the vector K x, one projection takes all.", "not in the chapter", NAN, vector,
                                 "of it", LAB_AT_MOST, 1e-6, NULL});
}

/* ---- the dress ---------------------------------------------------------------------------------- */

typedef struct worn {
    double milliseconds, stretch, curvature;
} worn;

static double mean_stretch(const lab_body *body)
{
    const pli_topology *t = pli_mesh_topology(body->mesh);
    pli_view view = pli_deformable_positions(body->world, body->deformable);
    double now = 0.0, rest = 0.0;
    for (int32_t e = 0; e < t->edge_count; e++) {
        const float *a = pli_view_at(view, t->edges[2 * e]), *b = pli_view_at(view, t->edges[2 * e + 1]);
        const float *p = t->positions + 3 * t->edges[2 * e], *q = t->positions + 3 * t->edges[2 * e + 1];
        now += hypot(hypot((double)(a[0] - b[0]), (double)(a[1] - b[1])), (double)(a[2] - b[2]));
        rest += hypot(hypot((double)(p[0] - q[0]), (double)(p[1] - q[1])), (double)(p[2] - q[2]));
    }
    return fabs(now / rest - 1.0);
}

static worn wear(lab *l, int32_t model, lab_gallery *gallery)
{
    int32_t mark = lab_mark(l), frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    const char *const settings[1] = {lab_format(l, "deformables.dress.constraints.1.type=%s", models[model])};
    lab_scene scene = lab_scene_open(l, "dress.json", settings, 1);
    worn w = {.milliseconds = INFINITY};
    for (int32_t frame = 0; frame < frames && lab_ok(l); frame++)
        w.milliseconds = fmin(w.milliseconds, 1e3 * lab_scene_step(l, &scene, frame));
    if (lab_ok(l)) {
        lab_body body = lab_body_of(l, scene.world, 0);
        w.stretch = 100.0 * mean_stretch(&body);
        w.curvature = lab_mean_curvature(l, &body);
        lab_gallery_add_scene(gallery, models[model], &scene);
    }
    lab_release_to(l, mark);
    return w;
}

static void dress(lab *l)
{
    worn found[MODELS];
    lab_gallery_def view = {.name = "dress", .columns = 3, .fit = LAB_FIT_RUN, .surroundings = true};
    lab_gallery *gallery = lab_gallery_open(l, &view);
    pli_text *csv = lab_file_add(l, "dress.csv");
    pli_text_add(csv, "model,milliseconds,stretch_percent,curvature\n");
    lab_say(
        l,
        "## The dress\n\nThe scene `dress.json` after %d frames, with the same rigidity in three models. Times are of "
        "the processor, the least of a frame.\n\n| model | frame | mean length of edges off by | mean curvature |\n| "
        "--- | --- | --- | --- |\n",
        (int)lab_long_or_quick(l, FRAMES, FRAMES_QUICK));
    for (int32_t m = 0; m < MODELS && lab_ok(l); m++) {
        found[m] = wear(l, m, gallery);
        pli_text_add(csv, "%s,%.6g,%.6g,%.6g\n", models[m], found[m].milliseconds, found[m].stretch,
                     found[m].curvature);
        lab_say(l, "| %s | %.2f ms | %.2f %% | %.1f /m |\n", models[m], found[m].milliseconds, found[m].stretch,
                found[m].curvature);
        lab_progress(l, (m + 1.0) / MODELS);
    }
    lab_say(l, "\n");
    lab_gallery_close(gallery);
    if (!lab_ok(l))
        return;
    lab_claim_add(
        l, (lab_claim){"With it the dress deforms without stretching, as the model assumes: mean length of edges.",
                       "fabric is expected to deform isometrically", NAN, found[0].stretch, "% off", LAB_AT_MOST, 1.0,
                       "Its edges have a compliance."});
    lab_claim_add(l, (lab_claim){"It is effective: a frame with dihedral bending costs more, over one with it.",
                                 "\"particularly effective for garment simulation\"", NAN,
                                 found[1].milliseconds / found[0].milliseconds, "times", LAB_AT_LEAST, 1.03,
                                 "Contact takes most of the frame."});
}

static void run(lab *l)
{
    double k[4];
    weights_of(k);
    check_matrix(l, k);
    project(l, k);
    dress(l);
}

const lab_experiment lab_row_chapter_isometric = {
    .name = "chapter-isometric",
    .title = "The chapter's isometric bending: its matrix, its projection, and a garment",
    .source = "Chapter on cloth, Isometric Bending; Bergou et al. 2006",
    .run = run,
};
