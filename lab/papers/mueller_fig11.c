// Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 11: three inflated characters collide with each other.
//
// Three cows under pressure: two are thrown at each other over the ground, the third falls on both. They collide with each
// other, with themselves and with the ground, and must come out as they went in: whole, at their volume, apart.
#include "base/edge_intersections.h"
#include "base/lab_measures.h"
#include "base/lab_pictures.h"
#include "scenes/inflated_character.h"

#include <math.h>

enum { CHARACTERS = 3, FRAMES = 240, FRAMES_QUICK = 4, LOOK = 24, PICTURES = 4 };

static const float frame_time = 1.0f / 60.0f, thrown = 2.5f;
static const double pressure = 1.15;

typedef struct brawl {
    lab_body bodies[CHARACTERS];
    double rest_volume;
    double seconds[FRAMES], speeds[FRAMES];
    double least_volume, most_volume; // Extremes of all characters, over k_pressure V0.
    double exchanged;                 // Most momentum along x that the first gave away, over what it had.
    double speed;                     // Root mean square at the end [m/s].
    int32_t crossings, looks, contacts;
} brawl;

static void make(lab *l, brawl *b)
{
    // Side by side, facing each other; the third lies on its side above.
    static const pli_transform poses[CHARACTERS] = {{{-0.75f, 0.42f, 0.0f}, {0.0f, -0.70710678f, 0.0f, 0.70710678f}},
                                                    {{0.75f, 0.42f, 0.1f}, {0.0f, 0.70710678f, 0.0f, 0.70710678f}},
                                                    {{0.05f, 1.5f, 0.05f}, {0.35f, 0.2f, 0.15f, 0.9027735f}}};
    lab_body_def def = lab_inflated_character(l, 0.5f, pressure);
    if (!lab_ok(l))
        return;
    b->rest_volume = lab_volume(def.mesh, pli_mesh_topology(def.mesh)->positions);
    for (int32_t k = 0; k < CHARACTERS; k++) {
        def.pose = poses[k];
        def.velocity = (pli_vec3){k == 0 ? thrown : k == 1 ? -thrown : 0.0f, 0.0f, 0.0f};
        b->bodies[k] = k == 0 ? lab_body_make(l, &def) : lab_body_add(l, b->bodies[0].world, &def);
    }
    lab_ground(l, &b->bodies[0], 0.4f);
}

static void look(lab *l, brawl *b, int32_t frame, bool count)
{
    double sum = 0.0, mass = 0.0;
    if (!lab_ok(l))
        return;
    int32_t mark = lab_mark(l);
    float *positions = lab_memory(l, 3 * (size_t)b->bodies[0].count, sizeof *positions);
    for (int32_t k = 0; k < CHARACTERS; k++) {
        lab_motion m = lab_motion_of(&b->bodies[k]);
        lab_positions(&b->bodies[k], positions);
        double volume = lab_volume(b->bodies[k].mesh, positions) / (pressure * b->rest_volume);
        // They are blown up in the first half second.
        b->least_volume = frame > 30 ? fmin(b->least_volume, volume) : b->least_volume;
        b->most_volume = fmax(b->most_volume, volume);
        if (k == 0)
            b->exchanged = fmax(b->exchanged, 1.0 - m.momentum[0] / (m.mass * (double)thrown));
        sum += 2.0 * m.energy;
        mass += m.mass;
    }
    lab_release_to(l, mark);
    b->speed = b->speeds[frame - 1] = sqrt(sum / mass);
    pli_statistics s = lab_statistics(l, &b->bodies[0]);
    b->contacts = s.surface_contact_count > b->contacts ? s.surface_contact_count : b->contacts;
    if (count) {
        int32_t found = lab_crossings_all(l, b->bodies[0].world);
        b->crossings = found > b->crossings ? found : b->crossings;
        b->looks++;
    }
}

static void report(lab *l, brawl *b, int32_t frames)
{
    pli_text *csv = lab_file_add(l, "frames.csv");
    pli_text_add(csv, "frame,ms,speed\n");
    for (int32_t i = 0; i < frames; i++)
        pli_text_add(csv, "%d,%.4f,%.6g\n", (int)i + 1, 1e3 * b->seconds[i], b->speeds[i]);
    lab_say(l,
            "Three characters of %d vertices, 12 substeps, one thread: %.1f ms a frame of processor time (median of "
            "%d), up "
            "to %d contacts between surfaces. Volumes between %.3f and %.3f of k_pressure V0; crossings in %d frames "
            "looked "
            "at: %d; speed at the end %.2g m/s (root mean square).\n\n",
            (int)b->bodies[0].count, 1e3 * lab_median(b->seconds, frames), (int)frames, (int)b->contacts,
            b->least_volume, b->most_volume, (int)b->looks, (int)b->crossings, b->speed);
    lab_claim_add(l,
                  (lab_claim){"Collisions and self-collisions hold: edges through triangles of any character, in the "
                              "frames looked at.",
                              "Fig. 11: \"multiple collisions and self collisions\"", 0.0, b->crossings, "crossings",
                              LAB_AT_MOST, 0.0, "The guarantee was given up somewhere: see the world's statistics."});
    lab_claim_add(l, (lab_claim){"None blows up: the largest volume of any, over k_pressure V0.", "Fig. 11", 1.0,
                                 b->most_volume, "of k_pressure V0", LAB_AT_MOST, 1.05, "One did."});
    if (lab_is_quick(l))
        return;
    lab_claim_add(l, (lab_claim){"None is crushed: the least volume, once they are blown up.", "Fig. 11", 1.0,
                                 b->least_volume, "of k_pressure V0", LAB_AT_LEAST, 0.85, "The third falls hard."});
    lab_claim_add(l, (lab_claim){"They collide: the first gives its momentum to the others.", "Fig. 11", NAN,
                                 b->exchanged, "of its momentum", LAB_AT_LEAST, 1.0, "They miss each other."});
    lab_claim_add(l, (lab_claim){"They lose their motion on the ground and on each other: a tenth is left of the speed "
                                 "that they were thrown with, or less.",
                                 "not said", 0.0, b->speed / (double)thrown, "of that speed", LAB_AT_MOST, 0.1,
                                 "They roll on, or something drives them."});
}

static void run(lab *l)
{
    static const int32_t pictured[PICTURES] = {1, 18, 45, FRAMES};
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    brawl *b = lab_memory(l, 1, sizeof *b);
    b->least_volume = 1.0;
    lab_gallery_def view = {.name = "brawl",
                            .columns = PICTURES,
                            .toward = {0.25f, 0.3f, 1.0f},
                            .looks = {{.front = {0.55f, 0.06f, 0.09f}, .back = {0.4f, 0.2f, 0.1f}},
                                      {.front = {0.06f, 0.22f, 0.48f}, .back = {0.4f, 0.2f, 0.1f}},
                                      {.front = {0.08f, 0.36f, 0.2f}, .back = {0.4f, 0.2f, 0.1f}}},
                            .ground = true};
    lab_gallery *gallery = lab_gallery_open(l, &view);
    make(l, b);
    for (int32_t frame = 1; frame <= frames && lab_ok(l); frame++) {
        b->seconds[frame - 1] = lab_step(l, b->bodies[0].world, frame_time);
        look(l, b, frame, frame % LOOK == 0 || frame == frames);
        for (int32_t k = 0; k < PICTURES; k++)
            if (pictured[k] == frame)
                lab_gallery_add_world(gallery, lab_format(l, "%.1f s", frame / 60.0), b->bodies[0].world);
        lab_progress(l, (double)frame / frames);
    }
    lab_gallery_close(gallery);
    if (lab_ok(l))
        report(l, b, frames);
}

const lab_experiment lab_row_mueller_fig11 = {
    .name = "mueller-fig11",
    .title = "Three inflated characters collide",
    .source = "Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 11",
    .run = run,
};
