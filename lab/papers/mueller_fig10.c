// Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 10: a cloth is torn open by an attached cube, and ripped apart by
// a thrown ball.
//
// The cloth of the paper, 4264 vertices and 8262 triangles: a grid of 52 x 82. It hangs by its upper corners' edge; a
// cube is tied to a patch in its middle and drawn down, then a ball is thrown through it. Edges beyond the threshold of
// stretch split a vertex (section 5). What falls off lies on the ground then.
#include "base/lab_measures.h"
#include "base/lab_pictures.h"
#include "base/plots.h"

#include <math.h>

enum { COLUMNS = 52, ROWS = 82, FRAMES = 240, FRAMES_QUICK = 40, THROWN = 110, PICTURES = 4, PATCH = 4 };

static const float frame_time = 1.0f / 60.0f, cube = 0.06f, ball = 0.12f;

typedef struct fabric {
    lab_body body;
    pli_attachment pulled;
    pli_collider cube, ball;
    pli_vec3 patch; // Start position of the cube.
} fabric;

static double free_mass(const lab_body *body)
{
    int32_t stride;
    pli_view view = pli_deformable_positions(body->world, body->deformable);
    const float *masses = pli_deformable_inverse_masses(body->world, body->deformable, &stride);
    double sum = 0.0;
    for (int32_t i = 0; i < view.count; i++) {
        double w = (double)*(const float *)(const void *)((const char *)(const void *)masses + (ptrdiff_t)i * stride);
        sum += w > 0.0 ? 1.0 / w : 0.0;
    }
    return sum;
}

static pli_transform at(pli_vec3 position) { return (pli_transform){position, {0.0f, 0.0f, 0.0f, 1.0f}}; }

static fabric hang(lab *l)
{
    fabric f = {0};
    pli_error error;
    int32_t held[COLUMNS], patch[PATCH * PATCH], count = 0;
    // Turned up out of the plane of the grid.
    lab_body_def def = {.mesh = lab_grid(l, COLUMNS, ROWS, 1.02f, 1.62f, PLI_GRID_ALTERNATING),
                        .settings = lab_settings(PLI_METHOD_XPBD, 10, 2),
                        .pose = {{0.0f, 1.0f, 0.0f}, {0.70710678f, 0.0f, 0.0f, 0.70710678f}}};
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    def.settings.damping = 0.6f;
    def.tearing = 1.35f;
    def.sets[0] = (lab_set){.type = "distance", .values = {{"compliance", 1e-6}}};
    def.sets[1] = (lab_set){.type = "isometric", .values = {{"rigidity", 1e-5}}};
    f.body = lab_body_make(l, &def);
    for (int32_t i = 0; i < COLUMNS; i++)
        held[i] = i;
    for (int32_t i = 0; i < PATCH * PATCH; i++)
        patch[count++] = (ROWS / 2 + i / PATCH) * COLUMNS + COLUMNS / 2 - PATCH / 2 + i % PATCH;
    if (!lab_ok(l))
        return f;
    pli_attachment upper;
    pli_attachment_def attachment = pli_attachment_def_default();
    attachment.deformable = f.body.deformable;
    attachment.particles = held;
    attachment.particle_count = COLUMNS;
    lab_note(l, pli_attachment_create(f.body.world, &attachment, &upper, &error), &error);
    const float *middle = pli_view_at(pli_deformable_positions(f.body.world, f.body.deformable),
                                      patch[PATCH * PATCH / 2]);
    f.patch = (pli_vec3){middle[0], middle[1], middle[2]};
    attachment.particles = patch;
    attachment.particle_count = count;
    attachment.pose = at(f.patch);
    lab_note(l, pli_attachment_create(f.body.world, &attachment, &f.pulled, &error), &error);
    pli_collider_def shape = pli_collider_def_default();
    shape.shape = PLI_SHAPE_BOX;
    shape.half_extents = (pli_vec3){cube, cube, 0.5f * cube};
    shape.pose = at((pli_vec3){f.patch.x, f.patch.y, f.patch.z - 0.6f * cube});
    f.cube = lab_collider(l, &f.body, &shape);
    shape.shape = PLI_SHAPE_SPHERE;
    shape.radius = ball;
    shape.pose = at((pli_vec3){-0.22f, 1.25f, 6.0f});
    f.ball = lab_collider(l, &f.body, &shape);
    lab_ground(l, &f.body, 0.5f);
    return f;
}

// The cube is drawn down and forth; the ball flies through at 6 m/s.
static void move(lab *l, const fabric *f, int32_t frame)
{
    pli_error error;
    float drawn = 0.5f * fminf(1.0f, (float)(frame + 1) / 100.0f), forth = 0.4f * drawn;
    pli_vec3 place = {f->patch.x, f->patch.y - drawn, f->patch.z + forth};
    pli_vec3 behind = {place.x, place.y, place.z - 0.6f * cube};
    pli_vec3 flying = {-0.22f, 1.25f, 6.0f - 6.0f * fmaxf(0.0f, (float)(frame + 1 - THROWN + 60)) / 60.0f};
    lab_note(l, pli_attachment_set_pose(f->body.world, f->pulled, at(place), &error), &error);
    lab_note(l, pli_collider_set_pose(f->body.world, f->cube, at(behind), &error), &error);
    lab_note(l, pli_collider_set_pose(f->body.world, f->ball, at(flying), &error), &error);
}

static int32_t copies(const fabric *f)
{
    return pli_deformable_positions(f->body.world, f->body.deformable).count - COLUMNS * ROWS;
}

// Share of the cloth's faces that hang together in its largest piece.
static double largest_piece(lab *l, const fabric *f)
{
    const pli_mesh *now;
    pli_error error;
    lab_note(l, pli_deformable_get_mesh(f->body.world, f->body.deformable, &now, &error), &error);
    if (!lab_ok(l))
        return 0.0;
    int32_t mark = lab_mark(l), most = 0;
    const pli_topology *t = pli_mesh_topology(now);
    int32_t *root = lab_memory(l, (size_t)t->vertex_count, sizeof *root);
    int32_t *faces = lab_memory(l, (size_t)t->vertex_count, sizeof *faces);
    for (int32_t i = 0; i < t->vertex_count; i++)
        root[i] = i;
    // Vertices of a face get the least label of them, until none changes.
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < t->triangle_count; i++) {
            const int32_t *v = &t->triangles[3 * i];
            int32_t least = root[v[0]] < root[v[1]] ? root[v[0]] : root[v[1]];
            least = root[v[2]] < least ? root[v[2]] : least;
            for (int32_t k = 0; k < 3; k++) {
                changed = changed || root[v[k]] != least;
                root[v[k]] = least;
            }
        }
    }
    for (int32_t i = 0; i < t->triangle_count; i++) {
        int32_t count = ++faces[root[t->triangles[3 * i]]];
        most = count > most ? count : most;
    }
    lab_release_to(l, mark);
    return (double)most / t->triangle_count;
}

static void claim_tears(lab *l, const int32_t *torn, int32_t frames, double whole)
{
    // A tear that splits n vertices is about n edges long.
    const double edge = 0.02;
    int32_t before = THROWN < frames ? THROWN - 60 : frames - 1;
    lab_claim_add(l, (lab_claim){"The cube tears the cloth open, further than it is wide.", "Fig. 10", NAN,
                                 edge * torn[before], "m of tears before the ball", LAB_AT_LEAST, 2.0 * (double)cube,
                                 "The threshold is not reached."});
    lab_claim_add(l, (lab_claim){"It tears it open, and not to shreds: the largest piece before the ball.", "Fig. 10",
                                 NAN, whole, "of the faces", LAB_AT_LEAST, 0.95,
                                 "Tears run on by themselves through a cloth that hangs."});
    if (!lab_is_quick(l))
        lab_claim_add(l, (lab_claim){"The ball rips it further: by more than its own girth.",
                                     "Fig. 10: \"ripped apart by a thrown ball\"", NAN,
                                     edge * (torn[frames - 1] - torn[before]), "m of tears more", LAB_AT_LEAST,
                                     6.28 * (double)ball, "It flies through what is open already."});
}

static void report(lab *l, fabric *f, double *times, const int32_t *torn, int32_t frames, double mass)
{
    const pli_mesh *now;
    pli_error error;
    pli_text *csv = lab_file_add(l, "frames.csv");
    pli_text_add(csv, "frame,ms,copies\n");
    for (int32_t i = 0; i < frames; i++)
        pli_text_add(csv, "%d,%.4f,%d\n", (int)i + 1, 1e3 * times[i], (int)torn[i]);
    lab_note(l, pli_deformable_get_mesh(f->body.world, f->body.deformable, &now, &error), &error);
    if (!lab_ok(l))
        return;
    const pli_mesh_report *r = pli_mesh_get_report(now);
    double rate = 1.0 / lab_mean(times, frames), lost = fabs(free_mass(&f->body) / mass - 1.0);
    lab_say(l,
            "%d vertices, %d triangles; 10 substeps of 2 iterations, one thread: %.2f ms a frame of processor time on "
            "average. %d "
            "vertices were "
            "added by tears; the cloth is in %d pieces with %d boundary loops now.\n\n",
            COLUMNS * ROWS, (int)r->triangle_count, 1e3 / rate, (int)copies(f), (int)r->component_count,
            (int)r->boundary_loop_count);
    lab_claim_add(l, (lab_claim){"It runs at 47 frames a second.", "47 fps on average, with rendering, in 2006", 47.0,
                                 rate, "fps of processor time, without rendering", LAB_AT_LEAST, 47.0,
                                 "It has twenty sweeps a frame here."});
    lab_claim_add(l, (lab_claim){"What is torn is still a manifold.", "section 5", 0.0,
                                 r->non_manifold_edges + r->non_manifold_vertices, "non-manifold edges and vertices",
                                 LAB_AT_MOST, 0.0, "A split left a pair of fans joined at one vertex."});
    lab_claim_add(l, (lab_claim){"Tearing keeps the mass.", "not said", 0.0, lost, "relative", LAB_AT_MOST, 1e-5,
                                 "Rounding in float."});
}

static void run(lab *l)
{
    static const int32_t pictured[PICTURES] = {1, 70, 118, FRAMES - 1};
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    double *times = lab_memory(l, (size_t)frames, sizeof *times);
    int32_t *torn = lab_memory(l, (size_t)frames, sizeof *torn);
    fabric f = hang(l);
    lab_gallery_def view = {.name = "torn",
                            .columns = PICTURES,
                            .toward = {0.5f, 0.15f, 0.9f},
                            .looks = {{.front = {0.5f, 0.1f, 0.08f}, .back = {0.62f, 0.55f, 0.45f}}},
                            .colliders = {.front = {0.25f, 0.28f, 0.33f}},
                            .ground = true};
    lab_gallery *gallery = lab_gallery_open(l, &view);
    double mass = lab_ok(l) ? free_mass(&f.body) : 0.0, whole = 0.0;
    for (int32_t frame = 0; frame < frames && lab_ok(l); frame++) {
        move(l, &f, frame);
        times[frame] = lab_step(l, f.body.world, frame_time);
        if (frame == THROWN - 60 || frame == frames - 1)
            whole = whole > 0.0 ? whole : largest_piece(l, &f);
        torn[frame] = lab_ok(l) ? copies(&f) : 0;
        for (int32_t k = 0; k < PICTURES; k++)
            if (pictured[k] == frame)
                lab_gallery_add_world(gallery, lab_format(l, "%.1f s", frame / 60.0), f.body.world);
        lab_progress(l, (double)frame / frames);
    }
    lab_gallery_close(gallery);
    if (!lab_ok(l))
        return;
    report(l, &f, times, torn, frames, mass);
    claim_tears(l, torn, frames, whole);
}

const lab_experiment lab_row_mueller_fig10 = {
    .name = "mueller-fig10",
    .title = "A cloth torn by a cube and a ball",
    .source = "Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 10 and section 5",
    .run = run,
};
