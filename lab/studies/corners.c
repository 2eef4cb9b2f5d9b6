// Mueller et al. 2006, section 4.2: corners of rigid bodies against the triangles of cloth.
//
// "Testing only cloth vertices for collisions is not enough because small rigid bodies can fall through large cloth
// triangles." A cube of 0.1 m falls, corner first, on a sheet of 1 m whose cells are 0.25 m wide, held at its border, into
// the middle of a triangle. The cube is a rigid body that cloth and gravity move both: the sheet must catch it, and push it
// up with its weight in the end. The same cube as an analytic collider, moved through the sheet by its pose, takes it along: it is
// narrower than the triangles are long, so that they meet it as a surface and not by their vertices alone.
#include "base/edge_intersections.h"
#include "base/lab_measures.h"
#include "base/lab_pictures.h"

#include <pliant/rigid.h>

#include <math.h>

enum { SIDE = 5, FRAMES = 240, FRAMES_QUICK = 60, LOOK = 10, PICTURES = 4 };

static const float frame_time = 1.0f / 60.0f, half = 0.05f, mass = 0.15f;
static const double gravity = 9.81, settled = 0.5; // [m/s2]; the share of the run after which the impulses are counted.

typedef struct catch
{
    double height[FRAMES + 1]; // The cube's centre [m].
    double carried;            // Mean force on the cube in the last part of the run, over its weight.
    double speed;              // At the end [m/s].
    int32_t crossings, looks;
}
catch;

// The cube stands on a corner: turned by the angle between its diagonal and the vertical, about an edge of its base.
static pli_transform cube_pose(double height)
{
    const double tilt = 0.5 * acos(1.0 / sqrt(3.0)), s = sin(tilt) * 0.70710678;
    return (pli_transform){{0.1f, (float)height, 0.075f}, {(float)s, 0.0f, (float)-s, (float)cos(tilt)}};
}

static lab_body make_sheet(lab *l)
{
    lab_body_def def = {.mesh = lab_grid(l, SIDE, SIDE, 1.0f, 1.0f, PLI_GRID_ALTERNATING),
                        .settings = lab_settings(PLI_METHOD_XPBD, 20, 1)};
    def.settings.gravity = (pli_vec3){0.0f, (float)-gravity, 0.0f};
    def.settings.damping = 6.3f;
    def.density = 0.3f;
    def.thickness = 0.005f;
    def.friction = 0.5f;
    def.sets[0] = (lab_set){.type = "distance", .values = {{"compliance", 1e-4}}};
    def.sets[1] = (lab_set){.type = "isometric", .values = {{"rigidity", 1e-4}}};
    lab_body sheet = lab_body_make(l, &def);
    for (int32_t i = 0; i < SIDE * SIDE && lab_ok(l); i++)
        if (i / SIDE == 0 || i / SIDE == SIDE - 1 || i % SIDE == 0 || i % SIDE == SIDE - 1)
            lab_hold(l, &sheet, i);
    return sheet;
}

static pli_rigid_body make_cube(lab *l, const lab_body *sheet)
{
    pli_rigid_body cube = {0};
    pli_error error;
    pli_rigid_body_def def = pli_rigid_body_def_default();
    pli_collider_def shape = pli_collider_def_default();
    float inertia = mass * 4.0f * half * half / 6.0f;
    def.state.pose = cube_pose(0.3);
    def.inverse_mass = 1.0f / mass;
    for (int32_t k = 0; k < 6; k++)
        def.inverse_inertia[k] = k < 3 ? 1.0f / inertia : 0.0f;
    if (lab_ok(l))
        lab_note(l, pli_rigid_body_create(sheet->world, &def, &cube, &error), &error);
    shape.shape = PLI_SHAPE_BOX;
    shape.half_extents = (pli_vec3){half, half, half};
    shape.friction = 0.5f;
    shape.body = cube;
    lab_collider(l, sheet, &shape);
    return cube;
}

// One frame of the host's part: the cube's gravity, which the step adds, and nothing else. Returns the cloth's impulse.
static double step(lab *l, const lab_body *sheet, pli_rigid_body cube)
{
    pli_rigid_state state;
    pli_rigid_change change = {0};
    pli_error error;
    if (!lab_ok(l))
        return 0.0;
    lab_note(l, pli_rigid_body_get_state(sheet->world, cube, &state, &error), &error);
    state.acceleration = (pli_vec3){0.0f, (float)-gravity, 0.0f};
    lab_note(l, pli_rigid_body_set_state(sheet->world, cube, &state, false, &error), &error);
    lab_step(l, sheet->world, frame_time);
    if (lab_ok(l))
        lab_note(l, pli_rigid_body_take_change(sheet->world, cube, &change, &error), &error);
    return (double)change.impulse.y;
}

static void drop(lab *l, catch *c, lab_gallery *gallery)
{
    static const int32_t pictured[PICTURES] = {0, 18, 40, FRAMES};
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    lab_body sheet = make_sheet(l);
    pli_rigid_body cube = make_cube(l, &sheet);
    double impulse = 0.0;
    for (int32_t frame = 0; frame <= frames && lab_ok(l); frame++) {
        pli_rigid_state state;
        pli_error error;
        lab_note(l, pli_rigid_body_get_state(sheet.world, cube, &state, &error), &error);
        c->height[frame] = (double)state.pose.position.y;
        c->speed = hypot(hypot((double)state.velocity.x, (double)state.velocity.y), (double)state.velocity.z);
        if (frame % LOOK == 0) {
            int32_t found = lab_crossings_all(l, sheet.world);
            c->crossings = found > c->crossings ? found : c->crossings;
            c->looks++;
        }
        for (int32_t k = 0; k < PICTURES; k++)
            if (pictured[k] == frame)
                lab_gallery_add_world(gallery, lab_format(l, "%.1f s", frame / 60.0), sheet.world);
        if (frame == frames)
            break;
        double got = step(l, &sheet, cube);
        impulse += frame >= settled * frames ? got : 0.0;
        lab_progress(l, 0.8 * frame / frames);
    }
    c->carried = impulse / ((double)mass * gravity * (1.0 - settled) * frames / 60.0);
}

// How far an analytic box that goes 0.25 m below the sheet takes it along [m].
static double take_along(lab *l)
{
    const int32_t frames = 30;
    lab_body sheet = make_sheet(l), still = make_sheet(l);
    pli_collider_def def = pli_collider_def_default();
    pli_error error;
    double most = 0.0;
    def.shape = PLI_SHAPE_BOX;
    def.half_extents = (pli_vec3){half, half, half};
    def.pose = cube_pose(0.15);
    pli_collider box = lab_collider(l, &sheet, &def);
    for (int32_t frame = 1; frame <= frames && lab_ok(l); frame++) {
        lab_note(l, pli_collider_set_pose(sheet.world, box, cube_pose(0.15 - 0.4 * frame / frames), &error), &error);
        lab_step(l, sheet.world, frame_time);
        lab_step(l, still.world, frame_time);
        for (int32_t i = 0; i < sheet.count && lab_ok(l); i++) {
            const float *p = pli_view_at(pli_deformable_positions(sheet.world, sheet.deformable), i);
            const float *q = pli_view_at(pli_deformable_positions(still.world, still.deformable), i);
            most = fmax(most, fabs((double)(p[1] - q[1])));
        }
    }
    return most;
}

static void run(lab *l)
{
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    catch *c = lab_memory(l, 1, sizeof *c);
    lab_gallery_def view = {.name = "cube",
                            .columns = PICTURES,
                            .toward = {0.3f, 0.25f, 1.0f},
                            .looks = {{.front = {0.55f, 0.06f, 0.09f}, .back = {0.75f, 0.5f, 0.2f}}},
                            .wireframe = true};
    lab_gallery *gallery = lab_gallery_open(l, &view);
    drop(l, c, gallery);
    lab_gallery_close(gallery);
    double moved = take_along(l);
    if (!lab_ok(l))
        return;
    pli_text *csv = lab_file_add(l, "height.csv");
    pli_text_add(csv, "frame,height\n");
    for (int32_t i = 0; i <= frames; i++)
        pli_text_add(csv, "%d,%.6g\n", (int)i, c->height[i]);
    lab_say(l,
            "A cube of %.2f m and %.2f kg on a sheet with cells of 0.25 m: it ends at a height of %.3f m, carried by "
            "%.3f of "
            "its weight. As an analytic shape that goes 0.25 m below the sheet it takes it along by %.2f m.\n\n",
            2.0 * (double)half, (double)mass, c->height[frames], c->carried, moved);
    lab_claim_add(
        l, (lab_claim){"The sheet catches the cube: its corners go through no triangle, in the frames looked at.",
                       "section 4.2: \"convex corners ... against the cloth triangles are also tested\"", 0.0,
                       c->crossings, "crossings", LAB_AT_MOST, 0.0,
                       "The guarantee was given up somewhere: see the world's statistics."});
    lab_claim_add(l, (lab_claim){"It hangs in the sheet: its height.", "section 4.2", NAN, c->height[frames], "m",
                                 LAB_AT_LEAST, -0.3, "The sheet stretches under it, or lets it through."});
    lab_claim_add(l, (lab_claim){"An analytic cube does not fall through either: how far it takes the sheet along.",
                                 "section 4.2: \"small rigid bodies can fall through large cloth triangles\"", 0.25,
                                 moved, "m", LAB_AT_LEAST, 0.1, "The vertices of the cloth alone are tested."});
    if (lab_is_quick(l))
        return;
    lab_claim_add(l,
                  (lab_claim){"The interaction is two-way: the cloth carries the cube's weight, over the second half.",
                              "section 4.2: an impulse m dp / dt for each projection", 1.0, c->carried, "of its weight",
                              LAB_NEAR, 0.02, "It still swings, or impulses are lost."});
    lab_claim_add(
        l, (lab_claim){"It comes to rest.", "not said", 0.0, c->speed, "m/s", LAB_AT_MOST, 0.05, "It still swings."});
}

const lab_experiment lab_row_corners = {
    .name = "corners",
    .title = "Corners of a rigid body against the triangles of a cloth",
    .source = "Mueller, Heidelberger, Hennix, Ratcliff 2006, section 4.2",
    .run = run,
};
