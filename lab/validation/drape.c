// Cusick's drape test: a disc of 30 cm lies on one of 18 cm and hangs over its rim in folds. The drape coefficient is the part of the
// overhang that the shadow still covers. There is no closed form; a fabric's coefficient grows with its bending length, does not
// hang on the mesh, and lies in the band that is measured of such fabrics.
#include "base/clamped_strip.h"
#include "base/lab_measures.h"
#include "base/lab_pictures.h"
#include "base/tessellation.h"

#include <math.h>
#include <string.h>

enum { FABRICS = 4, MESHES = 2, RINGS = 20, HELD = 12, FRAMES = 900, FRAMES_QUICK = 60, PIXELS = 400, RIM = 120 };

#define RADIUS 0.15 // [m]
#define GRAVITY 9.81

typedef struct cloth {
    const char *name;
    double density, rigidity, least, most; // [kg/m2], [N m]; the band of coefficients.
} cloth;

// Fabrics whose coefficient is known with their rigidity have a band.
static const cloth fabrics[FABRICS] = {{"silk", 0.06, 2e-6, 0.2, 0.4},
                                       {"light cotton", 0.15, 1e-5, 0.0, 0.0},
                                       {"heavy cotton", 0.2, 3e-5, 0.0, 0.0},
                                       {"denim", 0.4, 1.5e-4, 0.7, 0.9}};

// A disc of points, on rings or a hexagonal grid with a rim of its own, by Delaunay.
static const pli_mesh *disc(lab *l, bool hexagons)
{
    const double ring = RADIUS / RINGS;
    double(*points)[2] = lab_memory(l, 4 * RINGS * RINGS + 64, sizeof *points);
    int32_t count = 0;
    uint64_t seed = 5;
    for (int32_t i = hexagons ? RINGS : HELD - 1; i <= RINGS; i++)
        for (int32_t k = 0, n = (int32_t)(6.283 * i); k < n; k++) {
            const double angle = 6.283185307179586 * (k + 0.5 * (i % 2)) / n;
            const double r = ring * (i + 1e-3 * lab_random(&seed)); // Not quite on one circle.
            points[count][0] = r * cos(angle), points[count++][1] = r * sin(angle);
        }
    for (int32_t row = -RINGS; row <= RINGS && hexagons; row++)
        for (int32_t column = -RINGS; column <= RINGS; column++) {
            const double x = ring * (column + 0.5 * (row & 1)), z = ring * 0.866 * row;
            const double r = hypot(x, z);
            if (r < RADIUS - 0.6 * ring && r > (HELD - 2) * ring) {
                points[count][0] = x + 0.05 * ring * lab_random(&seed);
                points[count++][1] = z + 0.05 * ring * lab_random(&seed);
            }
        }
    return lab_delaunay(l, (const double(*)[2])points, count);
}

static bool covers(const float *a, const float *b, const float *c, double x, double z)
{
    const double u = ((double)b[0] - x) * ((double)c[2] - z) - ((double)c[0] - x) * ((double)b[2] - z);
    const double v = ((double)c[0] - x) * ((double)a[2] - z) - ((double)a[0] - x) * ((double)c[2] - z);
    const double w = ((double)a[0] - x) * ((double)b[2] - z) - ((double)b[0] - x) * ((double)a[2] - z);
    return (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
}

// Area of the shadow [m2], by points on a grid.
static double shadow(lab *l, const pli_mesh *mesh, const float *positions)
{
    const int32_t mark = lab_mark(l);
    const pli_topology *t = pli_mesh_topology(mesh);
    const double pixel = 2.2 * RADIUS / PIXELS;
    bool *dark = lab_memory(l, PIXELS * PIXELS, sizeof *dark);
    int32_t count = 0;
    for (int32_t k = 0; k < t->triangle_count; k++) {
        const float *corner[3];
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int32_t c = 0; c < 3; c++) {
            corner[c] = positions + 3 * t->triangles[3 * k + c];
            for (int32_t axis = 0; axis < 2; axis++) {
                const double place = (double)corner[c][2 * axis] / pixel + 0.5 * PIXELS;
                low[axis] = fmin(low[axis], place), high[axis] = fmax(high[axis], place);
            }
        }
        for (int32_t row = (int32_t)fmax(0.0, low[1]); row <= fmin(PIXELS - 1, high[1]); row++)
            for (int32_t column = (int32_t)fmax(0.0, low[0]); column <= fmin(PIXELS - 1, high[0]); column++)
                if (covers(corner[0], corner[1], corner[2], (column + 0.5 - 0.5 * PIXELS) * pixel,
                           (row + 0.5 - 0.5 * PIXELS) * pixel))
                    dark[row * PIXELS + column] = true;
    }
    for (int32_t i = 0; i < PIXELS * PIXELS; i++)
        count += dark[i];
    lab_release_to(l, mark);
    return count * pixel * pixel;
}

// Folds along the rim: how often its height goes through its mean upwards.
static int32_t folds_of(const pli_mesh *mesh, const float *positions)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    double heights[RIM], mean = 0.0;
    int32_t folds = 0;
    for (int32_t k = 0; k < RIM; k++) {
        double nearest = INFINITY;
        const double x = RADIUS * cos(6.2831853 * k / RIM), z = RADIUS * sin(6.2831853 * k / RIM);
        for (int32_t i = 0; i < t->vertex_count; i++) {
            const double way = hypot((double)t->positions[3 * i] - x, (double)t->positions[3 * i + 2] - z);
            if (way < nearest)
                nearest = way, heights[k] = (double)positions[3 * i + 1];
        }
        mean += heights[k] / RIM;
    }
    for (int32_t k = 0; k < RIM; k++)
        folds += heights[k] < mean && heights[(k + 1) % RIM] >= mean;
    return folds;
}

typedef struct draped {
    double coefficient;
    int32_t folds;
} draped;

static draped drape(lab *l, const char *model, const cloth *f, const pli_mesh *mesh, lab_gallery *gallery)
{
    const int32_t mark = lab_mark(l);
    const double held = RADIUS * HELD / RINGS;
    if (!lab_ok(l))
        return (draped){NAN, 0};
    const pli_topology *t = pli_mesh_topology(mesh);
    float *positions = lab_memory(l, 3 * (size_t)t->vertex_count, sizeof *positions);
    memcpy(positions, t->positions, 3 * (size_t)t->vertex_count * sizeof *positions);
    uint64_t seed = 9;
    for (int32_t i = 0; i < t->vertex_count; i++)
        if (hypot((double)positions[3 * i], (double)positions[3 * i + 2]) > 1.001 * held)
            positions[3 * i + 1] += 2e-4f * (float)lab_random(&seed);
    lab_body_def def = {.mesh = mesh,
                        .positions = positions,
                        .settings = lab_settings(PLI_METHOD_XPBD, 10, 1),
                        .density = (float)f->density,
                        .automatic = true};
    def.settings.gravity = (pli_vec3){0.0f, (float)-GRAVITY, 0.0f};
    def.settings.damping = 13.4f;
    lab_bend(&def, model, f->rigidity);
    def.sets[0] = (lab_set){.type = "distance"}; // Swept, which shears as softly as cloth does.
    lab_body body = lab_body_make(l, &def);
    for (int32_t i = 0; i < t->vertex_count && lab_ok(l); i++)
        if (hypot((double)t->positions[3 * i], (double)t->positions[3 * i + 2]) <= 1.001 * held)
            lab_hold(l, &body, i);
    for (int32_t frame = 0; frame < lab_long_or_quick(l, FRAMES, FRAMES_QUICK) && lab_ok(l); frame++)
        lab_step(l, body.world, 1.0f / 60.0f);
    lab_positions(&body, positions);
    const double inner = 3.141592653589793 * held * held, outer = 3.141592653589793 * RADIUS * RADIUS;
    // The shadow of the disc below is always there.
    const draped result = {(fmax(shadow(l, mesh, positions), inner) - inner) / (outer - inner),
                           folds_of(mesh, positions)};
    if (gallery && lab_ok(l))
        lab_gallery_add(gallery, lab_format(l, "%s, %s", model, f->name), mesh, positions);
    lab_release_to(l, mark);
    return result;
}

static const char states[] =
    "A drape has several states with other numbers of folds, between which small differences choose; those with more "
    "folds cast a smaller shadow.";

static void drape_all(lab *l, const char *model, int32_t index, const pli_mesh *const meshes[MESHES],
                      lab_gallery *gallery, pli_text *csv)
{
    draped found[FABRICS][MESHES];
    double rises = INFINITY, differs = 0.0;
    for (int32_t i = 0; i < lab_long_or_quick(l, FABRICS, 2) && lab_ok(l); i++) {
        for (int32_t k = 0; k < lab_long_or_quick(l, MESHES, 1) && lab_ok(l); k++) {
            found[i][k] = drape(l, model, &fabrics[i], meshes[k], k == 0 && index == 0 ? gallery : NULL);
            pli_text_add(csv, "%s,%s,%s,%.4g,%d\n", model, fabrics[i].name, k ? "hexagons" : "rings",
                         found[i][k].coefficient, (int)found[i][k].folds);
            differs = fmax(differs, fabs(found[i][k].coefficient - found[i][0].coefficient));
        }
        if (i > 0)
            rises = fmin(rises, found[i][0].coefficient - found[i - 1][0].coefficient);
        if (index == 0 && !lab_is_quick(l) && fabrics[i].most > 0.0)
            lab_row_near(l,
                         lab_format(l, "%s, %s, drape coefficient, in the band of the fabric", model, fabrics[i].name),
                         0.5 * (fabrics[i].least + fabrics[i].most), found[i][0].coefficient, "",
                         (fabrics[i].most - fabrics[i].least) / (fabrics[i].most + fabrics[i].least), NULL);
    }
    lab_row_at_least(l, lab_format(l, "%s, drape coefficient rises from fabric to stiffer fabric by", model), rises, "",
                     0.0, NULL);
    if (lab_is_quick(l))
        return;
    lab_row_at_most(l, lab_format(l, "%s, difference of the coefficient between rings and hexagons", model), differs,
                    "", 0.05, states);
    lab_row_near(l, lab_format(l, "%s, folds of silk, 6 to 14", model), 10.0, found[0][0].folds, "", 0.4, NULL);
}

static void run(lab *l)
{
    static const char *const models[2] = {"plate", "isometric"};
    const pli_mesh *const meshes[MESHES] = {disc(l, false), disc(l, true)};
    pli_text *csv = lab_file_add(l, "drape.csv");
    pli_text_add(csv, "model,fabric,mesh,coefficient,folds\n");
    lab_gallery *gallery =
        lab_is_quick(l) ? NULL
                        : lab_gallery_open(l, &(lab_gallery_def){.name = "drape", .columns = 2, .fit = LAB_FIT_RUN});
    for (int32_t model = 0; model < lab_long_or_quick(l, 2, 1) && lab_ok(l); model++) {
        drape_all(l, models[model], model, meshes, gallery, csv);
        lab_progress(l, 0.5 * (model + 1.0));
    }
    if (gallery)
        lab_gallery_close(gallery);
}

const lab_experiment lab_check_drape = {
    .name = "drape",
    .title = "Cusick's drape test",
    .source = "Cusick 1968; bands of fabrics by calibration",
    .run = run,
};
