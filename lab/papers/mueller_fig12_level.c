// Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 12 (middle): cloth in a geometrically complex game level.
//
// The level is one mesh: stairs up to a platform, an arch on two pillars, and posts. Four sheets fall and are blown into
// it: one on the stairs, one over the arch, two through the posts. The mesh collides by its triangles, edges and vertices,
// so that its corners go through no cloth; asked is whether they do not, whether the level holds the sheets, and the speed.
#include "base/edge_intersections.h"
#include "base/lab_measures.h"
#include "base/lab_pictures.h"

#include <math.h>

enum {
    SHEETS = 4,
    COLUMNS = 26,
    FRAMES = 300,
    FRAMES_QUICK = 20,
    LOOK = 30,
    PICTURES = 4,
    STEPS = 5,
    VERTICES_MAX = 1024,
    FACES_MAX = 2048,
    RING_MAX = 12
};

static const float frame_time = 1.0f / 60.0f, side = 0.7f;
static const double calm = 1.2; // When the wind ceases [s].

// Closed tubes of rings of vertices, each ring `sides` long.
typedef struct builder {
    float positions[3 * VERTICES_MAX];
    int32_t faces[3 * FACES_MAX];
    int32_t vertex_count, face_count, ring; // `ring` is the first vertex of the last ring.
} builder;

static void add_face(builder *b, int32_t i, int32_t j, int32_t k)
{
    int32_t *face = &b->faces[3 * b->face_count++];
    face[0] = i, face[1] = j, face[2] = k;
}

// Closes the last ring by a fan; `outward` turns its faces.
static void add_cap(builder *b, int32_t sides, bool outward)
{
    for (int32_t i = 1; i + 1 < sides; i++)
        add_face(b, b->ring, b->ring + (outward ? i : i + 1), b->ring + (outward ? i + 1 : i));
}

// Adds a ring, which is counter-clockwise seen from where the tube goes, and joins it to the one before.
static void add_ring(builder *b, const pli_vec3 *points, int32_t sides, bool first)
{
    int32_t before = b->ring, now = b->vertex_count;
    for (int32_t i = 0; i < sides; i++) {
        float *p = &b->positions[3 * b->vertex_count++];
        p[0] = points[i].x, p[1] = points[i].y, p[2] = points[i].z;
        int32_t next = (i + 1) % sides;
        if (!first) {
            add_face(b, before + i, before + next, now + next);
            add_face(b, before + i, now + next, now + i);
        }
    }
    b->ring = now;
    if (first)
        add_cap(b, sides, false);
}

static void add_box(builder *b, pli_vec3 low, pli_vec3 high)
{
    for (int32_t k = 0; k < 2; k++) {
        float y = k ? high.y : low.y;
        const pli_vec3 ring[4] = {{low.x, y, low.z}, {low.x, y, high.z}, {high.x, y, high.z}, {high.x, y, low.z}};
        add_ring(b, ring, 4, k == 0);
    }
    add_cap(b, 4, true);
}

// A pillar turned on a lathe: base, shaft and capital.
static void add_pillar(builder *b, float x, float z, float radius, float height, int32_t sides)
{
    const float heights[6] = {0.0f, 0.08f, 0.1f, 0.86f, 0.9f, 1.0f}, radii[6] = {1.4f, 1.4f, 1.0f, 0.9f, 1.3f, 1.4f};
    for (int32_t k = 0; k < 6; k++) {
        pli_vec3 ring[RING_MAX];
        for (int32_t i = 0; i < sides; i++) {
            double angle = -6.283185307179586 * i / sides;
            ring[i] = (pli_vec3){x + radius * radii[k] * (float)cos(angle), height * heights[k],
                                 z + radius * radii[k] * (float)sin(angle)};
        }
        add_ring(b, ring, sides, k == 0);
    }
    add_cap(b, sides, true);
}

// Half a ring of rectangular stones from z = -radius over the top to z = radius.
static void add_arch(builder *b, float x, float foot, float radius, float thick)
{
    const int32_t stones = 12;
    for (int32_t k = 0; k <= stones; k++) {
        double angle = 3.14159265358979 * k / stones;
        float c = (float)cos(angle), s = (float)sin(angle), near = radius - 0.5f * thick, far = radius + 0.5f * thick;
        const pli_vec3 ring[4] = {{x - 0.5f * thick, foot + near * s, -near * c},
                                  {x + 0.5f * thick, foot + near * s, -near * c},
                                  {x + 0.5f * thick, foot + far * s, -far * c},
                                  {x - 0.5f * thick, foot + far * s, -far * c}};
        add_ring(b, ring, 4, k == 0);
    }
    add_cap(b, 4, true);
}

static const pli_mesh *make_level(lab *l)
{
    builder *b = lab_memory(l, 1, sizeof *b);
    pli_mesh *mesh = NULL;
    pli_error error;
    for (int32_t k = 0; k < STEPS; k++)
        add_box(b, (pli_vec3){-1.2f + 0.12f * (float)k, 0.0f, -0.45f},
                (pli_vec3){-1.081f + 0.12f * (float)k, 0.08f * (float)(k + 1), 0.45f});
    add_box(b, (pli_vec3){-0.6f, 0.0f, -0.45f}, (pli_vec3){-0.25f, 0.48f, 0.45f});
    add_pillar(b, 0.3f, -0.3f, 0.06f, 0.6f, 8);
    add_pillar(b, 0.3f, 0.3f, 0.06f, 0.6f, 8);
    add_arch(b, 0.3f, 0.604f, 0.3f, 0.1f);
    for (int32_t k = 0; k < 4; k++)
        add_pillar(b, 0.85f, -0.45f + 0.3f * (float)k, 0.035f, 0.5f, 6);
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = b->positions;
    def.vertex_count = b->vertex_count;
    def.face_vertices = b->faces;
    def.face_count = b->face_count;
    lab_note(l, pli_mesh_create(&def, &mesh, &error), &error);
    return lab_mesh_keep(l, mesh);
}

typedef struct visit {
    lab_body sheets[SHEETS];
    double seconds[FRAMES];
    double stretch, speed; // Most of any edge over the run; root mean square at the end [m/s].
    double centre[SHEETS]; // Height of each sheet's centre at the end [m].
    int32_t crossings, looks, contacts;
} visit;

static void make(lab *l, visit *v)
{
    const pli_quat level = {0.0f, 0.0f, 0.0f, 1.0f}, upright = {0.0f, 0.0f, 0.70710678f, 0.70710678f};
    const pli_transform poses[SHEETS] = {{{-0.6f, 0.9f, 0.03f}, level},
                                         {{0.42f, 1.3f, 0.02f}, level},
                                         {{1.15f, 0.5f, 0.1f}, upright},
                                         {{1.3f, 0.6f, -0.12f}, upright}};
    lab_body_def def = {.mesh = lab_grid(l, COLUMNS, COLUMNS, side, side, PLI_GRID_ALTERNATING),
                        .settings = lab_settings(PLI_METHOD_XPBD, 20, 1)};
    pli_collider_def collider = pli_collider_def_default();
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    def.settings.damping = 3.1f;
    def.settings.air_density = 0.6f;
    def.settings.wind = (pli_vec3){-1.5f, 0.0f, 0.0f};
    def.density = 0.15f;
    def.thickness = 0.008f;
    def.friction = 0.4f;
    def.self_collision = true;
    def.self_contact = PLI_SELF_CONTACT_PARTICLES;
    def.sets[0] = (lab_set){.type = "distance", .values = {{"compliance", 1e-6}}};
    def.sets[1] = (lab_set){.type = "isometric", .values = {{"rigidity", 5e-6}}};
    for (int32_t k = 0; k < SHEETS && lab_ok(l); k++) {
        def.pose = poses[k];
        v->sheets[k] = k == 0 ? lab_body_make(l, &def) : lab_body_add(l, v->sheets[0].world, &def);
    }
    collider.shape = PLI_SHAPE_MESH;
    collider.mesh = make_level(l);
    collider.friction = 0.5f;
    lab_collider(l, &v->sheets[0], &collider);
    lab_ground(l, &v->sheets[0], 0.5f);
}

static void look(lab *l, visit *v, bool count)
{
    double sum = 0.0, mass = 0.0;
    if (!lab_ok(l))
        return;
    pli_statistics s = lab_statistics(l, &v->sheets[0]);
    v->stretch = fmax(v->stretch, s.stretch_max);
    v->contacts = s.contact_count > v->contacts ? s.contact_count : v->contacts;
    for (int32_t k = 0; k < SHEETS; k++) {
        lab_motion m = lab_motion_of(&v->sheets[k]);
        v->centre[k] = m.centre[1];
        sum += 2.0 * m.energy;
        mass += m.mass;
    }
    v->speed = sqrt(sum / mass);
    if (count) {
        int32_t found = lab_crossings_all(l, v->sheets[0].world);
        v->crossings = found > v->crossings ? found : v->crossings;
        v->looks++;
    }
}

static void still_air(lab *l, const visit *v)
{
    pli_error error;
    pli_settings settings = pli_world_settings(v->sheets[0].world);
    settings.wind = (pli_vec3){0};
    lab_note(l, pli_world_set_settings(v->sheets[0].world, &settings, &error), &error);
}

static void report(lab *l, visit *v, int32_t frames)
{
    pli_text *csv = lab_file_add(l, "frames.csv");
    pli_text_add(csv, "frame,ms\n");
    for (int32_t i = 0; i < frames; i++)
        pli_text_add(csv, "%d,%.4f\n", (int)i + 1, 1e3 * v->seconds[i]);
    double rate = 1.0 / lab_median(v->seconds, frames);
    lab_say(
        l,
        "Four sheets, %d vertices together, 20 substeps, one thread: %.2f ms a frame of processor time (median of %d), "
        "up to %d contacts. Largest stretch of an edge %.3f; crossings in %d frames looked at: %d; at the end the "
        "centres are at %.2f, %.2f, %.2f and %.2f m.\n\n",
        SHEETS * COLUMNS * COLUMNS, 1e3 / rate, (int)frames, (int)v->contacts, v->stretch, (int)v->looks,
        (int)v->crossings, v->centre[0], v->centre[1], v->centre[2], v->centre[3]);
    lab_claim_add(l, (lab_claim){"It runs at interactive speed.", "Fig. 12: \"at interactive speed\", with rendering",
                                 30.0, rate, "fps of processor time, without rendering", LAB_AT_LEAST, 30.0,
                                 "Contact of surfaces with the level costs more."});
    lab_claim_add(l,
                  (lab_claim){"No edge of cloth or level goes through a triangle of the other, nor do sheets through "
                              "themselves, in the frames looked at.",
                              "Fig. 12: \"geometrically complex game level\"", 0.0, v->crossings, "crossings",
                              LAB_AT_MOST, 0.0, "By particles a sheet may pass through itself."});
    if (lab_is_quick(l))
        return;
    lab_claim_add(l, (lab_claim){"The stairs hold the first sheet: its centre.", "Fig. 12", NAN, v->centre[0],
                                 "m above the ground", LAB_AT_LEAST, 0.2, "It slides down, or is blown off."});
    lab_claim_add(l, (lab_claim){"The arch holds the second: its centre.", "Fig. 12", NAN, v->centre[1],
                                 "m above the ground", LAB_AT_LEAST, 0.5, "It slides off."});
    lab_claim_add(l, (lab_claim){"They come to rest when the wind ceases.", "not said", 0.0, v->speed, "m/s",
                                 LAB_AT_MOST, 0.05, "One still slides."});
    lab_claim_add(l,
                  (lab_claim){"Nothing is torn apart by corners: the largest stretch of any edge.", "not said", NAN,
                              v->stretch, "of its length", LAB_AT_MOST, 0.3, "A sheet caught on a corner is pulled."});
}

static void run(lab *l)
{
    static const int32_t pictured[PICTURES] = {1, 24, 60, FRAMES};
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    visit *v = lab_memory(l, 1, sizeof *v);
    lab_gallery_def view = {.name = "level",
                            .columns = PICTURES / 2,
                            .toward = {0.35f, 0.45f, 1.0f},
                            .surroundings = true,
                            .looks = {{.front = {0.55f, 0.06f, 0.09f}, .back = {0.75f, 0.5f, 0.2f}},
                                      {.front = {0.06f, 0.22f, 0.48f}, .back = {0.75f, 0.5f, 0.2f}},
                                      {.front = {0.08f, 0.36f, 0.2f}, .back = {0.6f, 0.6f, 0.3f}},
                                      {.front = {0.7f, 0.4f, 0.05f}, .back = {0.4f, 0.2f, 0.1f}}},
                            .colliders = {{0.4f, 0.38f, 0.34f}, {0.4f, 0.38f, 0.34f}, true},
                            .ground = true};
    make(l, v);
    lab_gallery *gallery = lab_gallery_open(l, &view);
    for (int32_t frame = 1; frame <= frames && lab_ok(l); frame++) {
        if (frame == (int32_t)(60.0 * calm))
            still_air(l, v);
        v->seconds[frame - 1] = lab_step(l, v->sheets[0].world, frame_time);
        look(l, v, frame % LOOK == 0 || frame == frames);
        for (int32_t k = 0; k < PICTURES; k++)
            if (pictured[k] == frame)
                lab_gallery_add_world(gallery, lab_format(l, "%.1f s", frame / 60.0), v->sheets[0].world);
        lab_progress(l, (double)frame / frames);
    }
    lab_gallery_close(gallery);
    if (lab_ok(l))
        report(l, v, frames);
}

const lab_experiment lab_row_mueller_fig12_level = {
    .name = "mueller-fig12-level",
    .title = "Cloth in a geometrically complex level",
    .source = "Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 12 (middle)",
    .run = run,
};
