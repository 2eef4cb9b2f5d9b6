// Stick and slip: a patch of cloth on a table is drawn by a spring whose other end goes on steadily at v. It sticks until the spring pulls
// with mu m g, then slips as x = v t - (v / omega) sin (omega t) does, by up to 2 v, and sticks again. (Sano et al. 2017 have it with rods;
// this is the case with a closed form.)
#include "base/clamped_strip.h"
#include "base/plots.h"

#include <math.h>

enum { SIDE = 7, FRAMES = 240, COUNT = SIDE * SIDE };

#define WIDTH 0.3
#define FRICTION 0.3
#define GRAVITY 9.81
#define OMEGA 10.0 // Frequency of the patch on the spring [rad/s].
#define SPEED 0.05 // Speed of the spring's other end [m/s].

static void run(lab *l)
{
    double *times = lab_memory(l, 2 * FRAMES, sizeof *times), *places = times + FRAMES;
    double slip = NAN, fastest = 0.0, last = 0.0, lag = 0.0;
    lab_body_def def = {.mesh = lab_grid(l, SIDE, SIDE, (float)WIDTH, (float)WIDTH, PLI_GRID_ALTERNATING),
                        .settings = lab_settings(PLI_METHOD_XPBD, 10, 1),
                        .thickness = 0.005f,
                        .pose = {.position = {0.0f, 0.005f, 0.0f}},
                        .automatic = true};
    def.settings.gravity = (pli_vec3){0.0f, (float)-GRAVITY, 0.0f};
    lab_bend(&def, "isometric", 1e-5);
    lab_body body = lab_body_make(l, &def);
    if (!lab_ok(l))
        return;
    lab_ground(l, &body, (float)FRICTION);
    int32_t particles[COUNT];
    for (int32_t i = 0; i < COUNT; i++)
        particles[i] = i;
    const lab_motion start = lab_motion_of(&body);
    const double stiffness = start.mass * OMEGA * OMEGA, first = FRICTION * start.mass * GRAVITY / stiffness;
    pli_error error;
    pli_attachment spring;
    pli_attachment_def hold = pli_attachment_def_default();
    hold.deformable = body.deformable;
    hold.particles = particles;
    hold.particle_count = COUNT;
    hold.fixed = false;
    hold.compliance = COUNT / stiffness;
    lab_note(l, pli_attachment_create(body.world, &hold, &spring, &error), &error);
    for (int32_t frame = 0; frame < FRAMES && lab_ok(l); frame++) {
        const double time = (frame + 1) / 60.0;
        pli_transform pose = hold.pose;
        pose.position.x = (float)(SPEED * time);
        lab_note(l, pli_attachment_set_pose(body.world, spring, pose, &error), &error);
        lab_step(l, body.world, 1.0f / 60.0f);
        const lab_motion now = lab_motion_of(&body);
        times[frame] = time;
        places[frame] = now.centre[0] - start.centre[0];
        const double speed = (places[frame] - last) * 60.0;
        if (isnan(slip) && speed > 0.1 * SPEED)
            slip = time - 0.5 / 60.0; // The speed is that between two frames.
        fastest = fmax(fastest, now.momentum[0] / now.mass);
        last = places[frame];
        if (frame >= FRAMES / 2)
            lag += (SPEED * time - places[frame]) / (FRAMES - FRAMES / 2);
    }
    pli_text *csv = lab_file_add(l, "stick-slip.csv");
    pli_text_add(csv, "time,place\n");
    for (int32_t frame = 0; frame < FRAMES; frame++)
        pli_text_add(csv, "%.5g,%.5g\n", times[frame], places[frame]);
    // From mu m g / (k v) on its speed is v (1 - cos (omega t)).
    lab_row_near(l, "it sticks for mu m g / (k v), and then has a tenth of v after", first / SPEED + acos(0.9) / OMEGA,
                 slip, "s", 0.03, NULL);
    lab_row_near(l, "its largest speed is 2 v", 2.0 * SPEED, fastest, "m/s", 0.05, NULL);
    lab_row_near(l, "it lags behind the spring by mu m g / k on average", 1e3 * first, 1e3 * lag, "mm", 0.03, NULL);
    pli_plot plot = {.title = "A patch that is drawn by a spring", .x_label = "time [s]", .y_label = "way [m]"};
    pli_plot_add_curve(&plot, (pli_plot_curve){.name = "centre", .x = times, .y = places, .count = FRAMES});
    lab_plot_write(l, "way.svg", &plot);
}

const lab_experiment lab_check_stick_slip = {
    .name = "stick-slip",
    .title = "Cloth on a table that is drawn by a spring",
    .source = "Coulomb and a harmonic oscillator",
    .run = run,
};
