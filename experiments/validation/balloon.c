// Balloons: a sphere keeps its volume and stays round, and its pressure is that of Laplace, p = 2 T / R.
//
// The pressure is the multiplier of the volume over h^2. The tension T of the skin follows from the multipliers of its edges: a stretch by
// d does the work 2 T A d on the skin and sum f l d on edges of length l under f.
#include "lab/lab_measures.h"
#include "lab/lab_world.h"

#include <math.h>

enum { SIZES = 2, SUBDIVISIONS = 4, SUBDIVISIONS_QUICK = 3, FRAMES = 600, FRAMES_QUICK = 150, SUBSTEPS = 10 };

#define RADIUS 0.1 // [m]
#define GROWN 1.2  // Factor of the volume.

static const double compliances[SIZES] = {1.0, 1e-2}; // Compliances of edges [m/N].

typedef struct blown {
    double volume, round, pressure, tension, radius; // Over that at rest; largest over least radius; [Pa]; [N/m]; [m].
} blown;

static double multiplier_of(lab *l, const lab_body *body, int32_t set, int32_t i, int32_t *particles)
{
    float lambda = 0.0f;
    int32_t count;
    pli_error error;
    const double h = 1.0 / (60.0 * SUBSTEPS);
    lab_note(l, pli_constraint_set_at(body->world, body->sets[set], i, particles, &count, NULL, &lambda, &error), &error);
    return fabs((double)lambda) / (h * h);
}

static double area_of(const pli_mesh *mesh, const float *positions)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    double sum = 0.0;
    for (int32_t k = 0; k < t->triangle_count; k++) {
        const float *a = positions + 3 * t->triangles[3 * k], *b = positions + 3 * t->triangles[3 * k + 1],
                    *c = positions + 3 * t->triangles[3 * k + 2];
        double u[3], v[3], square = 0.0;
        for (int32_t i = 0; i < 3; i++)
            u[i] = (double)b[i] - (double)a[i], v[i] = (double)c[i] - (double)a[i];
        for (int32_t i = 0; i < 3; i++)
            square += pow(u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3], 2.0);
        sum += 0.5 * sqrt(square);
    }
    return sum;
}

static blown measure(lab *l, const lab_body *body)
{
    float *positions = lab_memory(l, 3 * (size_t)body->count, sizeof *positions);
    int32_t *particles = lab_memory(l, (size_t)body->count + PLI_CARDINALITY_MAX, sizeof *particles);
    const lab_motion motion = lab_motion_of(body);
    double least = INFINITY, most = 0.0, mean = 0.0, work = 0.0;
    lab_positions(body, positions);
    for (int32_t i = 0; i < body->count; i++) {
        double square = 0.0;
        for (int32_t k = 0; k < 3; k++)
            square += pow((double)positions[3 * i + k] - motion.centre[k], 2.0);
        least = fmin(least, sqrt(square)), most = fmax(most, sqrt(square)), mean += sqrt(square) / body->count;
    }
    for (int32_t i = 0; i < lab_set_count(l, body, 0) && lab_ok(l); i++) {
        const double force = multiplier_of(l, body, 0, i, particles);
        double square = 0.0;
        for (int32_t k = 0; k < 3; k++)
            square += pow((double)positions[3 * particles[0] + k] - (double)positions[3 * particles[1] + k], 2.0);
        work += force * sqrt(square);
    }
    return (blown){lab_volume(body->mesh, positions) / lab_volume(body->mesh, pli_mesh_topology(body->mesh)->positions),
                   most / least, multiplier_of(l, body, 1, 0, particles), work / (2.0 * area_of(body->mesh, positions)), mean};
}

static blown blow(lab *l, double compliance)
{
    const int32_t mark = lab_mark(l);
    lab_body_def def = {.mesh = lab_sphere(l, lab_long_or_quick(l, SUBDIVISIONS, SUBDIVISIONS_QUICK), (float)RADIUS),
                        .settings = lab_settings(PLI_METHOD_XPBD, SUBSTEPS, 1),
                        .automatic = true};
    def.settings.damping = 0.2f;
    def.sets[0] = (lab_set){.type = "distance", .keep_lambda = true, .values = {{"compliance", compliance}}};
    def.sets[1] = (lab_set){.type = "volume", .keep_lambda = true, .values = {{"pressure", GROWN}}};
    lab_body body = lab_body_make(l, &def);
    for (int32_t frame = 0; frame < lab_long_or_quick(l, FRAMES, FRAMES_QUICK) && lab_ok(l); frame++)
        lab_step(l, body.world, 1.0f / 60.0f);
    const blown result = lab_ok(l) ? measure(l, &body) : (blown){0};
    lab_release_to(l, mark);
    return result;
}

static const char uneven[] =
    "Edges are swept, and where they are stiff all of them act alike whatever their length, as soft as one sweep leaves them. Those of an "
    "icosphere differ by a fifth, and its twelve corners of five edges stand out.";

static void run(lab *l)
{
    pli_text *csv = lab_file_add(l, "balloons.csv");
    pli_text_add(csv, "compliance,volume,round,pressure,tension,radius\n");
    for (int32_t i = 0; i < SIZES && lab_ok(l); i++) {
        const blown b = blow(l, compliances[i]);
        pli_text_add(csv, "%g,%.6g,%.6g,%.6g,%.6g,%.6g\n", compliances[i], b.volume, b.round, b.pressure, b.tension, b.radius);
        const char *name = lab_format(l, "sphere to %g of its volume, edges of %g m/N", GROWN, compliances[i]);
        lab_row_near(l, lab_format(l, "%s, volume over that at rest", name), GROWN, b.volume, "", 1e-3, NULL);
        lab_row_at_most(l, lab_format(l, "%s, largest over least radius", name), b.round, "", 1.01, i == 0 && !lab_is_quick(l) ? NULL : uneven);
        lab_row_near(l, lab_format(l, "%s, pressure by its multiplier, against 2 T / R by those of the edges", name),
                     2.0 * b.tension / b.radius, b.pressure, "Pa", 0.05, NULL);
        lab_progress(l, (i + 1.0) / SIZES);
    }
}

const lab_experiment lab_check_balloon = {
    .name = "balloon",
    .title = "Balloons: volume, roundness, Laplace's pressure",
    .source = "Laplace: p = 2 T / R",
    .run = run,
};
