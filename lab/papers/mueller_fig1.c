// Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 1: an inflated character is squeezed through turning gears.
//
// Spot, inflated, falls between two gears that turn against each other: capsules round an axis, closer to each other
// than the character is wide. It must come out below, in one piece: not stuck, not torn through itself, not blown up.
#include "base/edge_intersections.h"
#include "base/lab_measures.h"
#include "base/lab_pictures.h"
#include "base/plots.h"
#include "scenes/inflated_character.h"

#include <math.h>

enum { TEETH = 8, GEARS = 2, FRAMES = 200, FRAMES_QUICK = 10, LOOK = 30, PICTURES = 5 };

static const float frame_time = 1.0f / 60.0f, tooth = 0.05f, ring = 0.28f, hub = 0.14f, apart = 0.78f;
static const double turning = 2.4; // [rad/s]

typedef struct gear {
    pli_collider teeth[TEETH];
    double side; // -1 or 1.
} gear;

// The capsule's axis along z, at an angle about the gear's.
static pli_transform tooth_pose(double side, int32_t index, double time)
{
    double angle = side * turning * time + 6.283185307179586 * (index + (side > 0.0 ? 0.5 : 0.0)) / TEETH;
    pli_vec3 at = {(float)(side * 0.5 * (double)apart + (double)ring * cos(angle)), (float)((double)ring * sin(angle)),
                   0.0f};
    return (pli_transform){at, {0.70710678f, 0.0f, 0.0f, 0.70710678f}};
}

static gear make_gear(lab *l, const lab_body *body, double side)
{
    gear g = {.side = side};
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_CAPSULE;
    def.half_height = 0.6f;
    def.friction = 0.7f;
    def.radius = hub;
    def.pose = tooth_pose(side, 0, 0.0);
    def.pose.position = (pli_vec3){(float)side * 0.5f * apart, 0.0f, 0.0f};
    lab_collider(l, body, &def);
    def.radius = tooth;
    for (int32_t i = 0; i < TEETH; i++) {
        def.pose = tooth_pose(side, i, 0.0);
        g.teeth[i] = lab_collider(l, body, &def);
    }
    return g;
}

// Walls that keep the character over the gears, and a ground below. The walls would hide it, so no picture has them.
static void make_hopper(lab *l, const lab_body *body, lab_gallery *gallery)
{
    pli_collider_def def = pli_collider_def_default();
    def.shape = PLI_SHAPE_BOX;
    def.friction = 0.1f;
    for (int32_t side = -1; side <= 1; side += 2) {
        def.half_extents = (pli_vec3){0.05f, 0.6f, 0.7f};
        def.pose.position = (pli_vec3){(float)side * 0.45f, 1.0f, 0.0f};
        lab_gallery_hide(gallery, lab_collider(l, body, &def));
        def.half_extents = (pli_vec3){0.8f, 1.2f, 0.05f};
        def.pose.position = (pli_vec3){0.0f, 0.4f, (float)side * 0.65f};
        lab_gallery_hide(gallery, lab_collider(l, body, &def));
    }
    def.half_extents = (pli_vec3){2.0f, 0.1f, 2.0f};
    def.pose.position = (pli_vec3){0.0f, -1.4f, 0.0f};
    lab_gallery_hide(gallery, lab_collider(l, body, &def));
}

static void turn(lab *l, const lab_body *body, const gear *g, double time)
{
    pli_error error;
    for (int32_t i = 0; i < TEETH && lab_ok(l); i++)
        lab_note(l, pli_collider_set_pose(body->world, g->teeth[i], tooth_pose(g->side, i, time), &error), &error);
}

typedef struct passage {
    float *before;           // Positions in the frame before.
    int32_t between, beside; // Vertices that went down past the axes, between them or elsewhere.
    double top, bottom;      // Heights [m].
    double least_volume, most_volume, stretch;
    int32_t crossings, looks;
} passage;

static void watch(lab *l, const lab_body *body, float *positions, bool look, passage *p)
{
    if (!lab_ok(l))
        return;
    const float *rest = pli_mesh_topology(body->mesh)->positions;
    lab_positions(body, positions);
    for (int32_t i = 0; i < body->count; i++) {
        int32_t past = (p->before[3 * i + 1] > 0.0f && positions[3 * i + 1] <= 0.0f) -
                       (p->before[3 * i + 1] <= 0.0f && positions[3 * i + 1] > 0.0f);
        *(fabsf(positions[3 * i]) < 0.5f * apart ? &p->between : &p->beside) += past;
    }
    lab_positions(body, p->before);
    p->top = -INFINITY, p->bottom = INFINITY;
    for (int32_t i = 0; i < body->count; i++) {
        p->top = fmax(p->top, (double)positions[3 * i + 1]);
        p->bottom = fmin(p->bottom, (double)positions[3 * i + 1]);
    }
    double volume = lab_volume(body->mesh, positions) / lab_volume(body->mesh, rest);
    p->least_volume = fmin(p->least_volume, volume);
    p->most_volume = fmax(p->most_volume, volume);
    p->stretch = fmax(p->stretch, lab_statistics(l, body).stretch_max);
    if (look) {
        int32_t found = lab_crossings(l, body->world, body->deformable);
        p->crossings = found > p->crossings ? found : p->crossings;
        p->looks++;
    }
}

static lab_body make_character(lab *l)
{
    lab_body_def def = lab_inflated_character(l, 0.55f, 1.1);
    def.pose.position.y = 0.72f;
    return lab_body_make(l, &def);
}

static void claims(lab *l, const passage *p, bool stable)
{
    lab_claim_add(l, (lab_claim){"The character does not blow up.",
                                 "Fig. 1: \"remains stable even in extreme situations\"", 1.0, stable ? 1.0 : 0.0,
                                 "(1 is stable)", LAB_AT_LEAST, 1.0, "It did, in the frame where the run ends."});
    if (!lab_is_quick(l))
        lab_claim_add(l,
                      (lab_claim){"It is squeezed through and not stuck: at the end its top is below the gears' axes.",
                                  "Fig. 1", NAN, p->top, "m above the axes", LAB_AT_MOST, 0.0,
                                  "It is held by a tooth, or slips on them."});
    if (!lab_is_quick(l))
        lab_claim_add(l, (lab_claim){"All of it goes between the gears.", "Fig. 1", NAN,
                                     (double)p->between / fmax(1.0, p->between + p->beside), "of what went down",
                                     LAB_AT_LEAST, 0.99, "Some of it slips past the outside of a gear."});
    lab_claim_add(
        l,
        (lab_claim){"Multiple constraints, collisions and self-collisions hold: edges through triangles in the frames "
                    "looked at.",
                    "Fig. 1 and section 5", 0.0, p->crossings, "crossings", LAB_AT_MOST, 0.0,
                    "Teeth that meet leave it no room: what is pressed together from both sides by things that "
                    "cannot give way, the guarantee gives up and counts."});
}

static void run(lab *l)
{
    static const int32_t pictured[PICTURES] = {1, 40, 80, 120, FRAMES};
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK), done = 0;
    lab_body body = make_character(l);
    passage p = {.least_volume = INFINITY};
    bool stable = true;
    if (!lab_ok(l))
        return;
    gear gears[GEARS] = {make_gear(l, &body, -1.0), make_gear(l, &body, 1.0)};
    float *positions = lab_memory(l, 3 * (size_t)body.count, sizeof *positions);
    p.before = lab_memory(l, 3 * (size_t)body.count, sizeof *p.before);
    lab_positions(&body, p.before);
    pli_text *csv = lab_file_add(l, "passage.csv");
    pli_text_add(csv, "frame,ms,top,bottom\n");
    lab_gallery_def view = {.name = "gears",
                            .columns = PICTURES,
                            .toward = {-0.25f, 0.2f, -0.98f},
                            .surroundings = true,
                            .looks = {{.front = {0.62f, 0.52f, 0.4f}, .back = {0.5f, 0.2f, 0.2f}}},
                            .ground = true,
                            .ground_height = -1.3f};
    lab_gallery *gallery = lab_gallery_open(l, &view);
    make_hopper(l, &body, gallery);
    for (int32_t frame = 1; frame <= frames && lab_ok(l) && stable; frame++) {
        for (int32_t k = 0; k < GEARS; k++)
            turn(l, &body, &gears[k], frame / 60.0);
        stable = lab_try_step(l, body.world, frame_time);
        watch(l, &body, positions, frame % LOOK == 0 || frame == frames, &p);
        pli_text_add(csv, "%d,%.4f,%.6g,%.6g\n", (int)frame, 1e3 * lab_statistics(l, &body).step_seconds, p.top,
                     p.bottom);
        for (int32_t k = 0; k < PICTURES; k++)
            if (pictured[k] == frame)
                lab_gallery_add_world(gallery, lab_format(l, "%.1f s", frame / 60.0), body.world);
        lab_progress(l, (double)frame / frames);
        done = frame;
    }
    lab_gallery_close(gallery);
    if (!lab_ok(l))
        return;
    lab_say(
        l,
        "The gears' teeth leave %.0f mm between them; the character is %.0f mm wide. Over %d frames its volume was "
        "between "
        "%.2f and %.2f of that at rest, the largest stretch of an edge %.2f, crossings in %d frames looked at: %d.\n\n",
        1e3 * (double)(apart - 2.0f * (ring + tooth)), 1e3 * 0.55 * 0.943, (int)done, p.least_volume, p.most_volume,
        p.stretch, (int)p.looks, (int)p.crossings);
    claims(l, &p, stable);
}

const lab_experiment lab_row_mueller_fig1 = {
    .name = "mueller-fig1",
    .title = "An inflated character squeezed through turning gears",
    .source = "Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 1",
    .run = run,
};
