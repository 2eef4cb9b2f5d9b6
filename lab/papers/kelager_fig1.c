// Kelager, Niebe, Erleben 2010, Fig. 1: a plant stands by inequality triangle bending alone, and its bend recovers.
//
// The shipped scene plant.json: stem and leaves from the branching generator, fixed at the foot; a gust of wind between
// 1 and 2.5 s. Measured are the plant's height and how far its vertices are from where they were at the start.
#include "base/lab_measures.h"
#include "base/lab_pictures.h"
#include "base/plots.h"

#include <math.h>

enum { FRAMES = 600, FRAMES_QUICK = 420, LAST = 120, CALM = 60, GUST = 132, PICTURES = 4 };

typedef struct course {
    double height[FRAMES + 1], away[FRAMES + 1]; // Over that at rest; rms from the calm shape [m].
    double at_rest;                              // Height [m].
} course;

static double distance(const float *a, const float *b, int32_t count)
{
    double sum = 0.0;
    for (int32_t i = 0; i < 3 * count; i++) {
        double d = (double)a[i] - (double)b[i];
        sum += d * d / count;
    }
    return sqrt(sum);
}

static void grow(lab *l, const char *model, bool with_bending, course *c, double begin, lab_gallery *gallery)
{
    static const int32_t pictured[PICTURES] = {0, CALM, GUST, FRAMES};
    int32_t mark = lab_mark(l), frames = lab_long_or_quick(l, FRAMES, with_bending ? FRAMES_QUICK : CALM);
    const char *settings[] = {"settings.damping=1.2", "deformables.plant.constraints.triangle.stiffness=0"};
    lab_scene s = lab_scene_open(l, "plant.json", settings, with_bending ? 1 : 2);
    lab_body body = lab_body_of(l, s.world, 0);
    float *positions = lab_memory(l, 3 * (size_t)body.count, sizeof *positions);
    float *calm = lab_memory(l, 3 * (size_t)body.count, sizeof *calm);
    for (int32_t frame = 0; frame <= frames && lab_ok(l); frame++) {
        const float *rest = pli_mesh_topology(body.mesh)->positions;
        lab_positions(&body, positions);
        c->at_rest = lab_extent(rest, body.count, 1);
        c->height[frame] = lab_extent(positions, body.count, 1) / c->at_rest;
        if (frame <= CALM)
            lab_positions(&body, calm);
        c->away[frame] = distance(positions, frame <= CALM ? rest : calm, body.count);
        for (int32_t k = 0; k < PICTURES; k++)
            if (pictured[k] == frame)
                lab_gallery_add_scene(gallery, lab_format(l, "%s, %.1f s", model, frame / 60.0), &s);
        if (frame % 8 == 0)
            lab_progress(l, begin + 0.5 * frame / frames);
        lab_scene_step(l, &s, frame);
    }
    lab_release_to(l, mark);
}

static void report(lab *l, course *bending, course *bare)
{
    static double time[FRAMES + 1];
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    pli_plot height = {.title = "Height of the plant over that at rest", .x_label = "time [s]", .y_label = "height"};
    pli_plot away = {.title = "Distance from the shape before the gust", .x_label = "time [s]", .y_label = "rms [m]"};
    pli_text *csv = lab_file_add(l, "plant.csv");
    pli_text_add(csv, "time,height,away,height_without_bending\n");
    for (int32_t frame = 0; frame <= frames; frame++) {
        time[frame] = frame / 60.0;
        pli_text_add(csv, "%.4f,%.6g,%.6g,%.6g\n", time[frame], bending->height[frame], bending->away[frame],
                     bare->height[frame]);
    }
    pli_plot_add_curve(
        &height, (pli_plot_curve){.name = "triangle bending", .x = time, .y = bending->height, .count = frames + 1});
    pli_plot_add_curve(&height,
                       (pli_plot_curve){.name = "edges alone", .x = time, .y = bare->height, .count = frames + 1});
    pli_plot_add_curve(&away, (pli_plot_curve){.name = "triangle bending",
                                               .x = &time[CALM + 1],
                                               .y = &bending->away[CALM + 1],
                                               .count = frames - CALM});
    lab_plot_write(l, "height.svg", &height);
    lab_plot_write(l, "away.svg", &away);
    double pushed = 0.0, left = lab_mean(&bending->away[frames - LAST + 1], LAST);
    for (int32_t frame = CALM + 1; frame <= frames; frame++)
        pushed = fmax(pushed, bending->away[frame]);
    const char *why = "Small damping lets it swing on for long.";
    lab_claim_add(l, (lab_claim){"The plant stands by inequality triangle bending alone.", "Fig. 1", NAN,
                                 bending->height[CALM], "of its height after a second", LAB_AT_LEAST, 0.95, why});
    lab_claim_add(l, (lab_claim){"Without it, edges alone let it fall.", "not in the paper", NAN, bare->height[CALM],
                                 "of its height after a second", LAB_AT_MOST, 0.3, why});
    lab_claim_add(l, (lab_claim){"The wind bends it, by a tenth of its height at least.", "Fig. 1: frames of the movie",
                                 NAN, pushed / bending->at_rest, "of its height, rms", LAB_AT_LEAST, 0.1,
                                 "The wind of the scene is weak for this stem."});
    lab_claim_add(l, (lab_claim){"The bend recovers after the push.", "Fig. 1: frames of the movie", NAN, left / pushed,
                                 "of the bend left, over the last two seconds", LAB_AT_MOST, 0.3, why});
}

static void run(lab *l)
{
    course *courses = lab_memory(l, 2, sizeof *courses);
    lab_gallery_def view = {.name = "plant", .columns = PICTURES};
    lab_gallery *gallery = lab_gallery_open(l, &view);
    grow(l, "triangle bending", true, &courses[0], 0.0, gallery);
    grow(l, "edges alone", false, &courses[1], 0.5, gallery);
    lab_gallery_close(gallery);
    if (lab_ok(l))
        report(l, &courses[0], &courses[1]);
}

const lab_experiment lab_row_kelager_fig1 = {
    .name = "kelager-fig1",
    .title = "A plant stands by triangle bending alone, and its bend recovers",
    .source = "Kelager, Niebe, Erleben 2010, Fig. 1",
    .run = run,
};
