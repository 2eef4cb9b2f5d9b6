// Kelager, Niebe, Erleben 2010, section 3: triangle bending is "semi-independent of stretching which means that on
// average there is no noticeable difference in tension lengths"; dihedral bending is independent, sticks are not.
//
// The fabric hangs from two corners by tension of several stiffnesses. The mean of its tension lengths is compared with
// the same fabric without bending.
#include "scenes/fabric_scene.h"
#include "base/lab_measures.h"

#include <math.h>

enum { MODELS = 4, AMOUNTS = 4, FRAMES = 480, FRAMES_QUICK = 240 };

static const char *const models[MODELS] = {NULL, "triangle", "dihedral", "stick"};
static const char *const names[MODELS] = {"no bending", "triangle", "dihedral", "stick"};
static const double tensions[AMOUNTS] = {0.1, 0.3, 0.7, 1.0}; // Stiffness of tension: how far gravity stretches it.

// Mean length of the edges over their length at rest.
static double mean_length(const lab_body *body)
{
    const pli_topology *t = pli_mesh_topology(body->mesh);
    pli_view view = pli_deformable_positions(body->world, body->deformable);
    double sum = 0.0;
    for (int32_t e = 0; e < t->edge_count; e++) {
        const float *a = pli_view_at(view, t->edges[2 * e]), *b = pli_view_at(view, t->edges[2 * e + 1]);
        const float *p = t->positions + 3 * t->edges[2 * e], *q = t->positions + 3 * t->edges[2 * e + 1];
        double now = hypot(hypot((double)(a[0] - b[0]), (double)(a[1] - b[1])), (double)(a[2] - b[2]));
        double rest = hypot(hypot((double)(p[0] - q[0]), (double)(p[1] - q[1])), (double)(p[2] - q[2]));
        sum += now / rest / t->edge_count;
    }
    return sum;
}

static double hang(lab *l, const pli_mesh *fabric, int32_t model, double tension)
{
    int32_t mark = lab_mark(l), frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    lab_body_def def = lab_fabric_def(fabric, models[model] ? models[model] : "stick");
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    def.sets[0].values[0] = (pli_parameter_value){"stiffness", tension};
    if (!models[model])
        def.sets[1] = (lab_set){0};
    lab_body body = lab_body_make(l, &def);
    lab_hold(l, &body, 0);
    lab_hold(l, &body, FABRIC_SIDE - 1);
    for (int32_t frame = 0; frame < frames && lab_ok(l); frame++) {
        lab_step(l, body.world, 1.0f / 60.0f);
        lab_slow(l, &body, 0.95);
    }
    double length = lab_ok(l) ? mean_length(&body) : NAN;
    lab_release_to(l, mark);
    return length;
}

static void run(lab *l)
{
    const pli_mesh *fabric = lab_fabric(l);
    double found[MODELS][AMOUNTS], worst[MODELS] = {0};
    pli_text *csv = lab_file_add(l, "lengths.csv");
    pli_text_add(csv, "model,tension,mean_length\n");
    lab_say_paper(l, FABRIC_ITERATIONS);
    lab_say(l,
            "Mean tension length over that at rest of the fabric of %d x %d vertices that hangs from two corners, by "
            "the stiffness of tension; bending has stiffness 1, PBD, %d iterations.\n\n| bending | k = 0.1 | 0.3 | "
            "0.7 | 1 |\n| --- | --- | --- | --- | --- |\n",
            FABRIC_SIDE, FABRIC_SIDE, FABRIC_ITERATIONS);
    for (int32_t m = 0; m < MODELS && lab_ok(l); m++) {
        lab_say(l, "| %s ", names[m]);
        for (int32_t i = 0; i < AMOUNTS; i++) {
            found[m][i] = hang(l, fabric, m, tensions[i]);
            worst[m] = fmax(worst[m], 100.0 * fabs(found[m][i] / found[0][i] - 1.0));
            pli_text_add(csv, "%s,%g,%.6g\n", names[m], tensions[i], found[m][i]);
            lab_say(l, "| %.4f ", found[m][i]);
        }
        lab_say(l, "|\n");
        lab_progress(l, (m + 1.0) / MODELS);
    }
    lab_say(
        l,
        "\nLargest difference from the fabric without bending: triangle %.2f %%, dihedral %.2f %%, stick %.2f %%.\n\n",
        worst[1], worst[2], worst[3]);
    if (!lab_ok(l))
        return;
    const char *said = "no noticeable difference";
    lab_claim_add(l, (lab_claim){"Triangle bending leaves mean tension lengths alone, where tension is as stiff as the "
                                 "paper's.",
                                 said, NAN, 100.0 * fabs(found[1][AMOUNTS - 1] / found[0][AMOUNTS - 1] - 1.0), "%",
                                 LAB_AT_MOST, 1.0, "Tension has not converged."});
    lab_claim_add(l, (lab_claim){"It does so where tension gives way, too.", said, NAN, worst[1], "%", LAB_AT_MOST, 2.0,
                                 "Heights over centroids are lengths: they resist when the fabric is stretched "
                                 "unevenly."});
    lab_claim_add(l, (lab_claim){"Dihedral bending is independent of stretching.", "independent of stretching", NAN,
                                 worst[2], "%", LAB_AT_MOST, 0.1, "Its corrections move the ends of edges."});
    lab_claim_add(l, (lab_claim){"Sticks change lengths by more than triangles: their difference over the triangle's.",
                                 "compared to distance or stick constraints", NAN, worst[3] / worst[1], "times",
                                 LAB_AT_LEAST, 1.5, "Tension outweighs the sticks."});
}

const lab_experiment lab_row_kelager_independence = {
    .name = "kelager-independence",
    .title = "Bending that is semi-independent of stretching",
    .source = "Kelager, Niebe, Erleben 2010, section 3",
    .run = run,
};
