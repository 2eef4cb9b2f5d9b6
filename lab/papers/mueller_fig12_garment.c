// Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 12 (left): garments on an animated character.
//
// A figure of capsules with arms and legs walks; over its shoulders lies a poncho, a square with a hole for the neck, and
// at its hips hangs a skirt. Nothing but contact and friction holds the poncho. Asked is whether the garments go with the
// figure, stay outside of it and of each other, do not stretch, and the speed.
#include "base/edge_intersections.h"
#include "base/lab_measures.h"
#include "base/lab_pictures.h"

#include <math.h>
#include <string.h>

enum {
    LIMBS = 13,
    SQUARE = 33,
    AROUND = 48,
    ROWS = 18,
    FRAMES = 300,
    FRAMES_QUICK = 20,
    LOOK = 30,
    PICTURES = 6,
    GARMENTS = 2
};

static const float frame_time = 1.0f / 60.0f, width = 1.15f, hole = 0.115f;
static const double stride = 0.9, speed = 0.9, standing = 1.0; // [m], [m/s], and how long it stands first [s].

// A capsule between two joints.
typedef struct limb {
    double from[3], to[3];
    float radius;
} limb;

typedef struct figure {
    limb limbs[LIMBS];
    pli_transform hips;
} figure;

// Where the figure stands after so long a walk, along z.
static double way(double time)
{
    double t = fmax(0.0, time - standing);
    // Half a second to start.
    return speed * (t < 0.5 ? t * t : t - 0.25);
}

// A limb of two parts from a joint: angles forward from straight down, spread to the side.
static void set_limb(limb *upper, limb *lower, const double joint[3], double angle, double bend, double spread,
                     const double lengths[2], const float radii[2])
{
    double at[3] = {joint[0], joint[1], joint[2]};
    limb *parts[2] = {upper, lower};
    for (int32_t k = 0; k < 2; k++) {
        double a = angle + k * bend;
        const double along[3] = {sin(spread), -cos(a) * cos(spread), sin(a) * cos(spread)};
        for (int32_t j = 0; j < 3; j++) {
            parts[k]->from[j] = at[j];
            at[j] += lengths[k] * along[j];
            parts[k]->to[j] = at[j];
        }
        parts[k]->radius = radii[k];
    }
}

static figure pose_figure(double time)
{
    static const double leg[2] = {0.42, 0.42}, arm[2] = {0.27, 0.25};
    static const float leg_radii[2] = {0.075f, 0.055f}, arm_radii[2] = {0.048f, 0.04f};
    figure f;
    double z = way(time), phase = 6.283185307179586 * z / stride, swing = 0.5 * fmin(1.0, way(time) / 0.3);
    // The hips sink with the legs' spread.
    double y = 0.92 - 0.84 * (1.0 - cos(swing * sin(phase))) * 0.6;
    const limb body[5] = {{{0.0, y + 0.06, z}, {0.0, y + 0.46, z}, 0.125f},  // Trunk.
                          {{-0.07, y, z}, {0.07, y, z}, 0.125f},             // Hips.
                          {{-0.14, y + 0.5, z}, {0.14, y + 0.5, z}, 0.065f}, // Shoulders.
                          {{0.0, y + 0.5, z}, {0.0, y + 0.64, z}, 0.05f},    // Neck.
                          {{0.0, y + 0.72, z + 0.01}, {0.0, y + 0.78, z + 0.01}, 0.095f}};
    memcpy(f.limbs, body, sizeof body);
    for (int32_t k = 0; k < 2; k++) {
        double s = k ? 1.0 : -1.0, forth = swing * sin(phase + (k ? 0.0 : 3.14159265358979));
        double rate = cos(phase + (k ? 0.0 : 3.14159265358979));
        const double hip[3] = {0.09 * s, y - 0.02, z}, shoulder[3] = {0.17 * s, y + 0.49, z};
        set_limb(&f.limbs[5 + 2 * k], &f.limbs[6 + 2 * k], hip, forth, -swing * fmax(0.0, rate), 0.03 * s, leg,
                 leg_radii);
        set_limb(&f.limbs[9 + 2 * k], &f.limbs[10 + 2 * k], shoulder, -0.8 * forth, 0.35, 0.35 * s, arm, arm_radii);
    }
    f.hips = (pli_transform){{0.0f, (float)y, (float)z}, {0.0f, 0.0f, 0.0f, 1.0f}};
    return f;
}

static pli_transform limb_pose(const limb *b)
{
    double d[3], length = 0.0;
    for (int32_t k = 0; k < 3; k++) {
        d[k] = b->to[k] - b->from[k];
        length += d[k] * d[k];
    }
    length = sqrt(length);
    // The shortest turn from y to the limb's direction.
    double w = 1.0 + d[1] / length, x = d[2] / length, z = -d[0] / length;
    double norm = sqrt(w * w + x * x + z * z);
    if (norm < 1e-6)
        w = 0.0, x = norm = 1.0, z = 0.0;
    return (pli_transform){{(float)(0.5 * (b->from[0] + b->to[0])), (float)(0.5 * (b->from[1] + b->to[1])),
                            (float)(0.5 * (b->from[2] + b->to[2]))},
                           {(float)(x / norm), 0.0f, (float)(z / norm), (float)(w / norm)}};
}

static const pli_mesh *make_mesh(lab *l, const float *positions, int32_t vertices, const int32_t *faces, int32_t count)
{
    pli_mesh *mesh = NULL;
    pli_error error;
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions;
    def.vertex_count = vertices;
    def.face_vertices = faces;
    def.face_count = count;
    lab_note(l, pli_mesh_create(&def, &mesh, &error), &error);
    return lab_mesh_keep(l, mesh);
}

// A square without the faces whose middle is nearer to its own than the hole's radius.
static const pli_mesh *make_poncho(lab *l, double height)
{
    const pli_mesh *grid = lab_grid(l, SQUARE, SQUARE, width, width, PLI_GRID_ALTERNATING);
    int32_t count = 0, left = 0;
    if (!lab_ok(l))
        return NULL;
    const pli_topology *t = pli_mesh_topology(grid);
    int32_t *faces = lab_memory(l, 3 * (size_t)t->triangle_count, sizeof *faces);
    int32_t *number = lab_memory(l, (size_t)t->vertex_count, sizeof *number);
    float *positions = lab_memory(l, 3 * (size_t)t->vertex_count, sizeof *positions);
    for (int32_t i = 0; i < t->triangle_count; i++) {
        double x = 0.0, z = 0.0;
        for (int32_t k = 0; k < 3; k++) {
            const float *p = &t->positions[3 * t->triangles[3 * i + k]];
            x += (double)p[0] / 3.0, z += (double)p[2] / 3.0;
        }
        if (hypot(x, z) < (double)hole)
            continue;
        for (int32_t k = 0; k < 3; k++) {
            int32_t v = t->triangles[3 * i + k];
            if (number[v] == 0) {
                const float *p = &t->positions[3 * v];
                positions[3 * left] = p[0], positions[3 * left + 1] = (float)height, positions[3 * left + 2] = p[2];
                number[v] = ++left;
            }
            faces[3 * count + k] = number[v] - 1;
        }
        count++;
    }
    return make_mesh(l, positions, left, faces, count);
}

// A cone from the waist to the hem; the first AROUND vertices are the waist.
static const pli_mesh *make_skirt(lab *l, double height)
{
    float *positions = lab_memory(l, 3 * AROUND * ROWS, sizeof *positions);
    int32_t *faces = lab_memory(l, 6 * AROUND * (ROWS - 1), sizeof *faces), count = 0;
    for (int32_t row = 0; row < ROWS; row++)
        for (int32_t i = 0; i < AROUND; i++) {
            double angle = 6.283185307179586 * i / AROUND, share = (double)row / (ROWS - 1);
            float *p = &positions[3 * (row * AROUND + i)];
            p[0] = (float)((0.215 + 0.2 * share) * cos(angle));
            p[1] = (float)(height - 0.42 * share);
            p[2] = (float)((0.155 + 0.26 * share) * sin(angle));
        }
    for (int32_t row = 0; row + 1 < ROWS; row++)
        for (int32_t i = 0; i < AROUND; i++) {
            int32_t a = row * AROUND + i, b = row * AROUND + (i + 1) % AROUND, c = a + AROUND, d = b + AROUND;
            const int32_t quad[6] = {a, b, d, a, d, c};
            memcpy(&faces[6 * count++], quad, sizeof quad);
        }
    return make_mesh(l, positions, AROUND * ROWS, faces, 2 * count);
}

typedef struct walk {
    lab_body garments[GARMENTS];
    pli_collider limbs[LIMBS];
    pli_attachment waist;
    double seconds[FRAMES];
    double stretch, inside, apart; // Most of any edge; depth in the figure [m]; the poncho's middle from the neck [m].
    int32_t crossings, looks, contacts;
} walk;

static void dress(lab *l, walk *w)
{
    figure f = pose_figure(0.0);
    pli_error error;
    int32_t ring[AROUND];
    lab_body_def def = {.settings = lab_settings(PLI_METHOD_XPBD, 20, 1)};
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    def.settings.damping = 1.8f;
    def.settings.air_density = 0.6f;
    def.density = 0.2f;
    def.thickness = 0.01f;
    def.friction = 0.4f;
    def.self_collision = true;
    def.sets[0] = (lab_set){.type = "distance", .values = {{"compliance", 1e-6}}};
    def.sets[1] = (lab_set){.type = "isometric", .values = {{"rigidity", 5e-6}}};
    def.mesh = make_poncho(l, (double)f.hips.position.y + 0.6);
    w->garments[0] = lab_body_make(l, &def);
    def.mesh = make_skirt(l, (double)f.hips.position.y + 0.08);
    w->garments[1] = lab_ok(l) ? lab_body_add(l, w->garments[0].world, &def) : (lab_body){0};
    for (int32_t i = 0; i < AROUND; i++)
        ring[i] = i;
    pli_attachment_def waist = pli_attachment_def_default();
    waist.deformable = w->garments[1].deformable;
    waist.particles = ring;
    waist.particle_count = AROUND;
    waist.pose = f.hips;
    if (lab_ok(l))
        lab_note(l, pli_attachment_create(w->garments[0].world, &waist, &w->waist, &error), &error);
    pli_collider_def shape = pli_collider_def_default();
    shape.shape = PLI_SHAPE_CAPSULE;
    shape.friction = 0.5f;
    for (int32_t k = 0; k < LIMBS; k++) {
        const limb *b = &f.limbs[k];
        shape.radius = b->radius;
        shape.half_height = 0.5f *
                            (float)hypot(hypot(b->to[0] - b->from[0], b->to[1] - b->from[1]), b->to[2] - b->from[2]);
        shape.pose = limb_pose(b);
        w->limbs[k] = lab_collider(l, &w->garments[0], &shape);
    }
    lab_ground(l, &w->garments[0], 0.5f);
}

static void move(lab *l, const walk *w, double time)
{
    figure f = pose_figure(time);
    pli_error error;
    if (!lab_ok(l))
        return;
    for (int32_t k = 0; k < LIMBS; k++)
        lab_note(l, pli_collider_set_pose(w->garments[0].world, w->limbs[k], limb_pose(&f.limbs[k]), &error), &error);
    lab_note(l, pli_attachment_set_pose(w->garments[0].world, w->waist, f.hips, &error), &error);
}

// Depth of a point in a limb [m]; negative outside.
static double depth_in(const limb *b, const float *p)
{
    double along = 0.0, square = 0.0, distance = 0.0;
    for (int32_t k = 0; k < 3; k++) {
        along += ((double)p[k] - b->from[k]) * (b->to[k] - b->from[k]);
        square += (b->to[k] - b->from[k]) * (b->to[k] - b->from[k]);
    }
    double share = fmin(1.0, fmax(0.0, along / square));
    for (int32_t k = 0; k < 3; k++) {
        double d = (double)p[k] - b->from[k] - share * (b->to[k] - b->from[k]);
        distance += d * d;
    }
    return (double)b->radius - sqrt(distance);
}

static void look(lab *l, walk *w, double time, bool count)
{
    figure f = pose_figure(time);
    if (!lab_ok(l))
        return;
    pli_statistics s = lab_statistics(l, &w->garments[0]);
    w->stretch = fmax(w->stretch, s.stretch_max);
    w->contacts = s.contact_count > w->contacts ? s.contact_count : w->contacts;
    for (int32_t g = 0; g < GARMENTS; g++) {
        pli_view view = pli_deformable_positions(w->garments[g].world, w->garments[g].deformable);
        for (int32_t i = 0; i < view.count; i++)
            for (int32_t k = 0; k < LIMBS; k++)
                w->inside = fmax(w->inside, depth_in(&f.limbs[k], pli_view_at(view, i)));
    }
    lab_motion m = lab_motion_of(&w->garments[0]);
    w->apart = hypot(m.centre[0], m.centre[2] - way(time));
    if (count) {
        int32_t found = lab_crossings_all(l, w->garments[0].world);
        w->crossings = found > w->crossings ? found : w->crossings;
        w->looks++;
    }
}

static void report(lab *l, walk *w, int32_t frames)
{
    pli_text *csv = lab_file_add(l, "frames.csv");
    pli_text_add(csv, "frame,ms\n");
    for (int32_t i = 0; i < frames; i++)
        pli_text_add(csv, "%d,%.4f\n", (int)i + 1, 1e3 * w->seconds[i]);
    double rate = 1.0 / lab_median(w->seconds, frames);
    lab_say(
        l,
        "%d vertices in two garments, 20 substeps, one thread: %.2f ms a frame of processor time (median of %d), up to "
        "%d contacts. The figure walks %.1f m. Largest stretch of an edge %.3f, deepest vertex in the figure %.1f mm, "
        "crossings in %d frames looked at: %d.\n\n",
        (int)(w->garments[0].count + w->garments[1].count), 1e3 / rate, (int)frames, (int)w->contacts,
        way(frames / 60.0), w->stretch, 1e3 * w->inside, (int)w->looks, (int)w->crossings);
    lab_claim_add(l, (lab_claim){"It runs at interactive speed.", "Fig. 12: \"at interactive speed\", with rendering",
                                 30.0, rate, "fps of processor time, without rendering", LAB_AT_LEAST, 30.0,
                                 "Two garments in contact with thirteen capsules and each other."});
    lab_claim_add(l, (lab_claim){"No garment passes through itself or the other, in the frames looked at.", "Fig. 12",
                                 0.0, w->crossings, "crossings", LAB_AT_MOST, 0.0,
                                 "The guarantee was given up somewhere: see the world's statistics."});
    lab_claim_add(l,
                  (lab_claim){"They stay outside of the figure: the deepest vertex.", "Fig. 12", 0.0, 1e3 * w->inside,
                              "mm", LAB_AT_MOST, 3.0, "The arms press the poncho against the trunk."});
    lab_claim_add(l, (lab_claim){"They do not stretch: any edge in any frame.", "Fig. 12, by eye", 0.0, w->stretch,
                                 "of its length", LAB_AT_MOST, 0.25, "The neck hangs on few edges."});
    if (!lab_is_quick(l))
        lab_claim_add(
            l, (lab_claim){"The poncho goes with the figure, held by contact alone: its centre from the trunk at "
                           "the end.",
                           "Fig. 12", 0.0, w->apart, "m", LAB_AT_MOST, 0.15, "It slips off."});
}

static void run(lab *l)
{
    static const int32_t pictured[PICTURES] = {1, 55, 110, 130, 150, FRAMES};
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    walk *w = lab_memory(l, 1, sizeof *w);
    lab_gallery_def view = {.name = "walk",
                            .columns = PICTURES,
                            .fit = LAB_FIT_FOLLOW,
                            .toward = {0.75f, 0.25f, 0.8f},
                            .surroundings = true,
                            .looks = {{.front = {0.55f, 0.06f, 0.09f}, .back = {0.75f, 0.5f, 0.2f}},
                                      {.front = {0.06f, 0.22f, 0.48f}, .back = {0.05f, 0.15f, 0.3f}}},
                            .colliders = {.front = {0.62f, 0.45f, 0.35f}},
                            .ground = true};
    dress(l, w);
    lab_gallery *gallery = lab_gallery_open(l, &view);
    for (int32_t frame = 1; frame <= frames && lab_ok(l); frame++) {
        move(l, w, frame / 60.0);
        w->seconds[frame - 1] = lab_step(l, w->garments[0].world, frame_time);
        look(l, w, frame / 60.0, frame % LOOK == 0 || frame == frames);
        for (int32_t k = 0; k < PICTURES; k++)
            if (pictured[k] == frame)
                lab_gallery_add_world(gallery, lab_format(l, "%.1f s", frame / 60.0), w->garments[0].world);
        lab_progress(l, (double)frame / frames);
    }
    lab_gallery_close(gallery);
    if (lab_ok(l))
        report(l, w, frames);
}

const lab_experiment lab_row_mueller_fig12_garment = {
    .name = "mueller-fig12-garment",
    .title = "Garments on a walking figure",
    .source = "Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 12 (left)",
    .run = run,
};
