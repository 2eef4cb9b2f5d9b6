// The chapter on cloth, "Isometric Bending" (after Bergou et al. 2006): E = x^T Q x / 2 on the four vertices of a hinge,
// Q constant from the cotangents at rest, C = E; "particularly effective for garment simulation".
//
// First Q itself, read off the library's type by displacements: that of the cotangents, of rank 1, with rows that sum to
// zero. Then a full projection: with C = E each halves the bend and leaves a quarter of the energy (docs/errata.md E16),
// with the vector K x one takes all. Then the shipped dress with three models.
#include "base/lab_measures.h"
#include "base/lab_pictures.h"

#include <pliant/constraint_type.h>

#include <math.h>

enum { MODELS = 3, PROJECTIONS = 6, FRAMES = 120, FRAMES_QUICK = 2, TIMED = 20, ROUNDS = 5 };

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

// Q as the library has it. E is quadratic, so that its gradient where one vertex is a unit from the origin, and all
// others are there, is a column of Q, the same for each axis.
typedef struct quadratic {
    double entries[4][4]; // Along x.
    double differences;   // Largest difference of those along y and z from them, and of those across axes from 0.
    double largest;       // Largest entry.
} quadratic;

static quadratic quadratic_of(const pli_constraint_type *type, float *rest)
{
    quadratic q = {0};
    double flat[4][3];
    for (int32_t i = 0; i < 12; i++)
        flat[i / 3][i % 3] = (double)hinge[i];
    type->rest(&(pli_stencil){.positions = (const double(*)[3])flat, .count = 4, .user = type->user}, rest);
    for (int32_t axis = 0; axis < 3; axis++)
        for (int32_t j = 0; j < 4; j++) {
            double moved[4][3] = {{0}}, value, gradient[12];
            moved[j][axis] = 1.0;
            pli_stencil s = {.positions = (const double(*)[3])moved, .count = 4, .rest = rest, .user = type->user};
            type->evaluate(&s, &value, gradient);
            for (int32_t i = 0; i < 12; i++) {
                double expected = i % 3 == axis ? q.entries[i / 3][j] : 0.0;
                if (axis == 0 && i % 3 == 0)
                    q.entries[i / 3][j] = expected = gradient[i];
                q.differences = fmax(q.differences, fabs(gradient[i] - expected));
                q.largest = fmax(q.largest, fabs(gradient[i]));
            }
        }
    return q;
}

// Largest 2 x 2 determinant: nothing for a matrix of rank 1.
static double largest_minor(const quadratic *q)
{
    double most = 0.0;
    for (int32_t i = 0; i < 4; i++)
        for (int32_t k = i + 1; k < 4; k++)
            for (int32_t j = 0; j < 4; j++)
                for (int32_t m = j + 1; m < 4; m++)
                    most = fmax(most, fabs(q->entries[i][j] * q->entries[k][m] - q->entries[i][m] * q->entries[k][j]));
    return most;
}

// Energy of the hinge moved as it is, and where it rests.
static double energy_when_moved(const pli_constraint_type *type, const float *rest)
{
    double most = 0.0;
    for (int32_t axis = -1; axis < 3; axis++) {
        double moved[4][3], value;
        for (int32_t i = 0; i < 12; i++)
            moved[i / 3][i % 3] = (double)hinge[i] + (i % 3 == axis ? 1.0 : 0.0);
        type->evaluate(&(pli_stencil){.positions = (const double(*)[3])moved, .count = 4, .rest = rest}, &value, NULL);
        most = fmax(most, fabs(value));
    }
    return most;
}

static double area_of(int32_t a, int32_t b, int32_t c)
{
    double ux = (double)(hinge[3 * b] - hinge[3 * a]), uz = (double)(hinge[3 * b + 2] - hinge[3 * a + 2]);
    double vx = (double)(hinge[3 * c] - hinge[3 * a]), vz = (double)(hinge[3 * c + 2] - hinge[3 * a + 2]);
    return 0.5 * fabs(ux * vz - uz * vx);
}

static void check_matrix(lab *l, const double k[4])
{
    const pli_constraint_type *type = pli_constraint_type_find("isometric_energy");
    float rest[PLI_REST_MAX] = {0};
    quadratic q = quadratic_of(type, rest);
    double row = 0.0, off = 0.0, factor = 3.0 / (area_of(0, 1, 2) + area_of(0, 1, 3));
    for (int32_t i = 0; i < 4; i++) {
        double sum = 0.0;
        for (int32_t j = 0; j < 4; j++) {
            sum += q.entries[i][j];
            off = fmax(off, fabs(q.entries[i][j] - factor * k[i] * k[j]));
        }
        row = fmax(row, fabs(sum));
    }
    lab_say(l,
            "## Q\n\nRead off `isometric_energy` by unit displacements of the vertices of a hinge of two unequal "
            "triangles, and made beside it from the cotangents: K = (%.4f, %.4f, %.4f, %.4f), Q = 3 / (A1 + A2) K^T "
            "K.\n\n| Q | 0 | 1 | 2 | 3 |\n| --- | --- | --- | --- | --- |\n",
            k[0], k[1], k[2], k[3]);
    for (int32_t i = 0; i < 4; i++)
        lab_say(l, "| %d | %.1f | %.1f | %.1f | %.1f |\n", (int)i, q.entries[i][0], q.entries[i][1], q.entries[i][2],
                q.entries[i][3]);
    lab_say(l, "\n");
    lab_claim_add(l, (lab_claim){"The library's Q is that of the cotangents, in each axis alike.",
                                 "\"a constant matrix\" from cotangents", 0.0, fmax(off, q.differences) / q.largest,
                                 "of its largest entry", LAB_AT_MOST, 1e-6, NULL});
    lab_claim_add(l, (lab_claim){"It has rank 1: its largest 2 x 2 determinant.", "not in the chapter", 0.0,
                                 largest_minor(&q) / (q.largest * q.largest), "of its largest entry squared",
                                 LAB_AT_MOST, 1e-6, NULL});
    lab_claim_add(l, (lab_claim){"Its rows sum to zero.", "not in the chapter", 0.0, row / q.largest,
                                 "of its largest entry", LAB_AT_MOST, 1e-6, NULL});
    lab_claim_add(l, (lab_claim){"Flat, and moved by a metre along any axis, the hinge has no energy.",
                                 "E is of second order in the bend", 0.0, energy_when_moved(type, rest) / q.largest,
                                 "of its largest entry", LAB_AT_MOST, 1e-9, NULL});
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
    double milliseconds; // Least time of a frame.
    double alone;        // Least time of a frame of the dress without the dancer and contact [ms].
    double stretch, curvature;
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

// Least time of a frame [ms] of the dress alone, without a dancer and without contact; the model may be null.
static double time_alone(lab *l, const pli_mesh *mesh, const char *model)
{
    int32_t mark = lab_mark(l);
    lab_body_def def = {.mesh = mesh, .settings = lab_settings(PLI_METHOD_XPBD, 40, 1), .density = 0.15f};
    def.sets[0] = (lab_set){.type = "distance", .values = {{"compliance", 1e-6}}};
    def.sets[1] = (lab_set){.type = model, .values = {{"rigidity", 2e-6}}};
    lab_body body = lab_body_make(l, &def);
    double least = INFINITY;
    for (int32_t frame = 0; frame < TIMED && lab_ok(l); frame++)
        least = fmin(least, lab_step(l, body.world, 1.0f / 60.0f));
    lab_release_to(l, mark);
    return 1e3 * least;
}

// In turn, and the least of several, so that another program's load falls on all alike. Returns the time of edges alone.
static double time_all(lab *l, worn found[MODELS])
{
    const pli_mesh *mesh = lab_mesh_file(l, "meshes/dress.obj", 1.0f);
    double edges = INFINITY;
    for (int32_t m = 0; m < MODELS; m++)
        found[m].alone = INFINITY;
    for (int32_t round = 0; round < ROUNDS && lab_ok(l); round++) {
        edges = fmin(edges, time_alone(l, mesh, NULL));
        for (int32_t m = 0; m < MODELS; m++)
            found[m].alone = fmin(found[m].alone, time_alone(l, mesh, models[m]));
    }
    return edges;
}

static void dress(lab *l)
{
    worn found[MODELS];
    double edges = time_all(l, found);
    lab_gallery_def view = {.name = "dress", .columns = 3, .fit = LAB_FIT_RUN, .surroundings = true};
    lab_gallery *gallery = lab_gallery_open(l, &view);
    pli_text *csv = lab_file_add(l, "dress.csv");
    pli_text_add(csv, "model,milliseconds,alone,stretch_percent,curvature\n");
    lab_say(l,
            "## The dress\n\nThe scene `dress.json`, with its settings and our defaults, after %d frames, with the "
            "same rigidity in three "
            "models. Times are of the processor, the least of a frame; alone is the same dress without dancer and "
            "contact, which takes most of a frame of the scene: %.2f ms with edges only.\n\n| model | frame | alone | "
            "mean length of edges off by | mean curvature |\n| --- | --- | --- | --- | --- |\n",
            (int)lab_long_or_quick(l, FRAMES, FRAMES_QUICK), edges);
    for (int32_t m = 0; m < MODELS && lab_ok(l); m++) {
        double alone = found[m].alone;
        found[m] = wear(l, m, gallery);
        found[m].alone = alone;
        pli_text_add(csv, "%s,%.6g,%.6g,%.6g,%.6g\n", models[m], found[m].milliseconds, found[m].alone,
                     found[m].stretch, found[m].curvature);
        lab_say(l, "| %s | %.2f ms | %.2f ms | %.2f %% | %.1f /m |\n", models[m], found[m].milliseconds, found[m].alone,
                found[m].stretch, found[m].curvature);
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
    lab_claim_add(
        l, (lab_claim){
               "It is effective: the time that dihedral bending adds to the dress's edges, over the time that it adds.",
               "\"particularly effective for garment simulation\"", NAN,
               (found[1].alone - edges) / (found[0].alone - edges), "times", LAB_AT_LEAST, 1.3,
               "Both go through the same index lists; what differs is the arithmetic."});
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
