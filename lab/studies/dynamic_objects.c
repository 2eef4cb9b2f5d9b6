// Mueller et al. 2006, section 3.4: the correct response of two dynamic objects that collide.
//
// Two inflated balls meet in empty space, the second three times as heavy, head on and off the centre. A contact moves
// both sides by their inverse masses, so that momentum goes from one to the other and none is lost; and a ball, however
// elastic, cannot give more energy than it has. With restitution e between 0 and 1 of the whole collision, the ball that
// was hit leaves head on with (1 + e) m1 / (m1 + m2) of the other's speed, which bounds it from both sides.
#include "base/edge_intersections.h"
#include "base/lab_measures.h"
#include "base/lab_pictures.h"

#include <math.h>

enum { BALLS = 2, FRAMES = 90, FRAMES_QUICK = 60, LOOK = 10, PICTURES = 3, CASES = 2 };

static const float frame_time = 1.0f / 60.0f, radius = 0.25f, fast = 3.0f, heavier = 3.0f;
static const char *const names[CASES] = {"head on", "off the centre"};

typedef struct meeting {
    double linear, angular;   // Relative change of both, over that at the start; angular about the place of contact.
    double given;             // Speed of the second along the first's way, over the first's at the start.
    double energy;            // Kinetic at the end, over that at the start.
    int32_t crossings, looks; // Crossings of both balls.
    double momentum[FRAMES + 1][BALLS]; // Along x [kg m/s].
} meeting;

static double length(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static void start(lab *l, bool aside, lab_body balls[BALLS])
{
    lab_body_def def = {.mesh = lab_sphere(l, 3, radius), .settings = lab_settings(PLI_METHOD_XPBD, 20, 1)};
    def.thickness = 0.004f;
    def.friction = 0.3f;
    def.sets[0] = (lab_set){.type = "distance", .values = {{"compliance", 1e-4}}};
    def.sets[1] = (lab_set){.type = "dihedral", .values = {{"compliance", 1.0}}};
    def.sets[2] = (lab_set){.type = "volume", .values = {{"pressure", 1.05}, {"compliance", 1e-5}}};
    def.density = 0.3f;
    def.velocity = (pli_vec3){fast, 0.0f, 0.0f};
    def.pose = (pli_transform){{-0.5f, aside ? 0.25f : 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
    balls[0] = lab_body_make(l, &def);
    def.density = heavier * 0.3f;
    def.velocity = (pli_vec3){0};
    def.pose.position = (pli_vec3){0.25f, 0.0f, 0.0f};
    balls[1] = lab_ok(l) ? lab_body_add(l, balls[0].world, &def) : (lab_body){0};
}

static void meet(lab *l, bool aside, meeting *m, lab_gallery *gallery)
{
    int32_t mark = lab_mark(l), frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    const int32_t pictured[PICTURES] = {1, 8, 30};
    lab_body balls[BALLS];
    double linear[3] = {0}, angular[3] = {0}, energy = 0.0;
    start(l, aside, balls);
    for (int32_t frame = 0; frame <= frames && lab_ok(l); frame++) {
        lab_motion now[BALLS] = {lab_motion_of(&balls[0]), lab_motion_of(&balls[1])};
        for (int32_t k = 0; k < 3; k++) {
            double sign = frame == 0 ? 1.0 : frame == frames ? -1.0 : 0.0;
            linear[k] += sign * (now[0].momentum[k] + now[1].momentum[k]);
            angular[k] += sign * (now[0].angular[k] + now[1].angular[k]);
        }
        for (int32_t i = 0; i < BALLS; i++)
            m->momentum[frame][i] = now[i].momentum[0];
        energy = frame == 0 ? now[0].energy + now[1].energy : energy;
        m->energy = (now[0].energy + now[1].energy) / energy;
        m->given = now[1].momentum[0] / (now[1].mass * (double)fast);
        // The angular momentum has the scale of the first ball's passing at its own radius.
        m->linear = length(linear) / m->momentum[0][0];
        m->angular = length(angular) / (m->momentum[0][0] * (double)radius);
        if (frame % LOOK == 0) {
            m->crossings += lab_crossings_all(l, balls[0].world);
            m->looks++;
        }
        for (int32_t k = 0; k < PICTURES; k++)
            if (pictured[k] == frame)
                lab_gallery_add_world(gallery, lab_format(l, "%s, %.2f s", names[aside], frame / 60.0), balls[0].world);
        if (frame < frames)
            lab_step(l, balls[0].world, frame_time);
    }
    lab_release_to(l, mark);
}

static void report(lab *l, const meeting *m)
{
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    pli_text *csv = lab_file_add(l, "momentum.csv");
    pli_text_add(csv, "case,frame,first,second\n");
    lab_say(
        l,
        "Momentum is relative to the first ball's, angular momentum to that times the radius; its loss is of both "
        "balls together.\n\n| collision | lost of momentum | of angular momentum | the second's speed | kinetic energy "
        "left | crossings |\n| --- | --- | --- | --- | --- | --- |\n");
    for (int32_t k = 0; k < CASES; k++) {
        lab_say(l, "| %s | %.2g | %.2g | %.3f of the first's | %.3f | %d in %d |\n", names[k], m[k].linear,
                m[k].angular, m[k].given, m[k].energy, (int)m[k].crossings, (int)m[k].looks);
        for (int32_t frame = 0; frame <= frames; frame++)
            pli_text_add(csv, "%s,%d,%.6g,%.6g\n", names[k], (int)frame, m[k].momentum[frame][0],
                         m[k].momentum[frame][1]);
    }
    lab_say(l, "\n");
}

static void claims(lab *l, const meeting *m)
{
    const double share = 1.0 / (1.0 + (double)heavier);
    lab_claim_add(l, (lab_claim){"What one loses of momentum the other gains (worse of two).",
                                 "section 3.4: \"correct response for two dynamic colliding objects\"", 0.0,
                                 fmax(m[0].linear, m[1].linear), "of the first's", LAB_AT_MOST, 1e-4,
                                 "Rounding in float."});
    lab_claim_add(
        l,
        (lab_claim){
            "So it is with angular momentum (worse of two).", "section 3.3", 0.0, fmax(m[0].angular, m[1].angular),
            "of the first's times the radius", LAB_AT_MOST, 0.01,
            "Contacts are projected one by one, as constraints are (E20); between two objects nothing is given back."});
    lab_claim_add(l, (lab_claim){"Head on, the second takes as much as if both stuck together, or more.",
                                 "mechanics: e = 0", share, m[0].given, "of the first's speed", LAB_AT_LEAST,
                                 0.99 * share, "Contact lets them through each other."});
    lab_claim_add(l, (lab_claim){"And no more than elastic balls would.", "mechanics: e = 1", 2.0 * share, m[0].given,
                                 "of the first's speed", LAB_AT_MOST, 2.02 * share, "Contact drives them apart."});
    lab_claim_add(l, (lab_claim){"No energy comes out of the collision (worse of two).", "not said", 1.0,
                                 fmax(m[0].energy, m[1].energy), "of that before", LAB_AT_MOST, 1.0,
                                 "Pressure and contact work against each other."});
    lab_claim_add(l, (lab_claim){"Neither passes through the other, in the frames looked at.", "section 3.4", 0.0,
                                 m[0].crossings + m[1].crossings, "crossings", LAB_AT_MOST, 0.0,
                                 "The guarantee was given up somewhere: see the world's statistics."});
}

static void run(lab *l)
{
    meeting *m = lab_memory(l, CASES, sizeof *m);
    lab_gallery_def view = {.name = "balls",
                            .columns = PICTURES,
                            .toward = {0.0f, 0.15f, 1.0f},
                            .looks = {{.front = {0.7f, 0.3f, 0.05f}, .back = {0.4f, 0.2f, 0.1f}},
                                      {.front = {0.06f, 0.22f, 0.48f}, .back = {0.4f, 0.2f, 0.1f}}}};
    lab_gallery *gallery = lab_gallery_open(l, &view);
    for (int32_t k = 0; k < CASES; k++) {
        meet(l, k > 0, &m[k], gallery);
        lab_progress(l, (k + 1.0) / CASES);
    }
    lab_gallery_close(gallery);
    if (!lab_ok(l))
        return;
    report(l, m);
    claims(l, m);
}

const lab_experiment lab_row_dynamic_objects = {
    .name = "dynamic-objects",
    .title = "Two dynamic objects collide and exchange momentum",
    .source = "Mueller, Heidelberger, Hennix, Ratcliff 2006, section 3.4",
    .run = run,
};
