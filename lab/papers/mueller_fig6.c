// Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 6: a folded configuration at rest.
//
// The cloth of the paper stands on its short edge, in soft zigzags, and falls into folds on the ground. Counted are
// frames per second of the simulation, on one thread and without drawing (the paper's 30 are with it), and crossings. It
// collides with itself by particles, at the paper's speed, and by surfaces, where contact is exact and proved.
#include "scenes/paper_cloth.h"
#include "base/lab_pictures.h"

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

static lab_body_def make_cloth(lab *l, pli_self_contact way)
{
    lab_body_def def = lab_paper_cloth(l, way);
    if (!lab_ok(l))
        return def;
    float *positions = lab_memory(l, 3 * (size_t)pli_mesh_topology(def.mesh)->vertex_count, sizeof *positions);
    fold(def.mesh, positions);
    def.positions = positions;
    return def;
}

static void fall(lab *l, const lab_body_def *def, lab_watch *w, lab_gallery *gallery)
{
    static const int32_t pictured[PICTURES] = {0, 40, 90, FRAMES};
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    lab_body body = lab_body_make(l, def);
    lab_ground(l, &body, 0.5f);
    for (int32_t frame = 0; frame <= frames && lab_ok(l); frame++) {
        for (int32_t k = 0; k < PICTURES; k++)
            if (pictured[k] == frame)
                lab_gallery_add_world(gallery,
                                      lab_format(l, "by %s, %.1f s",
                                                 pli_choice_name("self_contact", (int32_t)def->self_contact),
                                                 frame / 60.0),
                                      body.world);
        if (frame == frames)
            break;
        double seconds = lab_step(l, body.world, frame_time);
        lab_watch_add(l, &body, seconds, frame % LOOK == 0 || frame + 1 == frames, w);
        lab_progress(l, (def->self_contact + (double)frame / frames) / LAB_CONTACT_WAYS);
    }
}

static void claims(lab *l, const lab_watch w[LAB_CONTACT_WAYS])
{
    const lab_watch *surfaces = &w[PLI_SELF_CONTACT_SURFACES], *particles = &w[PLI_SELF_CONTACT_PARTICLES];
    static const lab_watch_claims_def shared = {
        .rate_source = "30 fps on average, with rendering, in 2006",
        .rate_reason = "Twenty substeps cost more than the paper's one.",
        .holds = "Self-collision holds: no edge goes through a triangle in any frame looked at.",
        .holds_source = "Fig. 6: \"stable self collision and response\"",
        .most_cost = 40.0,
        .most_cost_word = "forty"};
    lab_watch_claims(l, w, &shared);
    if (lab_is_quick(l))
        return;
    lab_claim_add(l, (lab_claim){"It comes to rest, by particles.", "Fig. 6: \"rest state\"", 0.0, particles->speed,
                                 "m/s", LAB_AT_MOST, 0.01, "Folds slide on for longer than the run."});
    lab_claim_add(l, (lab_claim){"And by surfaces.", "Fig. 6: \"rest state\"", 0.0, surfaces->speed, "m/s", LAB_AT_MOST,
                                 0.01, "Folds slide on for longer than the run."});
}

static void run(lab *l)
{
    lab_watch w[LAB_CONTACT_WAYS];
    lab_body_def def = {0};
    lab_gallery_def view = {.name = "folds",
                            .columns = PICTURES,
                            .fit = LAB_FIT_EACH,
                            .looks = {{.front = {0.55f, 0.06f, 0.09f}, .back = {0.75f, 0.5f, 0.2f}}},
                            .ground = true};
    lab_gallery *gallery = lab_gallery_open(l, &view);
    for (int32_t k = 0; k < LAB_CONTACT_WAYS; k++) {
        w[k] = lab_watch_make(l, lab_long_or_quick(l, FRAMES, FRAMES_QUICK));
        def = make_cloth(l, (pli_self_contact)k);
        fall(l, &def, &w[k], gallery);
    }
    lab_gallery_close(gallery);
    if (!lab_ok(l))
        return;
    lab_watch_report(l, &def, w);
    claims(l, w);
}

const lab_experiment lab_row_mueller_fig6 = {
    .name = "mueller-fig6",
    .title = "A folded cloth at rest",
    .source = "Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 6",
    .run = run,
};
