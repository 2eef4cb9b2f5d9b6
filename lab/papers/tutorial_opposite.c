// Cincotti, The Most Performant Bending Constraint | XPBD: bending by the distance between opposite vertices.
//
// First the tutorial's two triangles: the neighbours of their edges (findTriNeighbors) and the quartet of each pair of
// faces (getTriPairIds). Then its claim, that the isometric model is expensive and this one "performant": the same
// sheet over a ball with each model, time of a frame over that with edges alone; and the slider of compliance on a
// sheet that is held by one edge.
#include "base/lab_measures.h"
#include "base/lab_pictures.h"

#include <math.h>
#include <pliant/mesh.h>

enum {
    MODELS = 4,
    SETTINGS = 4,
    SIDE = 41,
    SIDE_QUICK = 21,
    FRAMES = 180,
    FRAMES_QUICK = 40,
    TIMED = 40,
    ROUNDS = 5,
    FLAP = 12
};

static const char *const models[MODELS] = {"opposite_distance", "isometric", "dihedral", "triangle"};
static const double compliances[SETTINGS] = {0.0, 1e-3, 0.1, 10.0}; // The tutorial's slider, in logarithmic steps.

/* ---- the arrays --------------------------------------------------------------------------------- */

static int32_t count_differences(const int32_t *a, const int32_t *b, int32_t count)
{
    int32_t differences = 0;
    for (int32_t i = 0; i < count; i++)
        differences += a[i] != b[i];
    return differences;
}

// Two triangles that share the third edge of each, as in the tutorial's array.
static void check_arrays(lab *l)
{
    static const int32_t triangles[6] = {0, 1, 2, 2, 3, 0}, expected[6] = {-1, -1, 5, -1, -1, 2};
    static const int32_t quartet[4] = {2, 0, 1, 3};
    int32_t neighbours[6] = {0}, pairs[8] = {0};
    pli_error error;
    lab_note(l, pli_find_triangle_neighbors(triangles, 2, 4, neighbours, &error), &error);
    int32_t count = pli_triangle_pairs(triangles, 2, neighbours, pairs, 2);
    lab_say(l,
            "## The arrays\n\nTriangles 0 1 2 and 2 3 0. Edge e of triangle t has number 3 t + e. findTriNeighbors: "
            "[%d, %d, %d, %d, %d, %d]. getTriPairIds: %d pair of triangles, [%d, %d, %d, %d].\n\n",
            (int)neighbours[0], (int)neighbours[1], (int)neighbours[2], (int)neighbours[3], (int)neighbours[4],
            (int)neighbours[5], (int)count, (int)pairs[0], (int)pairs[1], (int)pairs[2], (int)pairs[3]);
    lab_claim_add(l, (lab_claim){"findTriNeighbors gives the tutorial's array: numbers that differ.",
                                 "[-1, -1, 5, -1, -1, 2]", 0.0, count_differences(neighbours, expected, 6), "numbers",
                                 LAB_AT_MOST, 0.0, NULL});
    lab_claim_add(l,
                  (lab_claim){"getTriPairIds lists the pair once, shared edge first: numbers that differ.",
                              "the three vertices of one face, then the fourth from the adjacent one", NAN,
                              (count != 1) + count_differences(pairs, quartet, 4), "numbers", LAB_AT_MOST, 0.0, NULL});
}

/* ---- the drape ---------------------------------------------------------------------------------- */

static lab_body_def sheet_def(lab *l, const char *model, double compliance)
{
    int32_t side = lab_long_or_quick(l, SIDE, SIDE_QUICK);
    lab_body_def def = {.mesh = lab_grid(l, side, side, 1.0f, 1.0f, PLI_GRID_ALTERNATING),
                        .settings = lab_settings(PLI_METHOD_XPBD, 15, 1),
                        .friction = 0.4f};
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    def.settings.damping = 1.2f;
    def.sets[0] = (lab_set){.type = "distance"};
    if (model)
        def.sets[1] = (lab_set){.type = model, .values = {{"compliance", compliance}}};
    return def;
}

// Sets up the sheet over a ball and the ground.
static lab_body over_ball(lab *l, const char *model)
{
    lab_body_def def = sheet_def(l, model, 0.01);
    def.pose = (pli_transform){.position = {0.0f, 0.62f, 0.0f}, .rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    lab_body body = lab_body_make(l, &def);
    pli_collider_def ball = pli_collider_def_default();
    ball.shape = PLI_SHAPE_SPHERE;
    ball.radius = 0.3f;
    ball.pose.position = (pli_vec3){0.0f, 0.3f, 0.0f};
    ball.friction = 0.4f;
    lab_collider(l, &body, &ball);
    lab_ground(l, &body, 0.4f);
    return body;
}

// Returns the least time of a frame [ms] of the last third of the run.
static double show_drape(lab *l, const char *model, lab_gallery *gallery)
{
    double least = INFINITY;
    int32_t mark = lab_mark(l), frames = lab_long_or_quick(l, FRAMES, 1);
    lab_body body = over_ball(l, model);
    for (int32_t frame = 0; frame < frames && lab_ok(l); frame++) {
        double seconds = lab_step(l, body.world, 1.0f / 60.0f);
        least = 3 * frame >= 2 * frames ? fmin(least, seconds) : least;
    }
    if (lab_ok(l))
        lab_gallery_add_world(gallery, model, body.world);
    lab_release_to(l, mark);
    return 1e3 * least;
}

// Least time of a frame [ms] of the sheet hanging from its first row, without contact, whose cost would differ by drape.
static double time_of_frame(lab *l, const char *model)
{
    int32_t mark = lab_mark(l), side = lab_long_or_quick(l, SIDE, SIDE_QUICK);
    lab_body_def def = sheet_def(l, model, 0.01);
    lab_body body = lab_body_make(l, &def);
    for (int32_t i = 0; i < side; i++)
        lab_hold(l, &body, i);
    double least = INFINITY;
    for (int32_t frame = 0; frame < TIMED && lab_ok(l); frame++)
        least = fmin(least, lab_step(l, body.world, 1.0f / 60.0f));
    lab_release_to(l, mark);
    return 1e3 * least;
}

/* ---- the slider --------------------------------------------------------------------------------- */

// How far the free edge of a sheet held by its first row hangs after coming to rest [m].
static double droop(lab *l, const char *model, double compliance)
{
    int32_t mark = lab_mark(l), frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    lab_body_def def = sheet_def(l, model, compliance);
    def.mesh = lab_grid(l, FLAP, FLAP, 0.3f, 0.3f, PLI_GRID_ALTERNATING);
    lab_body body = lab_body_make(l, &def);
    for (int32_t i = 0; i < 2 * FLAP; i++)
        lab_hold(l, &body, i);
    for (int32_t frame = 0; frame < frames && lab_ok(l); frame++) {
        lab_step(l, body.world, 1.0f / 60.0f);
        lab_slow(l, &body, 0.9);
    }
    float positions[3 * FLAP * FLAP];
    lab_positions(&body, positions);
    double sum = 0.0;
    for (int32_t i = FLAP * (FLAP - 1); i < FLAP * FLAP; i++)
        sum -= (double)positions[3 * i + 1] / FLAP;
    lab_release_to(l, mark);
    return sum;
}

static void compare_times(lab *l)
{
    double edges = INFINITY, times[MODELS];
    for (int32_t m = 0; m < MODELS; m++)
        times[m] = INFINITY;
    // Interleaved, and the least of several, so that another program's load falls on all alike.
    for (int32_t round = 0; round < ROUNDS && lab_ok(l); round++) {
        edges = fmin(edges, time_of_frame(l, NULL));
        for (int32_t m = 0; m < MODELS; m++)
            times[m] = fmin(times[m], time_of_frame(l, models[m]));
        lab_progress(l, 0.4 * (round + 1) / ROUNDS);
    }
    pli_text *csv = lab_file_add(l, "times.csv");
    pli_text_add(csv, "model,milliseconds\nedges,%.6g\n", edges);
    lab_say(l,
            "## Time\n\nA sheet hangs from one row: %d vertices, 15 substeps, XPBD, one thread, processor time of a "
            "frame; the bending is "
            "what the model adds to its edges.\n\n| model | frame | bending |\n| --- | --- | --- |\n| edges "
            "alone | %.3f ms | |\n",
            (int)(lab_long_or_quick(l, SIDE, SIDE_QUICK) * lab_long_or_quick(l, SIDE, SIDE_QUICK)), edges);
    for (int32_t m = 0; m < MODELS; m++) {
        pli_text_add(csv, "%s,%.6g\n", models[m], times[m]);
        lab_say(l, "| %s | %.3f ms | %.3f ms |\n", models[m], times[m], times[m] - edges);
    }
    lab_say(l, "\n");
    lab_claim_add(l, (lab_claim){"It is more performant than the isometric model: isometric bending over it, in time.",
                                 "\"performant\", where isometric bending is \"expensive\"", NAN,
                                 (times[1] - edges) / (times[0] - edges), "times", LAB_AT_LEAST, 1.3,
                                 "Both go through the same index lists; what differs is the arithmetic."});
    lab_claim_add(l,
                  (lab_claim){"A whole frame with it costs less than one with the isometric model.", "\"performant\"",
                              NAN, times[1] / times[0], "times", LAB_AT_LEAST, 1.03, "Edges take most of the frame."});
}

static void show(lab *l)
{
    lab_gallery_def view = {.name = "drape", .columns = 2, .fit = LAB_FIT_RUN, .surroundings = true, .ground = true};
    lab_gallery *gallery = lab_gallery_open(l, &view);
    lab_say(l, "## The drape\n\nOver a ball, compliance 0.01, at rest.\n\n");
    double times[MODELS];
    for (int32_t m = 0; m < MODELS; m++)
        times[m] = show_drape(l, models[m], gallery);
    lab_gallery_close(gallery);
    lab_say(l,
            "A frame on the ball takes %.2f ms with the opposite distance and %.2f ms with the isometric model: there "
            "contact takes most of it, and how the sheet happens to lie decides how much. So the claims on time are of "
            "a sheet without contact, above.\n\n",
            times[0], times[1]);
}

static void slide(lab *l)
{
    double found[MODELS][SETTINGS];
    pli_text *csv = lab_file_add(l, "droop.csv");
    lab_say(l,
            "## The slider\n\nDroop of the free edge of a sheet of 0.3 m, held by one edge, in mm, by the compliance "
            "that the tutorial's slider sets.\n\n| model | 0 | 0.001 | 0.1 | 10 |\n| --- | --- | --- | --- | --- |\n");
    pli_text_add(csv, "model,compliance,droop\n");
    for (int32_t m = 0; m < MODELS && lab_ok(l); m++) {
        lab_say(l, "| %s ", models[m]);
        for (int32_t i = 0; i < SETTINGS; i++) {
            found[m][i] = droop(l, models[m], compliances[i]);
            lab_say(l, "| %.1f ", 1e3 * found[m][i]);
            pli_text_add(csv, "%s,%g,%.6g\n", models[m], compliances[i], found[m][i]);
        }
        lab_say(l, "|\n");
        lab_progress(l, 0.8 + 0.2 * (m + 1) / MODELS);
    }
    lab_say(l, "\n");
    if (!lab_ok(l))
        return;
    lab_claim_add(
        l, (lab_claim){
               "Compliance makes it softer: droop at 10 over droop at 0.", "the slider of compliance", NAN,
               found[0][SETTINGS - 1] / found[0][0], "times", LAB_AT_LEAST, 1.5,
               "Rigid or not, it resists small angles little: the distance changes with the square of the angle."});
    lab_claim_add(l,
                  (lab_claim){"Rigid, it holds a sheet less than the isometric model does, being weak near flat: its "
                              "droop over that.",
                              "not in the tutorial", NAN, found[0][0] / found[1][0], "times", LAB_AT_LEAST, 1.1,
                              "On a mesh this coarse it is as stiff."});
}

static void run(lab *l)
{
    check_arrays(l);
    compare_times(l);
    show(l);
    slide(l);
}

const lab_experiment lab_row_tutorial_opposite = {
    .name = "tutorial-opposite",
    .title = "The tutorial: bending by the distance between opposite vertices",
    .source = "Cincotti, The Most Performant Bending Constraint | XPBD",
    .run = run,
};
