// Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 3: bending and stretching are independent parameters.
//
// A cloth bag hangs by its rim: stretching stiffness 1, 1/2 and 1/100 (and 1/10), with bending stiffness 1 and 0.
// Measured are the bag's length and the mean stretch of its edges: bending must not change them. One substep would
// stretch the softest bag thirtyfold under gravity; with eight it is long but still a bag. A projection of an angle takes
// out little of it at a time, without which the softest bag explodes (docs/decisions/bending.md).
#include "base/lab_measures.h"
#include "base/lab_pictures.h"
#include "base/plots.h"

#include <math.h>

enum { COLUMNS = 4, AROUND = 24, ALONG = 17, FRAMES = 400, FRAMES_QUICK = 50, ITERATIONS = 10, SUBSTEPS = 8 };
enum { DIHEDRAL, PRINTED, ISOMETRIC, NONE, ROWS };

typedef struct kind {
    const char *name, *type; // Without a type there is no bending.
    double change_limit;     // Most that one projection takes out of the angle [rad]; 0 for types without.
} kind;

static const kind kinds[ROWS] = {
    [DIHEDRAL] = {"bending 1", "dihedral", 0.005},
    [PRINTED] = {"bending 1, as printed", "dihedral_printed", 0.005},
    [ISOMETRIC] = {"bending 1, isometric", "isometric", 0.0},
    [NONE] = {"bending 0", NULL, 0.0},
};

typedef struct bag {
    bool stable;
    double stretch;   // Mean of the edges, signed.
    double length;    // Over that at rest.
    double curvature; // Mean [1/m].
} bag;

static const double stretching[COLUMNS] = {1.0, 0.5, 0.1, 0.01}, exploded = 20.0; // Lengths.
static const float frame_time = 1.0f / 60.0f, radius = 0.25f, length = 0.6f;

// A tube, its lower end drawn together.
static const pli_mesh *make_bag(lab *l)
{
    pli_mesh *tube = NULL, *mesh = NULL;
    pli_error error;
    lab_note(l, pli_mesh_create_tube(AROUND, ALONG, radius, length, false, PLI_GRID_ALTERNATING, &tube, &error),
             &error);
    if (!lab_mesh_keep(l, tube))
        return NULL;
    const pli_topology *t = pli_mesh_topology(tube);
    int32_t *faces = lab_memory(l, 3 * (size_t)t->triangle_count + 3 * AROUND, sizeof *faces),
            count = t->triangle_count;
    float *positions = lab_memory(l, 3 * (size_t)t->vertex_count + 3, sizeof *positions);
    float bottom = INFINITY;
    for (int32_t i = 0; i < t->vertex_count; i++)
        bottom = fminf(bottom, t->positions[3 * i + 1]);
    for (int32_t i = 0; i < t->vertex_count; i++) {
        float up = (t->positions[3 * i + 1] - bottom) / length,
              narrow = up < 0.3f ? sqrtf(up / 0.3f * (2.0f - up / 0.3f)) : 1.0f;
        narrow = fmaxf(narrow, 0.15f);
        positions[3 * i] = narrow * t->positions[3 * i];
        positions[3 * i + 1] = t->positions[3 * i + 1];
        positions[3 * i + 2] = narrow * t->positions[3 * i + 2];
    }
    for (int32_t i = 0; i < 3 * t->triangle_count; i++)
        faces[i] = t->triangles[i];
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions;
    def.vertex_count = t->vertex_count;
    def.face_vertices = faces;
    def.face_count = count;
    lab_note(l, pli_mesh_create(&def, &mesh, &error), &error);
    return lab_mesh_keep(l, mesh);
}

static double mean_stretch(const pli_topology *t, const float *positions)
{
    double sum = 0.0;
    for (int32_t e = 0; e < t->edge_count; e++) {
        double now = 0.0, then = 0.0;
        for (int32_t k = 0; k < 3; k++) {
            int32_t a = 3 * t->edges[2 * e] + k, b = 3 * t->edges[2 * e + 1] + k;
            now += ((double)positions[a] - (double)positions[b]) * ((double)positions[a] - (double)positions[b]);
            then += ((double)t->positions[a] - (double)t->positions[b]) *
                    ((double)t->positions[a] - (double)t->positions[b]);
        }
        sum += (sqrt(now / then) - 1.0) / t->edge_count;
    }
    return sum;
}

static void start(lab *l, const lab_body *body)
{
    const pli_topology *t = pli_mesh_topology(body->mesh);
    float top = -INFINITY;
    for (int32_t i = 0; i < t->vertex_count; i++)
        top = fmaxf(top, t->positions[3 * i + 1]);
    for (int32_t i = 0; i < t->vertex_count; i++)
        if (t->positions[3 * i + 1] > top - 1e-4f)
            lab_hold(l, body, i);
}

static bag hang(lab *l, const pli_mesh *mesh, const kind *k, double stiffness, lab_gallery *gallery)
{
    int32_t mark = lab_mark(l), frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    const pli_topology *t = pli_mesh_topology(mesh);
    lab_body_def def = lab_paper_def(mesh, ITERATIONS);
    def.settings.substeps = SUBSTEPS;
    // Sweeps of the papers, forward alone, make waves grow in these bags (docs/errata.md E21).
    def.settings.sweeps = PLI_SWEEPS_BACK_AND_FORTH;
    def.settings.keep_momentum = true;
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    def.sets[0] = (lab_set){.type = "distance", .values = {{"stiffness", stiffness}}};
    def.sets[1] = (lab_set){.type = k->type};
    if (k->change_limit > 0.0)
        def.sets[1].values[0] = (pli_parameter_value){"change_limit", k->change_limit};
    lab_body body = lab_body_make(l, &def);
    float *positions = lab_memory(l, 3 * (size_t)t->vertex_count, sizeof *positions);
    bag found = {.stable = true};
    if (lab_ok(l))
        start(l, &body);
    for (int32_t frame = 0; frame < frames && lab_ok(l) && found.stable; frame++) {
        found.stable = lab_try_step(l, body.world, frame_time);
        lab_slow(l, &body, 0.95);
        lab_positions(&body, positions);
        found.length = lab_extent(positions, t->vertex_count, 1) / (double)length;
        found.stable = found.stable && found.length < exploded;
    }
    if (lab_ok(l) && found.stable) {
        found.stretch = mean_stretch(t, positions);
        found.curvature = lab_mean_curvature(l, &body);
        lab_gallery_add(gallery, lab_format(l, "k stretching %g, %s", stiffness, k->name), mesh, positions);
    } else if (lab_ok(l)) {
        lab_gallery_add(gallery, lab_format(l, "k stretching %g, %s: explodes (shown at rest)", stiffness, k->name),
                        mesh, NULL);
    }
    lab_release_to(l, mark);
    return found;
}

static void report(lab *l, bag (*bags)[COLUMNS])
{
    pli_text *csv = lab_file_add(l, "bags.csv");
    pli_text_add(csv, "stretching,bending,stable,mean_stretch,length,mean_curvature\n");
    lab_say(l,
            "PBD in %d substeps of %d iterations, in order of creation. Not as printed are our sweeps, back and forth, "
            "and our momenta, restored: by one-way sweeps waves grow in these bags (docs/errata.md E21).\n\n",
            SUBSTEPS, ITERATIONS);
    lab_say(l, "| k stretching | bending | length over rest | mean stretch of edges | mean curvature [1/m] |\n"
               "| --- | --- | --- | --- | --- |\n");
    for (int32_t column = 0; column < COLUMNS; column++)
        for (int32_t row = 0; row < ROWS; row++) {
            const bag *b = &bags[row][column];
            if (b->stable)
                lab_say(l, "| %g | %s | %.3f | %.4f | %.2f |\n", stretching[column], kinds[row].name, b->length,
                        b->stretch, b->curvature);
            else
                lab_say(l, "| %g | %s | explodes | – | – |\n", stretching[column], kinds[row].name);
            pli_text_add(csv, "%g,%s,%d,%.6g,%.6g,%.6g\n", stretching[column],
                         kinds[row].type ? kinds[row].type : "none", b->stable, b->stretch, b->length, b->curvature);
        }
    lab_say(l, "\n");
}

// Largest change of length by bending, over the change by stretching, among the bags that are stable.
static double dependence(bag (*bags)[COLUMNS], int32_t row)
{
    double range = bags[NONE][COLUMNS - 1].length - bags[NONE][0].length, worst = 0.0;
    for (int32_t column = 0; column < COLUMNS; column++)
        if (bags[row][column].stable)
            worst = fmax(worst, fabs(bags[row][column].length - bags[NONE][column].length) / range);
    return worst;
}

static int32_t stable_count(bag (*bags)[COLUMNS], int32_t row)
{
    int32_t count = 0;
    for (int32_t column = 0; column < COLUMNS; column++)
        count += bags[row][column].stable;
    return count;
}

static void claims(lab *l, bag (*bags)[COLUMNS])
{
    const char *fights = "Bending holds the bag's width where stretching would draw it in, and so holds its length up.";
    const char *explodes =
        "A projection moves along the tangent, at right angles to the faces, which lengthens edges by the square of "
        "the angle. Where tension takes out a hundredth in a substep, that adds up from projection to projection "
        "wherever angles cannot all be satisfied. So a projection takes out at most 0.005 rad (`change_limit`) here, "
        "as "
        "the "
        "reference engine of Kelager et al. 2010 clamped it; without a limit the bag of 1/100 explodes.";
    lab_claim_add(
        l,
        (lab_claim){"Bending by the dihedral angle does not influence stretching resistance: lengths with and without "
                    "it, down to 1/100.",
                    "Fig. 3 and section 5", NAN, dependence(bags, DIHEDRAL), "of the change by stretching", LAB_AT_MOST,
                    0.1, fights});
    lab_claim_add(l, (lab_claim){"Bags with dihedral bending are stable down to a stretching stiffness of 1/100.",
                                 "Fig. 3", COLUMNS, stable_count(bags, DIHEDRAL), "of four bags", LAB_AT_LEAST, COLUMNS,
                                 explodes});
    lab_claim_add(l, (lab_claim){"Bags with the arccos form as printed are, too.", "Fig. 3, section 4.1", COLUMNS,
                                 stable_count(bags, PRINTED), "of four bags", LAB_AT_LEAST, COLUMNS, explodes});
    lab_claim_add(l, (lab_claim){"Bags with isometric bending are.", "not in the paper", NAN,
                                 stable_count(bags, ISOMETRIC), "of four bags", LAB_AT_LEAST, COLUMNS, explodes});
    lab_claim_add(l, (lab_claim){"The stretching stiffness sets the length: from k = 1 to 1/100, without bending.",
                                 "Fig. 3", NAN, bags[NONE][COLUMNS - 1].length - bags[NONE][0].length, "of the length",
                                 LAB_AT_LEAST, 0.2, fights});
}

static void run(lab *l)
{
    bag bags[ROWS][COLUMNS];
    const pli_mesh *mesh = make_bag(l);
    lab_gallery_def view = {.name = "bag", .columns = COLUMNS, .toward = {0.0f, 0.2f, 0.98f}};
    if (!lab_ok(l))
        return;
    lab_gallery *gallery = lab_gallery_open(l, &view);
    for (int32_t row = 0; row < ROWS; row++)
        for (int32_t column = 0; column < COLUMNS; column++) {
            bags[row][column] = hang(l, mesh, &kinds[row], stretching[column], gallery);
            lab_progress(l, (row * COLUMNS + column + 1.0) / (ROWS * COLUMNS));
        }
    lab_gallery_close(gallery);
    if (!lab_ok(l))
        return;
    report(l, bags);
    claims(l, bags);
}

const lab_experiment lab_row_mueller_fig3 = {
    .name = "mueller-fig3",
    .title = "Bending and stretching are independent parameters",
    .source = "Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 3",
    .run = run,
};
