// Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 9: the same cloth tumbles in a rotating barrel, by friction.
//
// The barrel is the shipped mesh, with ribs, turning about its axis. Ribs carry the cloth up with friction or without, so
// that a drum without ribs says what friction does: it carries a thing up to the slope on which it slides, atan mu.
#include "base/lab_measures.h"
#include "scenes/paper_cloth.h"
#include "base/lab_pictures.h"

#include <math.h>

enum { FRAMES = 220, FRAMES_QUICK = 5, LOOK = 20, PICTURES = 4 };

static const float frame_time = 1.0f / 60.0f, height = 0.72f;
static const double turn = 1.05; // [rad/s]

// Rolled up loosely, to fit in.
static void roll(const pli_mesh *mesh, float *positions)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    for (int32_t i = 0; i < t->vertex_count; i++) {
        double s = (double)t->positions[3 * i + 2] + 1.015, angle = 0.0, radius = 0.0, done = 0.0;
        // An Archimedean spiral, walked along its length.
        for (radius = 0.06; done < s; radius += 0.006 * 0.08) {
            done += radius * 0.08;
            angle += 0.08;
        }
        positions[3 * i] = (float)(radius * cos(angle));
        positions[3 * i + 1] = height + (float)(radius * sin(angle));
        positions[3 * i + 2] = 0.8f * t->positions[3 * i];
    }
}

// Angle of the cloth's centre about the barrel's axis, from straight below it and in the sense of the turn [degrees].
static double centre_angle(const lab_body *body)
{
    pli_view view = pli_deformable_positions(body->world, body->deformable);
    double x = 0.0, y = 0.0;
    for (int32_t i = 0; i < view.count; i++) {
        x += (double)pli_view_at(view, i)[0];
        y += (double)pli_view_at(view, i)[1] - (double)height;
    }
    return atan2(x, -y) * 57.29577951308232;
}

// The barrel as it collides, from both sides of its thin wall, and as it is drawn: from within, so that the cloth is seen.
typedef struct barrel {
    pli_collider wall, inside;
} barrel;

static barrel make_barrel(lab *l, const lab_body *body, lab_gallery *gallery)
{
    barrel b = {{0}, {0}};
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_MESH;
    def.mesh = lab_mesh_file(l, "meshes/barrel.obj", 1.0f);
    def.friction = 0.6f;
    def.pose.position.y = height;
    b.wall = lab_collider(l, body, &def);
    def.mesh = lab_mesh_file(l, "meshes/barrel-inside.obj", 1.0f);
    def.mask = 0;
    b.inside = lab_collider(l, body, &def);
    lab_gallery_hide(gallery, b.wall);
    return b;
}

// The drum's axis lies along z, where the tube's is along y.
static pli_transform drum_pose(int32_t frame)
{
    double half = 0.5 * turn * frame / 60.0, r = sqrt(0.5);
    float s = (float)(r * sin(half)), c = (float)(r * cos(half));
    return (pli_transform){{0.0f, height, 0.0f}, {c, s, s, c}};
}

static void turn_barrel(lab *l, const lab_body *body, const barrel *b, int32_t frame)
{
    pli_error error;
    double half = 0.5 * turn * frame / 60.0;
    pli_transform pose = {{0.0f, height, 0.0f}, {0.0f, 0.0f, (float)sin(half), (float)cos(half)}};
    lab_note(l, pli_collider_set_pose(body->world, b->wall, pose, &error), &error);
    lab_note(l, pli_collider_set_pose(body->world, b->inside, pose, &error), &error);
}

static void tumble(lab *l, const lab_body_def *def, lab_watch *w, lab_gallery *gallery, double begin)
{
    static const int32_t pictured[PICTURES] = {1, 60, 150, FRAMES};
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    lab_body body = lab_body_make(l, def);
    barrel b = make_barrel(l, &body, gallery);
    for (int32_t frame = 1; frame <= frames && lab_ok(l); frame++) {
        turn_barrel(l, &body, &b, frame);
        double seconds = lab_step(l, body.world, frame_time);
        lab_watch_add(l, &body, seconds, frame % LOOK == 0 || frame == frames, w);
        for (int32_t k = 0; k < PICTURES; k++)
            if (pictured[k] == frame)
                lab_gallery_add_world(gallery,
                                      lab_format(l, "by %s, %.1f s",
                                                 pli_choice_name("self_contact", (int32_t)def->self_contact),
                                                 frame / 60.0),
                                      body.world);
        lab_progress(l, begin + 0.35 * frame / frames);
    }
}

// Mean angle that the cloth's centre keeps in the last two thirds of the run, in a drum of the barrel's size without ribs.
static double lean(lab *l, const lab_body_def *def, float friction)
{
    int32_t mark = lab_mark(l);
    pli_mesh *mesh = NULL;
    pli_error error;
    lab_note(l, pli_mesh_create_tube(36, 2, 0.6f, 1.4f, false, PLI_GRID_QUADS, &mesh, &error), &error);
    pli_collider_def drum = pli_collider_def_default();
    drum.shape = PLI_SHAPE_MESH;
    drum.mesh = lab_mesh_keep(l, mesh);
    drum.friction = friction;
    drum.pose = drum_pose(0);
    lab_body body = lab_body_make(l, def);
    pli_collider collider = lab_collider(l, &body, &drum);
    double sum = 0.0;
    for (int32_t frame = 1; frame <= FRAMES && lab_ok(l); frame++) {
        lab_note(l, pli_collider_set_pose(body.world, collider, drum_pose(frame), &error), &error);
        lab_step(l, body.world, frame_time);
        sum += frame > FRAMES / 3 && lab_ok(l) ? centre_angle(&body) : 0.0;
    }
    lab_release_to(l, mark);
    return sum / (FRAMES - FRAMES / 3);
}

static lab_body_def make_cloth(lab *l, pli_self_contact way)
{
    lab_body_def def = lab_paper_cloth(l, way);
    if (!lab_ok(l))
        return def;
    float *positions = lab_memory(l, 3 * (size_t)pli_mesh_topology(def.mesh)->vertex_count, sizeof *positions);
    roll(def.mesh, positions);
    def.positions = positions;
    return def;
}

static const lab_watch_claims_def shared_claims = {
    .rate_source = "not said for Fig. 9; 30 fps for the same cloth in Fig. 6",
    .rate_reason = "Twenty substeps cost more than the paper's one, and the barrel's wall is a mesh.",
    .holds = "No edge of the cloth goes through a triangle of it in any frame looked at.",
    .holds_source = "Fig. 9: collision, self collision and friction",
    .most_cost = 20.0,
    .most_cost_word = "twenty"};

static void run(lab *l)
{
    lab_watch w[LAB_CONTACT_WAYS];
    lab_body_def def = {0};
    lab_gallery_def view = {.name = "barrel",
                            .columns = PICTURES,
                            .toward = {0.11f, 0.1f, 1.0f},
                            .surroundings = true,
                            .looks = {{.front = {0.06f, 0.22f, 0.48f}, .back = {0.75f, 0.5f, 0.2f}}},
                            .colliders = {{0.5f, 0.36f, 0.22f}, {0.5f, 0.36f, 0.22f}, true}};
    lab_say(l, "The cloth of Fig. 6 in a barrel with ribs that turns once in six seconds.\n\n");
    lab_gallery *gallery = lab_gallery_open(l, &view);
    for (int32_t k = 0; k < LAB_CONTACT_WAYS; k++) {
        w[k] = lab_watch_make(l, FRAMES);
        def = make_cloth(l, (pli_self_contact)k);
        tumble(l, &def, &w[k], gallery, 0.35 * k);
    }
    lab_gallery_close(gallery);
    if (!lab_ok(l))
        return;
    lab_watch_report(l, &def, w);
    lab_watch_claims(l, w, &shared_claims);
    if (lab_is_quick(l))
        return;
    static const float frictions[3] = {0.0f, 0.3f, 0.6f};
    double angles[3];
    for (int32_t k = 0; k < 3; k++)
        angles[k] = lean(l, &def, frictions[k]);
    lab_say(
        l,
        "In a drum of this size without ribs, turning as fast, the centre of the cloth keeps an angle to straight "
        "below "
        "the axis, in the mean of the last two thirds of the run: %.1f degrees with friction 0, %.1f with 0.3, %.1f "
        "with 0.6.\n\n",
        angles[0], angles[1], angles[2]);
    lab_claim_add(l, (lab_claim){"Without friction a smooth drum does not carry the cloth: its angle.",
                                 "Fig. 9: \"the effect of friction\"", 0.0, fabs(angles[0]), "degrees", LAB_AT_MOST,
                                 3.0, "It swings on for longer than the run."});
    for (int32_t k = 1; k < 3; k++)
        lab_claim_add(
            l, (lab_claim){lab_format(l, "With friction %.1f it carries it up to where it slides, at atan mu.",
                                      (double)frictions[k]),
                           "Fig. 9: \"the effect of friction\"", atan((double)frictions[k]) * 57.29577951308232,
                           angles[k], "degrees", LAB_NEAR, 0.25, "The roll of cloth turns with the drum in part."});
}

const lab_experiment lab_row_mueller_fig9 = {
    .name = "mueller-fig9",
    .title = "A cloth tumbles in a rotating barrel",
    .source = "Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 9",
    .run = run,
};
