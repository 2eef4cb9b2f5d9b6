// Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 12 (right): hundreds of simulated leaves.
//
// Plants of the branching generator stand beside each other in gusts of wind; stems are fixed, leaves bend by
// inequality triangle bending. Asked is whether all of them together run at interactive speed. Fig. 12's
// other pictures are mueller-fig12-garment and mueller-fig12-level.
#include "base/lab_measures.h"
#include "base/lab_pictures.h"

#include <math.h>

enum { PLANTS = 10, PLANTS_QUICK = 2, LEAVES = 40, FRAMES = 240, FRAMES_QUICK = 60, PICTURES = 3, WINDY = 60 };

static const float frame_time = 1.0f / 60.0f;

typedef struct garden {
    pli_world *world;
    int32_t plants, vertices;
} garden;

static void destroy_world(void *world) { pli_world_destroy(world); }

static const pli_mesh *plant_mesh(lab *l, uint32_t seed)
{
    pli_plant_def def = pli_plant_def_default();
    pli_mesh *mesh = NULL;
    pli_error error;
    def.height = 0.9f;
    def.radius = 0.03f;
    def.branches = LEAVES;
    def.segments = 1;
    def.sides = 8;
    def.leaf_length = 0.2f;
    def.leaf_width = 0.07f;
    def.seed = seed;
    lab_note(l, pli_mesh_create_plant(&def, &mesh, &error), &error);
    return lab_mesh_keep(l, mesh);
}

// Near the stem's middle at its height: the stem leans, so the middle is that of the vertices about there.
static bool is_stem(const pli_topology *t, int32_t vertex)
{
    const float *p = &t->positions[3 * vertex];
    double x = 0.0, z = 0.0, weight = 0.0;
    for (int32_t i = 0; i < t->vertex_count; i++) {
        const float *q = &t->positions[3 * i];
        if (fabsf(q[1] - p[1]) < 0.03f && hypotf(q[0], q[2]) < 0.12f)
            x += (double)q[0], z += (double)q[2], weight += 1.0;
    }
    return weight > 0.0 && hypot((double)p[0] - x / weight, (double)p[2] - z / weight) < 0.045;
}

static void add_plant(lab *l, garden *g, int32_t index)
{
    const pli_mesh *mesh = plant_mesh(l, (uint32_t)index + 1);
    pli_deformable_def def = pli_deformable_def_default();
    pli_deformable plant;
    pli_constraints set;
    pli_error error;
    const pli_parameter_value most[] = {{"relation", 1}};
    const float nothing = 0.0f;
    if (!lab_ok(l))
        return;
    def.mesh = mesh;
    def.density = 0.1f;
    def.mask = 0; // Plants pass through each other.
    def.pose.position = (pli_vec3){0.45f * (float)(index % 5) - 0.9f, 0.0f, 0.5f * (float)(index / 5)};
    lab_note(l, pli_deformable_create(g->world, &def, &plant, &error), &error);
    pli_constraints_def sets = pli_constraints_def_default();
    sets.deformable = plant;
    sets.type = "distance";
    lab_note(l, pli_constraints_create(g->world, &sets, &set, &error), &error);
    sets.type = "triangle";
    sets.parameters = most;
    sets.parameter_count = 1;
    lab_note(l, pli_constraints_create(g->world, &sets, &set, &error), &error);
    const pli_topology *t = pli_mesh_topology(mesh);
    for (int32_t i = 0; i < t->vertex_count && lab_ok(l); i++)
        if (is_stem(t, i))
            lab_note(l, pli_deformable_set_inverse_masses(g->world, plant, i, 1, &nothing, &error), &error);
    g->vertices += t->vertex_count;
}

static garden plant_all(lab *l, int32_t plants)
{
    garden g = {.plants = plants};
    pli_error error;
    pli_world_def def = pli_world_def_default();
    def.settings = lab_settings(PLI_METHOD_PBD, 8, 8);
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    def.settings.damping = 3.1f;
    def.settings.air_density = 1.2f;
    def.hooks = lab_hooks();
    if (lab_ok(l))
        lab_note(l, pli_world_create(&def, &g.world, &error), &error);
    if (!lab_ok(l))
        return g;
    lab_keep(l, g.world, destroy_world);
    for (int32_t i = 0; i < plants; i++)
        add_plant(l, &g, i);
    return g;
}

// Root mean square displacement of all particles [m].
static double moved(const garden *g)
{
    double sum = 0.0;
    for (int32_t p = 0; p < g->plants; p++) {
        pli_deformable plant = pli_world_deformable_at(g->world, p);
        pli_view now = pli_deformable_positions(g->world, plant);
        const float *rest = pli_mesh_topology(pli_deformable_rest_mesh(g->world, plant))->positions;
        float shift[3] = {0.45f * (float)(p % 5) - 0.9f, 0.0f, 0.5f * (float)(p / 5)};
        for (int32_t i = 0; i < 3 * now.count; i++) {
            double d = (double)(pli_view_at(now, i / 3)[i % 3] - rest[i] - shift[i % 3]);
            sum += d * d;
        }
    }
    return sqrt(sum / g->vertices);
}

static void blow(lab *l, const garden *g, int32_t frame)
{
    pli_error error;
    pli_settings settings = pli_world_settings(g->world);
    double phase = (frame - WINDY) / 60.0;
    settings.wind = (pli_vec3){frame < WINDY ? 0.0f : (float)(3.0 * sin(2.0 * phase)), 0.0f,
                               frame < WINDY ? 0.0f : 1.0f};
    lab_note(l, pli_world_set_settings(g->world, &settings, &error), &error);
}

static void report(lab *l, const garden *g, double *times, const double *away, int32_t frames)
{
    pli_text *csv = lab_file_add(l, "frames.csv");
    pli_text_add(csv, "frame,ms,moved\n");
    double least = INFINITY, most = 0.0;
    for (int32_t i = 0; i < frames; i++) {
        pli_text_add(csv, "%d,%.4f,%.6g\n", (int)i + 1, 1e3 * times[i], away[i]);
        if (i >= WINDY)
            least = fmin(least, away[i]), most = fmax(most, away[i]);
    }
    double rate = 1.0 / lab_median(times, frames);
    lab_say(l,
            "%d plants with %d leaves each, %d vertices together, 8 substeps of 8 iterations, no contact between "
            "leaves, one thread: %.2f ms of processor time a "
            "frame.\n\n",
            (int)g->plants, LEAVES, (int)g->vertices, 1e3 / rate);
    lab_claim_add(l, (lab_claim){"Hundreds of leaves run at interactive speed.",
                                 "Fig. 12: \"at interactive speed\", with rendering", NAN, rate,
                                 "fps of processor time, without rendering", LAB_AT_LEAST, 30.0,
                                 "Each leaf is a closed surface of some forty vertices here."});
    lab_claim_add(l, (lab_claim){"The leaves hold their shape before the wind comes (of leaves 200 mm long).",
                                 "Fig. 12, by eye", NAN, 1e3 * away[WINDY < frames ? WINDY - 1 : frames - 1],
                                 "mm from rest, rms", LAB_AT_MOST, 40.0,
                                 "Sixty-four sweeps a frame leave them to droop."});
    if (!lab_is_quick(l))
        lab_claim_add(l, (lab_claim){"They move in the wind.", "Fig. 12", NAN, 1e3 * (most - least), "mm, rms",
                                     LAB_AT_LEAST, 2.0, "The wind is weak."});
}

static void run(lab *l)
{
    static const int32_t pictured[PICTURES] = {0, 110, 200};
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK);
    garden g = plant_all(l, lab_long_or_quick(l, PLANTS, PLANTS_QUICK));
    double *times = lab_memory(l, (size_t)frames, sizeof *times), *away = lab_memory(l, (size_t)frames, sizeof *away);
    lab_gallery_def view = {.name = "garden",
                            .columns = PICTURES,
                            .looks = {{.front = {0.1f, 0.33f, 0.07f}, .back = {0.1f, 0.33f, 0.07f}}},
                            .ground = true};
    lab_gallery *gallery = lab_gallery_open(l, &view);
    for (int32_t frame = 0; frame < frames && lab_ok(l); frame++) {
        blow(l, &g, frame);
        times[frame] = lab_step(l, g.world, frame_time);
        if (!lab_ok(l))
            break;
        away[frame] = moved(&g);
        for (int32_t k = 0; k < PICTURES; k++)
            if (pictured[k] == frame)
                lab_gallery_add_world(gallery, lab_format(l, "%.1f s", frame / 60.0), g.world);
        lab_progress(l, (double)frame / frames);
    }
    lab_gallery_close(gallery);
    if (lab_ok(l))
        report(l, &g, times, away, frames);
}

const lab_experiment lab_row_mueller_fig12 = {
    .name = "mueller-fig12",
    .title = "Hundreds of leaves",
    .source = "Mueller, Heidelberger, Hennix, Ratcliff 2006, Fig. 12",
    .run = run,
};
