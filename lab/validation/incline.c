// A patch of cloth on a slope, tan a = .97, 1.2 and 2 times the friction: it stays, or slides with g (sin a - mu cos a).
#include "base/clamped_strip.h"

#include <math.h>

enum { SIDE = 7, SURFACES = 5, SURFACES_QUICK = 2, SLOPES = 3, STAYS = 600, SLIDES = 90, STAYS_QUICK = 60 };

#define FRICTION 0.3
#define GRAVITY 9.81

static const double slopes[SLOPES] = {0.97, 1.2, 2.0}; // tan a over the friction.
static const char slow[] =
    "Below 1 mm/s what slides on a shape is taken for what rests, and the drag of the start is too large.";

static const struct {
    const char *name;
    pli_shape shape;
    bool solved;    // The patch is a membrane that is solved, of cotton.
    int32_t misses; // The slope at which it misses, or -1, and why.
    const char *known;
} surfaces[SURFACES] = {{"plane", PLI_SHAPE_PLANE, false, -1, NULL},
                        {"box", PLI_SHAPE_BOX, false, -1, NULL},
                        {"mesh", PLI_SHAPE_MESH, false, -1, NULL},
                        {"plane under a solved membrane", PLI_SHAPE_PLANE, true, 1, slow},
                        {"mesh under a solved membrane", PLI_SHAPE_MESH, true, -1, NULL}};

static void add_slope(lab *l, const lab_body *body, int32_t surface)
{
    pli_collider_def def = pli_collider_def_default();
    def.friction = (float)FRICTION;
    def.shape = surfaces[surface].shape;
    if (def.shape == PLI_SHAPE_BOX) {
        def.half_extents = (pli_vec3){40.0f, 0.5f, 4.0f};
        def.pose.position.y = -0.5f;
    }
    if (def.shape == PLI_SHAPE_MESH)
        def.mesh = lab_grid(l, 201, 11, 20.0f, 1.0f, PLI_GRID_ALTERNATING);
    if (lab_ok(l))
        lab_collider(l, body, &def);
}

// How far and how fast the patch goes down the slope, which stays level while gravity is turned.
static double slide(lab *l, int32_t surface, double angle, int32_t frames, double *speed)
{
    const int32_t mark = lab_mark(l);
    const float thickness = 0.005f,
                across = surfaces[surface].shape == PLI_SHAPE_MESH
                             ? 0.5f
                             : 1.0f; // A mesh keeps half of it away, since it has none itself.
    lab_body_def def = {.mesh = lab_grid(l, SIDE, SIDE, 0.3f, 0.3f, PLI_GRID_ALTERNATING),
                        .settings = lab_settings(PLI_METHOD_XPBD, 10, 1),
                        .thickness = thickness,
                        .pose = {.position = {0.0f, across * thickness, 0.0f}},
                        .automatic = true};
    def.settings.gravity = (pli_vec3){(float)(GRAVITY * sin(angle)), (float)(-GRAVITY * cos(angle)), 0.0f};
    if (surfaces[surface].solved) {
        def.stretch = PLI_STRETCH_SOLVED;
        def.sets[0] = (lab_set){.type = "membrane", .values = {{"warp", 1e4}, {"weft", 1e4}}};
    } else {
        lab_bend(&def, "isometric", 1e-5);
    }
    lab_body body = lab_body_make(l, &def);
    add_slope(l, &body, surface);
    double start = 0.0;
    for (int32_t frame = 0; frame < frames && lab_ok(l); frame++) {
        lab_step(l, body.world, 1.0f / 60.0f);
        if (frame == 0) {
            const lab_motion motion = lab_motion_of(&body);
            start = motion.centre[0];
            *speed = motion.momentum[0] / motion.mass;
        }
    }
    const lab_motion end = lab_motion_of(&body);
    *speed = (end.momentum[0] / end.mass - *speed) / ((frames - 1) / 60.0);
    lab_release_to(l, mark);
    return end.centre[0] - start;
}

static void run(lab *l)
{
    pli_text *csv = lab_file_add(l, "incline.csv");
    pli_text_add(csv, "surface,slope,way,acceleration,exact\n");
    for (int32_t surface = 0; surface < lab_long_or_quick(l, SURFACES, SURFACES_QUICK) && lab_ok(l); surface++)
        for (int32_t i = 0; i < SLOPES && lab_ok(l); i++) {
            const double angle = atan(slopes[i] * FRICTION), exact = GRAVITY * (sin(angle) - FRICTION * cos(angle));
            double acceleration = 0.0;
            const int32_t frames = i == 0 ? lab_long_or_quick(l, STAYS, STAYS_QUICK) : SLIDES;
            const double way = slide(l, surface, angle, frames, &acceleration);
            pli_text_add(csv, "%s,%g,%.5g,%.5g,%.5g\n", surfaces[surface].name, slopes[i], way, acceleration,
                         fmax(0.0, exact));
            if (i == 0)
                lab_row_at_most(l, lab_format(l, "%s, tan a = %g mu, creep in 10 s", surfaces[surface].name, slopes[i]),
                                1e3 * fabs(way), "mm", 1.0,
                                surfaces[surface].misses == i ? surfaces[surface].known : NULL);
            else
                lab_row_near(l, lab_format(l, "%s, tan a = %g mu, acceleration", surfaces[surface].name, slopes[i]),
                             exact, acceleration, "m/s2", 0.03,
                             surfaces[surface].misses == i ? surfaces[surface].known : NULL);
            lab_progress(l, (surface * SLOPES + i + 1.0) / (SURFACES * SLOPES));
        }
}

const lab_experiment lab_check_incline = {
    .name = "incline",
    .title = "Cloth on a slope stays or slides",
    .source = "Coulomb: g (sin a - mu cos a)",
    .run = run,
};
