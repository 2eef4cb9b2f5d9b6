// Kelager, Niebe, Erleben 2010, sections 3 and 6: mirror images, the weakness that the paper leaves open.
//
// A bending constraint without a sign is at rest in its mirror image too. Three tests of what comes back from there. A
// spherical shell is dented: caps are reflected through the planes of their rims. A bowl is turned inside out as a
// whole, with a little noise; and so is one of irregular triangles. All are then let go. Judged side by side are the
// signed height of triangle_signed, the signed area that section 6 proposes, and the linear form.
#include "base/lab_measures.h"
#include "base/lab_pictures.h"

#include <math.h>

enum {
    MODELS = 7,
    DENTS = 12,
    BOWL_SIDE = 13,
    FRAMES = 400,
    FRAMES_QUICK = 120,
    ITERATIONS = 16,
    SHELL_SUBDIVISIONS = 3
};

typedef struct model {
    const char *name, *type;
    bool has_sign;
    double dents; // Share that came back.
    double lumps; // Distance of the shell from its rest shape, over its radius.
    // Distances from the rest shape over that of the mirror image.
    double bowl;
    double irregular;
} model;

enum { PRINTED, HEIGHT, AREA, LINEAR, ARCCOS, SIGNED, ISOMETRIC }; // The rows of the table.

static const model table[MODELS] = {
    {.name = "triangle", .type = "triangle"},
    {.name = "triangle, signed", .type = "triangle_signed", .has_sign = true},
    {.name = "triangle, signed area", .type = "triangle_area", .has_sign = true},
    {.name = "triangle, linear", .type = "triangle_linear", .has_sign = true},
    {.name = "dihedral as printed", .type = "dihedral_printed"},
    {.name = "dihedral, signed", .type = "dihedral", .has_sign = true},
    {.name = "isometric", .type = "isometric", .has_sign = true},
};

static const double radius = 0.5;     // Radius of the shell [m].
static const double dent_angle = 0.4; // [rad], between a dent's middle and its rim.
static const float frame_time = 1.0f / 60.0f;

static double radius_of(const float *positions, int32_t vertex)
{
    const float *p = &positions[3 * vertex];
    return sqrt((double)p[0] * (double)p[0] + (double)p[1] * (double)p[1] + (double)p[2] * (double)p[2]);
}

static double along(const float *a, const float *b)
{
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
}

// Reflects the caps round the first vertices, an icosahedron's corners, through the planes of their rims.
static void dent_all(const pli_topology *t, float *positions)
{
    for (int32_t d = 0; d < DENTS; d++) {
        const float *axis = &t->positions[3 * d];
        double rim = cos(dent_angle) * radius_of(t->positions, d);
        for (int32_t i = 0; i < t->vertex_count; i++) {
            double height = along(&t->positions[3 * i], axis) / radius_of(t->positions, d) - rim;
            for (int32_t k = 0; k < 3 && height > 0.0; k++)
                positions[3 * i + k] -= (float)(2.0 * height * (double)axis[k] / radius_of(t->positions, d));
        }
    }
}

static lab_body_def shell_def(const pli_mesh *mesh, const float *positions, const model *m)
{
    lab_body_def def = lab_paper_def(mesh, ITERATIONS);
    def.positions = positions;
    def.settings.damping = 3.1f;
    def.sets[0] = (lab_set){.type = "distance"};
    def.sets[1] = lab_paper_set(m->type);
    return def;
}

static void run_free(lab *l, const lab_body_def *def, float *positions)
{
    int32_t frames = lab_long_or_quick(l, FRAMES, FRAMES_QUICK), mark = lab_mark(l);
    lab_body body = lab_body_make(l, def);
    for (int32_t frame = 0; frame < frames && lab_ok(l); frame++)
        lab_step(l, body.world, frame_time);
    lab_positions(&body, positions);
    lab_release_to(l, mark);
}

static void dent(lab *l, const pli_mesh *shell, model *m, lab_gallery *gallery)
{
    const pli_topology *t = pli_mesh_topology(shell);
    int32_t mark = lab_mark(l), back = 0;
    float *positions = lab_memory(l, 3 * (size_t)t->vertex_count, sizeof *positions);
    for (int32_t i = 0; i < 3 * t->vertex_count; i++)
        positions[i] = t->positions[i];
    dent_all(t, positions);
    lab_body_def def = shell_def(shell, positions, m);
    run_free(l, &def, positions);
    for (int32_t d = 0; d < DENTS; d++)
        back += along(&positions[3 * d], &t->positions[3 * d]) >
                0.97 * along(&t->positions[3 * d], &t->positions[3 * d]);
    m->dents = (double)back / DENTS;
    m->lumps = lab_shape_distance(t->positions, positions, t->vertex_count) / radius;
    lab_gallery_add(gallery, lab_format(l, "%s: %d of %d came back", m->name, (int)back, DENTS), shell, positions);
    lab_release_to(l, mark);
}

// Inner vertices are moved within the square by up to `jitter` of a cell before it is bent to a bowl.
static const pli_mesh *make_bowl(lab *l, double jitter)
{
    uint64_t seed = 3;
    const pli_mesh *grid = lab_grid(l, BOWL_SIDE, BOWL_SIDE, 1.0f, 1.0f, PLI_GRID_ALTERNATING);
    if (!lab_ok(l))
        return NULL;
    const pli_topology *t = pli_mesh_topology(grid);
    float *positions = lab_memory(l, 3 * (size_t)t->vertex_count, sizeof *positions);
    for (int32_t i = 0; i < t->vertex_count; i++) {
        bool inner = !t->vertex_boundary[i];
        double reach = inner ? jitter / (BOWL_SIDE - 1) : 0.0;
        float x = t->positions[3 * i] + (float)(reach * lab_random(&seed));
        float z = t->positions[3 * i + 2] + (float)(reach * lab_random(&seed));
        positions[3 * i] = x, positions[3 * i + 1] = 0.8f * (x * x + z * z), positions[3 * i + 2] = z;
    }
    pli_mesh_def def = pli_mesh_def_default();
    pli_mesh *mesh = NULL;
    pli_error error;
    def.positions = positions;
    def.vertex_count = t->vertex_count;
    def.face_vertices = t->triangles;
    def.face_count = t->triangle_count;
    lab_note(l, pli_mesh_create(&def, &mesh, &error), &error);
    return lab_mesh_keep(l, mesh);
}

static double turn(lab *l, const pli_mesh *bowl, const model *m, lab_gallery *gallery)
{
    const pli_topology *t = pli_mesh_topology(bowl);
    int32_t mark = lab_mark(l);
    uint64_t seed = 5;
    float *positions = lab_memory(l, 3 * (size_t)t->vertex_count, sizeof *positions);
    for (int32_t i = 0; i < 3 * t->vertex_count; i++)
        positions[i] = (i % 3 == 1 ? -1.0f : 1.0f) * t->positions[i] + (float)(0.004 * lab_random(&seed));
    double mirrored = lab_shape_distance(t->positions, positions, t->vertex_count);
    lab_body_def def = shell_def(bowl, positions, m);
    run_free(l, &def, positions);
    double away = lab_shape_distance(t->positions, positions, t->vertex_count) / mirrored;
    lab_gallery_add(gallery, lab_format(l, "%s: %.2f away", m->name, away), bowl, positions);
    lab_release_to(l, mark);
    return away;
}

static void claims(lab *l, const model models[MODELS])
{
    const char *stays = "Nothing but the noise tells it from rest.";
    const char *beside =
        "Where the tip of a triple lies off the middle of its base, v - c lies mostly beside the chord and "
        "its side carries no information: those stencils hold the mirror image.";
    lab_claim_add(l, (lab_claim){"A complete reflection is an equilibrium of triangle bending as printed.",
                                 "section 3: \"not being able to discriminate between a symmetrical reflection\"", NAN,
                                 models[PRINTED].bowl, "of the way left", LAB_AT_LEAST, 0.9, stays});
    lab_claim_add(l, (lab_claim){"So it is of dihedral bending by arccos.",
                                 "section 3: \"a complete local reflection results in another equilibrium state\"", NAN,
                                 models[ARCCOS].bowl, "of the way left", LAB_AT_LEAST, 0.9, stays});
    lab_claim_add(l, (lab_claim){"The signed dihedral comes back from it.", "not in the paper", NAN,
                                 models[SIGNED].bowl, "of the way left", LAB_AT_MOST, 0.05, stays});
    lab_claim_add(l, (lab_claim){"So does triangle bending as a linear form.", "not in the paper", NAN,
                                 models[LINEAR].bowl, "of the way left", LAB_AT_MOST, 0.05, stays});
    lab_claim_add(l, (lab_claim){"So does triangle bending with a sign on its height, as the paper proposes.",
                                 "section 6: \"a signed height\", left for future work", NAN, models[HEIGHT].bowl,
                                 "of the way left", LAB_AT_MOST, 0.05, beside});
    lab_claim_add(l, (lab_claim){"So does triangle bending with a special case where the sign of its area differs.",
                                 "section 6: \"the signed area of the triangle\", left for future work", NAN,
                                 models[AREA].bowl, "of the way left", LAB_AT_MOST, 0.05, stays});
    lab_claim_add(l, (lab_claim){"On a bowl of irregular triangles the sign of its height brings it back.",
                                 "section 6: \"a signed height\"", NAN, models[HEIGHT].irregular, "of the way left",
                                 LAB_AT_MOST, 0.02, beside});
    lab_claim_add(l, (lab_claim){"There the sign of its area does.", "section 6: \"the signed area of the triangle\"",
                                 NAN, models[AREA].irregular, "of the way left", LAB_AT_MOST, 0.02, stays});
    lab_claim_add(l, (lab_claim){"And the linear form does.", "not in the paper", NAN, models[LINEAR].irregular,
                                 "of the way left", LAB_AT_MOST, 0.02, stays});
    lab_claim_add(l, (lab_claim){"With either sign a dented shell comes back to its rest shape, without lumps.",
                                 "section 6: \"to deal with symmetrical reflection of the surface\"", NAN,
                                 fmax(models[HEIGHT].lumps, models[AREA].lumps), "of its radius away", LAB_AT_MOST,
                                 1e-3, "Some stencils hold the mirror image."});
    lab_claim_add(l, (lab_claim){"Dents come back by their rims even without a sign.", "not in the paper", NAN,
                                 models[PRINTED].dents, "of the dents", LAB_AT_LEAST, 0.9, stays});
}

static void report(lab *l, const model models[MODELS])
{
    pli_text *csv = lab_file_add(l, "reflection.csv");
    pli_text_add(csv, "model,signed,dents_back,shell_distance,bowl_distance,irregular_bowl_distance\n");
    lab_say(l,
            "Distances are from the rest shape: of the shell over its radius, of the bowls over that of their mirror "
            "images.\n\n| model | signed | dents that came back | the shell's distance | the bowl's | the irregular "
            "bowl's |\n| --- | --- | --- | --- | --- | --- |\n");
    for (int32_t m = 0; m < MODELS; m++) {
        const model *row = &models[m];
        lab_say(l, "| %s | %s | %.0f %% | %.4f | %.4f | %.4f |\n", row->name, row->has_sign ? "yes" : "no",
                100.0 * row->dents, row->lumps, row->bowl, row->irregular);
        pli_text_add(csv, "%s,%d,%.6g,%.6g,%.6g,%.6g\n", row->type, row->has_sign, row->dents, row->lumps, row->bowl,
                     row->irregular);
    }
    lab_say(l, "\n");
}

static void run(lab *l)
{
    model models[MODELS];
    const pli_mesh *shell = lab_sphere(l, SHELL_SUBDIVISIONS, (float)radius);
    const pli_mesh *bowl = make_bowl(l, 0.0), *irregular = make_bowl(l, 0.3);
    lab_gallery_def near = {.name = "shell", .columns = 3, .fit = LAB_FIT_FOLLOW, .wireframe = true};
    lab_gallery_def over = {.name = "bowl", .columns = 4, .fit = LAB_FIT_FOLLOW, .wireframe = true};
    if (!lab_ok(l))
        return;
    lab_say_paper(l, ITERATIONS);
    lab_say(
        l,
        "A spherical shell is dented in %d places: each cap is reflected through the plane of its rim. Then it is let "
        "go, with stiff tension, k = 1, %d iterations and no gravity.\n\n",
        DENTS, ITERATIONS);
    lab_gallery *gallery = lab_gallery_open(l, &near);
    for (int32_t m = 0; m < MODELS && lab_ok(l); m++) {
        models[m] = table[m];
        dent(l, shell, &models[m], gallery);
        lab_progress(l, (m + 1.0) / (2 * MODELS));
    }
    lab_gallery_close(gallery);
    lab_say(l, "A bowl, open upwards at rest, is turned inside out; and beside it one of irregular triangles.\n\n");
    gallery = lab_gallery_open(l, &over);
    for (int32_t m = 0; m < MODELS && lab_ok(l); m++) {
        models[m].bowl = turn(l, bowl, &models[m], gallery);
        models[m].irregular = turn(l, irregular, &models[m], gallery);
        lab_progress(l, 0.5 + (m + 1.0) / (2 * MODELS));
    }
    lab_gallery_close(gallery);
    if (!lab_ok(l))
        return;
    report(l, models);
    claims(l, models);
}

const lab_experiment lab_row_kelager_reflection = {
    .name = "kelager-reflection",
    .title = "Mirror images: which models come back from them",
    .source = "Kelager, Niebe, Erleben 2010, sections 3 and 6",
    .run = run,
};
