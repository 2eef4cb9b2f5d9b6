// Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 6: a folded configuration at rest.
//
// The cloth of the paper stands on its short edge, in soft zigzags, and falls into folds on the ground. Counted are
// frames per second of the simulation, on one thread and without drawing (the paper's 30 are with it), and crossings.
#include "scenes/paper_cloth.h"
#include "lab/lab_pictures.h"

#include <math.h>

enum { FRAMES = 480, FRAMES_QUICK = 14, LOOK = 20, PICTURES = 4 };

static const float frame_time = 1.0f / 60.0f;

static void fold(const pli_mesh *mesh, float *positions)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    for (int32_t i = 0; i < t->vertex_count; i++) {
        float x = t->positions[3 * i], z = t->positions[3 * i + 2] + 1.015f;
        // A wave along the height, whose slope keeps the length of the cloth.
        double wave = 2.0 * 3.14159265358979 * (double)z / 0.5, slope = 0.5;
        positions[3 * i] = x + 0.01f * z;
        positions[3 * i + 1] = 0.05f + z * (float)sqrt(1.0 - 0.5 * slope * slope);
        positions[3 * i + 2] = (float)(slope * 0.5 / (2.0 * 3.14159265358979) * sin(wave));
    }
}

static void run(lab *l)
{
    static const int32_t pictured[PICTURES] = {0, 40, 90, FRAMES};
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    lab_body_def def = lab_paper_cloth(l);
    lab_watch w = lab_watch_make(l, frames);
    if (!lab_ok(l))
        return;
    float *positions = lab_memory(l, 3 * (size_t)pli_mesh_topology(def.mesh)->vertex_count, sizeof *positions);
    fold(def.mesh, positions);
    def.positions = positions;
    lab_body body = lab_body_make(l, &def);
    lab_ground(l, &body, 0.5f);
    lab_gallery_def view = {.name = "folds", .columns = PICTURES, .fit = LAB_FIT_EACH, .ground = true};
    lab_gallery *gallery = lab_gallery_open(l, &view);
    for (int32_t frame = 0; frame <= frames && lab_ok(l); frame++) {
        for (int32_t k = 0; k < PICTURES; k++)
            if (pictured[k] == frame)
                lab_gallery_add_world(gallery, lab_format(l, "%.1f s", frame / 60.0), body.world);
        if (frame == frames)
            break;
        lab_step(l, body.world, frame_time);
        lab_watch_add(l, &body, frame % LOOK == 0 || frame + 1 == frames, &w);
        lab_progress(l, (double)frame / frames);
    }
    lab_gallery_close(gallery);
    if (!lab_ok(l))
        return;
    lab_watch_report(l, &body, &w);
    lab_claim_add(
        l, (lab_claim){"It runs at interactive speed.", "30 fps on average, with rendering, in 2006", 30.0,
                       lab_watch_rate(l, &w), "fps, without rendering", LAB_AT_LEAST, 30.0,
                       "Contacts are kept exactly, with twenty substeps and a proof of each way; the paper tests "
                       "vertices against triangles once a frame."});
    lab_claim_add(l,
                  (lab_claim){"Self-collision holds: no edge goes through a triangle in any frame looked at.",
                              "Fig. 6: \"stable self collision and response\"", 0.0, w.crossings, "crossings",
                              LAB_AT_MOST, 0.0, "The guarantee was given up somewhere: see the world's statistics."});
    if (!lab_is_quick(l))
        lab_claim_add(l, (lab_claim){"It comes to rest.", "Fig. 6: \"rest state\"", 0.0, w.speed, "m/s", LAB_AT_MOST,
                                     0.01, "Folds slide on for longer than the run."});
}

const lab_experiment lab_row_mueller_fig6 = {
    .name = "mueller-fig6",
    .title = "A folded cloth at rest",
    .source = "Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 6",
    .run = run,
};
