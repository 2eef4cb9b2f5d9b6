// Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 9: the same cloth tumbles in a rotating barrel, by friction.
//
// The barrel is the shipped mesh, with ribs, turning about its axis. It carries the cloth up and drops it, with
// friction or without: how high the cloth is carried says what friction does.
#include "lab/lab_measures.h"
#include "scenes/paper_cloth.h"
#include "lab/lab_pictures.h"

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

static double centre_height(const lab_body *body)
{
    pli_view view = pli_deformable_positions(body->world, body->deformable);
    double sum = 0.0;
    for (int32_t i = 0; i < view.count; i++)
        sum += (double)pli_view_at(view, i)[1] / view.count;
    return sum;
}

static lab_body tumble(lab *l, float friction, lab_watch *w, double *highest, lab_gallery *gallery, double begin)
{
    static const int32_t pictured[PICTURES] = {1, 60, 150, FRAMES};
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    pli_error error;
    lab_body_def def = lab_paper_cloth(l);
    pli_collider_def barrel = pli_collider_def_default();
    barrel.shape = PLI_SHAPE_MESH;
    barrel.mesh = lab_mesh_file(l, "meshes/barrel.obj", 1.0f);
    barrel.friction = friction;
    barrel.pose.position.y = height;
    if (!lab_ok(l))
        return (lab_body){0};
    float *positions = lab_memory(l, 3 * (size_t)pli_mesh_topology(def.mesh)->vertex_count, sizeof *positions);
    roll(def.mesh, positions);
    def.positions = positions;
    lab_body body = lab_body_make(l, &def);
    pli_collider collider = lab_collider(l, &body, &barrel);
    for (int32_t frame = 1; frame <= frames && lab_ok(l); frame++) {
        double half = 0.5 * turn * frame / 60.0;
        pli_transform pose = {{0.0f, height, 0.0f}, {0.0f, 0.0f, (float)sin(half), (float)cos(half)}};
        lab_note(l, pli_collider_set_pose(body.world, collider, pose, &error), &error);
        lab_step(l, body.world, frame_time);
        lab_watch_add(l, &body, frame % LOOK == 0 || frame == frames, w);
        *highest = frame > frames / 3 && lab_ok(l) ? fmax(*highest, centre_height(&body)) : *highest;
        for (int32_t k = 0; k < PICTURES && gallery; k++)
            if (pictured[k] == frame)
                lab_gallery_add(gallery, lab_format(l, "%.1f s", frame / 60.0), def.mesh,
                                (lab_positions(&body, positions), positions));
        lab_progress(l, begin + 0.5 * frame / frames);
    }
    return body;
}

static void run(lab *l)
{
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    lab_watch rough = lab_watch_make(l, frames), smooth = lab_watch_make(l, frames);
    double carried = -INFINITY, slid = -INFINITY;
    lab_gallery_def view = {.name = "barrel", .columns = PICTURES, .toward = {0.0f, 0.2f, 0.98f}};
    lab_say(l,
            "The cloth of Fig. 6 in a barrel with ribs that turns once in six seconds; the barrel is not drawn.\n\n");
    lab_gallery *gallery = lab_gallery_open(l, &view);
    lab_body body = tumble(l, 0.6f, &rough, &carried, gallery, 0.0);
    lab_gallery_close(gallery);
    if (!lab_ok(l))
        return;
    lab_watch_report(l, &body, &rough);
    lab_claim_add(l,
                  (lab_claim){"No edge of the cloth goes through a triangle of it in any frame looked at.",
                              "Fig. 9: collision, self collision and friction", 0.0, rough.crossings, "crossings",
                              LAB_AT_MOST, 0.0, "The guarantee was given up somewhere: see the world's statistics."});
    lab_claim_add(l, (lab_claim){"It runs at interactive speed.",
                                 "not said for Fig. 9; 30 fps for the same cloth in Fig. 6", 30.0,
                                 lab_watch_rate(l, &rough), "fps, without rendering", LAB_AT_LEAST, 30.0,
                                 "Contacts are kept exactly, with twenty substeps and a proof of each way."});
    if (lab_is_quick(l))
        return;
    tumble(l, 0.0f, &smooth, &slid, NULL, 0.5);
    lab_claim_add(l, (lab_claim){"Friction carries the cloth: its centre comes higher than without.",
                                 "Fig. 9: \"the effect of friction\"", NAN, 1e3 * (carried - slid), "mm higher",
                                 LAB_AT_LEAST, 5.0, "The ribs carry it up in either case."});
}

const lab_experiment lab_row_mueller_fig9 = {
    .name = "mueller-fig9",
    .title = "A cloth tumbles in a rotating barrel",
    .source = "Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 9",
    .run = run,
};
